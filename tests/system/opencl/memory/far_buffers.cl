// SPDX-License-Identifier: Apache-2.0
// Buffers many GB apart, and a large one: addresses, offsets and indices that do not fit 32 bits.

// From one buffer to the other by an index, in elements, beyond 2^31 and below -2^31.
#define REACH(TYPE)                                                                                   \
    kernel void reach_##TYPE(global TYPE* near, global TYPE* far, long distance) {                     \
        const long i = get_global_id(0), there = distance / (long)sizeof(TYPE);                        \
        const TYPE mine = near[i], other = near[there + i * 3 % 256];                                   \
        barrier(CLK_GLOBAL_MEM_FENCE);                                                                 \
        near[there + 256 + i] = mine + (TYPE)1;                                                        \
        far[256 + i - there] = other + (TYPE)2;                                                        \
    }
REACH(uchar)
REACH(ushort)
REACH(uint)
REACH(ulong)

// Four elements at once, across the end of a page.
kernel void vectors(global uint* near, global uint* far, long distance) {
    const long i = get_global_id(0), there = distance / 4;
    vstore4(vload4(0, near + there + 1019 + i * 5) + near[i], 0, far + 3067 + i * 5 - there);
}

kernel void count(global uint* near, global uint* far, long distance) {
    atomic_add(near + distance / 4 + get_global_id(0) % 7, 3u);
    atomic_inc(far - distance / 4 + get_global_id(0) % 7);
}

// One word in each piece of `step` bytes, addressed by byte offsets of 64 bits.
kernel void touch(global uchar* large, ulong step, uint salt) {
    const ulong i = get_global_id(0);
    global uint* word = (global uint*)(large + i * step + i % 61 * 4);
    *word = *word * 3u + (uint)i + salt;
}
