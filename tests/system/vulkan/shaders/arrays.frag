// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform Tint { vec4 tint; } tints[4];
layout(set = 0, binding = 1) uniform sampler2D pictures[4];
layout(push_constant) uniform Pushed { int chosen; };
layout(location = 0) out vec4 pixel;
void main() { pixel = texture(pictures[chosen], at) * tints[3 - chosen].tint; }
