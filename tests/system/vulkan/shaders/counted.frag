// SPDX-License-Identifier: Apache-2.0
#version 450
// Counts the samples of all pixels.
layout(set = 0, binding = 3) buffer Counts { uint counts[]; };
layout(push_constant) uniform Pushed { uint place; };
void main() { atomicAdd(counts[place], uint(bitCount(gl_SampleMaskIn[0]))); }
