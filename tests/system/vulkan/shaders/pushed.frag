// SPDX-License-Identifier: Apache-2.0
#version 450
layout(push_constant) uniform Pushed { vec4 place; vec4 colors[3]; int chosen; };
layout(location = 0) out vec4 pixel;
void main() { pixel = colors[chosen]; }
