// SPDX-License-Identifier: Apache-2.0
// A group of 1024 sorts 8192 words in 32 KB of shared memory.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
const uint kWords = 8192;
shared uint words[kWords];
void main() {
    uint l = gl_LocalInvocationIndex, base = gl_WorkGroupID.x * kWords;
    for (uint i = l; i < kWords; i += gl_WorkGroupSize.x)
        words[i] = from[i % 4096] * (i < 4096 ? 1u : 2654435761u) + gl_WorkGroupID.x;
    for (uint span = 2; span <= kWords; span *= 2)
        for (uint step = span / 2; step > 0; step /= 2) {
            barrier();
            for (uint n = l; n < kWords / 2; n += gl_WorkGroupSize.x) {
                uint low = n / step * step * 2 + n % step, high = low + step;
                uint a = words[low], b = words[high];
                if ((a > b) == ((low & span) == 0)) {
                    words[low] = b;
                    words[high] = a;
                }
            }
        }
    barrier();
    for (uint i = l; i < kWords; i += gl_WorkGroupSize.x) to[base + i] = words[i];
}
