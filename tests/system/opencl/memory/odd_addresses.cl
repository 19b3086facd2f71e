// SPDX-License-Identifier: Apache-2.0
// Loads and stores of every width at any byte address.
typedef struct __attribute__((packed)) {
    uchar pad;
    ushort word;
    uint dword;
    ulong qword;
    uchar tail;
} Packed;

// Each item moves one packed record, field by field, each changed a little.
kernel void records(global const Packed* in, global Packed* out) {
    const size_t i = get_global_id(0);
    Packed p = in[i];
    p.pad += 1;
    p.word += 2;
    p.dword += 3;
    p.qword += 4;
    p.tail += 5;
    out[i] = p;
}

// Single accesses at an address given in bytes; `step` apart, from `first` on.
#define AT(TYPE)                                                                     \
    kernel void move_##TYPE(global const uchar* in, global uchar* out, uint first, uint step) { \
        typedef struct __attribute__((packed)) { TYPE v; } Loose;                    \
        const size_t at = first + get_global_id(0) * step;                           \
        ((global Loose*)(out + at))->v = ((global const Loose*)(in + at))->v + (TYPE)1; \
    }
AT(uchar)
AT(ushort)
AT(uint)
AT(ulong)

// Vectors, whose addresses are those of their elements.
#define VECTORS(TYPE)                                                                \
    kernel void vectors_##TYPE(global const TYPE* in, global TYPE* out) {            \
        const size_t i = get_global_id(0) * 32 + 1;                                  \
        vstore2(vload2(0, in + i), 0, out + i);                                      \
        vstore3(vload3(0, in + i + 2), 0, out + i + 2);                              \
        vstore4(vload4(0, in + i + 5), 0, out + i + 5);                              \
        vstore8(vload8(0, in + i + 9), 0, out + i + 9);                              \
        vstore8(vload16(0, in + i + 15).s2468aceF, 0, out + i + 17);                 \
    }
VECTORS(uchar)
VECTORS(ushort)
VECTORS(uint)
VECTORS(ulong)

// The same through the memory of the group, and with constants.
kernel void near(global const uchar* in, global uchar* out, constant uchar* table) {
    local uchar bytes[64 * 9 + 16];
    typedef struct __attribute__((packed)) { ulong v; } Loose;
    const uint item = get_local_id(0);
    const size_t base = get_group_id(0) * 64 * 9;
    for (uint i = 0; i < 9; ++i) bytes[item * 9 + i] = in[base + item * 9 + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint other = (item + 17) % 64;
    const ulong word = ((local Loose*)(bytes + other * 9 + 1))->v + table[item * 3 + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    ((local Loose*)(bytes + item * 9 + 1))->v = word;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < 9; ++i) out[base + item * 9 + i] = bytes[item * 9 + i];
}

// Addresses more than 4 GB from the buffer's own, brought back by an offset of 64 bits.
kernel void far(global uint* data, ulong distance) {
    const size_t i = get_global_id(0);
    global uint* elsewhere = (global uint*)((ulong)data - distance);
    elsewhere[distance / 4 + i] = elsewhere[distance / 4 + i] * 2 + 1;
}
