// SPDX-License-Identifier: Apache-2.0
constant sampler_t kSmooth =
    CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

// The photograph about its centre, turned, and softened by nine bilinear reads.
kernel void turn(read_only image2d_t photograph, write_only image2d_t picture, float2 along, float radius) {
    const int2 pixel = (int2)(get_global_id(0), get_global_id(1));
    const float2 size = convert_float2(get_image_dim(photograph));
    const float2 from_centre = convert_float2(pixel) + 0.5f - size * 0.5f;
    const float2 at = (float2)(dot(from_centre, along), dot(from_centre, (float2)(-along.y, along.x)));
    float4 sum = 0.0f;
    for (int j = -1; j <= 1; ++j)
        for (int i = -1; i <= 1; ++i)
            sum += read_imagef(photograph, kSmooth, (at + (float2)(i, j) * radius) / size + 0.5f) *
                   (float)((2 - abs(i)) * (2 - abs(j)));
    write_imagef(picture, pixel, sum / 16.0f);
}
