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
// Long, but it ends: thousands of instructions after any command, dispatch or retirement.
kernel void long_loop(global uint* out, uint n) {
    const volatile global uint* a = out;
    uint s = 0;
    for (uint i = 0; i < n; ++i)
        s += a[(s + i) & 1023];
    out[1024 + get_global_id(0)] = s;
}
// Half of each group's threads never come to the barrier; the groups keep their SLM.
kernel void barrier_missed(global uint* out) {
    local uint part[8192];
    part[get_local_id(0)] = get_local_id(0);
    if (get_local_id(0) < 64) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = part[get_local_id(0) ^ 1];
}
