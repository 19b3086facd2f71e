// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 pixel;
void main() { pixel = vec4(float(gl_SampleID) / 3.0, gl_SamplePosition, 1.0); }
