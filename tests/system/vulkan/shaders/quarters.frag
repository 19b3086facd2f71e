// SPDX-License-Identifier: Apache-2.0
#version 450
// Four pictures of 32 x 32 pixels, a quarter of the target each.
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform sampler2D pictures[4];
layout(location = 0) out vec4 pixel;
void main() {
    ivec2 point = ivec2(gl_FragCoord.xy);
    pixel = vec4(texelFetch(pictures[point.x / 32 + point.y / 32 * 2], point % 32, 0).rgb, 1.0);
}
