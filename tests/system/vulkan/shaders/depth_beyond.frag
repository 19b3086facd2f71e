// SPDX-License-Identifier: Apache-2.0
// Depths from below 0 to above 1, which may be left to be clamped.
#version 450
layout(constant_id = 0) const bool kClamped = false;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 pixel;
void main() {
    float depth = (gl_FragCoord.x - 16.0) / 32.0;
    gl_FragDepth = kClamped ? clamp(depth, 0.0, 1.0) : depth;
    pixel = vec4(1.0, 0.5, 0.0, 1.0);
}
