// Image reads with and without sampler, image writes.
constant sampler_t linear = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void blur(read_only image2d_t in, write_only image2d_t out) {
    const int2 p = (int2)(get_global_id(0), get_global_id(1));
    float4 sum = 0;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x) sum += read_imagef(in, nearest, p + (int2)(x, y));
    write_imagef(out, p, sum / 9.0f);
}
kernel void scale(read_only image2d_t in, write_only image2d_t out, float2 s) {
    const int2 p = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(out, p, read_imagef(in, linear, convert_float2(p) * s));
}
kernel void volume(read_only image3d_t in, global uint4* out, read_only image2d_array_t layers) {
    const int4 p = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    out[get_global_id(0)] = read_imageui(in, p) + read_imageui(layers, p) + (uint4)(get_image_depth(in));
}
