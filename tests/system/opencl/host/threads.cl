// SPDX-License-Identifier: Apache-2.0
kernel void add(global uint* values, uint amount) {
    values[get_global_id(0)] += amount;
}

kernel void scale(global const uint* from, global uint* to, uint factor) {
    const size_t i = get_global_id(0);
    to[i] = from[i] * factor + (uint)i;
}

// Ends when somebody outside writes the flag, and says so.
kernel void wait_for(global volatile uint* flag, global uint* seen) {
    uint turns = 0;
    while (*flag == 0)
        ++turns;
    seen[0] = 1;
    seen[1] = turns;
}
