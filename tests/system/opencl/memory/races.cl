// SPDX-License-Identifier: Apache-2.0
// Data races, and the same without. Its line says so where a kernel has one.
kernel void one_place(global const uint* in, global uint* out) {
    const uint i = get_global_id(0);
    if (i % 64 == 0) out[0] = in[i];  // race
}
kernel void disjoint(global const uint* in, global uint* out) {
    const uint i = get_global_id(0);
    out[i] = in[i];
}
kernel void neighbour_group(global const uint* in, global uint* out) {
    const uint i = get_global_id(0);
    const uint other = out[(i + 64) % 1024];  // race
    out[i] = other + in[i];
}
kernel void own_place(global const uint* in, global uint* out) {
    const uint i = get_global_id(0);
    out[i] = out[i] + in[i];
}
kernel void local_without_barrier(global const uint* in, global uint* out) {
    local uint table[64];
    const uint i = get_global_id(0), l = get_local_id(0);
    table[l] = in[i];
    out[i] = table[63 - l];  // race
}
kernel void local_with_barrier(global const uint* in, global uint* out) {
    local uint table[64];
    const uint i = get_global_id(0), l = get_local_id(0);
    table[l] = in[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = table[63 - l];
}
kernel void second_round_without_barrier(global const uint* in, global uint* out) {
    local uint table[64];
    const uint i = get_global_id(0), l = get_local_id(0);
    uint sum = 0;
    for (uint round = 0; round < 3; ++round) {
        table[l] = in[i] + round;  // race
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += table[63 - l];
    }
    out[i] = sum;
}
kernel void second_round_with_barrier(global const uint* in, global uint* out) {
    local uint table[64];
    const uint i = get_global_id(0), l = get_local_id(0);
    uint sum = 0;
    for (uint round = 0; round < 3; ++round) {
        table[l] = in[i] + round;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += table[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[i] = sum;
}
kernel void global_without_barrier(global const uint* in, global uint* out) {
    const uint i = get_global_id(0), other = i ^ 63;
    out[i] = in[i];
    if (out[other] == 12345) out[i] = 1;  // race
}
kernel void global_with_barrier(global const uint* in, global uint* out) {
    const uint i = get_global_id(0), other = i ^ 63;
    out[i] = in[i];
    barrier(CLK_GLOBAL_MEM_FENCE);
    const uint found = out[other];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (found == 12345) out[i] = 1;
}
kernel void lanes(global const uint* in, global uint* out) {
    const uint i = get_global_id(0);
    out[i / 2] = i;  // race
}
kernel void plain_beside_atomics(global const uint* in, global uint* out) {
    const uint i = get_global_id(0);
    atomic_add(out, in[i]);
    if (i == 700) out[0] = 5;  // race
}
kernel void atomics(global const uint* in, global uint* out) {
    const uint i = get_global_id(0);
    atomic_add(out, in[i]);
    atomic_max(out + 1, in[i]);
}
kernel void bytes(global const uint* in, global uint* out) {
    const uint i = get_global_id(0);
    ((global uchar*)out)[i % 64 * 16 + i / 64] = (uchar)in[i];
}
kernel void private_table(global const uint* in, global uint* out) {
    const uint i = get_global_id(0);
    uint table[64];
    for (uint n = 0; n < 64; ++n)
        table[n] = in[(i + n) % 1024];
    uint sum = 0;
    for (uint n = 0; n < 64; ++n)
        sum = sum * 3 + table[sum % 64];
    out[i] = sum;
}
