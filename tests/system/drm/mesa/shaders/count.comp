// SPDX-License-Identifier: Apache-2.0
// The numbers of groups that the next dispatch takes from memory: 5, 3 and 2.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
void main() {
    if (item() < 3) to[item()] = uint[](5u, 3u, 2u)[item()];
}
