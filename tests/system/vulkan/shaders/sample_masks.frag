// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 pixel;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    gl_SampleMask[0] = at.x + 4 * at.y;
    pixel = vec4(float(gl_SampleMaskIn[0]) / 15.0, shade.g, 0.0, 1.0);
}
