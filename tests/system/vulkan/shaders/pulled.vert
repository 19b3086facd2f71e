// SPDX-License-Identifier: Apache-2.0
#version 450
layout(set = 0, binding = 3) readonly buffer Vertices { vec2 places[]; };
layout(set = 0, binding = 5) uniform samplerBuffer colors;
layout(location = 0) out vec4 shade;
void main() {
    gl_Position = vec4(places[gl_VertexIndex], 0.0, 1.0);
    shade = texelFetch(colors, gl_VertexIndex);
}
