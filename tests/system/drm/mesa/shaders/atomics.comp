// SPDX-License-Identifier: Apache-2.0
// All atomic operations on integers, in a buffer and in shared memory. What the exchange and the
// comparison leave does not depend on the order; what the addition returns does, so each value that
// it returned marks a place.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
shared uint part[8];
shared int signed_part[2];
void main() {
    uint l = gl_LocalInvocationIndex, v = from[item()];
    if (l < 8) part[l] = l == 4 ? ~0u : 0;
    if (l < 2) signed_part[l] = 0;
    barrier();
    atomicAdd(to[0], v);
    atomicMin(to[1], ~v);
    atomicMax(to[2], v);
    atomicAnd(to[3], v | 0x0F0Fu);
    atomicOr(to[4], v & 0xF0F0F000u);
    atomicXor(to[5], v);
    uint before = to[6];
    for (uint seen = ~before; seen != before;) {
        seen = before;
        before = atomicCompSwap(to[6], seen, seen + (v & 255u));
    }
    to[64 + atomicAdd(to[7], 1)] = 1;
    atomicAdd(part[0], v);
    atomicMin(part[4], v);
    atomicMax(part[1], v);
    atomicXor(part[2], v);
    atomicOr(part[3], v & 0x00FF00FFu);
    atomicMin(signed_part[0], int(v));
    atomicMax(signed_part[1], int(v));
    uint place = atomicAdd(part[5], 1);
    uint old = atomicExchange(part[6], place + 1);
    atomicAdd(part[7], old);
    barrier();
    uint at = 2048 + 16 * gl_WorkGroupID.x;
    if (l < 6) to[at + l] = part[l];
    // Everything that was exchanged is either still there or was returned to one.
    if (l == 6) to[at + 6] = part[6] + part[7];
    if (l < 2) to[at + 8 + l] = uint(signed_part[l]);
}
