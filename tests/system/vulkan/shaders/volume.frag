// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform sampler3D picture;
layout(location = 0) out vec4 pixel;
void main() { pixel = texture(picture, vec3(at, at.x * at.y)); }
