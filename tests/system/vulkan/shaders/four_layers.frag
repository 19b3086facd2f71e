// SPDX-License-Identifier: Apache-2.0
#version 450
// Four layers of an array, a quarter each.
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform sampler2DArray pictures;
layout(location = 0) out vec4 pixel;
void main() {
    ivec2 point = ivec2(gl_FragCoord.xy);
    pixel = texelFetch(pictures, ivec3(point * 2 & 63, (point.x >> 5) + (point.y >> 5) * 2), 0);
}
