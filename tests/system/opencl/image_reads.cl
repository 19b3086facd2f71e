// SPDX-License-Identifier: Apache-2.0
constant sampler_t kEdge =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t kSmooth =
    CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void convolve(read_only image2d_t image, global float4* sums) {
    const int x = get_global_id(0), y = get_global_id(1);
    float4 sum = 0;
    for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i)
            sum += read_imagef(image, kEdge, (int2)(x + i, y + j)) * ((i + 3) * (j + 3) / 128.0f);
    sums[y * get_global_size(0) + x] = sum;
}

kernel void sample(read_only image2d_t image, sampler_t how, global float4* texels, float scale,
                   float start) {
    const int x = get_global_id(0), y = get_global_id(1);
    texels[y * get_global_size(0) + x] =
        read_imagef(image, how, (float2)(x * scale + start, y * scale + start));
}

kernel void volume(read_only image3d_t image, global float4* texels, float scale) {
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const int w = get_global_size(0), h = get_global_size(1);
    texels[(z * h + y) * w + x] =
        read_imagef(image, kSmooth, (float4)(x * scale, y * scale, z * scale, 0));
}

kernel void layers(read_only image2d_array_t image, global uint4* texels) {
    const int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const int w = get_global_size(0), h = get_global_size(1);
    texels[(z * h + y) * w + x] = read_imageui(image, kEdge, (int4)(x, y, z, 0));
}

kernel void line(read_only image1d_buffer_t image, global int4* texels) {
    const int x = get_global_id(0);
    texels[x] = read_imagei(image, x);
}
