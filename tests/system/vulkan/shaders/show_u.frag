// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform usampler2D picture;
layout(location = 0) out vec4 pixel;
void main() {
    uvec4 texel = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
    pixel = vec4(vec3(texel.r & 255u, (texel.r >> 8 ^ texel.g) & 255u, texel.b & 255u) / 255.0, 1.0);
}
