// SPDX-License-Identifier: Apache-2.0
// Submissions and contexts, as the driver makes them.
#include "cs/core.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/support/environment.h"
#include "tests/unit/cs/driver.h"

namespace gen9 {
namespace {

using namespace test;

struct Engine : FakeBus {
    TestEnvironment environment;
    cs::CsStats stats{"cs"};
    cs::CsCore core;

    explicit Engine(const cs::InterpreterSettings& settings = {})
        : core(*this, environment.reporter, stats, settings) {
        for (const auto& [offset, value] : driver_registers())
            core.write_register(offset, value);
        ggtt.map(kStatusPage, 0x1000);
        ggtt.map(kRing, 0x4000);
        write_context(ggtt);
        ppgtt.put<std::uint32_t>(kTag, 0);
    }
    void submit(const Words& port = submission()) {
        for (const std::uint32_t value : port)
            core.write_register(0x2230, value);
    }
    void set_tail(std::uint32_t tail, std::uint32_t context = kContext) {
        ggtt.put<std::uint32_t>(context + 0x101C, tail);
    }
    std::uint32_t image(std::uint32_t dword, std::uint32_t context = kContext) {
        return ggtt.get<std::uint32_t>(context + 0x1000 + 4 * dword);
    }
    /// Puts commands at the ring's start and runs them.
    void run_ring(const Words& words) {
        ggtt.put(kRing, words);
        set_tail(static_cast<std::uint32_t>(4 * words.size()));
        submit();
        core.run();
    }
};

TEST(CsCore, RunsTheDriversFirstSubmission) {
    GEN9_COVERS("CS-133 CS-135 CS-136 CS-137 CS-138 CS-140");
    Engine engine;
    engine.ppgtt.put(kPreamble, preamble_batch());
    engine.ppgtt.put(kTask, task_batch());
    engine.run_ring(first_ring_commands());

    EXPECT_TRUE(engine.core.idle());
    EXPECT_FALSE(engine.core.stopped());
    EXPECT_EQ(engine.environment.reporter.failed(), false) << engine.environment.log.at(0);
    EXPECT_EQ(engine.ppgtt.get<std::uint64_t>(kTag), 1u);
    // MEDIA_VFE_STATE, MEDIA_STATE_FLUSH, descriptor load, walker, MEDIA_STATE_FLUSH.
    ASSERT_EQ(engine.sent.size(), 5u);
    const PipelineCommand& walk = engine.sent[3];
    EXPECT_EQ(Words(walk.dwords.begin(), walk.dwords.begin() + walk.length_dwords), walker());
    EXPECT_EQ(walk.address.value, kTask + 6 * 4);
    EXPECT_EQ(walk.state->surface_state_base.value, 0x1'0001'1000u);
    EXPECT_EQ(walk.state->dynamic_state_base.value, 0x2'0002'2000u);
    EXPECT_EQ(walk.state->indirect_object_base.value, 0x3'0000'0000u);
    EXPECT_EQ(walk.state->instruction_base.value, 0x4'0004'4000u);
    EXPECT_EQ(walk.state->bindless_surface_base.value, 0x5'0005'5000u);
    EXPECT_EQ(walk.state->instruction_size, 0xFFFFF000u);
    EXPECT_EQ(walk.state->stateless_mocs, 2);
    EXPECT_EQ(walk.state->system_instruction_pointer.value, 0x500u);
    EXPECT_EQ(engine.external.at(0x7034), 0x80000340u);
    EXPECT_EQ(engine.external.at(0x2270), low(kPml4));
    EXPECT_EQ(engine.external.at(0x2274), high(kPml4));
    // The driver polls bit 8 until it is set; the head is where the tail was.
    EXPECT_EQ(engine.core.read_register(0x2234) & 0x100, 0x100u);
    EXPECT_EQ(engine.image(5), 0x1Cu);
}

}  // namespace
}  // namespace gen9
