// SPDX-License-Identifier: Apache-2.0
// What SPV_INTEL_shader_integer_functions2 adds.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_spirv_intrinsics : require
#include "words.glsl"
#define ADDED(number) \
    spirv_instruction(extensions = ["SPV_INTEL_shader_integer_functions2"], capabilities = [5584], id = number)
ADDED(5585) uint leading_zeros(uint a);
ADDED(5586) uint trailing_zeros(uint a);
ADDED(5587) uint i_distance(int a, int b);
ADDED(5588) uint u_distance(uint a, uint b);
ADDED(5589) int i_add_sat(int a, int b);
ADDED(5590) uint u_add_sat(uint a, uint b);
ADDED(5591) int i_average(int a, int b);
ADDED(5592) uint u_average(uint a, uint b);
ADDED(5593) int i_average_rounded(int a, int b);
ADDED(5594) uint u_average_rounded(uint a, uint b);
ADDED(5595) int i_sub_sat(int a, int b);
ADDED(5596) uint u_sub_sat(uint a, uint b);
ADDED(5597) int i_mul_32x16(int a, int b);
ADDED(5598) uint u_mul_32x16(uint a, uint b);
void main() {
    uint i = gl_GlobalInvocationID.x, a = from[i], b = from[i + 256];
    int x = int(a), y = int(b);
    to[14 * i] = leading_zeros(i == 0 ? 0 : a >> i % 32);
    to[14 * i + 1] = trailing_zeros(i == 0 ? 0 : a << i % 32);
    to[14 * i + 2] = i_distance(x, y);
    to[14 * i + 3] = u_distance(a, b);
    to[14 * i + 4] = uint(i_add_sat(x, y));
    to[14 * i + 5] = u_add_sat(a, b);
    to[14 * i + 6] = uint(i_average(x, y));
    to[14 * i + 7] = u_average(a, b);
    to[14 * i + 8] = uint(i_average_rounded(x, y));
    to[14 * i + 9] = u_average_rounded(a, b);
    to[14 * i + 10] = uint(i_sub_sat(x, y));
    to[14 * i + 11] = u_sub_sat(a, b);
    to[14 * i + 12] = uint(i_mul_32x16(x, y >> 16));
    to[14 * i + 13] = u_mul_32x16(a, b >> 16);
}
