// SPDX-License-Identifier: Apache-2.0
// Block reads and writes of sub-groups, on buffers and on images.
#pragma OPENCL EXTENSION cl_intel_subgroups : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_short : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_char : enable
#pragma OPENCL EXTENSION cl_intel_subgroups_long : enable

// Each sub-group turns blocks of 1, 2, 4 and 8 values per item into others.
#define BUFFERS(SIZE, TYPE, SUFFIX)                                                              \
    __attribute__((intel_reqd_sub_group_size(SIZE)))                                             \
    kernel void buffer##SIZE##_##TYPE(global const TYPE* in, global TYPE* out) {                 \
        const size_t first = get_group_id(0) * SIZE * 15;                                        \
        global const TYPE* from = in + first;                                                    \
        global TYPE* to = out + first;                                                           \
        intel_sub_group_block_write##SUFFIX(to, (TYPE)(intel_sub_group_block_read##SUFFIX(from) + 1)); \
        intel_sub_group_block_write##SUFFIX##2(to + SIZE, intel_sub_group_block_read##SUFFIX##2(from + SIZE) + (TYPE)2); \
        intel_sub_group_block_write##SUFFIX##4(to + 3 * SIZE, intel_sub_group_block_read##SUFFIX##4(from + 3 * SIZE) + (TYPE)3); \
        intel_sub_group_block_write##SUFFIX##8(to + 7 * SIZE, intel_sub_group_block_read##SUFFIX##8(from + 7 * SIZE) + (TYPE)4); \
    }
BUFFERS(16, uint, )
BUFFERS(8, uint, )
BUFFERS(16, ushort, _us)
BUFFERS(8, ushort, _us)
BUFFERS(16, uchar, _uc)
BUFFERS(16, ulong, _ul)
BUFFERS(8, ulong, _ul)

// The image is written item by item, and read in blocks.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void paint(write_only image2d_t image, uint salt) {
    const int2 at = (int2)(get_global_id(0), get_global_id(1));
    write_imageui(image, at, (uint4)(at.x * 131 + at.y * 65537 + salt, 0, 0, 0));
}
__attribute__((intel_reqd_sub_group_size(16)))
kernel void look(read_only image2d_t image, global uint* out, int width) {
    const int2 at = (int2)(get_group_id(0) * 16, get_group_id(1) * 8);
    const uint8 rows = intel_sub_group_block_read8(image, (int2)(at.x * 4, at.y));
    uint part[8];
    vstore8(rows, 0, part);
    for (int y = 0; y < 8; ++y)
        out[(at.y + y) * width + at.x + get_sub_group_local_id()] = part[y];
}
// Blocks beyond the edges repeat what is at the edge.
__attribute__((intel_reqd_sub_group_size(16)))
kernel void look_outside(read_only image2d_t image, global uint* out, int x, int y) {
    const uint2 rows = intel_sub_group_block_read2(image, (int2)(x * 4, y));
    out[get_sub_group_local_id()] = rows.x;
    out[16 + get_sub_group_local_id()] = rows.y;
}
__attribute__((intel_reqd_sub_group_size(16)))
kernel void write_blocks(write_only image2d_t image, uint salt) {
    const int2 at = (int2)(get_group_id(0) * 16, get_group_id(1) * 4);
    const uint x = at.x + get_sub_group_local_id();
    uint4 rows;
    rows.x = x * 7 + (at.y + 0) * 1000 + salt;
    rows.y = x * 7 + (at.y + 1) * 1000 + salt;
    rows.z = x * 7 + (at.y + 2) * 1000 + salt;
    rows.w = x * 7 + (at.y + 3) * 1000 + salt;
    intel_sub_group_block_write4(image, (int2)(at.x * 4, at.y), rows);
}
// An image copied in blocks of other widths; places are in bytes and rows.
#define COPIES(SUFFIX, BYTES, ROWS)                                                              \
    __attribute__((intel_reqd_sub_group_size(16)))                                               \
    kernel void copy##SUFFIX(read_only image2d_t in, write_only image2d_t out) {                 \
        const int2 at = (int2)(get_group_id(0) * 16 * BYTES, get_group_id(1) * ROWS);            \
        intel_sub_group_block_write##SUFFIX##ROWS(out, at, intel_sub_group_block_read##SUFFIX##ROWS(in, at)); \
    }
COPIES(_uc, 1, 4)
COPIES(_us, 2, 8)
COPIES(_ui, 4, 8)
COPIES(_ul, 8, 2)
