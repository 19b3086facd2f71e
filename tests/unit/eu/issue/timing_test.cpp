// SPDX-License-Identifier: Apache-2.0
// How long an instruction keeps its unit and its thread, by the registers of its operands.
#include "eu/issue/timing.h"

#include <gtest/gtest.h>

namespace gen9::eu::test {
namespace {

/// An instruction with so many registers of data and results; strided: with a region whose elements
/// lie apart, of channels that would fill so many side by side.
IssueTiming timing(const TimingTable& table, LatencyClass latency, unsigned registers,
                   unsigned strided) {
    DecodedInstruction d;
    d.latency = latency;
    d.execution_registers = d.destination_registers = static_cast<std::uint8_t>(registers);
    d.strided_registers = static_cast<std::uint8_t>(strided);
    return table.of(d);
}

TEST(Timing, AStridedRegionTakesTwoPassesForEachRegisterOfItsChannels) {
    const TimingTable table{EuParams(Config(), "eu")};
    const auto unit = [&](LatencyClass latency, unsigned registers, unsigned strided) {
        return timing(table, latency, registers, strided).unit;
    };
    EXPECT_EQ(unit(LatencyClass::Simple, 1, 0), 2u);
    EXPECT_EQ(unit(LatencyClass::Simple, 1, 1), 4u);
    EXPECT_EQ(unit(LatencyClass::MulDword, 1, 1), 8u);
    // mov (8) r20<2>:d: the passes that its two registers of results take are those.
    EXPECT_EQ(unit(LatencyClass::Simple, 2, 1), 4u);
    // mov (16) r20<1>:d r10<2;1,0>:w.
    EXPECT_EQ(unit(LatencyClass::Simple, 2, 2), 8u);
    EXPECT_EQ(timing(table, LatencyClass::Simple, 1, 1).front_end, 4u);
    // As of two native instructions, its result is there a pass later.
    EXPECT_EQ(timing(table, LatencyClass::Simple, 1, 1).result,
              timing(table, LatencyClass::Simple, 2, 0).result);
}

TEST(Timing, StridedRegionsMayCostNothingOrMore) {
    for (const unsigned passes : {1u, 2u, 4u}) {
        Config config;
        config.set_text("eu.strided_passes=" + std::to_string(passes), "--set");
        const TimingTable table{EuParams(config, "eu")};
        EXPECT_EQ(timing(table, LatencyClass::Simple, 1, 1).unit, 2 * passes);
        EXPECT_EQ(timing(table, LatencyClass::Simple, 1, 0).unit, 2u);
    }
}

}  // namespace
}  // namespace gen9::eu::test
