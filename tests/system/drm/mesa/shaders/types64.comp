// SPDX-License-Identifier: Apache-2.0
// Integers and floating point numbers of 64 bits.
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#include "interface.glsl"
uint at;
void next(uint64_t value) { to[at++] = uint(value); to[at++] = uint(value >> 32); }
void main() {
    at = 24 * item();
    uint64_t a = uint64_t(from[item()]) << 32 | from[item() + 1];
    uint64_t b = uint64_t(from[item() + 2] >> (from[item()] % 32)) << 8 | 1u;
    next(a + b);
    next(a - b);
    next(a * b);
    next(a / b);
    next(uint64_t(int64_t(a >> 1) % int64_t(b)));
    next(a << (b % 64u) ^ a >> (b % 61u));
    next(uint64_t(int64_t(a) >> (b % 59u)));
    next(a < b ? min(a, b) : max(a, ~b));
    float64_t x = float64_t(int64_t(a)), y = float64_t(b);
    precise float64_t sum = x * y + x;
    next(doubleBitsToUint64(sum));
    next(doubleBitsToUint64(abs(x) < y ? x - y : floor(x)));
    next(uint64_t(int64_t(x / 65536.0LF)));
    next(doubleBitsToUint64(max(x, -y)));
}
