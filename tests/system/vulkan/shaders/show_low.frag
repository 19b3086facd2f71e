// SPDX-License-Identifier: Apache-2.0
#version 450
// The low bits of integers.
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform usampler2D picture;
layout(location = 0) out vec4 pixel;
void main() {
    uint value = texelFetch(picture, ivec2(gl_FragCoord.xy), 0).r;
    pixel = vec4(vec3(value & 15u, value >> 4 & 15u, value >> 8 & 15u) / 15.0, 1.0);
}
