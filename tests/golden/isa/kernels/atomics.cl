// Atomic operations on global and local memory.
kernel void histogram(global const uchar* in, global uint* bins, uint n) {
    local uint mine[256];
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) mine[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&mine[in[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) atomic_add(&bins[i], mine[i]);
}
kernel void all_atomics(global int* s, global uint* u, global float* f) {
    const int i = get_global_id(0);
    atomic_add(s, i); atomic_sub(s + 1, i); atomic_min(s + 2, i); atomic_max(s + 3, i);
    atomic_and(u, i); atomic_or(u + 1, i); atomic_xor(u + 2, i); atomic_dec(u + 3);
    atomic_max(u + 4, (uint)i);
    s[4 + i] = atomic_cmpxchg(s + 5, i, i + 1) + atomic_xchg(s + 6, i);
    f[i] = atomic_xchg(f + 1, (float)i);
}
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
kernel void atomics64(global long* s) { atom_add(s, 5L); atom_cmpxchg(s + 1, 1L, (long)get_global_id(0)); }
