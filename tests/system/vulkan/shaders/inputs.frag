// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(input_attachment_index = 0, set = 0, binding = 4) uniform subpassInput first;
layout(input_attachment_index = 1, set = 0, binding = 6) uniform subpassInput second;
layout(location = 0) out vec4 pixel;
void main() { pixel = vec4(subpassLoad(first).gbr, 1.0) + vec4(subpassLoad(second).r * 0.25); }
