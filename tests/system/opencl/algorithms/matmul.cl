// SPDX-License-Identifier: Apache-2.0
// C = A * B, each 16 x 16 group walking along tiles of A and B held in local memory.
#define TILE 16
kernel void matmul(global const float* a, global const float* b, global float* c, int n) {
    local float tile_a[TILE][TILE], tile_b[TILE][TILE];
    const int x = get_global_id(0), y = get_global_id(1);
    const int lx = get_local_id(0), ly = get_local_id(1);
    float sum = 0.0f;
    for (int t = 0; t < n; t += TILE) {
        tile_a[ly][lx] = a[y * n + t + lx];
        tile_b[ly][lx] = b[(t + ly) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < TILE; ++k) sum = fma(tile_a[ly][k], tile_b[k][lx], sum);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}
