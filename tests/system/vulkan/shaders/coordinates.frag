// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 pixel;
void main() {
    vec2 steps = fract(gl_FragCoord.xy / 8.0);
    pixel = vec4(steps, gl_FragCoord.x < 32.0 ? gl_FragCoord.z : gl_FragCoord.w * 0.25, 1.0);
}
