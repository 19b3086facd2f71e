// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out vec4 shade;
out float gl_ClipDistance[2];
out float gl_CullDistance[1];
void main() {
    gl_Position = vec4(position.xy, 0.0, 1.0);
    gl_ClipDistance[0] = position.x + 0.53;
    gl_ClipDistance[1] = 0.71 - position.y - position.x;
    gl_CullDistance[0] = position.w;
    shade = color;
}
