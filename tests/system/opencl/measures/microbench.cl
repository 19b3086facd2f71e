// SPDX-License-Identifier: Apache-2.0
// Each kernel repeats one thing `steps` times; what a launch costs besides is taken off by
// launching it twice with different counts.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable

#define TWICE(text) text text
#define TIMES16(text) TWICE(TWICE(TWICE(TWICE(text))))

// 16 dependent reads a step; `next` holds the byte offset of what to read next.
kernel void chase(global const char* next, global uint* out, uint first, uint steps) {
    uint at = first;
    for (uint i = 0; i < steps; ++i) { TIMES16(at = *(global const uint*)(next + at);) }
    out[get_global_id(0)] = at;
}
kernel void chase_local(global uint* out, uint steps) {
    local uint next[1024];
    for (uint i = get_local_id(0); i < 1024; i += get_local_size(0)) next[i] = (i + 17) % 1024 * 4;
    barrier(CLK_LOCAL_MEM_FENCE);
    uint at = 0;
    for (uint i = 0; i < steps; ++i) {
        TIMES16(at = *(local const uint*)((local const char*)next + at);)
    }
    out[get_global_id(0)] = at;
}

// All work-items together read the buffer on from `first`; `elements` is a power of two.
kernel void stream(global const float4* in, global float* out, uint elements, uint first,
                   uint steps) {
    uint at = first + get_global_id(0);
    float4 sum = 0.0f;
    for (uint i = 0; i < steps; ++i) {
        sum += in[at & (elements - 1)];
        at += get_global_size(0);
    }
    if (sum.x + sum.y + sum.z + sum.w == 1.5f) out[get_global_id(0)] = sum.x;
}
kernel void fill(global float4* data, uint elements, uint steps) {
    uint at = get_global_id(0);
    for (uint i = 0; i < steps; ++i) {
        data[at & (elements - 1)] = (float4)(i);
        at += get_global_size(0);
    }
}

