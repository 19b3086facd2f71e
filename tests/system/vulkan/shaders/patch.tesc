// SPDX-License-Identifier: Apache-2.0
#version 450
layout(vertices = 4) out;
layout(push_constant) uniform Levels { vec4 outside; vec2 inside; };
layout(location = 0) in vec2 corner[];
layout(location = 0) out vec2 point[];
layout(location = 1) patch out float number;
void main() {
    point[gl_InvocationID] = corner[gl_InvocationID % gl_PatchVerticesIn];
    number = float(gl_PrimitiveID);
    for (int i = 0; i < 4; ++i) gl_TessLevelOuter[i] = outside[i];
    gl_TessLevelInner[0] = inside.x;
    gl_TessLevelInner[1] = inside.y;
}
