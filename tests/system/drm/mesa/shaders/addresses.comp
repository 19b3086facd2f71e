// SPDX-License-Identifier: Apache-2.0
// Memory by its address: a list that each item follows.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#include "interface.glsl"
layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint word; };
void main() {
    uint64_t base = uint64_t(numbers.y) << 32 | numbers.x;
    uint place = from[item()] % 4096;
    for (uint i = 0; i < 20; ++i) place = (place * 5 + Words(base + 4 * place).word) % 4096;
    Words(base + 4 * (4096 + item())).word = place;
    atomicAdd(Words(base + 4 * 8192).word, place);
    to[item()] = place + Words(base + 4 * (item() * 7 % 4096)).word;
}
