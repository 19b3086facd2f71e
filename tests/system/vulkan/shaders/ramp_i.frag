// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out ivec4 pixel;
void main() { pixel = ivec4(-ivec2(gl_FragCoord.xy) * ivec2(3, 1), 77, 1); }
