// SPDX-License-Identifier: Apache-2.0
kernel void unmapped(global uint* out, ulong address) {
    out[get_global_id(0)] = *(global uint*)(address + 4 * get_global_id(0)) + 1;
}
kernel void endless(global uint* out) {
    volatile global uint* flag = out;
    while (*flag == 0) {
    }
    out[1] = 1;
}
