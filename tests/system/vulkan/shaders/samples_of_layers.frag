// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 1) uniform sampler2DMSArray picture;
layout(location = 0) out vec4 pixel;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    pixel = vec4(texelFetch(picture, ivec3(at % 32, at.x / 32), at.y / 32 * 2 + (at.x + at.y & 1)).rgb, 1.0);
}
