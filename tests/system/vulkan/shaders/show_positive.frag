// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(location = 0) out vec4 pixel;
void main() {
    vec4 texel = texelFetch(picture, ivec2(gl_FragCoord.xy), 0);
    pixel = vec4(texel.r * 0.5 + 0.5, texel.g * 0.5, texel.b, 1.0);
}
