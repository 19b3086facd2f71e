// SPDX-License-Identifier: Apache-2.0
// The sampler's state commands: what they set travels with the work, and is the context's own.
#include <gtest/gtest.h>

#include "interconnect/payload/sampler_tables.h"
#include "tests/support/covers.h"
#include "tests/unit/cs/context/contexts.h"

namespace gen9 {
namespace {

using namespace test;

const Words kAllowRestore = {0x11000001, 0x2244, 0x00010000};
Words palette(unsigned which, unsigned entries, std::uint32_t first) {
    Words words = {(which ? 0x790C0000 : 0x79020000) | (entries - 1)};
    for (unsigned n = 0; n < entries; ++n)
        words.push_back(first + n);
    return words;
}
Words key(unsigned index, std::uint32_t low, std::uint32_t high) {
    return {0x79040002, index << 30, low, high};
}
Words filter_size(unsigned width, unsigned height) {
    return {0x79110000, width << 3 | height};
}

TEST_F(Contexts, TablesOfTheSamplerTravelWithTheWorkThatFollows) {
    std::uint32_t tail = 0;
    add(tail, kSelectGpgpu + walker() + palette(1, 256, 0x1000) + palette(0, 2, 0x20) +
                  key(3, 0x11, 0x22) + filter_size(7, 5) + walker() + palette(0, 1, 0x30) +
                  key(3, 0x33, 0x44) + state_base_address() + walker());
    engine.submit();
    engine.core.run();
    ASSERT_EQ(engine.sent.size(), 3u);
    EXPECT_EQ(engine.sent[0].state->sampler_tables, nullptr);
    const SamplerTables& second = *engine.sent[1].state->sampler_tables;
    EXPECT_EQ(second.palettes[1][0], 0x1000u);
    EXPECT_EQ(second.palettes[1][255], 0x10FFu);
    EXPECT_EQ(second.palettes[0][1], 0x21u);
    EXPECT_EQ(second.palettes[0][2], 0u);
    EXPECT_EQ(second.keys[3], (SamplerTables::ChromaKey{0x11, 0x22}));
    EXPECT_EQ(second.keys[0], SamplerTables::ChromaKey{});
    EXPECT_EQ(second.filter_width, 7);
    EXPECT_EQ(second.filter_height, 5);
    const SamplerTables& third = *engine.sent[2].state->sampler_tables;
    EXPECT_EQ(third.palettes[0][0], 0x30u);
    EXPECT_EQ(third.palettes[0][1], 0x21u) << "entries that a command does not have stay";
    EXPECT_EQ(third.keys[3], (SamplerTables::ChromaKey{0x33, 0x44}));
    EXPECT_EQ(third.filter_width, 7);
}

// 003:2171-2177: monochrome filter at 043C, chroma keys at 043E, palettes at 0451 and 0553.
TEST_F(Contexts, TablesOfTheSamplerAreTheContextsOwnAndStandInItsImage) {
    std::uint32_t tail = 0, tail2 = 0;
    add(tail, kAllowRestore + kSelectGpgpu + palette(0, 256, 0xA000) + palette(1, 256, 0xB000) +
                  key(0, 1, 2) + key(2, 5, 6) + filter_size(3, 4));
    engine.submit();
    engine.core.run();
    EXPECT_EQ(engine.image(0x43C), 0x79110000u);
    EXPECT_EQ(engine.image(0x43D), 3u << 3 | 4u);
    const Words keys = key(0, 1, 2) + key(2, 5, 6);
    for (std::uint32_t n = 0; n < keys.size(); ++n)
        EXPECT_EQ(engine.image(0x43E + n), keys[n]);
    EXPECT_EQ(engine.image(0x446), 0u) << "the others have not been given";
    EXPECT_EQ(engine.image(0x451), 0x790200FFu);
    EXPECT_EQ(engine.image(0x452 + 255), 0xA0FFu);
    EXPECT_EQ(engine.image(0x553), 0x790C00FFu);
    EXPECT_EQ(engine.image(0x554), 0xB000u);

    const std::uint32_t before = engine.image(0x43C, kContext2);
    add(tail2, kAllowRestore + kSelectGpgpu + walker(), kRing2, kContext2);
    engine.submit(submission(kContext2, 7));
    engine.core.run();
    ASSERT_EQ(engine.sent.size(), 1u);
    EXPECT_EQ(engine.sent[0].state->sampler_tables, nullptr);
    EXPECT_EQ(engine.image(0x43C, kContext2), before) << "it has none to save";

    add(tail, walker());
    engine.submit();
    engine.core.run();
    ASSERT_EQ(engine.sent.size(), 2u);
    ASSERT_NE(engine.sent[1].state->sampler_tables, nullptr);
    const SamplerTables& tables = *engine.sent[1].state->sampler_tables;
    EXPECT_EQ(tables.palettes[0][255], 0xA0FFu);
    EXPECT_EQ(tables.palettes[1][255], 0xB0FFu);
    EXPECT_EQ(tables.keys[0], (SamplerTables::ChromaKey{1, 2}));
    EXPECT_EQ(tables.keys[2], (SamplerTables::ChromaKey{5, 6}));
    EXPECT_EQ(tables.filter_width, 3);
    EXPECT_EQ(tables.filter_height, 4);
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 0u);
}

TEST_F(Contexts, TablesThatCannotBeAreReportedAndIgnored) {
    std::uint32_t tail = 0;
    add(tail, kSelectGpgpu + filter_size(2, 2) + filter_size(0, 3) + filter_size(3, 0) + walker());
    engine.submit();
    engine.core.run();
    ASSERT_EQ(engine.sent.size(), 1u);
    EXPECT_EQ(engine.sent[0].state->sampler_tables->filter_width, 2);
    EXPECT_EQ(engine.environment.reporter.guest_errors(), 2u);
}

}  // namespace
}  // namespace gen9
