// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 pixel;
void main() {
    ivec2 point = ivec2(gl_FragCoord.xy);
    float curved = float(point.x * point.x + 3 * point.y) / 256.0;
    float stepped = float((point.x / 2) * (point.y / 2)) / 64.0;
    pixel = vec4(dFdxFine(curved), fwidth(stepped), dFdyCoarse(gl_FragCoord.y) * 0.5, 1.0);
}
