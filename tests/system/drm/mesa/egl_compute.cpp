// SPDX-License-Identifier: Apache-2.0
/// Compute shaders of OpenGL ES 3.1, without a display: each result is compared with the same sum
/// on the processor.
///
///   egl_compute [NAME...]     only the named shaders
///
/// It fails unless Intel's driver runs: Mesa takes a driver on the processor without a word.
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "tests/system/drm/mesa/gl_machine.h"

namespace {

using namespace gl;

Words counted(std::size_t count) {
    Words data(count);
    for (std::size_t i = 0; i < count; ++i)
        data[i] = static_cast<std::uint32_t>(i * 2654435761u >> 7);
    return data;
}

/// Result and what it must be.
struct Outcome {
    Words is, must_be;
};

/// Storage buffer and a uniform, several groups.
Outcome scale() {
    const GLuint program = build(
        "layout(local_size_x = 64) in; uniform uint factor;\n"
        "layout(std430, binding = 0) buffer B { uint v[]; };\n"
        "void main() { uint i = gl_GlobalInvocationID.x; v[i] = v[i] * factor + i; }");
    glUniform1ui(glGetUniformLocation(program, "factor"), 3);
    Words data = counted(1024);
    give(0, data);
    glDispatchCompute(16, 1, 1);
    for (std::uint32_t i = 0; i < data.size(); ++i)
        data[i] = data[i] * 3 + i;
    return {take(data.size()), data};
}

/// Shared memory and barriers: each group's sum.
Outcome sums() {
    build(
        "layout(local_size_x = 128) in; shared uint part[128];\n"
        "layout(std430, binding = 0) buffer A { uint from[]; };\n"
        "layout(std430, binding = 1) buffer B { uint to[]; };\n"
        "void main() { uint l = gl_LocalInvocationIndex;\n"
        "  part[l] = from[gl_GlobalInvocationID.x];\n"
        "  for (uint n = 64u; n > 0u; n /= 2u) { barrier(); if (l < n) part[l] += part[l + n]; }\n"
        "  if (l == 0u) to[gl_WorkGroupID.x] = part[0]; }");
    const Words data = counted(1024);
    give(0, data);
    give(1, Words(8));
    glDispatchCompute(8, 1, 1);
    Words must_be(8);
    for (std::size_t i = 0; i < data.size(); ++i)
        must_be[i / 128] += data[i];
    return {take(8), must_be};
}

/// Atomic operations on memory.
Outcome histogram() {
    build(
        "layout(local_size_x = 32) in;\n"
        "layout(std430, binding = 0) buffer A { uint from[]; };\n"
        "layout(std430, binding = 1) buffer B { uint bins[]; };\n"
        "void main() { atomicAdd(bins[from[gl_GlobalInvocationID.x] % 16u], 1u); }");
    const Words data = counted(2048);
    give(0, data);
    give(1, Words(16));
    glDispatchCompute(64, 1, 1);
    Words must_be(16);
    for (const auto value : data)
        ++must_be[value % 16];
    return {take(16), must_be};
}

/// Three dimensions, groups that do not fill their threads, and the number of groups from memory.
Outcome indirect() {
    build(
        "layout(local_size_x = 5, local_size_y = 3, local_size_z = 1) in;\n"
        "layout(std430, binding = 0) buffer B { uint v[]; };\n"
        "void main() { uvec3 g = gl_GlobalInvocationID;\n"
        "  uvec3 n = gl_NumWorkGroups * gl_WorkGroupSize;\n"
        "  v[(g.z * n.y + g.y) * n.x + g.x] = g.x | g.y << 8 | g.z << 16; }");
    constexpr std::uint32_t kX = 15, kY = 6, kZ = 4;
    GLuint counts = 0;
    const std::uint32_t groups[] = {3, 2, 4};
    glGenBuffers(1, &counts);
    glBindBuffer(GL_DISPATCH_INDIRECT_BUFFER, counts);
    glBufferData(GL_DISPATCH_INDIRECT_BUFFER, sizeof groups, groups, GL_STATIC_DRAW);
    give(0, Words(kX * kY * kZ));
    glDispatchComputeIndirect(0);
    Words must_be;
    for (std::uint32_t z = 0; z < kZ; ++z)
        for (std::uint32_t y = 0; y < kY; ++y)
            for (std::uint32_t x = 0; x < kX; ++x)
                must_be.push_back(x | y << 8 | z << 16);
    return {take(must_be.size()), must_be};
}

/// An image that one shader writes and the next reads.
Outcome image() {
    constexpr std::uint32_t kWidth = 64, kHeight = 32;
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, kWidth, kHeight);
    build(
        "layout(local_size_x = 8, local_size_y = 8) in;\n"
        "layout(r32ui, binding = 0) writeonly uniform highp uimage2D to;\n"
        "void main() { ivec2 g = ivec2(gl_GlobalInvocationID.xy);\n"
        "  imageStore(to, g, uvec4(g.x * 1000 + g.y)); }");
    glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32UI);
    glDispatchCompute(kWidth / 8, kHeight / 8, 1);
    glMemoryBarrier(GL_ALL_BARRIER_BITS);
    build(
        "layout(local_size_x = 8, local_size_y = 8) in;\n"
        "layout(r32ui, binding = 0) readonly uniform highp uimage2D from;\n"
        "layout(std430, binding = 0) buffer B { uint v[]; };\n"
        "void main() { ivec2 g = ivec2(gl_GlobalInvocationID.xy);\n"
        "  v[g.y * 64 + g.x] = imageLoad(from, ivec2(63 - g.x, g.y)).x; }");
    glBindImageTexture(0, texture, 0, GL_FALSE, 0, GL_READ_ONLY, GL_R32UI);
    give(0, Words(kWidth * kHeight));
    glDispatchCompute(kWidth / 8, kHeight / 8, 1);
    Words must_be;
    for (std::uint32_t y = 0; y < kHeight; ++y)
        for (std::uint32_t x = 0; x < kWidth; ++x)
            must_be.push_back((kWidth - 1 - x) * 1000 + y);
    return {take(must_be.size()), must_be};
}

