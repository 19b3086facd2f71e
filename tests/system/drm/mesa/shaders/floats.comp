// SPDX-License-Identifier: Apache-2.0
// Functions of floating point numbers: the first eight of an item are exact.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
void main() {
    float a = small(from[item()]), b = small(from[item() + 1]);
    float t = abs(a) + 0.125;
    uint at = 6 * item();
    put(at, vec4(a + b, a * 0.5 - b, floor(a * 4.0), fract(b)));
    put(at + 1, vec4(roundEven(a * 8.0), sign(a) * trunc(b * 3.0), max(a, b), ldexp(b, 5)));
    put(at + 2, vec4(sqrt(t), inversesqrt(t), a / (abs(b) + 0.25), mod(b, t)));
    put(at + 3, vec4(sin(a), cos(b), exp2(a), log2(t)));
    put(at + 4, vec4(pow(t, b), atan(a, t), length(vec3(a, b, t)), smoothstep(-1.0, 1.0, a)));
    put(at + 5, unpackUnorm4x8(from[item()]) + unpackHalf2x16(packHalf2x16(vec2(a, b))).xyxy);
}
