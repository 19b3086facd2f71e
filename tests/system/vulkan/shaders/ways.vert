// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 0) out float curved;
layout(location = 1) noperspective out float straight;
layout(location = 2) flat out float level;
layout(location = 3) centroid out float central;
void main() {
    gl_Position = position;
    curved = color.r;
    straight = color.r;
    level = color.g;
    central = color.b;
}
