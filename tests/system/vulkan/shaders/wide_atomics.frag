// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_terminate_invocation : require
layout(location = 0) in vec2 at;
layout(set = 0, binding = 3) buffer Sums { uint64_t sums[5]; };
layout(location = 0) out vec4 pixel;
// Atomics of 64 bits, by all pixels but those that end before.
void main() {
    ivec2 point = ivec2(gl_FragCoord.xy);
    if ((point.x + point.y) % 5 == 0) terminateInvocation;
    uint64_t number = uint64_t(point.x * 64 + point.y) * 0x123456789ABCDul;
    atomicAdd(sums[0], number);
    atomicMax(sums[1], number ^ 0x5555555555ul);
    atomicMin(sums[2], number ^ 0x3333333333333ul);
    atomicXor(sums[3], number << 7);
    atomicOr(sums[4], number & 0xFF00FF00FF00FF00ul);
    pixel = vec4(0.25, 1.0, 0.5, 1.0);
}
