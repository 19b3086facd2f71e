// SPDX-License-Identifier: Apache-2.0
// Draws that another context stops between two objects.
#include "packets/stopped_draw.h"
#include "packets/draw/vf.h"
#include "tests/support/covers.h"
#include "tests/unit/cs/context/contexts.h"

namespace gen9 {
namespace {

using namespace test;

const Words kSelectDraws = {0x69040300}, kWait = pipe_control(0x00100000);
const Words kTriangles = {0x7B000005, 0, 90, 0, 1, 0, 0};
const Words kParted = lri(0x2580, 0x00010001);

Words topology(std::uint32_t value) {
    return {0x784B0000, value};
}
std::uint32_t topology_of(const PipelineCommand& draw) {
    static const auto& row = packets::command_named("3DSTATE_VF_TOPOLOGY");
    const StageState* const state = draw.state->stage(row.latch.unit);
    const auto dwords = state ? state->command(row) : std::span<const std::uint32_t>();
    return dwords.empty() ? 0
                          : static_cast<std::uint32_t>(
                                packets::STATE_VF_TOPOLOGY::PrimitiveTopologyType.get(dwords));
}

struct StoppingDraws : Interrupted {
    static DrawRest rest_of_it() { return {{90, 1, 0, 0, 0}, 0, 17}; }

    StoppingDraws() { engine.with_draws = true; }
    unsigned in_flight() const override { return engine.draws_in_flight; }
    PipelineCommand stopped() const override {
        PipelineCommand stopped = engine.draws.back();
        stopped.remaining_draw = rest_of_it();
        return stopped;
    }
};

// The streamer has parsed the state of the next draw when the one before is stopped.
TEST_F(StoppingDraws, TheRestOfADrawHasItsState) {
    GEN9_COVERS("VF-26");
    run(kSelectDraws + kParted + topology(4) + kTriangles + topology(5) + Words{0} + kWait +
        count() + kTriangles + kWait + kEnd);
    EXPECT_EQ(stops, 1u);
    EXPECT_EQ(data(0), 0u);
    EXPECT_EQ(data(1), 1u) << "the other context";
    ASSERT_EQ(engine.draws.size(), 1u);
    return_to_it();
    EXPECT_EQ(data(0), 1u);
    ASSERT_EQ(engine.draws.size(), 3u);
    EXPECT_EQ(topology_of(engine.draws[0]), 4u);
    EXPECT_EQ(topology_of(engine.draws[1]), 4u);
    EXPECT_EQ(engine.draws[1].resumes_draw, rest_of_it());
    EXPECT_EQ(topology_of(engine.draws[2]), 5u) << "the command behind it is executed again";
    EXPECT_FALSE(engine.draws[2].resumes_draw);
}

// What has been executed is not undone: the draw ends first.
TEST_F(StoppingDraws, ACommandWithAnEffectBehindADrawLetsItEnd) {
    run(kSelectDraws + kParted + topology(4) + kTriangles + count() + kWait + count(kData + 8) +
        kEnd);
    EXPECT_EQ(stops, 0u);
    EXPECT_EQ(data(1), 1u);
    return_to_it();
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(data(2), 1u);
    EXPECT_EQ(engine.draws.size(), 1u);
}

TEST_F(StoppingDraws, AContextMayKeepItsDrawsWhole) {
    run(kSelectDraws + topology(4) + kTriangles + kWait + count() + kEnd);
    EXPECT_EQ(stops, 0u);
    EXPECT_EQ(data(1), 1u);
    return_to_it();
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(engine.draws.size(), 1u);
}

// It is asked when each draw begins.
TEST_F(StoppingDraws, ADrawBehindTheChangeOfItsRegisterIsKeptWhole) {
    // The host takes it back while the second draw is parsed.
    engine.on_parsed = [this] {
        if (engine.draws.size() == 1) engine.core.write_register(0x2580, 0x00010000);
    };
    run(kSelectDraws + kParted + topology(4) + kTriangles + kTriangles + kWait + count() + kEnd);
    engine.on_parsed = nullptr;
    EXPECT_EQ(stops, 0u);
    EXPECT_EQ(engine.draws.size(), 2u);
}

// An indirect draw goes on with the parameters that it had: the registers may have changed.
TEST_F(StoppingDraws, ParametersAreThoseItBeganWith) {
    Words indirect = kTriangles;
    indirect[0] |= 1u << 10;
    run(kSelectDraws + kParted + topology(4) + lri(0x2430, 3) + indirect + kWait + kEnd);
    EXPECT_EQ(stops, 1u);
    return_to_it();
    ASSERT_EQ(engine.draws.size(), 2u);
    const auto dwords = std::span(engine.draws[1].dwords);
    EXPECT_EQ(packets::PRIMITIVE_3D::IndirectParameterEnable.get(dwords), 0u);
    EXPECT_EQ(packets::PRIMITIVE_3D::VertexCountPerInstance.get(dwords), 90u);
}

}  // namespace
}  // namespace gen9
