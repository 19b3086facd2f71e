// SPDX-License-Identifier: Apache-2.0
#pragma OPENCL FP_CONTRACT OFF
#define TILE 16
kernel void matmul_tiled(global const float* a, global const float* b, global float* c, int n) {
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
kernel void matmul(global const float* a, global const float* b, global float* c, int n) {
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) sum = fma(a[y * n + k], b[k * n + x], sum);
    c[y * n + x] = sum;
}
kernel void mandelbrot(global uint* steps, uint width, float left, float top, float pitch, uint limit) {
    const uint x = get_global_id(0), y = get_global_id(1);
    const float cr = fma((float)x, pitch, left), ci = fma((float)y, pitch, top);
    float zr = 0.0f, zi = 0.0f;
    uint n = 0;
    while (n < limit) {
        const float rr = zr * zr, ii = zi * zi;
        if (rr + ii > 4.0f) break;
        zi = fma(2.0f * zr, zi, ci);
        zr = rr - ii + cr;
        ++n;
    }
    steps[y * width + x] = n;
}
// Memory-bound: three streams, and reads at places that a table names.
kernel void triad(global const float* a, global const float* b, global float* c, float factor) {
    const uint i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    c[i] = fma(factor, b[i], a[i]);
}
kernel void gather(global const uint* table, global const uint* values, global uint* out, int times) {
    const uint i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    const uint mask = get_global_size(0) * get_global_size(1) - 1;
    uint at = table[i], sum = 0;
    for (int k = 0; k < times; ++k) {
        sum += values[at & mask];
        at = (at * 1664525u + 1013904223u) >> 3;
    }
    out[i] = sum;
}
// Images: exact in every device's arithmetic, since each share is a multiple of 1/8 and each sum of
// bytes is rounded to the integer it stands for.
constant sampler_t kEdge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t kSmooth = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
uint digest(float4 colour, float scale) {
    const uint4 c = convert_uint4_rte(colour * scale);
    return ((c.x * 31 + c.y) * 31 + c.z) * 31 + c.w;
}
kernel void convolve(read_only image2d_t image, global uint* out) {
    const int x = get_global_id(0), y = get_global_id(1);
    float4 sum = 0;
    for (int j = -2; j <= 2; ++j)
        for (int i = -2; i <= 2; ++i)
            sum += read_imagef(image, kEdge, (int2)(x + i, y + j)) * (float)((3 - abs(i)) * (3 - abs(j)));
    out[y * get_global_size(0) + x] = digest(sum, 255.0f);
}
kernel void resize(read_only image2d_t image, global uint* out) {
    const int x = get_global_id(0), y = get_global_id(1);
    const float2 at = (float2)(x + 0.5f, y + 0.5f) / (float2)(get_global_size(0), get_global_size(1));
    out[y * get_global_size(0) + x] = digest(read_imagef(image, kSmooth, at), 255.0f * 64.0f);
}
