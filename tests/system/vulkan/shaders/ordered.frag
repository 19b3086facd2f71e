// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_ARB_fragment_shader_interlock : require
layout(pixel_interlock_ordered) in;
layout(location = 0) in vec4 shade;
layout(set = 0, binding = 2, r32ui) uniform coherent uimage2D values;
void main() {
    ivec2 point = ivec2(gl_FragCoord.xy);
    beginInvocationInterlockARB();
    uint value = imageLoad(values, point).x;
    imageStore(values, point, uvec4(value * 3u + uint(shade.r * 16.0)));
    endInvocationInterlockARB();
}
