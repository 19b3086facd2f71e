// SPDX-License-Identifier: Apache-2.0
#ifdef MIPS
#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable
#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable
#define LEVELS(name, image_t, at)                                                               \
    kernel void name(read_only image_t image, sampler_t how, global const float4* places,       \
                     global float4* values) {                                                   \
        const int i = get_global_id(0);                                                         \
        const float4 p = places[i];                                                             \
        values[i] = read_imagef(image, how, at, p.w);                                           \
    }
LEVELS(levels_d1, image1d_t, p.x)
LEVELS(levels_d2, image2d_t, p.xy)
LEVELS(levels_d2_array, image2d_array_t, (float4)(p.xyz, 0))
LEVELS(levels_d3, image3d_t, (float4)(p.xyz, 0))
// One pixel's steps cover 2^w texels of level 0.
kernel void steps_d2(read_only image2d_t image, sampler_t how, global const float4* places,
                     global float4* values) {
    const int i = get_global_id(0);
    const float4 p = places[i];
    const float2 step = exp2(p.w) / convert_float2(get_image_dim(image));
    values[i] = read_imagef(image, how, p.xy, (float2)(step.x, 0), (float2)(0, step.y));
}
kernel void write_level(write_only image2d_t image, int level) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(image, at, level, (float4)(at.x, at.y, level, 255) / 255);
}
#else
kernel void by_sampler(read_only image2d_t image, sampler_t how, global const float4* places,
                       global float4* values) {
    const int i = get_global_id(0);
    values[i] = read_imagef(image, how, places[i].xy);
}
#endif
#ifdef READ_WRITE
// Each work-item changes its own texels, twice.
#define TWICE(kind, first, second)                                                              \
    kernel void twice_##kind(read_write image2d_t image) {                                      \
        const int2 at = (int2)(get_global_id(0), get_global_id(1));                             \
        write_image##kind(image, at, first(read_image##kind(image, at)));                       \
        atomic_work_item_fence(CLK_IMAGE_MEM_FENCE, memory_order_acq_rel, memory_scope_work_item); \
        write_image##kind(image, at, second(read_image##kind(image, at)));                      \
    }
#define FROM_ONE(v) (1 - (v))
#define QUARTER(v) ((v) * 0.25f + 0.125f)
#define ADD_THREE(v) ((v) + 3)
#define ADD_ONE(v) ((v) + 1)
TWICE(f, FROM_ONE, QUARTER)
TWICE(i, ADD_THREE, ADD_ONE)
TWICE(ui, ADD_THREE, ADD_ONE)
#endif
