// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 position;
layout(push_constant) uniform Pushed { vec4 place; vec4 colors[3]; int chosen; };
void main() { gl_Position = vec4(position * place.zw + place.xy, 0.0, 1.0); }