/// Many submissions whose order counts: each reads what the one before wrote.
Outcome chain() {
    build(
        "layout(local_size_x = 64) in;\n"
        "layout(std430, binding = 0) buffer B { uint v[]; };\n"
        "void main() { uint i = gl_GlobalInvocationID.x; v[i] = v[i] * 1664525u + 1013904223u; }");
    Words data = counted(64);
    give(0, data);
    constexpr int kTimes = 50;
    for (int i = 0; i < kTimes; ++i) {
        glDispatchCompute(1, 1, 1);
        glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
        glFlush();
    }
    for (auto& value : data)
        for (int i = 0; i < kTimes; ++i)
            value = value * 1664525u + 1013904223u;
    return {take(data.size()), data};
}

bool good(const char* name, const Outcome& outcome) {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < outcome.must_be.size(); ++i)
        if (outcome.is[i] != outcome.must_be[i] && wrong++ == 0)
            std::printf("%s: [%zu] is %u, must be %u\n", name, i, outcome.is[i],
                        outcome.must_be[i]);
    std::printf("%s: %zu of %zu right\n", name, outcome.must_be.size() - wrong,
                outcome.must_be.size());
    return wrong == 0 && glGetError() == GL_NO_ERROR;
}

}  // namespace

int main(int count, char** names) {
    const std::pair<const char*, Outcome (*)()> all[] = {
        {"scale", scale},       {"sums", sums},   {"histogram", histogram},
        {"indirect", indirect}, {"image", image}, {"chain", chain}};
    start("Intel");
    bool right = true;
    for (const auto& [name, run] : all) {
        bool wanted = count == 1;
        for (int i = 1; i < count; ++i)
            wanted = wanted || std::strcmp(names[i], name) == 0;
        if (wanted) right = good(name, run()) && right;
    }
    return right ? 0 : 1;
}
