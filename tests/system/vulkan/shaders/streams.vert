// SPDX-License-Identifier: Apache-2.0
#version 450
// As many attributes as there may be.
layout(location = 0) in vec2 position;
layout(location = 1) in float a1;
layout(location = 2) in float a2;
layout(location = 3) in float a3;
layout(location = 4) in float a4;
layout(location = 5) in float a5;
layout(location = 6) in float a6;
layout(location = 7) in float a7;
layout(location = 8) in float a8;
layout(location = 9) in float a9;
layout(location = 10) in float a10;
layout(location = 11) in float a11;
layout(location = 12) in float a12;
layout(location = 13) in float a13;
layout(location = 14) in float a14;
layout(location = 15) in float a15;
layout(location = 16) in float a16;
layout(location = 17) in float a17;
layout(location = 18) in float a18;
layout(location = 19) in float a19;
layout(location = 20) in float a20;
layout(location = 21) in float a21;
layout(location = 22) in float a22;
layout(location = 23) in float a23;
layout(location = 24) in float a24;
layout(location = 25) in float a25;
layout(location = 26) in float a26;
layout(location = 27) in float a27;
layout(location = 28) in float a28;
layout(location = 0) out vec4 shade;
void main() {
    gl_Position = vec4(position, 0.0, 1.0);
    shade.r = a1 + a2 + a3 + a4 + a5 + a6 + a7 + a8 + a9;
    shade.g = a10 + a11 + a12 + a13 + a14 + a15 + a16 + a17 + a18;
    shade.b = a19 + a20 + a21 + a22 + a23 + a24 + a25 + a26 + a27 + a28;
    shade.a = 1.0;
}
