// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 2, r32ui) uniform uimage2D places;
layout(set = 0, binding = 3) buffer Counts { uint counts[]; };
layout(location = 0) out vec4 pixel;
void main() {
    ivec2 point = ivec2(gl_FragCoord.xy);
    imageStore(places, ivec2(63 - point.x, point.y), uvec4(point.x * 4 + (point.y << 8)));
    atomicAdd(counts[point.x >> 3], 1u);
    pixel = vec4(0.0, 1.0, 0.0, 1.0);
}
