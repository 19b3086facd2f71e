// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 first;
layout(location = 1) out uvec4 second;
layout(location = 2) out vec4 third;
void main() {
    first = shade;
    second = uvec4(gl_FragCoord.xyxy);
    third = shade.bgra;
}
