// SPDX-License-Identifier: Apache-2.0
// Dot products of bytes and of words of 16 bits (SPV_KHR_integer_dot_product).
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_spirv_intrinsics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#include "words.glsl"
#define PACKED(number) \
    spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = number)
#define VECTORS(number) \
    spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6016], id = number)
PACKED(4450) int s_dot(int a, int b, spirv_literal int format);
PACKED(4451) uint u_dot(uint a, uint b, spirv_literal int format);
PACKED(4452) int su_dot(int a, uint b, spirv_literal int format);
PACKED(4453) int s_dot_sat(int a, int b, int sum, spirv_literal int format);
PACKED(4454) uint u_dot_sat(uint a, uint b, uint sum, spirv_literal int format);
PACKED(4455) int su_dot_sat(int a, uint b, int sum, spirv_literal int format);
VECTORS(4450) int s_dot(i16vec2 a, i16vec2 b);
VECTORS(4451) uint u_dot(u16vec4 a, u16vec4 b);
void main() {
    uint i = gl_GlobalInvocationID.x, a = from[i], b = from[i + 256];
    // Half of the sums lie so that they saturate.
    uint high = i % 2 == 0 ? 0xFFFFF800u : from[i + 512];
    int near = i % 4 == 0 ? 0x7FFFFFF0 : i % 4 == 1 ? -0x7FFFFFF0 : int(from[i + 512]);
    to[8 * i] = uint(s_dot(int(a), int(b), 0));
    to[8 * i + 1] = u_dot(a, b, 0);
    to[8 * i + 2] = uint(su_dot(int(a), b, 0));
    to[8 * i + 3] = uint(s_dot_sat(int(a), int(b), near, 0));
    to[8 * i + 4] = u_dot_sat(a, b, high, 0);
    to[8 * i + 5] = uint(su_dot_sat(int(a), b, near, 0));
    to[8 * i + 6] = uint(s_dot(unpack16(int(a)), unpack16(int(b))));
    u16vec2 x = unpack16(a), y = unpack16(b), z = unpack16(from[i + 512]), w = unpack16(from[i + 768]);
    to[8 * i + 7] = u_dot(u16vec4(x, z), u16vec4(y, w));
}
