// SPDX-License-Identifier: Apache-2.0
// What every shader is given: random words, a place for its results, constants, an image.
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint kSecond = 7;
layout(set = 0, binding = 0, std430) readonly buffer From { uint from[]; };
layout(set = 0, binding = 1, std430) buffer To { uint to[]; };
layout(push_constant) uniform Numbers { uvec4 numbers; };
uint item() { return gl_GlobalInvocationID.x; }
// Between -2 and 2, in steps of 2^-14: sums and products of a few are exact.
float small(uint word) { return float(int(word << 16) >> 16) / 16384.0; }
void put(uint place, vec4 value) {
    for (uint i = 0; i < 4; ++i) to[4 * place + i] = floatBitsToUint(value[i]);
}
