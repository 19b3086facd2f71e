// SPDX-License-Identifier: Apache-2.0
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, std430) readonly buffer From { uint from[]; };
layout(set = 0, binding = 1, std430) buffer To { uint to[]; };
layout(push_constant) uniform Numbers { uint factor; uint added; };
shared uint part[64];
void main() {
    uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationIndex;
    part[l] = from[i];
    barrier();
    to[i] += part[63u - l] * factor + added + i;
}
