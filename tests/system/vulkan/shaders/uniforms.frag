// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 shade;
layout(set = 0, binding = 0) uniform Turn { mat4 matrix; vec4 colors[16]; } turns[2];
layout(location = 0) out vec4 pixel;
void main() { pixel = shade + turns[0].colors[int(gl_FragCoord.x) >> 3 & 7]; }
