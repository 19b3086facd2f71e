// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 position;
layout(location = 1) in vec4 place;
layout(location = 0) out vec4 shade;
void main() {
    gl_Position = vec4(position * place.z + place.xy, 0.0, 1.0);
    shade = vec4(float(gl_InstanceIndex & 3) / 3.0, float(gl_VertexIndex & 3) / 3.0, place.w, 1.0);
}
