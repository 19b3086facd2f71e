// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(location = 0) out vec4 pixel;
void main() {
    float step = exp2(floor(at.x * 4.0)) / 32.0;
    pixel = textureGrad(picture, at, vec2(step, 0.0), vec2(0.0, step));
}
