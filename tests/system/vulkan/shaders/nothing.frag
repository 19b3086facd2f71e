// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 0) uniform Block { vec4 value; } blocks[4];
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(set = 0, binding = 2, r32ui) uniform uimage2D places;
layout(set = 0, binding = 3) buffer Counts { uint counts[]; };
layout(location = 0) out vec4 pixel;
// What is not bound reads as 0, and what is stored there is lost.
void main() {
    ivec2 point = ivec2(gl_FragCoord.xy);
    imageStore(places, point, uvec4(7));
    counts[point.x & 7] = 7u;
    vec3 seen = texture(picture, at).rgb + blocks[1].value.rgb;
    uint whole = imageLoad(places, point).x + counts[point.x & 7] + uint(counts.length());
    pixel = vec4(seen + vec3(whole), 1.0) + vec4(0.0, 0.5, at.x * 0.25, 0.0);
}
