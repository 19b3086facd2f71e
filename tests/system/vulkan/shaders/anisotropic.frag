// SPDX-License-Identifier: Apache-2.0
#version 450
// Steps of powers of two in each direction, of a picture of 64 texels.
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(location = 0) out vec4 pixel;
void main() {
    vec2 step = exp2(floor(at * 6.0)) / 64.0;
    pixel = textureGrad(picture, vec2(0.5), vec2(step.x, 0.0), vec2(0.0, step.y));
}
