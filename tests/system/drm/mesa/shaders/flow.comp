// SPDX-License-Identifier: Apache-2.0
// Items that part: loops with different ends, switches, returns, and arrays of an item's own that
// are too large for registers.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
uint choose(uint v) {
    switch (v % 7) {
        case 0: return v * 3;
        case 1: v += 11;
        case 2: return v ^ 0x5555;
        case 3: for (uint i = 0; i < v % 13; ++i) { if (i == 9) return i; v += i; } break;
        case 5: return ~v;
        default: v >>= 3;
    }
    return v + 1;
}
void main() {
    uint own[400];
    uint v = from[item()], sum = 0;
    for (uint i = 0; i < 400; ++i) own[i] = v * i;
    for (uint i = 0; i < 64; ++i) {
        v = v * 1664525u + 1013904223u;
        uint place = (v >> 10) % 400;
        own[place] += choose(v);
        if ((v >> 20) % 50 == 0) break;
        if ((v & 0x100) != 0) continue;
        sum ^= own[(v >> 5) % 400];
        if (sum % 101 == 3) { to[item()] = sum; return; }
    }
    to[item()] = sum + own[v % 400];
}
