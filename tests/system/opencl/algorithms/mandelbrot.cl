// SPDX-License-Identifier: Apache-2.0
// How many steps each point takes to leave the circle of radius 2: neighbours take different paths.
// Products and sums stay apart, so that every device takes the same number of steps.
#pragma OPENCL FP_CONTRACT OFF
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
