// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 pixel;
void main() {
    ivec2 point = ivec2(gl_FragCoord.xy);
    if ((point.x ^ point.y) % 3 == 0) discard;
    pixel = vec4(floor(at * 8.0) / 8.0, 1.0, 1.0);
    if (point.y > 40 && (point.x & 4) != 0) discard;
}
