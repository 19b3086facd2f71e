// SPDX-License-Identifier: Apache-2.0
// Each group folds its items in local memory, halving the number of active items at each step;
// the groups' results meet in global atomics.
kernel void reduction(global const int* values, global int* total, global int* largest, local int* part) {
    const size_t l = get_local_id(0);
    const int value = values[get_global_id(0)];
    part[l] = value;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t step = get_local_size(0) / 2; step > 0; step /= 2) {
        if (l < step) part[l] += part[l + step];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) atomic_add(total, part[0]);
    atomic_max(largest, value);
}
