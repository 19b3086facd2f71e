// SPDX-License-Identifier: Apache-2.0
// Words at an address.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#include "words.glsl"
layout(buffer_reference, std430) buffer Place { uint words[]; };
layout(push_constant) uniform Where { Place place; uint16_t factor; uint8_t more; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    place.words[i] = place.words[i] * uint(factor) + from[i] + uint(more);
}
