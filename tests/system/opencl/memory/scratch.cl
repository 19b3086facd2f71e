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
#define SPILLED(SIZE)                                                                                         \
    __attribute__((intel_reqd_sub_group_size(SIZE)))                                                          \
    kernel void spilled##SIZE(global const uint* in, global uint* out) {                                      \
        const uint item = get_global_id(0);                                                                   \
        uint16 v[12];                                                                                         \
        _Pragma("unroll")                                                                                     \
        for (int i = 0; i < 12; ++i) {                                                                        \
            v[i] = vload16(0, in + (item * 3 + i * 16) % 240);                                                \
            v[i] = v[i] * (v[i] + i);                                                                         \
        }                                                                                                     \
        barrier(CLK_GLOBAL_MEM_FENCE);                                                                        \
        uint16 sum = 0;                                                                                       \
        _Pragma("unroll")                                                                                     \
        for (int i = 0; i < 12; ++i) {                                                                        \
            sum += v[i] ^ v[(i * 5 + 3) % 12].s123456789abcdef0;                                              \
            sum = rotate(sum, (uint16)(i + 1));                                                               \
        }                                                                                                     \
        uint total = 0;                                                                                       \
        const uint8 eight = sum.lo + sum.hi;                                                                  \
        const uint4 four = eight.lo + eight.hi;                                                               \
        total = four.x + four.y * 3 + four.z * 5 + four.w * 7;                                                \
        out[item] = total;                                                                                    \
    }
SPILLED(8)
SPILLED(16)
SPILLED(32)

// Every kind of value that can be printed.
kernel void says_kinds(global const uint* in) {
    const uint item = get_global_id(0);
    if (item % 64 != 5) return;
    const uint n = in[item];
    printf("%d %u %ld %lu %hd %hhu %c %x %X %o\n", (int)n - 5000, n, (long)n * -1000000007L, (ulong)n << 40, (short)n,
           (uchar)n, (char)('a' + n % 26), n, n * 77, n);
    printf("%v4d|%v2hlf|%v3hu\n", (int4)(1, -2, (int)n, 4), (float2)(n, 0.25f), (ushort3)(7, 8, 9));
    printf("%.3f %e %g %10.2f|%-8d|%+d|%08x|%%|%s\n", n / 8.0f, n * 1e10, n * 0.5, -(double)n, (int)n, (int)n, n, "end");
}

kernel void says(global const uint* in) {
    const uint item = get_global_id(0);
    if (item % 8 == 3) printf("item %u of group %u holds %u, %s %.2f\n", item, (uint)get_group_id(0), in[item], "half is", in[item] / 2.0f);
}
