// SPDX-License-Identifier: Apache-2.0
// Levels of detail that the shader keeps from being less than one of its own.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_ARB_sparse_texture_clamp : require
#include "words.glsl"
layout(set = 1, binding = 0) uniform sampler2D levels;
void main() {
    uint i = gl_GlobalInvocationID.x;
    // 32 texels across: a step of 2^k texels has the level k.
    float level = i % 6, least = i / 6 * 0.25 - 0.5;
    vec2 along = vec2(exp2(level) / 32.0, 0.0);
    to[i] = floatBitsToUint(textureGradClampARB(levels, vec2(0.5), along, vec2(0.0), least).x);
}
