// SPDX-License-Identifier: Apache-2.0
// 3T-1 to 3T-10: loads that the first cache holds, written after the published shaders. Those are
// Direct3D's; rows.toml says what differs.

// Starts are those of neighbours, or 0 to 15 elements at random. `mask` is 0, which the compiler
// does not know: each load has its own address.
#define SIXTEEN_LANES __attribute__((intel_reqd_sub_group_size(16)))
#define LOADS 256

uint at_random(uint number) {
    number = number * 747796405u + 2891336453u;
    number = ((number >> ((number >> 28) + 4)) ^ number) * 277803737u;
    return (number >> 22) & 15;
}

// What a work-item has read goes to local memory, and after a barrier nowhere.
#define KEEP(sum)                                                \
    local float kept[256];                                       \
    kept[get_local_id(1) * 16 + get_local_id(0)] = sum;                          \
    barrier(CLK_LOCAL_MEM_FENCE);                                \
    if (never) out[get_global_id(0)] = kept[never];

#define FROM_MEMORY(name, type, sum, first)                                                    \
    SIXTEEN_LANES kernel void name(global const type* in, global float* out, uint mask,        \
                                   uint never) {                                               \
        const uint start = first;                                                              \
        type value = 0;                                                                        \
        __attribute__((opencl_unroll_hint(16)))                                                \
        for (uint i = 0; i < LOADS; ++i) value += in[(start + i) | mask];                      \
        KEEP(sum)                                                                              \
    }
FROM_MEMORY(memory_1, float, value, get_local_id(0))
FROM_MEMORY(memory_2, float2, value.x + value.y, get_local_id(0))
FROM_MEMORY(memory_4, float4, value.x + value.y + value.z + value.w, get_local_id(0))
FROM_MEMORY(memory_1_random, float, value, at_random(get_local_id(0)))

// The channels that a format has are used, and read. They are read as integers, whatever they are:
// to floats the compiler here adds instructions that remove denormals, more than the load has.
#define FROM_TEXELS(name, channels, type, sum)                                                 \
    SIXTEEN_LANES kernel void name##_buffer(read_only image1d_buffer_t in, global float* out,  \
                                            uint mask, uint never) {                           \
        const uint start = get_local_id(0);                                                    \
        type value = 0;                                                                        \
        __attribute__((opencl_unroll_hint(16)))                                                \
        for (uint i = 0; i < LOADS; ++i)                                                       \
            value += read_imageui(in, (int)((start + i) | mask)).channels;                     \
        KEEP(sum)                                                                              \
    }                                                                                          \
    SIXTEEN_LANES kernel void name(read_only image2d_t in, global float* out, uint mask,       \
                                   uint never) {                                               \
        const int2 start = (int2)(get_local_id(0), get_local_id(1));                           \
        type value = 0;                                                                        \
        for (int y = 0; y < 16; ++y) {                                                         \
            __attribute__((opencl_unroll_hint(16)))                                            \
            for (int x = 0; x < 16; ++x)                                                       \
                value += read_imageui(in, (start + (int2)(x, y)) | (int2)mask).channels;       \
        }                                                                                      \
        KEEP(sum)                                                                              \
    }
FROM_TEXELS(texels_1, x, uint, value)
FROM_TEXELS(texels_2, xy, uint2, value.x + value.y)
FROM_TEXELS(texels_4, xyzw, uint4, value.x + value.y + value.z + value.w)
