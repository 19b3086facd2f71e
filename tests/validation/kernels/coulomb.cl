// SPDX-License-Identifier: Apache-2.0
// W-1: direct Coulomb sum on a plane. Each work-item has 8 points, 8 apart; each point and atom cost
// one rsqrt and three float operations.
#define POINTS 8

kernel __attribute__((reqd_work_group_size(8, 8, 1))) void coulomb(
    int atoms, float spacing, constant float4* atom, global float* energy) {
    const int x = get_group_id(0) * 8 * POINTS + get_local_id(0), y = get_global_id(1);
    const int place = y * (int)get_global_size(0) * POINTS + x;
    const float px = spacing * x, py = spacing * y, step = spacing * 8;
    float sum[POINTS] = {0};
    for (int i = 0; i < atoms; ++i) {
        const float dy = py - atom[i].y, rest = mad(dy, dy, atom[i].z);
        float dx = px - atom[i].x;
#pragma unroll
        for (int k = 0; k < POINTS; ++k) {
            sum[k] = mad(atom[i].w, native_rsqrt(mad(dx, dx, rest)), sum[k]);
            dx += step;
        }
    }
#pragma unroll
    for (int k = 0; k < POINTS; ++k) energy[place + 8 * k] += sum[k];
}
