// SPDX-License-Identifier: Apache-2.0
#version 450
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(location = 0) out vec4 pixel;
void main() {
    pixel = at.y < 0.5 ? textureGather(picture, at, 1)
                       : textureOffset(picture, at, ivec2(3, -2)) + textureSize(picture, 1).x / 255.0;
}
