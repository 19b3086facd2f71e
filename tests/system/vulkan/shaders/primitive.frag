// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 pixel;
void main() { pixel = vec4(shade.xy, float(gl_PrimitiveID % 16) / 15.0, 1.0); }
