// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_EXT_shader_atomic_float2 : require
#extension GL_EXT_shader_atomic_float : require
#extension GL_ARB_shader_clock : require
#extension GL_EXT_shader_realtime_clock : enable
layout(location = 0) in vec2 at;
layout(set = 0, binding = 3) buffer Sums { float least[8], greatest[8], last[8]; };
layout(location = 0) out vec4 pixel;
// Atomics of floats, and a clock that does not run back.
void main() {
    ivec2 point = ivec2(gl_FragCoord.xy);
    uvec2 begin = clock2x32ARB();
    float value = float((point.x * 37 + point.y * 11) % 512) - 255.5;
    atomicMin(least[point.x >> 3], value);
    atomicMax(greatest[point.x >> 3], value);
    float old = atomicExchange(last[point.x >> 3], 7.5);
    uvec2 end = clock2x32ARB();
    bool good = end.y > begin.y || end.y == begin.y && end.x >= begin.x;
    pixel = vec4(0.25, good && (old == 7.5 || old == 0.0) ? 1.0 : 0.0, 0.5, 1.0);
}
