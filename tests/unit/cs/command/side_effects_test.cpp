// SPDX-License-Identifier: Apache-2.0
// What a command leaves alone, and what it reports.
#include <gtest/gtest.h>

#include "cs/command/interpreter.h"
#include "tests/unit/cs/stream.h"

namespace gen9 {
namespace {

using namespace test;

struct SideEffects : Interpreter {};

TEST_F(SideEffects, ABatchAskedToStartTheResourceStreamerRunsAndIsReported) {
    Words batch = sdi(kData, 7);
    append(batch, kEnd);
    engine.ppgtt.put(kBatch, batch);
    run(Stream() << start(kBatch, 0x500));
    EXPECT_EQ(data(0), 7u);
    EXPECT_EQ(engine.environment.reporter.not_modelled_uses(), 1u);
}

TEST_F(SideEffects, AnImmediateOfOneDwordLeavesTheNextAlone) {
    engine.ppgtt.put(kData, Words{1, 2, 3, 4, 5});
    run(Stream() << Words{0x13004002, low(kData), high(kData), 0xAAAA}
                 << Words{0x13004003, low(kData + 8), high(kData), 0xBBBB, 0xCCCC});
    EXPECT_EQ(data(0), 0xAAAAu);
    EXPECT_EQ(data(1), 2u);
    EXPECT_EQ(data(2), 0xBBBBu);
    EXPECT_EQ(data(3), 0xCCCCu);
    EXPECT_EQ(data(4), 5u);
}

TEST_F(SideEffects, StateBaseAddressLeavesTheSystemInstructionPointerAlone) {
    run(Stream() << kSelectGpgpu << Words{0x61020001, 0x500, 0} << state_base_address()
                 << Words{0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0} << walker());
    ASSERT_FALSE(engine.sent.empty());
    EXPECT_EQ(engine.sent.back().state->system_instruction_pointer.value, 0x500u);
}

TEST_F(SideEffects, ANoopMayStandInThePredicatedScope) {
    run(Stream() << Words{0x0080000F} << Words{0} << lri(0x2600, 5) << Words{0x00800000}
                 << lri(0x2608, 6));
    EXPECT_TRUE(engine.kinds().empty());
    EXPECT_EQ(engine.gpr(0), 0u) << "in the scope";
    EXPECT_EQ(engine.gpr(1), 6u);
}

TEST_F(SideEffects, AConditionalEndComparesInTheAddressSpaceItNames) {
    // 8 in one space and 0 in the other at one address; the batch ends where memory is not above 5.
    for (const bool global : {false, true})
        for (const std::uint32_t in_ggtt : {0u, 8u}) {
            Engine e;
            e.ppgtt.map(kData, 0x1000);
            e.ppgtt.put(0x30000, 8 - in_ggtt);
            e.ggtt.put(0x30000, in_ggtt);
            e.ggtt.put(0x60000, (Stream() << Words{0x1B200002u | global << 22, 5, 0x30000, 0}
                                          << sdi(kData, 1) << kEnd)
                                    .words);
            e.run_ring((Stream() << start(0x60000, 0)).words);
            const std::uint32_t compared = global ? in_ggtt : 8 - in_ggtt;
            EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData), compared > 5 ? 1u : 0u);
        }
}

TEST_F(SideEffects, AFlushOfDwordsWritesAndInvalidatesData) {
    run(Stream() << Words{0x13000002, 0, 0, 0} << Words{0x13040002, 0, 0, 0});
    std::vector<CacheControl> of_commands;  // a switch of contexts invalidates instructions as well
    for (const CacheControl& control : engine.controls)
        if (!control.invalidate_instruction && control.invalidate_data)
            of_commands.push_back(control);
    ASSERT_EQ(of_commands.size(), 2u);
    EXPECT_TRUE(of_commands[0].flush_data);
    EXPECT_FALSE(of_commands[0].invalidate_tlb);
    EXPECT_TRUE(of_commands[1].flush_data);
    EXPECT_TRUE(of_commands[1].invalidate_tlb);
}

TEST_F(SideEffects, AnUnknownRegisterIsSaidOnceAndKeepsItsValue) {
    const std::size_t before = engine.environment.log.size();
    run(Stream() << lri(0x2FF0, 5) << lri(0x2FF0, 6));
    EXPECT_EQ(engine.environment.log.size(), before + 1);
    EXPECT_EQ(engine.core.read_register(0x2FF0), 6u);
}

}  // namespace
}  // namespace gen9