// Work-item i reads word i * stride of its group's 8 KB, 16 times a step.
kernel void local_read(global uint* out, uint stride, uint steps) {
    local uint words[2048];
    for (uint i = get_local_id(0); i < 2048; i += get_local_size(0)) words[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    volatile local const uint* word = &words[get_local_id(0) * stride & 2047];
    uint sum = 0;
    for (uint i = 0; i < steps; ++i) { TIMES16(sum += *word;) }
    if (sum == 1) out[get_global_id(0)] = sum;
}

// What a tile's product reads: a row of words, and a word for all of the row.
kernel void local_row_and_word(global float* out, uint steps) {
    local float words[2048];
    for (uint i = get_local_id(0); i < 2048; i += get_local_size(0)) words[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    volatile local const float* across = &words[get_local_id(0) & 15];
    volatile local const float* along = &words[256 + (get_local_id(0) >> 4) * 16];
    float sum = 0;
    for (uint i = 0; i < steps; ++i) { TIMES16(sum = mad(*across, *along, sum);) }
    if (sum == 1.5f) out[get_global_id(0)] = sum;
}
// A read and a write in turn, of other words.
kernel void local_read_write(global uint* out, uint steps) {
    local uint words[512];
    for (uint i = get_local_id(0); i < 512; i += get_local_size(0)) words[i] = i;
    barrier(CLK_LOCAL_MEM_FENCE);
    volatile local const uint* from = &words[get_local_id(0)];
    volatile local uint* to = &words[256 + get_local_id(0)];
    uint sum = 0;
    for (uint i = 0; i < steps; ++i) { TIMES16(*to = i; sum += *from;) }
    if (sum == 1) out[get_global_id(0)] = sum;
}
kernel void global_read_write(global const uint* in, global uint* to, global uint* out, uint elements, uint steps) {
    uint at = get_global_id(0), sum = 0;
    for (uint i = 0; i < steps; ++i) {
        TIMES16(to[at & (elements - 1)] = i; sum += in[at & (elements - 1)]; at += get_global_size(0);)
    }
    if (sum == 1) out[get_global_id(0)] = sum;
}
// A read of local memory and one of L3 in turn.
kernel void local_and_global(global const uint* in, global uint* out, uint elements, uint steps) {
    local uint words[256];
    words[get_local_id(0)] = get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    volatile local const uint* word = &words[get_local_id(0)];
    uint at = get_global_id(0), sum = 0;
    for (uint i = 0; i < steps; ++i) {
        TIMES16(sum += *word; sum += in[at & (elements - 1)]; at += get_global_size(0);)
    }
    if (sum == 1) out[get_global_id(0)] = sum;
}

// `stride` 0: all work-items hit one counter, which the compiler must not know.
kernel void atomics(global uint* counters, uint stride, uint steps) {
    global uint* counter = &counters[get_global_id(0) * stride];
    for (uint i = 0; i < steps; ++i) { TIMES16(atomic_inc(counter);) }
}
kernel void atomics_local(global uint* out, uint stride, uint steps) {
    local uint counters[1024];
    local uint* counter = &counters[get_local_id(0) * stride & 1023];
    for (uint i = 0; i < steps; ++i) { TIMES16(atomic_inc(counter);) }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (steps == 0) out[get_global_id(0)] = counters[0];
}

kernel void barriers(global uint* out, uint steps) {
    for (uint i = 0; i < steps; ++i) { TIMES16(barrier(CLK_LOCAL_MEM_FENCE);) }
    if (steps == 0) out[get_global_id(0)] = 1;
}

// Dependent chains, as in clpeak: two operations a turn, 32 turns a step.
#define CHAIN32(text) TWICE(TIMES16(text))
#define RATE(name, type, scalar, attribute, step)                                              \
    attribute kernel void name(global type* out, uint steps) {                                \
        type x = (type)((scalar)get_local_id(0)), y = (type)((scalar)get_group_id(0));        \
        for (uint i = 0; i < steps; ++i) { CHAIN32(step) }                                    \
        out[get_global_id(0)] = x + y;                                                        \
    }
#define MAD x = mad(y, x, y); y = mad(x, y, x);
RATE(mad_float, float, float, , MAD)
RATE(mad_half, half, half, , MAD)
RATE(mad_double, double, double, , MAD)
#define INTEGER x = y * x + y; y = x * y + x;
RATE(mad_int, int, int, , INTEGER)
RATE(mad_float_8, float, float, __attribute__((intel_reqd_sub_group_size(8))), MAD)
RATE(mad_float_16, float, float, __attribute__((intel_reqd_sub_group_size(16))), MAD)
#define ADD x = x + y;
RATE(add_float_8, float, float, __attribute__((intel_reqd_sub_group_size(8))), ADD)
RATE(add_float_16, float, float, __attribute__((intel_reqd_sub_group_size(16))), ADD)
#define ROOT x = native_rsqrt(x);
RATE(math_float_8, float, float, __attribute__((intel_reqd_sub_group_size(8))), ROOT)
RATE(math_float_16, float, float, __attribute__((intel_reqd_sub_group_size(16))), ROOT)

// A texel holds the place of the next.
kernel void texture_chase(read_only image1d_buffer_t next, global uint* out, uint first, uint steps) {
    uint at = first;
    for (uint i = 0; i < steps; ++i) { TIMES16(at = read_imageui(next, (int)at).x;) }
    out[get_global_id(0)] = at;
}
constant sampler_t kSmooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
// Neighbours read neighbouring places, all of which a small image has in the texture cache.
#define READ16(read, place)                                          \
    float4 sum = 0.0f;                                               \
    for (uint i = 0; i < steps; ++i) { TIMES16(sum += read; place) } \
    if (sum.x + sum.y + sum.z + sum.w == 1.5f) out[get_global_id(0)] = sum.x;
kernel void texture_rate(read_only image2d_t image, global float* out, uint steps) {
    float2 at = (float2)(get_global_id(0) & 15, get_global_id(0) >> 4) / 16.0f;
    READ16(read_imagef(image, kSmooth, at), at.x += 0.3125f;)
}
#if __OPENCL_C_VERSION__ >= 200
// Each read is between two levels.
kernel void texture_levels(read_only image2d_t image, sampler_t smooth, global float* out,
                           uint steps) {
    float2 at = (float2)(get_global_id(0) & 15, get_global_id(0) >> 4) / 16.0f;
    READ16(read_imagef(image, smooth, at, 0.5f), at.x += 0.3125f;)
}
#endif
kernel void texture_random(read_only image2d_t image, global float* out, uint steps) {
    uint number = get_global_id(0) * 747796405u + 2891336453u;
    float2 at = 0.0f;
    READ16(read_imagef(image, kSmooth, at),
           number = number * 1664525u + 1013904223u;
           at = (float2)(number >> 16, number & 0xFFFF) / 65536.0f;)
}
