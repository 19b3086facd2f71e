// SPDX-License-Identifier: Apache-2.0
// W-20: key expansion of Blowfish with the S-boxes of each work-item, 4 KB, in local memory, so that
// two groups of 8 work-items fill a subslice.
#define ROUND(l, r, i)                                                             \
    r ^= key[i] ^ (((box[l >> 24] + box[256 + (l >> 16 & 255)]) ^ box[512 + (l >> 8 & 255)]) + \
                   box[768 + (l & 255)]);
#define TWO_ROUNDS(i) ROUND(left, right, i) ROUND(right, left, i + 1)

kernel __attribute__((reqd_work_group_size(8, 1, 1)))
__attribute__((intel_reqd_sub_group_size(8))) void
expand(global uint* out, uint pairs) {
    local uint boxes[8][1024];
    local uint* box = boxes[get_local_id(0)];
    uint key[18], state = get_global_id(0) * 2654435761u + 1;
    for (int i = 0; i < 1024; ++i) box[i] = state = state * 1664525u + 1013904223u;
#pragma unroll
    for (int i = 0; i < 18; ++i) key[i] = state = state * 1664525u + 1013904223u;
    uint left = 0, right = 0;
    for (uint i = 0; i < pairs; ++i) {
        left ^= key[0];
        TWO_ROUNDS(1) TWO_ROUNDS(3) TWO_ROUNDS(5) TWO_ROUNDS(7)
        TWO_ROUNDS(9) TWO_ROUNDS(11) TWO_ROUNDS(13) TWO_ROUNDS(15)
        const uint turned = right ^ key[17];
        right = left;
        left = turned;
        box[2 * (i & 511)] = left;
        box[2 * (i & 511) + 1] = right;
    }
    out[get_global_id(0)] = left ^ right;
}
