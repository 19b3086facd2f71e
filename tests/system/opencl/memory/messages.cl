// SPDX-License-Identifier: Apache-2.0
// Data port messages that OpenCL C has no words for, in the compiler's inline assembly (vISA): gathers and scatters
// of four channels, atomics of floats, blocks of owords, and messages given by their descriptors.
#define SUB_GROUP(SIZE) __attribute__((intel_reqd_sub_group_size(SIZE)))

// Each item reads the enabled ones of the four dwords at base + offset, the base far from the data; every fifth item
// reads nothing, but the first of a sub-group, which the compiler takes the base from.
#define GATHER4(SIZE, MASK, CHANNELS)                                                                              \
    SUB_GROUP(SIZE) kernel void gather##SIZE##_##MASK(global const uint* in, global uint* out, ulong far) {          \
        const uint item = get_global_id(0);                                                                         \
        const ulong base = (ulong)in - far, offset = far + (item * 37 % 251) * 4;                                     \
        uint4 got = 7;                                                                                              \
        if ((item % 5 != 4 || item % 8 == 0))                                                                                          \
            __asm__ volatile("svm_gather4scaled." #MASK " (M1, " #SIZE ") %1(0,0)<0;1,0> %2.0 %0.0"                   \
                             : "=rw"(got) : "rw"(base), "rw"(offset));                                              \
        if (item % 5 == 4 && item % 8 != 0) got = 7;                                                                                 \
        const uint all[4] = {got.x, got.y, got.z, got.w};                                                           \
        for (int c = 0; c < CHANNELS; ++c) out[item * 4 + c] = all[c];                                              \
    }
#define GATHERS(SIZE)                                                                                               \
    GATHER4(SIZE, R, 1) GATHER4(SIZE, G, 1) GATHER4(SIZE, RG, 2) GATHER4(SIZE, B, 1) GATHER4(SIZE, RB, 2)             \
    GATHER4(SIZE, GB, 2) GATHER4(SIZE, RGB, 3) GATHER4(SIZE, A, 1) GATHER4(SIZE, RA, 2) GATHER4(SIZE, GA, 2)          \
    GATHER4(SIZE, RGA, 3) GATHER4(SIZE, BA, 2) GATHER4(SIZE, RBA, 3) GATHER4(SIZE, GBA, 3) GATHER4(SIZE, RGBA, 4)
GATHERS(8)
GATHERS(16)

#define SCATTER4(SIZE, MASK)                                                                                        \
    SUB_GROUP(SIZE) kernel void scatter##SIZE##_##MASK(global uint* out, ulong far) {                                 \
        const uint item = get_global_id(0);                                                                         \
        const ulong base = (ulong)out - far, offset = far + (item * 37 % 256) * 16;                                   \
        const uint4 values = (uint4)(item + 1, item * 3 + 2, item * 5 + 3, item * 7 + 4);                             \
        if ((item % 5 != 4 || item % 8 == 0))                                                                                          \
            __asm__ volatile("svm_scatter4scaled." #MASK " (M1, " #SIZE ") %0(0,0)<0;1,0> %1.0 %2.0"                  \
                             : : "rw"(base), "rw"(offset), "rw"(values));                                           \
    }
#define SCATTERS(SIZE) SCATTER4(SIZE, R) SCATTER4(SIZE, RG) SCATTER4(SIZE, RGB) SCATTER4(SIZE, RGBA)
SCATTERS(8)
SCATTERS(16)

// Elements of 1, 4 and 8 bytes, several from each item's address: bytes anywhere, the others aligned.
#define ELEMENTS(NAME, FORM, TYPE, SIZE)                                                                              \
    SUB_GROUP(8) kernel void NAME(global const uchar* in, global uchar* out, uint step) {                            \
        const uint item = get_global_id(0);                                                                         \
        const ulong from = (ulong)in + (item * step + 1) * SIZE, to = (ulong)out + (item * step + 3) * SIZE;                        \
        TYPE got;                                                                                                   \
        __asm__ volatile("svm_gather." FORM " (M1, 8) %1.0 %0.0" : "=rw"(got) : "rw"(from));                          \
        if (item % 7 != 3) __asm__ volatile("svm_scatter." FORM " (M1, 8) %0.0 %1.0" : : "rw"(to), "rw"(got));        \
    }
ELEMENTS(bytes_1, "1.1", uint, 1)
ELEMENTS(bytes_2, "1.2", uint, 1)
ELEMENTS(bytes_4, "1.4", uint, 1)
ELEMENTS(dwords_1, "4.1", uint, 4)
ELEMENTS(dwords_2, "4.2", uint2, 4)
ELEMENTS(dwords_4, "4.4", uint4, 4)
ELEMENTS(dwords_8, "4.8", uint8, 4)
ELEMENTS(qwords_1, "8.1", ulong, 8)
ELEMENTS(qwords_2, "8.2", ulong2, 8)
ELEMENTS(qwords_4, "8.4", ulong4, 8)

