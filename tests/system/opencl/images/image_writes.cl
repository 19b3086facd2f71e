// SPDX-License-Identifier: Apache-2.0
// Typed writes of images; what they left is seen through the buffers that share their memory.

float4 colour(int x, int y, int z) {
    return (float4)(x / 40.0f, y / 20.0f, (x + y + z) / 90.0f, 1.0f - x / 80.0f);
}

kernel void floats_2d(write_only image2d_t image) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(image, at, colour(at.x, at.y, 0) * 1.25f - 0.125f);
}
kernel void ints_2d(write_only image2d_t image) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagei(image, at, (int4)(at.x * 7 - 100, at.y * 9 - 90, at.x - at.y, 40000 * (at.x - 20)));
}
kernel void uints_2d(write_only image2d_t image) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(image, at, (uint4)(at.x * 7, at.y * 9, at.x + at.y, 3000 * at.x));
}
kernel void uints_1d(write_only image1d_buffer_t image) {
    const int at = get_global_id(0);
    write_imageui(image, at, (uint4)(at * 3, at * 5, at * 7, at * 11));
}
// Beyond the edges nothing is written.
kernel void too_far(write_only image2d_t image) {
    const int2 at = (int2)((int)get_global_id(0) - 8, (int)get_global_id(1) - 8);
    write_imageui(image, at, (uint4)(at.x + 1000, at.y + 1000, 1, 2));
}
