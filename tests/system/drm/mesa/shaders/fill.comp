// SPDX-License-Identifier: Apache-2.0
// Random texels in a level of an image. IMAGE, VECTOR, POINT: the image's type, that of its texels
// and that of their places.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "interface.glsl"
layout(set = 1, binding = 0) writeonly uniform IMAGE to_image;
void main() {
    uvec3 size = uvec3(numbers.xyz), at;
    at.x = item() % size.x;
    at.y = item() / size.x % size.y;
    at.z = item() / size.x / size.y;
    if (at.z >= size.z) return;
    uvec4 v;
    for (uint i = 0; i < 4; ++i) v[i] = from[(item() * 4 + i + numbers.w) % 4096];
    vec4 f;
    for (uint i = 0; i < 4; ++i) f[i] = float(v[i] & 255u) * (1.0 / 255.0);
    imageStore(to_image, POINT, VALUE);
}
