// SPDX-License-Identifier: Apache-2.0
// Integers of 8 and 16 bits and floating point numbers of 16, in registers and in memory.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#include "interface.glsl"
layout(set = 0, binding = 0, std430) readonly buffer From16 { uint16_t from16[]; };
layout(set = 0, binding = 0, std430) readonly buffer From8 { int8_t from8[]; };
layout(set = 0, binding = 1, std430) buffer To16 { uint16_t to16[]; };
layout(set = 0, binding = 1, std430) buffer To8 { int8_t to8[]; };
void main() {
    uint i = item(), place = 16 * i;
    uint16_t a = from16[i], b = from16[i + 777];
    int8_t c = from8[3 * i + 1], d = from8[i + 555];
    to16[place] = a + b;
    to16[place + 1] = a * b;
    to16[place + 2] = uint16_t(int16_t(a) >> (b % 16us));
    to16[place + 3] = uint16_t(max(int16_t(a), int16_t(b)));
    to16[place + 4] = a / (b | 1us);
    to8[2 * place + 10] = c + d;
    to8[2 * place + 11] = c * d;
    to8[2 * place + 12] = max(c, d);
    to8[2 * place + 13] = d >> int8_t(c & 7);
    // Between 1 and 2 with six bits: sums and products are exact.
    float16_t x = 1.0hf + float16_t(a % 32us) / 32.0hf, y = 1.0hf - float16_t(b % 32us) / 32.0hf;
    to16[place + 7] = float16BitsToUint16(x + y);
    to16[place + 8] = float16BitsToUint16(x * y);
    to16[place + 9] = float16BitsToUint16(fma(x, y, -x));
    to16[place + 10] = float16BitsToUint16(abs(min(x, -y)));
    to16[place + 11] = uint16_t(int16_t(x * 100.0hf));
    to16[place + 12] = float16BitsToUint16(float16_t(small(from[i])));
    to16[place + 13] = uint16_t(floatBitsToUint(float(y)) >> 16);
    to16[place + 14] = x < y ? a : b;
    to16[place + 15] = float16BitsToUint16(floor(x * 3.0hf));
}
