// SPDX-License-Identifier: Apache-2.0
// DWords at 2 mod 4, which OpenCL C does not allow; and what the data port reads then.
kernel void misaligned(global const uint* in, global uint* out) {
    const uint i = get_global_id(0);
    out[i] = *(global const uint*)((global const uchar*)(in + i) + 2);
}
kernel void aligned(global const uint* in, global uint* out) {
    const uint i = get_global_id(0);
    out[i] = in[i];
}
