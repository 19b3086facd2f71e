// SPDX-License-Identifier: Apache-2.0
// Colours of a picture of several planes, at the middle of each of its 16 by 16 texels, of each layer.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "words.glsl"
layout(set = 1, binding = 0) uniform sampler2DArray picture;
void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 color = textureLod(picture, vec3((vec2(i % 16, i / 16 % 16) + 0.5) / 16, i / 256), 0);
    for (uint k = 0; k < 3; ++k) to[3 * i + k] = floatBitsToUint(color[k]);
}
