// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 3) buffer Sums { float least[8], greatest[8], last[8]; };
layout(location = 0) out vec4 pixel;
void main() {
    int i = int(gl_FragCoord.x) >> 3;
    pixel = vec4(least[i] / -256.0, greatest[i] / 256.0, last[i] / 15.0, 1.0);
}