// Atomics by 64-bit addresses, with and without what was there before.
#define ATOMIC(NAME, OP, TYPE, SOURCES, ...)                                                                         \
    SUB_GROUP(8) kernel void NAME##_returns(global TYPE* cells, global const TYPE* values, global TYPE* before) {    \
        const uint item = get_global_id(0);                                                                         \
        const ulong at = (ulong)(cells + item % 5);                                                                  \
        const TYPE a = values[item], b = values[item + 256];                                                         \
        TYPE got;                                                                                                   \
        __asm__ volatile("svm_atomic." OP " (M1, 8) %1.0 %0.0 " SOURCES("2", "3") : "=rw"(got) : "rw"(at), "rw"(a), "rw"(b)); \
        before[item] = got;                                                                                         \
    }                                                                                                               \
    SUB_GROUP(8) kernel void NAME##_silent(global TYPE* cells, global const TYPE* values) {                          \
        const uint item = get_global_id(0);                                                                         \
        const ulong at = (ulong)(cells + item % 5);                                                                  \
        const TYPE a = values[item], b = values[item + 256];                                                         \
        __asm__ volatile("svm_atomic." OP " (M1, 8) %0.0 V0.0 " SOURCES("1", "2") : : "rw"(at), "rw"(a), "rw"(b));   \
    }
