// SPDX-License-Identifier: Apache-2.0
// Uniform buffers and storage buffers in several sets: constants at places known and computed, an
// array of buffers that is indexed by a number from memory, a part of a buffer, specialisation.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_nonuniform_qualifier : require
#include "interface.glsl"
layout(set = 2, binding = 0, std140) uniform Constants { uvec4 constants[64]; };
layout(set = 2, binding = 1, std430) readonly buffer Parts { uint part[]; } parts[3];
layout(set = 3, binding = 0, std140) uniform Moved { uvec4 moved[16]; };
layout(constant_id = 2) const bool kNegative = false;
layout(constant_id = 3) const float kFactor = 1.0;
void main() {
    uint v = from[item()];
    uint sum = constants[3].y + constants[v % 64].z * kSecond + moved[v % 16].w + moved[2].x;
    sum += parts[numbers.x].part[v % 256] + parts[nonuniformEXT(v / 64 % 3)].part[v % 64];
    sum += uint(parts[1].part.length()) * numbers.y + uint(kFactor * 4.0);
    to[item()] = kNegative ? ~sum : sum;
}
