// SPDX-License-Identifier: Apache-2.0
#version 450
// The least (pushed: 0) or the greatest of four samples, of 32 x 32 pixels.
layout(location = 0) in vec2 at;
layout(set = 0, binding = 1) uniform sampler2DMS picture;
layout(push_constant) uniform Pushed { vec4 place; };
layout(location = 0) out vec4 pixel;
void main() {
    ivec2 point = ivec2(gl_FragCoord.xy) % 32;
    float least = 1.0, greatest = 0.0;
    for (int i = 0; i < 4; ++i) {
        float value = texelFetch(picture, point, i).r;
        least = min(least, value);
        greatest = max(greatest, value);
    }
    pixel = vec4(place.x == 0.0 ? least : greatest, 0.0, 0.0, 1.0);
}
