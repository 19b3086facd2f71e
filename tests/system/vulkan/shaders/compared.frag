// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform sampler2DShadow picture;
layout(location = 0) out vec4 pixel;
void main() { pixel = vec4(vec3(texture(picture, vec3(at, floor(at.y * 8.0) / 8.0 + 0.03))), 1.0); }
