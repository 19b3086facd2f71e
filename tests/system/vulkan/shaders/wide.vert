// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in dvec2 place;
layout(location = 1) in double one;
layout(location = 2) in dvec3 three;
layout(location = 4) in dvec4 four;
layout(location = 0) out vec4 shade;
void main() {
    gl_Position = vec4(vec2(place), 0.0, 1.0);
    gl_PointSize = 1.0;
    shade = vec4(float(one + four.y * four.x), float(three.x - 1.0), float(three.y * 1e-300LF / 8.0LF),
                 float(four.z + four.w / 64.0LF));
}
