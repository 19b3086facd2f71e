// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 shade;
layout(location = 0, index = 0) out vec4 first;
layout(location = 0, index = 1) out vec4 second;
void main() {
    first = shade;
    second = vec4(gl_FragCoord.xy / 64.0, 0.5, 0.75);
}
