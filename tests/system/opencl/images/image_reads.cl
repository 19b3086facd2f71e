// SPDX-License-Identifier: Apache-2.0
// Reads of images at places that a list names. READS(name, image, coordinates): three kinds of
// values, by float and by integer coordinates with a sampler, and by integers without.
#define FLOATS(name, image_t, at, kind, vector)                                                 \
    kernel void name##_##kind(read_only image_t image, sampler_t how,                           \
                              global const float4* places, global vector* values) {             \
        const int i = get_global_id(0);                                                         \
        const float4 p = places[i];                                                             \
        values[i] = read_image##kind(image, how, at);                                           \
    }
#define INTS(name, image_t, at, kind, vector)                                                   \
    kernel void name##_##kind##_int(read_only image_t image, sampler_t how,                     \
                                    global const int4* places, global vector* values) {         \
        const int i = get_global_id(0);                                                         \
        const int4 p = places[i];                                                               \
        values[i] = read_image##kind(image, how, at);                                           \
    }
#define BARE(name, image_t, at, kind, vector)                                                   \
    kernel void name##_##kind##_bare(read_only image_t image, global const int4* places,        \
                                     global vector* values) {                                   \
        const int i = get_global_id(0);                                                         \
        const int4 p = places[i];                                                               \
        values[i] = read_image##kind(image, at);                                                \
    }
#define KINDS(MACRO, name, image_t, at) \
    MACRO(name, image_t, at, f, float4) MACRO(name, image_t, at, i, int4) MACRO(name, image_t, at, ui, uint4)
#define READS(name, image_t, at) \
    KINDS(FLOATS, name, image_t, at) KINDS(INTS, name, image_t, at) KINDS(BARE, name, image_t, at)
#define DEPTHS(name, image_t, at) \
    FLOATS(name, image_t, at, f, float) INTS(name, image_t, at, f, float) BARE(name, image_t, at, f, float)

// A program for each dimension, or it would be long to compile; 4 are the arrays of 2D images.
#ifndef DIMENSION
#define DIMENSION 2
#endif
#if DIMENSION == 1
READS(d1, image1d_t, p.x)
READS(d1_array, image1d_array_t, p.xy)
KINDS(BARE, d1_buffer, image1d_buffer_t, p.x)
#elif DIMENSION == 2
READS(d2, image2d_t, p.xy)
DEPTHS(d2_depth, image2d_depth_t, p.xy)
#elif DIMENSION == 3
READS(d3, image3d_t, p)
#elif DIMENSION == 4
READS(d2_array, image2d_array_t, p)
DEPTHS(d2_array_depth, image2d_array_depth_t, p)
#endif