#define NONE(a, b) "V0.0 V0.0"
#define ONE(a, b) "%" a ".0 V0.0"
// vISA names the new integer before the one compared with, but the float after it.
#define IN_ORDER(a, b) "%" a ".0 %" b ".0"
#define BOTH(a, b) "%" b ".0 %" a ".0"
#define INTEGERS(BITS, TYPE, SUFFIX)                                                                                 \
    ATOMIC(add##BITS, "add" SUFFIX, TYPE, ONE) ATOMIC(sub##BITS, "sub" SUFFIX, TYPE, ONE)                            \
    ATOMIC(inc##BITS, "inc" SUFFIX, TYPE, NONE) ATOMIC(dec##BITS, "dec" SUFFIX, TYPE, NONE)                          \
    ATOMIC(min##BITS, "min" SUFFIX, TYPE, ONE) ATOMIC(max##BITS, "max" SUFFIX, TYPE, ONE)                            \
    ATOMIC(imin##BITS, "minsint" SUFFIX, TYPE, ONE) ATOMIC(imax##BITS, "maxsint" SUFFIX, TYPE, ONE)                        \
    ATOMIC(and##BITS, "and" SUFFIX, TYPE, ONE) ATOMIC(or##BITS, "or" SUFFIX, TYPE, ONE)                              \
    ATOMIC(xor##BITS, "xor" SUFFIX, TYPE, ONE) ATOMIC(xchg##BITS, "xchg" SUFFIX, TYPE, ONE)                          \
    ATOMIC(cmpxchg##BITS, "cmpxchg" SUFFIX, TYPE, BOTH)
INTEGERS(32, uint, "")
INTEGERS(64, ulong, ".64")
ATOMIC(fmin, "fmin", float, ONE)
ATOMIC(fmax, "fmax", float, ONE)
ATOMIC(fcmpwr, "fcmpwr", float, IN_ORDER)

// Owords by 64-bit address.
#define BLOCK(N, TYPE, PER_ITEM)                                                                                     \
    SUB_GROUP(8) kernel void block_##N(global const uint* in, global uint* out) {                                    \
        const ulong group = get_group_id(0);                                                                        \
        const ulong from = (ulong)in + group * N * 16 + 16, to = (ulong)out + group * N * 16;                          \
        TYPE got;                                                                                                   \
        __asm__ volatile("svm_block_ld (" #N ") %1(0,0)<0;1,0> %0.0\n"                                               \
                         "svm_block_st (" #N ") %2(0,0)<0;1,0> %0.0" : "=rw"(got) : "rw"(from), "rw"(to));            \
    }
BLOCK(2, uint, 1)
BLOCK(4, uint2, 2)
BLOCK(8, uint4, 4)

// Shared local memory: atomics of floats (untyped float atomic, surface 254), by their descriptors.
#define NEAR(NAME, OPCODE)                                                                                          \
    SUB_GROUP(8) kernel void near_##NAME(global float* cells, global const float* values, global float* before) {    \
        local float near[8];                                                                                        \
        const uint item = get_local_id(0);                                                                          \
        if (item < 8) near[item] = cells[item];                                                                     \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                               \
        const uint at = (uint)(size_t)(local char*)(near + item % 5);                                               \
        const float value = values[item];                                                                           \
        float got;                                                                                                  \
        __asm__ volatile("raw_sends.12.1.1.1 (M1, 8) 0x4C:ud " OPCODE ":ud %1.0 %2.0 %0.0"                           \
                         : "=rw"(got) : "rw"(at), "rw"(value));                                                     \
        before[item] = got;                                                                                         \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                               \
        if (item < 8) cells[item] = near[item];                                                                     \
    }
NEAR(fmax, "0x0216F1FE")
NEAR(fmin, "0x0216F2FE")

// Typed atomics and typed reads of the image (surface 2, images standing behind the two buffers): two coordinates, eight channels.
#define TYPED(NAME, OP, SOURCES, LENGTH, ...)                                                                        \
    SUB_GROUP(8) kernel void typed_##NAME(write_only image2d_t image, global const uint* values, global uint* before) { \
        const uint item = get_global_id(0);                                                                         \
        const uint2 at = (uint2)(item % 5, item % 3);                                                                \
        const uint2 value = (uint2)(values[item], values[item + 256]);                                               \
        uint got;                                                                                                   \
        __asm__ volatile("raw_sends.12.2." SOURCES ".1 (M1, 8) " LENGTH ":ud 0x0411A" OP "02:ud %1.0 %2.0 %0.0"      \
                         : "=rw"(got) : "rw"(at), "rw"(value));                                                     \
        before[item] = got;                                                                                         \
        if (item > 100000) write_imageui(image, (int2)(0), (uint4)(0));                                             \
    }
TYPED(and, "1", "1", "0x4C")
TYPED(or, "2", "1", "0x4C")
TYPED(xor, "3", "1", "0x4C")
TYPED(xchg, "4", "1", "0x4C")
TYPED(add, "7", "1", "0x4C")
TYPED(sub, "8", "1", "0x4C")
TYPED(imax, "A", "1", "0x4C")
TYPED(imin, "B", "1", "0x4C")
TYPED(max, "C", "1", "0x4C")
TYPED(min, "D", "1", "0x4C")
TYPED(cmpxchg, "E", "2", "0x8C")
SUB_GROUP(8) kernel void typed_read(write_only image2d_t image, global const uint* values, global uint* out) {
    const uint item = get_global_id(0);
    const uint2 at = (uint2)(item % 5, item / 5 % 3);
    uint got;
    __asm__ volatile("raw_send (M1, 8) 0xC 2 1 0x04115E02:ud %1.0 %0.0" : "=rw"(got) : "rw"(at));
    out[item] = got;
    if (item > 100000) write_imageui(image, (int2)(0), (uint4)(values[item]));
}

// Images of every shape, written by OpenCL and read back by typed reads: each element holds what was written to it.
uint mark(uint3 at) { return at.x + at.y * 0x1003u + at.z * 0x100007u + 1u; }
#define SHAPE(NAME, IMAGE, AT, PAYLOAD, LENGTH, DESCRIPTOR)                                                          \
    SUB_GROUP(8) kernel void write_##NAME(write_only IMAGE image) {                                                  \
        const uint3 at = (uint3)(get_global_id(0), get_global_id(1), get_global_id(2));                               \
        write_imageui(image, AT, (uint4)(mark(at), 0, 0, 0));                                                        \
    }                                                                                                               \
    SUB_GROUP(8) kernel void read_##NAME(write_only IMAGE image, global const uint* values, global uint* wrong) {    \
        const uint3 at = (uint3)(get_global_id(0), get_global_id(1), get_global_id(2));                               \
        uint got;                                                                                                   \
        __asm__ volatile("raw_send (M1, 8) 0xC " LENGTH " 1 " DESCRIPTOR ":ud %1.0 %0.0" : "=rw"(got) : "rw"(PAYLOAD)); \
        if (got != mark(at)) atomic_add(wrong, values[0]);                                                          \
        if (at.x > 100000) write_imageui(image, AT, (uint4)(0));                                                     \
    }
SHAPE(1d, image1d_t, (int)at.x, at.x, "1", "0x02115E02")
SHAPE(1d_array, image1d_array_t, (int2)(at.x, at.y), at.xy, "2", "0x04115E02")
SHAPE(2d, image2d_t, (int2)(at.x, at.y), at.xy, "2", "0x04115E02")
SHAPE(2d_array, image2d_array_t, (int4)(at.x, at.y, at.z, 0), at, "3", "0x06115E02")
SHAPE(3d, image3d_t, (int4)(at.x, at.y, at.z, 0), at, "3", "0x06115E02")
