// SPDX-License-Identifier: Apache-2.0
// The first of 16 groups waits for the one before it, as in a scan in one pass: groups of lower
// numbers have begun, or begin before it. The others end at once. `steps` differ, so that groups end
// in another order than they begin.
kernel void chained(global volatile uint* sums, global const uint* values, uint steps) {
    const uint group = get_group_id(0), item = get_local_id(0);
    uint sum = values[group], before = 1;
    for (uint n = group * 40503u % steps; n != 0; --n) sum = sum * 1664525u + 1013904223u;
    if (group % 16 == 0 && group != 0)
        do before = atomic_add(&sums[group - 1], 0);
        while (before == 0);
    sum = (before + sum) | 1;
    if (group % 16 == 15) {
        if (item == 0) atomic_xchg(&sums[group], sum);
    } else if (item == 0) {
        sums[group] = sum;
    }
}
