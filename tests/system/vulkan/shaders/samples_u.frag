// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 1) uniform usampler2DMS picture;
layout(location = 0) out vec4 pixel;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    pixel = vec4(vec3(texelFetch(picture, at % 32, at.x / 32 + at.y / 32 * 2).rgb & 255u) / 255.0, 1.0);
}
