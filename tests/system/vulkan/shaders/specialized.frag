// SPDX-License-Identifier: Apache-2.0
#version 450
layout(constant_id = 0) const int kSteps = 3;
layout(constant_id = 1) const float kScale = 1.0;
layout(constant_id = 2) const bool kFlip = false;
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 pixel;
void main() {
    float sum = 0.0;
    for (int i = 0; i < kSteps; ++i) sum += float(i) * kScale;
    pixel = vec4(sum / 64.0, kFlip ? floor((1.0 - at.y) * 8.0) / 8.0 : 0.0, 0.25, 1.0);
}
