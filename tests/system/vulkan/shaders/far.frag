// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 pixel;
void main() {
    ivec2 point = ivec2(gl_FragCoord.xy);
    pixel = vec4(vec3((point.x + point.y) & 63, point.x >> 8, point.y >> 8) / 63.0, 1.0);
}
