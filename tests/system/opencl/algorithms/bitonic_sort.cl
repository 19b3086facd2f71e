// SPDX-License-Identifier: Apache-2.0
kernel void bitonic_step(global uint* keys, uint stage, uint distance) {
    const uint i = get_global_id(0);
    const uint low = (i / distance) * 2 * distance + i % distance;
    const uint high = low + distance;
    const uint a = keys[low], b = keys[high];
    const bool ascending = (low & stage) == 0;
    if ((a > b) == ascending) {
        keys[low] = b;
        keys[high] = a;
    }
}
