// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 pixel;
void main() { pixel = gl_FrontFacing ? shade : vec4(1.0 - shade.rgb, 1.0); }
