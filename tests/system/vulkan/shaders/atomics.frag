// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 shade;
layout(set = 0, binding = 2, r32ui) uniform uimage2D places;
layout(location = 0) out vec4 pixel;
void main() {
    ivec2 point = ivec2(gl_FragCoord.xy);
    imageAtomicAdd(places, point, 60u);
    imageAtomicMax(places, ivec2(point.x, 63 - point.y), uint(shade.g * 15.0 + 0.5) * 16u);
    pixel = shade;
}
