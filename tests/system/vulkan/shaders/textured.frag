// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(push_constant) uniform Pushed { vec4 place; };
layout(location = 0) out vec4 pixel;
void main() { pixel = texture(picture, at * place.zw + place.xy); }
