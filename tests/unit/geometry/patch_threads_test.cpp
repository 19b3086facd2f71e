// SPDX-License-Identifier: Apache-2.0
// What hull and domain threads begin with.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <numeric>
#include <vector>

#include "geometry/domain_thread.h"
#include "geometry/hull_thread.h"
#include "tests/support/covers.h"

namespace gen9::geometry::test {
namespace {

using Dwords = std::vector<std::uint32_t>;
using Row = std::array<std::uint32_t, 8>;

const ThreadTopology kTopology{1, 2, 4, 7};
constexpr ThreadPlace kPlace{0, 1, 2};

template <class State>
struct Decoded {
    State shader;
    std::vector<std::string> problems;
};
PipelineState with_command(const char* name, const Dwords& dwords) {
    PipelineState state;
    const packets::CommandRow& row = packets::command_named(name);
    auto block = std::make_shared<StageState>(row.latch.unit);
    EXPECT_TRUE(block->take(row, dwords)) << name;
    state.stages[static_cast<unsigned>(row.latch.unit)] = block;
    return state;
}
/// 3DSTATE_HS by its DWords 2 and 7.
Decoded<HullShaderState> hull(std::uint32_t dword2, std::uint32_t dword7) {
    Decoded<HullShaderState> out;
    out.shader = decode_hull_shader(
        with_command("3DSTATE_HS", {0x781B0007, 0, 1u << 31 | dword2, 0x4000, 0, 0, 0, dword7, 0}),
        true, out.problems);
    return out;
}
Decoded<DomainShaderState> domain(std::uint32_t dword6, std::uint32_t dword7) {
    Decoded<DomainShaderState> out;
    out.shader = decode_domain_shader(
        with_command("3DSTATE_DS", {0x781D0009, 0x4000, 0, 0, 0, 0, dword6, 1u | dword7, 0, 0, 0}),
        true, out.problems);
    return out;
}
constexpr std::uint32_t start(unsigned reg) {
    return (reg & 31) << 19 | (reg >> 5) << 28;
}
constexpr std::uint32_t rows_read(unsigned rows) {
    return rows << 11;
}
constexpr std::uint32_t kSingle = 0, kDual = 1u << 17, kEight = 2u << 17;
constexpr std::uint32_t kPrimitiveId = 1, kHandles = 1u << 24;
constexpr std::uint32_t kThreads = 63u << 8;

Row loaded(const ThreadDispatch& thread, unsigned reg) {
    Row row;
    std::memcpy(row.data(), thread.payload[reg].bytes, sizeof row);
    return row;
}
std::span<const std::uint8_t> bytes(const std::vector<std::uint32_t>& words) {
    return {reinterpret_cast<const std::uint8_t*>(words.data()), 4 * words.size()};
}
/// DWord `d` of the data of point `point` of patch `patch`.
std::uint32_t datum(unsigned patch, unsigned point, unsigned d) {
    return 100'000 * (patch + 1) + 1000 * point + d;
}
ThreadDispatch make_hull(const HullShaderState& shader, unsigned patches, unsigned points,
                         unsigned instance = 0) {
    std::vector<HullPatch> given;
    std::vector<std::uint32_t> rows, data;
    for (unsigned patch = 0; patch < patches; ++patch) {
        given.push_back({0x800 + 8 * patch, 70 + patch});
        for (unsigned point = 0; point < points; ++point) {
            rows.push_back(2 * (0x100 * (patch + 1) + point));
            for (unsigned d = 0; d < 8 * shader.read_rows; ++d)
                data.push_back(datum(patch, point, d));
        }
    }
    ThreadDispatch thread;
    for (Grf& reg : thread.payload)
        std::memset(reg.bytes, 0xEE, sizeof reg.bytes);
    make_hull_thread(shader, {.constants = {}, .scratch_slot = 0, .number = 0xBAD},
                     {.patches = given,
                      .point_rows = rows,
                      .data = bytes(data),
                      .points = points,
                      .instance = instance,
                      .barrier = 11},
                     kTopology, kPlace, thread);
    return thread;
}

TEST(HullThread, OfASinglePatchAsDriversAskForIt) {
    GEN9_COVERS("HS-04 HS-06 HS-09 HS-18 FF-21 FF-25 FF-63");
    // Two instances, handles of 20 points, constants from R5 on.
    const auto [shader, problems] = hull(kThreads | 1, kSingle | kHandles | start(5));
    EXPECT_TRUE(problems.empty());
    EXPECT_EQ(shader.instances, 2u);
    const ThreadDispatch first = make_hull(shader, 1, 20, 0), last = make_hull(shader, 1, 20, 1);
    EXPECT_EQ(first.dispatch_mask, 0xFFu);
    EXPECT_EQ(first.payload_registers, 5u);
    EXPECT_EQ(loaded(first, 0), (Row{0x400, 70, 11u << 13, 0, 0, first.sideband.fftid, 0xBAD, 0}));
    EXPECT_EQ(loaded(last, 0), (Row{0x400, 70, 1u << 17 | 11u << 13, 0, 0, last.sideband.fftid,
                                    1u << 31 | 0xBAD, 0}));
    EXPECT_EQ(loaded(first, 1), (Row{0x100, 0x101, 0x102, 0x103, 0x104, 0x105, 0x106, 0x107}));
    EXPECT_EQ(loaded(first, 3), (Row{0x110, 0x111, 0x112, 0x113}));
    EXPECT_EQ(loaded(first, 4), Row{});
}

TEST(HullThread, PointsOfASinglePatchFollowOneTheOther) {
    GEN9_COVERS("HS-09 HS-12 FF-21 FF-24");
    const auto [shader, problems] = hull(kThreads, kSingle | start(1) | rows_read(2));
    const ThreadDispatch thread = make_hull(shader, 1, 3);
    EXPECT_EQ(thread.payload_registers, 1u + 3 * 2);
    for (unsigned point = 0; point < 3; ++point)
        for (unsigned d = 0; d < 16; ++d)
            EXPECT_EQ(loaded(thread, 1 + 2 * point + d / 8)[d % 8], datum(0, point, d));
    // Too many are not loaded.
    EXPECT_EQ(shader.all_registers(32), 65u);
    const auto wide = hull(kThreads, kSingle | start(1) | rows_read(5)).shader;
    EXPECT_EQ(wide.all_registers(32), 161u);
    EXPECT_EQ(make_hull(wide, 1, 32).payload_registers, 128u);
}

TEST(HullThread, OfTwoPatches) {
    GEN9_COVERS("HS-07 HS-10 FF-68");
    const auto [shader, problems] =
        hull(kThreads, kDual | kHandles | kPrimitiveId | start(3) | rows_read(1));
    const ThreadDispatch both = make_hull(shader, 2, 3), one = make_hull(shader, 1, 3);
    EXPECT_EQ(both.dispatch_mask, 0xFFu);
    EXPECT_EQ(one.dispatch_mask, 0x0Fu);
    EXPECT_EQ(loaded(both, 0)[0], 0x400u);
    EXPECT_EQ(loaded(both, 0)[1], 0x404u);
    EXPECT_EQ(loaded(both, 1), (Row{70, 0, 0, 0, 71, 0, 0, 0}));
    EXPECT_EQ(loaded(both, 2), (Row{0x100, 0x101, 0x102, 0, 0x200, 0x201, 0x202, 0}));
    EXPECT_EQ(both.payload_registers, 3u + 3 * 2);
    for (unsigned point = 0; point < 3; ++point)
        for (unsigned element = 0; element < 2; ++element)
            for (unsigned c = 0; c < 4; ++c) {
                const Row row = loaded(both, 3 + 2 * point + element);
                EXPECT_EQ(row[c], datum(0, point, 4 * element + c));
                EXPECT_EQ(row[4 + c], datum(1, point, 4 * element + c));
            }
    EXPECT_EQ(hull(kThreads | 1, kDual).shader.instances, 1u);
    EXPECT_EQ(hull(kThreads | 1, kDual).problems.size(), 1u);
}

TEST(HullThread, OfEightPatches) {
    GEN9_COVERS("HS-08 HS-11 FF-68");
    const auto [shader, problems] =
        hull(kThreads | 2, kEight | kHandles | kPrimitiveId | start(6) | rows_read(1));
    EXPECT_EQ(shader.patches(), 8u);
    const ThreadDispatch thread = make_hull(shader, 5, 3, 2);
    EXPECT_EQ(thread.dispatch_mask, 0x1Fu);
    EXPECT_EQ(loaded(thread, 0)[2], 2u << 17 | 11u << 13);
    EXPECT_EQ(loaded(thread, 1), (Row{0x400, 0x404, 0x408, 0x40C, 0x410}));
    EXPECT_EQ(loaded(thread, 2), (Row{70, 71, 72, 73, 74}));
    EXPECT_EQ(loaded(thread, 4), (Row{0x101, 0x201, 0x301, 0x401, 0x501}));
    EXPECT_EQ(thread.payload_registers, 6u + 3 * 8);
    for (unsigned point = 0; point < 3; ++point)
        for (unsigned d = 0; d < 8; ++d)
            for (unsigned patch = 0; patch < 8; ++patch)
                EXPECT_EQ(loaded(thread, 6 + 8 * point + d)[patch],
                          patch < 5 ? datum(patch, point, d) : 0);
}

TEST(HullThread, WhatCannotBeIsReported) {
    EXPECT_EQ(hull(kThreads, 3u << 17).problems.size(), 1u);
    EXPECT_EQ(hull(kThreads, 3u << 17).shader.mode, HullMode::SinglePatch);
    // Four instances at a time, but only two threads.
    const auto few = hull(1u << 8 | 3, kSingle);
    EXPECT_EQ(few.problems.size(), 1u);
    EXPECT_EQ(few.shader.max_threads, 4u);
}

TEST(DomainThread, HasPointsHandlesAndTheRecord) {
    GEN9_COVERS("DS-08 DS-10 DS-11 FF-24 FF-63 FF-68");
    // SIMD8 of a single patch, two rows from the second on, data from R6 on.
    const auto [shader, problems] =
        domain(6u << 20 | 2u << 11 | 1u << 4, 62u << 21 | 1u << 3 | 1u << 2);
    EXPECT_TRUE(problems.empty());
    EXPECT_EQ(shader.read_offset, 1u);
    std::vector<std::uint32_t> record(16);
    std::iota(record.begin(), record.end(), 500u);
    const std::vector<DomainPoint> points{
        {0.25f, 0.5f, 0, true}, {1, 0, 0, true}, {0, 0.1f, 0, true}};
    const std::vector<std::uint32_t> rows{0x20, 0x24, 0x30};
    const DomainPart part{{0x600, 33}, points, rows};
    const auto made = [&](const DomainShaderState& state) {
        ThreadDispatch thread;
        make_domain_thread(state, {.constants = {}, .scratch_slot = 0, .number = 7},
                           {.parts = {&part, 1}, .records = bytes(record)}, kTopology, kPlace,
                           thread);
        return thread;
    };
    const ThreadDispatch thread = made(shader);
    const auto f = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    EXPECT_EQ(thread.dispatch_mask, 7u);
    EXPECT_EQ(thread.payload_registers, 8u);
    EXPECT_EQ(loaded(thread, 0), (Row{0x300, 33, 0, 0, 0, thread.sideband.fftid, 7, 0}));
    EXPECT_EQ(loaded(thread, 1), (Row{f(0.25f), f(1), 0}));
    EXPECT_EQ(loaded(thread, 2), (Row{f(0.5f), 0, f(0.1f)}));
    EXPECT_EQ(loaded(thread, 3), (Row{f(0.25f), 0, f(0.9f)}));
    EXPECT_EQ(loaded(thread, 4), (Row{0x10, 0x12, 0x18}));
    EXPECT_EQ(loaded(thread, 6), (Row{500, 501, 502, 503, 504, 505, 506, 507}));
    EXPECT_EQ(loaded(thread, 7)[7], 515u);
    DomainShaderState flat = shader;
    flat.compute_w = false;
    EXPECT_EQ(loaded(made(flat), 3), Row{});
}

TEST(DomainThread, OfTwoPointsHasAllOfThemInTwoRegisters) {
    GEN9_COVERS("DS-07 FF-70");
    const auto [shader, problems] = domain(3u << 20 | 1u << 11, 1u << 2);
    EXPECT_TRUE(problems.empty());
    EXPECT_EQ(shader.points(), 2u);
    std::vector<std::uint32_t> record(8);
    std::iota(record.begin(), record.end(), 500u);
    const std::vector<DomainPoint> points{{0.25f, 0.5f, 0, true}, {1, 0, 0, true}};
    const std::vector<std::uint32_t> rows{0x20, 0x24};
    const auto f = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    for (const unsigned count : {2u, 1u}) {
        ThreadDispatch thread;
        const DomainPart part{
            {0x600, 33}, std::span(points).first(count), std::span(rows).first(count)};
        make_domain_thread(shader, {.constants = {}, .scratch_slot = 0, .number = 7},
                           {.parts = {&part, 1}, .records = bytes(record)}, kTopology, kPlace,
                           thread);
        EXPECT_EQ(thread.dispatch_mask, count == 2 ? 0xFFu : 0xFu);
        EXPECT_EQ(thread.payload_registers, 4u);
        EXPECT_EQ(loaded(thread, 0),
                  (Row{0x10, count == 2 ? 0x12u : 0u, 0, 0, 0, thread.sideband.fftid, 7, 0}));
        Row expected{f(0.25f), f(0.5f), f(0.25f), 0x300, f(1), 0, 0, 33};
        if (count == 1) expected[4] = 0;
        EXPECT_EQ(loaded(thread, 1), expected);
        EXPECT_EQ(loaded(thread, 3), (Row{500, 501, 502, 503, 504, 505, 506, 507}));
    }
}

TEST(DomainThread, OfTwoPatchesHasThemInHalves) {
    GEN9_COVERS("DS-09 FF-66");
    Decoded<DomainShaderState> made;
    PipelineState state =
        with_command("3DSTATE_DS", {0x781D0009, 0x4000, 0, 0, 0, 0, 7u << 20 | 2u << 11 | 1u << 4,
                                    1u | 2u << 3 | 1u << 2, 0, 0x9ABCDEC0, 0x5678});
    state.instruction_base = GpuAddr(0x2'0000'0000);
    made.shader = decode_domain_shader(state, true, made.problems);
    EXPECT_TRUE(made.problems.empty());
    std::vector<std::uint32_t> records(2 * 16);
    std::iota(records.begin(), records.begin() + 16, 500u);
    std::iota(records.begin() + 16, records.end(), 1500u);
    const std::vector<DomainPoint> points{{0.25f, 0.5f, 0, true}, {1, 0, 0, true}},
        others{{0, 0.1f, 1, true}};
    const std::vector<std::uint32_t> rows{0x20, 0x24}, other_rows{0x30};
    const std::array<DomainPart, 2> parts{DomainPart{{0x600, 33}, points, rows},
                                          DomainPart{{0x700, 34}, others, other_rows}};
    ThreadDispatch thread;
    for (Grf& reg : thread.payload)
        std::memset(reg.bytes, 0xEE, sizeof reg.bytes);
    make_domain_thread(made.shader, {.constants = {}, .scratch_slot = 0, .number = 7},
                       {.parts = parts, .records = bytes(records)}, kTopology, kPlace, thread);
    const auto f = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    EXPECT_EQ(thread.dispatch_mask, 0x13u);
    EXPECT_EQ(thread.instruction_pointer, 0x9ABCDEC0u);
    EXPECT_EQ(thread.sideband.kernel_start.value, 0x2'9ABC'DEC0u);
    EXPECT_EQ(thread.payload_registers, 7u + 4);
    EXPECT_EQ(loaded(thread, 0), (Row{0x300, 0x380, 0, 0, 0, thread.sideband.fftid, 7, 0}));
    EXPECT_EQ(loaded(thread, 1), (Row{33, 0, 0, 0, 34}));
    EXPECT_EQ(loaded(thread, 2), (Row{f(0.25f), f(1), 0, 0, 0}));
    EXPECT_EQ(loaded(thread, 3), (Row{f(0.5f), 0, 0, 0, f(0.1f)}));
    EXPECT_EQ(loaded(thread, 4), (Row{f(0.25f), 0, 0, 0, f(0.9f)}));
    EXPECT_EQ(loaded(thread, 5), (Row{0x10, 0x12, 0, 0, 0x18}));
    EXPECT_EQ(loaded(thread, 7), (Row{500, 501, 502, 503, 1500, 1501, 1502, 1503}));
    EXPECT_EQ(loaded(thread, 10), (Row{512, 513, 514, 515, 1512, 1513, 1514, 1515}));
}

TEST(DomainThread, ItsStateSaysWhatItIs) {
    GEN9_COVERS("DS-03 FF-25");
    EXPECT_TRUE(domain(6u << 20, 2u << 3).shader.may_be_dual);
    EXPECT_FALSE(domain(5u << 20, 1u << 3).shader.may_be_dual);
    EXPECT_EQ(domain(5u << 20 | 1u << 11, 2u << 3).problems.size(), 1u);
    EXPECT_FALSE(domain(5u << 20, 0).shader.simd8);
    EXPECT_TRUE(domain(5u << 20, 1u << 3).shader.simd8);
    EXPECT_TRUE(domain(5u << 20, 2u << 3).shader.simd8);
    EXPECT_FALSE(domain(5u << 20, 1u << 3 | 1u << 1).shader.cache);
    EXPECT_EQ(domain(2u << 20 | 1u << 11, 1u << 3).problems.size(), 1u);
    EXPECT_TRUE(domain(5u << 20, 1u << 3).problems.empty()) << "nothing need be read";
}

}  // namespace
}  // namespace gen9::geometry::test
