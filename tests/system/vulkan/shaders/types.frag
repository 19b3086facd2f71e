// SPDX-License-Identifier: Apache-2.0
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_KHR_shader_subgroup_quad : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_EXT_demote_to_helper_invocation : require
layout(location = 0) in vec2 at;
layout(location = 0) out vec4 pixel;
// Numbers of all sizes, and channels that leave while their neighbours need them.
void main() {
    ivec2 point = ivec2(gl_FragCoord.xy);
    float64_t wide = (float64_t(point.x) + 0.3lf) * 1e200lf / (float64_t(point.y + 1) * 1e200lf);
    int64_t whole = (int64_t(point.x) << 40) * int64_t(point.y + 1) - 12345;
    uint64_t bits = (uint64_t(point.y) << 33 | uint64_t(point.x)) % 1000003ul;
    int16_t word = int16_t(point.x * 1000) * int16_t(point.y + 3);
    uint8_t byte = uint8_t(point.x * 5) + uint8_t(point.y * 7);
    float16_t half_ = float16_t(point.x) * 0.125hf + float16_t(point.y) * 0.0625hf;
    float across = subgroupQuadSwapHorizontal(float(point.x)) - float(point.x);
    float down = subgroupQuadSwapVertical(float(point.y)) - float(point.y);
    float diagonal = subgroupQuadBroadcast(float(point.x + point.y), 3u) - float(point.x + point.y);
    if ((point.x * 7 + point.y * 5) % 6 == 0)
        demote;
    vec4 parts[4];
    parts[0] = vec4(float(fract(wide)), float(sqrt(wide)) / 8.0, float(floor(wide)) / 64.0, 1.0);
    parts[1] = vec4(float(whole >> 40 & 255l) / 255.0, float(bits & 255ul) / 255.0,
                    float(word & 255s) / 255.0, 1.0);
    parts[2] = vec4(float(byte) / 255.0, float(half_) / 16.0, float(half_ * half_) / 256.0, 1.0);
    parts[3] = vec4(across, down, diagonal, 2.0) * 0.25 + 0.5;
    pixel = parts[point.x / 32 + point.y / 32 * 2];
    pixel.w = 1.0;
}
