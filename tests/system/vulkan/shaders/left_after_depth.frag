// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_ARB_post_depth_coverage : require
layout(early_fragment_tests, post_depth_coverage) in;
layout(location = 0) in vec4 shade;
layout(location = 0) out vec4 pixel;
void main() { pixel = vec4(shade.rg, float(gl_SampleMaskIn[0]) / 15.0, 1.0); }
