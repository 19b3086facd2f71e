// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 pixels[8];
void main() {
    for (int i = 0; i < 8; ++i)
        pixels[i] = vec4(shade.r, float(i) / 7.0, shade.g, 0.5);
}
