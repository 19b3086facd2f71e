// SPDX-License-Identifier: Apache-2.0
// Where states lie, which messages need them, and the codes of formats and functions.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>

#include "interconnect/payload/sampler_tables.h"
#include "tests/unit/sampler/rules.h"

namespace gen9::sampler {
namespace {
using namespace rules;

TEST(Rules, LoadsAndQuestionsUseNoSampler) {
    GEN9_COVERS("SMP-81");
    Levels b;
    b.write_states();
    for (const unsigned code :
         {unsigned{kLd}, unsigned{kLdLz}, unsigned{kResInfo}, unsigned{kSampleInfo}}) {
        Bench::Options o;
        o.index = 15;
        b.core.invalidate_states();
        b.build(code, code == kSampleInfo ? zeros(0) : zeros(1), o);
        store(b.message.payload[0].bytes + 12, 0xFFFFFFE0u);  // no memory there
        b.memory.state_reads = 0;
        b.run(o);
        EXPECT_EQ(b.message.status, kOk) << code;
        EXPECT_EQ(b.memory.state_reads, 2u) << "table entry and surface";
    }
    b.build(kSampleLz, zeros(2), {});
    store(b.message.payload[0].bytes + 12, 0xFFFFFFE0u);
    b.run({});
    EXPECT_EQ(b.message.status, kRefused);
}

TEST(Rules, SurfacesAndSamplersCountFromTheirOwnBases) {
    GEN9_COVERS("L3-86 L3-87 SMP-70 SMP-73 FF-10 FF-17");
    Levels b;
    auto state = std::make_shared<PipelineState>();
    constexpr std::uint64_t kSurfaces = FlatMemory::kBase + 0x40000, kDynamic = kSurfaces + 0x20000;
    state->surface_state_base = GpuAddr(kSurfaces);
    state->dynamic_state_base = GpuAddr(kDynamic);
    b.sender.state = state;
    b.sender.binding_table_offset = 0x1E0;
    const std::uint32_t pointer = 0x3C0;
    std::memcpy(b.memory.at(kSurfaces + 0x1E0 + 4 * 7), &pointer, 4);
    std::memcpy(b.memory.at(kSurfaces + pointer), b.surface.data(), 64);
    b.modes(0, 0, 0);
    std::memcpy(b.memory.at(kDynamic + Bench::kSampler + 16 * 11), b.sampler.data(), 16);
    Bench::Options o;
    o.binding = 7;
    o.index = 11;
    b.build(kSampleLz, {all(1 + 3.5f / 16), all(2.5f / 16)}, o);
    EXPECT_EQ(b.run(o).number(0, 0), Levels::texel(0, 3, 2)) << "wraps: this sampler";
}

TEST(Rules, NewBasesDropTheStates) {
    GEN9_COVERS("SMP-275");
    Levels b;
    b.red(kSampleLz, {kZero, kZero});
    b.build(kSampleLz, zeros(2), {});
    b.memory.state_reads = 0;
    b.run({});
    EXPECT_EQ(b.memory.state_reads, 0u) << "kept";
    auto next = std::make_shared<PipelineState>(*b.sender.state);
    ++next->number;  // STATE_BASE_ADDRESS
    b.sender.state = next;
    b.run({});
    EXPECT_EQ(b.memory.state_reads, 3u) << "table entry, surface and sampler";
}

// Two draws in flight: what one has found is there for itself, whatever the other has been given.
TEST(Rules, WorkWithOtherStateDoesNotDropTheStates) {
    Levels b;
    auto other = std::make_shared<PipelineState>(*b.sender.state);
    other->sampler_tables = std::make_shared<SamplerTables>();
    const PipelineStatePtr states[] = {b.sender.state, other};
    b.red(kSampleLz, {kZero, kZero});
    b.build(kSampleLz, zeros(2), {});
    b.memory.state_reads = 0;
    for (unsigned n = 0; n < 4; ++n) {
        b.sender.state = states[n % 2];
        b.run({});
    }
    EXPECT_EQ(b.memory.state_reads, 0u);
    // Other bases: its own states, and the first ones are still there.
    constexpr std::uint64_t kOther = FlatMemory::kBase + 0x40020;
    other->number += 1;
    other->surface_state_base = other->dynamic_state_base = GpuAddr(kOther);
    b.run({});
    const unsigned reads = b.memory.state_reads;
    EXPECT_EQ(reads, 3u);
    b.sender.state = states[0];
    b.run({});
    EXPECT_EQ(b.memory.state_reads, reads);
}

TEST(Rules, TheBypassBitOfTheSecondCacheChangesNothing) {
    GEN9_COVERS("SMP-85");
    Levels b;
    b.set(surface_state::SurfaceFormat, 0x187);  // BC2_UNORM
    b.set(surface_state::MIPCountLOD, 0);
    for (unsigned i = 0; i < 16; ++i)
        b.put<std::uint8_t>(i, static_cast<std::uint8_t>(37 * i));
    const auto color = [&] { return b.send(kSampleLz, {all(1.5f / 16), all(2.5f / 16)}).color(); };
    const auto before = color();
    b.set(surface_state::SamplerL2BypassModeDisable, 1);
    EXPECT_EQ(color(), before);
}

TEST(Rules, FunctionIdsOfThePrm) {
    GEN9_COVERS("SMP-215");
    EXPECT_EQ(static_cast<unsigned>(Sfid::Sampler), 2u);
    EXPECT_EQ(static_cast<unsigned>(Sfid::DataPort2), 4u);
    EXPECT_EQ(static_cast<unsigned>(Sfid::Vme), 8u);
    EXPECT_EQ(static_cast<unsigned>(Sfid::CheckRefine), 13u);
}

struct Code {
    unsigned code;
    const char* name;
};
constexpr Code kCodes[] = {
#include "tests/unit/sampler/format_codes.inc"
};

TEST(Rules, FormatsHaveTheCodesOfThePrm) {
    GEN9_COVERS("SMP-200");
    unsigned sampled = 0;
    for (unsigned code = 0; code < 512; ++code) {
        const Format* const format = find_format(code, false);
        const auto* const row = std::find_if(std::begin(kCodes), std::end(kCodes),
                                             [&](const Code& c) { return c.code == code; });
        if (!format) continue;
        ++sampled;
        ASSERT_NE(row, std::end(kCodes)) << format->name;
        EXPECT_STREQ(format->name, row->name);
    }
    EXPECT_GT(sampled, 150u);
}

TEST(Rules, FormatsOfOpenClCanAllBeSampled) {
    GEN9_COVERS("SMP-201");
    const unsigned codes[] = {0x0C7, 0x0C9, 0x0CA, 0x0CB, 0x080, 0x081, 0x082, 0x083, 0x084, 0x000,
                              0x001, 0x002, 0x0C0, 0x106, 0x107, 0x108, 0x109, 0x0CC, 0x0CD, 0x0CE,
                              0x0CF, 0x0D0, 0x085, 0x086, 0x087, 0x140, 0x141, 0x142, 0x143, 0x10A,
                              0x10B, 0x10C, 0x10D, 0x10E, 0x0D8, 0x0D6, 0x0D7, 0x144, 0x145, 0x111,
                              0x115, 0x0E3, 0x146, 0x112, 0x116, 0x0E4, 0x113, 0x117, 0x0E5, 0x0C8,
                              0x0C1, 0x0D9, 0x088, 0x182, 0x190, 0x18F, 0x183, 0x1A5};
    Levels b;
    b.set(surface_state::MIPCountLOD, 0);
    for (const unsigned code : codes) {
        b.set(surface_state::SurfaceFormat, code);
        b.filters(0, 0);
        EXPECT_EQ(b.status(kSampleLz, zeros(2)), kOk) << std::hex << code;
        EXPECT_EQ(b.status(kLdLz, zeros(2)), kOk) << std::hex << code;
        b.filters(1, 1);
        EXPECT_EQ(b.status(kSampleLz, zeros(2)), kOk) << std::hex << code;
    }
}

}  // namespace
}  // namespace gen9::sampler
