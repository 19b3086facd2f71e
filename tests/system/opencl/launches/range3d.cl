// SPDX-License-Identifier: Apache-2.0
// Every item says where it is: global, local and group ids with an offset, in a range whose size is
// no multiple of any power of two.
kernel void range3d(global uint* out, uint width, uint height) {
    const uint x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    const uint ox = get_global_offset(0), oy = get_global_offset(1), oz = get_global_offset(2);
    const uint at = ((z - oz) * height + (y - oy)) * width + (x - ox);
    out[4 * at + 0] = x | y << 8 | z << 16;
    out[4 * at + 1] = get_local_id(0) | get_local_id(1) << 8 | get_local_id(2) << 16;
    out[4 * at + 2] = get_group_id(0) | get_group_id(1) << 8 | get_group_id(2) << 16;
    out[4 * at + 3] = get_local_size(0) | get_local_size(1) << 8 | get_local_size(2) << 16;
}
