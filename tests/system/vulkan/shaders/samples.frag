// SPDX-License-Identifier: Apache-2.0
#version 450
// Each sample of 32 x 32 pixels in a quarter of the target.
layout(set = 0, binding = 1) uniform sampler2DMS picture;
layout(location = 0) out vec4 pixel;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    pixel = vec4(texelFetch(picture, at % 32, at.x / 32 + at.y / 32 * 2).rgb, 1.0);
}
