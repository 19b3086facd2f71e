// SPDX-License-Identifier: Apache-2.0
const sampler_t kNearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void mirror(write_only image2d_t to, unsigned int index, read_only image2d_t from) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imagef(to, at, read_imagef(from, kNearest, (int2)(get_image_width(from) - 1 - at.x, at.y)));
}
