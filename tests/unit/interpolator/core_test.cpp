// SPDX-License-Identifier: Apache-2.0
#include "interpolator/core.h"

#include <gtest/gtest.h>

#include <bit>
#include <functional>
#include <utility>

#include "tests/support/covers.h"
#include "tests/unit/interpolator/messages.h"

namespace gen9::interpolator::test {
namespace {

using Place = std::pair<double, double>;  ///< in a pixel

void answer_to(const Sender& sender, Message& message) {
    answer(sender.record, read_facts(*sender.draw.state), read_descriptor(message.descriptor),
           message);
}

/// Each slot's b1 and b2 are those at `place` of its pixel, and only enabled slots are returned.
void expect_places(const Sender& sender, Message& message, bool linear,
                   const std::function<Place(unsigned)>& place, unsigned first = 0) {
    constexpr std::uint32_t kBefore = 0x12345678;
    message.response_enable.fill(kBefore);
    answer_to(sender, message);
    const unsigned slots = message.descriptor >> 16 & 1 ? 16 : 8;
    for (unsigned r = slots / 4; r < message.response_length; ++r)
        EXPECT_EQ(message.response_enable[r], 0u) << "more registers than slots have";
    for (unsigned r = message.response_length; r < message.response_enable.size(); ++r)
        EXPECT_EQ(message.response_enable[r], kBefore) << "no register of the answer";
    for (unsigned slot = 0; slot < slots; ++slot) {
        const unsigned grf = slot / 8 * 2;
        const bool enabled = message.execution_mask >> slot & 1;
        for (unsigned b = 0; b < 2; ++b)
            EXPECT_EQ(message.response_enable[grf + b] >> slot % 8 * 4 & 0xF, enabled ? 0xFu : 0u);
        if (!enabled) continue;
        const auto [px, py] = place(slot);
        const double l1 = sender.x(first + slot) + px, l2 = sender.y(first + slot) + py;
        const double w = 1 / ((1 - l1 - l2) + 0.5 * l1 + 0.25 * l2);
        const auto b1 = static_cast<float>(linear ? l1 : l1 * 0.5 * w),
                   b2 = static_cast<float>(linear ? l2 : l2 * 0.25 * w);
        EXPECT_FLOAT_EQ(load<float>(message.response[grf].bytes + slot % 8 * 4), b1) << slot;
        EXPECT_FLOAT_EQ(load<float>(message.response[grf + 1].bytes + slot % 8 * 4), b2) << slot;
    }
}

TEST(PixelInterpolator, OneOffsetIsForAllSlots) {
    GEN9_COVERS("PI-01 PI-03 PI-04 PI-05 PI-08 PI-15 PI-16");
    const Sender sender;
    for (const bool wide : {false, true})
        for (const bool linear : {false, true}) {
            // 7/16 to the right, 8/16 up: the ends of the range.
            Message m = make_message(descriptor_of(0, wide, 0x87, linear), 0x5BF2);
            expect_places(sender, m, linear, [](unsigned) { return Place{15 / 16., 0}; });
            Message centre = make_message(descriptor_of(0, wide, 0, linear), 0xFFFF);
            expect_places(sender, centre, linear, [](unsigned) { return Place{0.5, 0.5}; });
        }
}

// It is reported, and answered nevertheless.
TEST(PixelInterpolator, AnAnswerThatIsTooLongHasNothingInItsOtherRegisters) {
    const Sender sender;
    for (const bool wide : {false, true})
        for (unsigned length = wide ? 5 : 3; length <= 6; ++length) {
            Message m = make_message(descriptor_of(0, wide), 0xFFFF);
            m.response_length = static_cast<std::uint8_t>(length);
            expect_places(sender, m, false, [](unsigned) { return Place{0.5, 0.5}; });
        }
}

// 003:8236-8262: each field by its bits, and no other bit is of one.
TEST(PixelInterpolator, ADescriptorsFieldsAreTheseBits) {
    for (unsigned bit = 0; bit < 32; ++bit) {
        const Descriptor d = read_descriptor(1u << bit);
        EXPECT_EQ(d.wide, bit == 16) << bit;
        EXPECT_EQ(d.linear, bit == 14) << bit;
        EXPECT_EQ(d.upper, bit == 11) << bit;
        EXPECT_EQ(static_cast<unsigned>(d.place), bit == 12 ? 1u : bit == 13 ? 2u : 0u) << bit;
        EXPECT_EQ(d.detail, bit < 8 ? 1u << bit : 0u) << bit;
    }
}

TEST(PixelInterpolator, EachSlotHasItsOffset) {
    GEN9_COVERS("PI-12 PI-13 PI-14");
    const Sender sender;
    for (const bool wide : {false, true}) {
        const unsigned slots = wide ? 16 : 8;
        std::vector<std::uint32_t> offsets(2 * slots);
        // Only four bits count: those above say something else.
        for (unsigned s = 0; s < slots; ++s) {
            offsets[s] = (s & 15) | 0x7FF0;
            offsets[slots + s] = (3 * s + 5) & 15;
        }
        Message m = make_message(descriptor_of(3, wide), 0xFFFF, offsets);
        expect_places(sender, m, false, [](unsigned s) {
            const auto part = [](unsigned n) {
                return ((n & 15) < 8 ? 8 + (n & 15) : (n & 15) - 8) / 16.;
            };
            return Place{part(s), part(3 * s + 5)};
        });
    }
}

// It is reported too; what lies in the sender's message beyond its length is nobody's.
TEST(PixelInterpolator, OffsetsThatAShortMessageLacksAreZero) {
    const Sender sender;
    std::vector<std::uint32_t> offsets(16, 3);
    Message m = make_message(descriptor_of(3, false), 0xFF, offsets);
    m.length = 1;
    expect_places(sender, m, false, [](unsigned) { return Place{11 / 16., 0.5}; });
}

TEST(PixelInterpolator, SamplesAreThoseOfTheState) {
    constexpr Place kPlaces[] = {{6 / 16., 2 / 16.},
                                 {14 / 16., 6 / 16.},
                                 {2 / 16., 10 / 16.},
                                 {10 / 16., 14 / 16.},
                                 {0.5, 0.5}};  // there is no fifth: the centre
    const Sender sender;
    for (unsigned sample = 0; sample < 5; ++sample) {
        Message m = make_message(descriptor_of(1, true, sample << 4 | 0xB), 0xFFFF);
        expect_places(sender, m, false, [&](unsigned) { return kPlaces[sample]; });
    }
    // Of two samples (the pattern of drivers): 12/16 and 4/16 of both.
    const Sender two(1);
    for (unsigned sample = 0; sample < 3; ++sample) {
        Message m = make_message(descriptor_of(1, true, sample << 4), 0xFFFF);
        expect_places(two, m, false, [&](unsigned) {
            const double at = sample == 0 ? 0.75 : sample == 1 ? 0.25 : 0.5;
            return Place{at, at};
        });
    }
    const Sender single(0, true, 0x003544CC);  // whose only sample is elsewhere
    Message m = make_message(descriptor_of(1, true, 0), 0xFFFF);
    expect_places(single, m, false, [](unsigned) { return Place{0.5, 0.5}; });
}

TEST(PixelInterpolator, CentroidIsTheFirstCoveredSampleOfAPartOfAPixel) {
    GEN9_COVERS("PI-10");
    Sender sender;
    sender.record.subspans[0].rasterised = {0xF, 0xC, 0x0, 0x2};
    // What tests have left does not matter.
    sender.record.subspans[0].covered = {0x8, 0x8, 0x8, 0x8};
    sender.record.subspans[1].rasterised = {0x8, 0xF, 0x4, 0xF};
    sender.record.subspans[5].rasterised = {0xF, 0xF, 0xF, 0x8};
    const auto place = [](unsigned slot) {
        return slot == 1 || slot == 6 ? Place{2 / 16., 10 / 16.}
               : slot == 3            ? Place{14 / 16., 6 / 16.}
               : slot == 4            ? Place{10 / 16., 14 / 16.}
                                      : Place{0.5, 0.5};
    };
    Message m = make_message(descriptor_of(2, false, 0x5A), 0xFF);
    expect_places(sender, m, false, place);
    Message wide = make_message(descriptor_of(2, true), 0xFFFF);
    expect_places(sender, wide, false, place);
    Message second = make_message(descriptor_of(2, true, 0, false, true), 0xFFFF);
    expect_places(
        sender, second, false,
        [](unsigned slot) {
            return slot == 7 ? Place{10 / 16., 14 / 16.} : Place{0.5, 0.5};
        },
        16);
}

TEST(PixelInterpolator, TheSecondGroupOfAWideThreadHasItsOwnPixels) {
    GEN9_COVERS("PI-07");
    const Sender sender;
    Message m = make_message(descriptor_of(0, true, 0, false, true), 0xFFFF);
    expect_places(
        sender, m, false,
        [](unsigned) {
            return Place{0.5, 0.5};
        },
        16);
    // Eight slots are always the first.
    Message narrow = make_message(descriptor_of(0, false, 0, false, true), 0xFF);
    expect_places(sender, narrow, false, [](unsigned) { return Place{0.5, 0.5}; });
}

TEST(PixelInterpolator, WhatNoShaderMaySendIsNamed) {
    GEN9_COVERS("PI-04 PI-06 PI-07 PI-11 PI-13 PI-15 PI-16");
    const Sender sender, without(2, false);
    const auto problem = [&](const Message& m, unsigned width = 16, bool linear = true) {
        return problem_of(m, read_descriptor(m.descriptor),
                          read_facts(*(linear ? sender : without).draw.state), width);
    };
    for (const unsigned type : {0u, 1u, 2u})
        EXPECT_EQ(problem(make_message(descriptor_of(type, true), 1)), nullptr);
    EXPECT_EQ(problem(make_message(descriptor_of(3, true), 1, std::vector<std::uint32_t>(32))),
              nullptr);
    EXPECT_EQ(problem(make_message(descriptor_of(3, false), 1, std::vector<std::uint32_t>(16))),
              nullptr);
    EXPECT_NE(problem(make_message(descriptor_of(3, true), 1)), nullptr);
    EXPECT_NE(problem(make_message(descriptor_of(0, true), 1, std::vector<std::uint32_t>(32))),
              nullptr);
    Message m = make_message(descriptor_of(0, true), 1);
    m.response_length = 2;
    EXPECT_NE(problem(m), nullptr);
    m = make_message(descriptor_of(0, true), 1);
    m.header_present = true;
    EXPECT_NE(problem(m), nullptr);
    const Message upper = make_message(descriptor_of(0, true, 0, false, true), 1);
    EXPECT_NE(problem(upper, 16), nullptr);
    EXPECT_EQ(problem(upper, 32), nullptr);
    EXPECT_NE(problem(make_message(descriptor_of(0, false, 0, false, true), 1), 32), nullptr);
    const Message linear = make_message(descriptor_of(0, true, 0, true), 1);
    EXPECT_EQ(problem(linear), nullptr);
    EXPECT_NE(problem(linear, 16, false), nullptr);
}

}  // namespace
}  // namespace gen9::interpolator::test
