// SPDX-License-Identifier: Apache-2.0
// W-46 to W-48: programs of images, written after their descriptions and sources. The published
// ones are Vulkan's; rows.toml says what differs.

constant sampler_t kSmooth =
    CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
constant sampler_t kClamped =
    CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

// Two numbers from 0 to 1, without order from one pixel to the next, of a few multiplications of
// floats, as the published hash is.
float2 scattered(float2 pixel) {
    const float a = pixel.x * 0.1367f - floor(pixel.x * 0.1367f);
    const float b = pixel.y * 0.1193f - floor(pixel.y * 0.1193f);
    const float c = (pixel.x + pixel.y) * 0.0891f - floor((pixel.x + pixel.y) * 0.0891f);
    const float mixed = a * (b + 33.3f) + b * (c + 33.3f) + c * (a + 33.3f);
    const float2 product = (float2)(a + b + 2 * mixed, b + c + 2 * mixed) *
                           (float2)(c + mixed, a + mixed);
    return product - floor(product);
}

kernel void paint(write_only image2d_t image) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const float2 numbers = scattered(convert_float2(at) + 1);
    write_imagef(image, at, (float4)(numbers, 1 - numbers));
}

// W-48: eight places a pixel, the first at random, the others at fixed distances from it.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void eight_reads(read_only image2d_t texture, global float4* out, float never) {
    const float2 pixel = (float2)(get_global_id(0), get_global_id(1));
    const float2 at = scattered(pixel) + pixel * (0.1f / 1600);
    float4 sum = read_imagef(texture, kSmooth, at);
    sum += read_imagef(texture, kSmooth, at + (float2)(0.1f, 0.5f));
    sum += read_imagef(texture, kSmooth, at + (float2)(0.2f, 0.6f));
    sum += read_imagef(texture, kSmooth, at + (float2)(0.3f, 0.7f));
    sum += read_imagef(texture, kSmooth, at + (float2)(0.4f, 0.8f));
    sum += read_imagef(texture, kSmooth, at + (float2)(0.5f, 0.9f));
    sum += read_imagef(texture, kSmooth, at + (float2)(0.6f, 0.1f));
    sum += read_imagef(texture, kSmooth, at + (float2)(0.7f, 0.2f));
    // No sum is as small, which the compiler does not know.
    if (all(sum < never)) out[get_global_id(0)] = sum;
}

// W-46: each texel is read, changed and written back.
kernel void change_by_rows(read_write image2d_t image) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    const float4 texel = read_imagef(image, at);
    write_imagef(image, at, texel * texel + 0.001f);
}
// Neighbouring work-items are one below the other.
kernel void change_by_columns(read_write image2d_t image) {
    const int2 at =
        (int2)(get_group_id(0) * get_local_size(0) + get_local_id(1),
               get_group_id(1) * get_local_size(1) + get_local_id(0));
    const float4 texel = read_imagef(image, at);
    write_imagef(image, at, texel * texel + 0.001f);
}

// W-47: a texel of the result is the mean of four. `size` is that of the result.
kernel void halve_by_sampler(read_only image2d_t from, write_only image2d_t to, float2 size) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(to, at, read_imagef(from, kClamped, (convert_float2(at) + 0.5f) / size));
}
kernel void halve_by_loads(read_write image2d_t from, write_only image2d_t to) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1)), corner = 2 * at;
    float4 sum = read_imagef(from, corner) + read_imagef(from, corner + (int2)(1, 0)) +
                 read_imagef(from, corner + (int2)(0, 1)) + read_imagef(from, corner + 1);
    write_imagef(to, at, sum * 0.25f);
}
