// SPDX-License-Identifier: Apache-2.0
#version 450
// Invocations of several threads read what others wrote.
layout(vertices = 32) out;
layout(push_constant) uniform Levels { vec4 outside; vec2 inside; };
layout(location = 0) in vec2 corner[];
layout(location = 0) out vec2 point[];
layout(location = 1) patch out float number;
layout(location = 2) out float kept[];
void main() {
    int i = gl_InvocationID;
    point[gl_InvocationID] = corner[i % 4];
    kept[gl_InvocationID] = float(i);
    barrier();
    float other = kept[(i + 17) % 32];
    barrier();
    kept[gl_InvocationID] = other;
    barrier();
    float sum = 0.0;
    for (int n = 0; n < 32; n += 5) sum += kept[n];
    number = sum / 32.0;
    if (i < 4) gl_TessLevelOuter[i] = outside[i] + kept[i] / 16.0;
    if (i < 2) gl_TessLevelInner[i] = inside[i];
}
