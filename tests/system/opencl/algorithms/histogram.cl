// SPDX-License-Identifier: Apache-2.0
// A histogram per group in local memory, then added to the whole one.
kernel void histogram(global const uchar* bytes, uint count, global uint* bins) {
    local uint mine[256];
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) mine[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < count; i += get_global_size(0)) atomic_inc(&mine[bytes[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_local_id(0); i < 256; i += get_local_size(0)) atomic_add(&bins[i], mine[i]);
}
