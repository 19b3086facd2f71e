// SPDX-License-Identifier: Apache-2.0
// In each round the items of one sub-group compute much longer than the others before they write
// what all read behind the barrier; the items that wait meanwhile would read what was there before.
// One sub-group after the other is the slow one, so that the order of threads makes no difference.
#define ITEMS 256
uint work(uint value, uint steps) {
    for (uint n = 0; n < steps; ++n) value = value * 1664525u + 1013904223u;
    return value;
}
uint steps_of(uint item, uint round, uint steps) {
    return item / 32 == round % (ITEMS / 32) ? steps : 1;
}
kernel void by_local_memory(global uint* out, uint rounds, uint steps) {
    local uint shared[ITEMS];
    const uint item = get_local_id(0);
    uint sum = item;
    for (uint round = 0; round < rounds; ++round) {
        shared[item] = work(sum, steps_of(item, round, steps));
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint n = 32; n < ITEMS; n += 32) sum = sum * 31 + shared[(item + n) % ITEMS];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
kernel void by_global_memory(global uint* out, uint rounds, uint steps, global uint* shared) {
    const uint item = get_local_id(0);
    shared += get_group_id(0) * ITEMS;
    uint sum = item;
    for (uint round = 0; round < rounds; ++round) {
        shared[item] = work(sum, steps_of(item, round, steps));
        barrier(CLK_GLOBAL_MEM_FENCE);
        for (uint n = 32; n < ITEMS; n += 32) sum = sum * 31 + shared[(item + n) % ITEMS];
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
