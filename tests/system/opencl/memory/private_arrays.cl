// SPDX-License-Identifier: Apache-2.0
// Each item sorts its own array, indexed by values only known at run time: the array lives in
// memory private to the item.
#define ITEMS 64
kernel void private_arrays(global const int* in, global int* out) {
    int mine[ITEMS];
    const int base = get_global_id(0) * ITEMS;
    for (int i = 0; i < ITEMS; ++i) mine[(i * 29 + get_local_id(0)) % ITEMS] = in[base + i];
    for (int i = 1; i < ITEMS; ++i) {
        const int value = mine[i];
        int j = i;
        for (; j > 0 && mine[j - 1] > value; --j) mine[j] = mine[j - 1];
        mine[j] = value;
    }
    for (int i = 0; i < ITEMS; ++i) out[base + i] = mine[i];
}
