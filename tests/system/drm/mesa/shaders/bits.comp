// SPDX-License-Identifier: Apache-2.0
// Functions of integers' bits.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
void main() {
    uint a = from[item()], b = from[item() + 1], at = 12 * item(), high, low;
    int offset = int(b % 20u), count = int(a % 12u);
    to[at] = uint(bitCount(a));
    to[at + 1] = bitfieldReverse(a);
    to[at + 2] = uint(findLSB(a << (b % 32)));
    to[at + 3] = uint(findMSB(a >> (b % 32)));
    to[at + 4] = uint(findMSB(int(a) >> (b % 32)));
    to[at + 5] = bitfieldExtract(a, offset, count);
    to[at + 6] = uint(bitfieldExtract(int(a), offset, count));
    to[at + 7] = bitfieldInsert(a, b, offset, count);
    umulExtended(a, b, high, low);
    to[at + 8] = high ^ low;
    to[at + 9] = uaddCarry(a, b, low) + (a / (b >> 20 | 1));
    to[at + 10] = uint(int(a >> 1) % int(b >> 12 | 1));
    to[at + 11] = packUnorm4x8(vec4(a & 255u, b & 255u, 7, 300) / 255.0);
}
