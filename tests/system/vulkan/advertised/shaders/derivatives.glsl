// SPDX-License-Identifier: Apache-2.0
// Differences between neighbours in a compute shader (SPV_NV_compute_shader_derivatives).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_NV_compute_shader_derivatives : require
#ifdef QUADS
layout(local_size_x = 16, local_size_y = 4) in;
layout(derivative_group_quadsNV) in;
#else
layout(local_size_x = 64) in;
layout(derivative_group_linearNV) in;
#endif
layout(set = 0, binding = 0, std430) readonly buffer From { uint from[]; };
layout(set = 0, binding = 1, std430) buffer To { uint to[]; };
void main() {
    uint i = gl_WorkGroupID.x * 64 + gl_LocalInvocationIndex;
    float value = float(from[i] >> 12);
    to[4 * i] = floatBitsToUint(dFdxFine(value));
    to[4 * i + 1] = floatBitsToUint(dFdyFine(value));
    to[4 * i + 2] = floatBitsToUint(dFdxCoarse(value));
    to[4 * i + 3] = floatBitsToUint(dFdyCoarse(value));
}
