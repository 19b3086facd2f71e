// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) flat in vec4 shade;
layout(location = 0) out vec4 pixel;
void main() { pixel = shade; }
