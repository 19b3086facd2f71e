// SPDX-License-Identifier: Apache-2.0
// Scratch memory: private arrays of every width, registers that do not fit, and what is printed.
#define PRIVATE(TYPE)                                                                \
    kernel void private_##TYPE(global const uint* in, global uint* out) {            \
        TYPE cells[64];                                                              \
        const uint item = get_global_id(0);                                          \
        for (uint i = 0; i < 64; ++i) cells[i] = (TYPE)(i * 3 + item);               \
        for (uint i = 0; i < 64; ++i) {                                              \
            const uint to = in[(item + i) % 256] % 64;                               \
            cells[to] = cells[(to * 7 + i) % 64] + (TYPE)i;                          \
        }                                                                            \
        uint sum = 0;                                                                \
        for (uint i = 0; i < 64; ++i) sum = sum * 31 + (uint)cells[i];               \
        out[item] = sum;                                                             \
    }
PRIVATE(uchar)
PRIVATE(ushort)
PRIVATE(uint)
PRIVATE(ulong)

// A hundred and more values per item are alive at once: the compiler spills them.
kernel void spilled(global const uint* in, global uint* out) {
    const uint item = get_global_id(0);
    uint16 v[12];
    #pragma unroll
    for (int i = 0; i < 12; ++i) {
        v[i] = vload16(0, in + (item * 3 + i * 16) % 240);
        v[i] = v[i] * (v[i] + i);
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    uint16 sum = 0;
    #pragma unroll
    for (int i = 0; i < 12; ++i) {
        sum += v[i] ^ v[(i * 5 + 3) % 12].s123456789abcdef0;
        sum = rotate(sum, (uint16)(i + 1));
    }
    uint total = 0;
    const uint8 eight = sum.lo + sum.hi;
    const uint4 four = eight.lo + eight.hi;
    total = four.x + four.y * 3 + four.z * 5 + four.w * 7;
    out[item] = total;
}

kernel void says(global const uint* in) {
    const uint item = get_global_id(0);
    if (item % 8 == 3) printf("item %u of group %u holds %u, %s %.2f\n", item, (uint)get_group_id(0), in[item], "half is", in[item] / 2.0f);
}
