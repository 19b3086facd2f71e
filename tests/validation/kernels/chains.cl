// SPDX-License-Identifier: Apache-2.0
// W-11: 2048 float multiply-adds a work-item in chains of several shapes, threads of 32 work-items.
#define TIMES4(step) step step step step
#define TIMES64(step) TIMES4(TIMES4(TIMES4(step)))
#define CHAIN(name, turns, start, step, result)                   \
    __attribute__((intel_reqd_sub_group_size(32)))                \
    kernel void name(global float* out, float a, float b) {       \
        const float first = get_global_id(0) * 1e-8f;             \
        start                                                     \
        for (uint i = 0; i < turns; ++i) { TIMES64(step) }        \
        out[get_global_id(0)] = result;                           \
    }
CHAIN(squares, 32, float x = first;, x = x * x + b;, x)
CHAIN(squares_4, 8, float x = first; float y = first + 1; float z = first + 2; float w = first + 3;,
      x = x * x + b; y = y * y + b; z = z * z + b; w = w * w + b;, x + y + z + w)
CHAIN(squares_fma, 32, float x = first;, x = fma(x, x, b);, x)
CHAIN(squares_vector, 8, float4 x = first + (float4)(0, 1, 2, 3);, x = x * x + b;,
      x.x + x.y + x.z + x.w)
CHAIN(lines, 32, float x = first;, x = a * x + b;, x)
