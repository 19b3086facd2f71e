// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out uvec4 pixel;
void main() { pixel = uvec4(uvec2(gl_FragCoord.xy) * uvec2(1027, 3), 77u, 1u); }
