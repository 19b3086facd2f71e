// SPDX-License-Identifier: Apache-2.0
// Says something on the way, which drivers need not hear.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_debug_printf : require
#include "words.glsl"
void main() {
    uint i = gl_GlobalInvocationID.x;
    debugPrintfEXT("word %u is %u", i, from[i]);
    to[i] = from[i] ^ i;
}
