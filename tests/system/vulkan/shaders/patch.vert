// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 position;
layout(location = 0) out vec2 corner;
void main() { corner = position + vec2(0.5, 0.0) * float(gl_InstanceIndex); }
