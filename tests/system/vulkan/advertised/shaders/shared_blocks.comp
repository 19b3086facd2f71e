// SPDX-License-Identifier: Apache-2.0
// The same shared memory as words, as words of 16 bits and as bytes.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shared_memory_block : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#include "words.glsl"
shared Words { layout(offset = 16) uint words[64]; };
shared Halves { layout(offset = 16) uint16_t halves[128]; };
shared Bytes { layout(offset = 16) uint8_t bytes[256]; };
void main() {
    uint i = gl_GlobalInvocationID.x, l = gl_LocalInvocationID.x;
    words[l] = from[i];
    barrier();
    uint sum = uint(bytes[(4 * l + 7) % 256]) | uint(halves[(2 * l + 5) % 128]) << 16;
    barrier();
    bytes[4 * l + 1] = uint8_t(i);
    halves[2 * l + 1] = uint16_t(3 * i);
    barrier();
    to[2 * i] = sum;
    to[2 * i + 1] = words[63 - l];
}
