// SPDX-License-Identifier: Apache-2.0
// Adds words times a constant to words.
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer From { uint from[]; };
layout(set = 0, binding = 1, std430) buffer To { uint to[]; };
layout(set = 0, binding = 2) uniform Factor { uint factor; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    to[i] += from[i] * factor;
}
