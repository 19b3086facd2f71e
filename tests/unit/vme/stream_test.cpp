// SPDX-License-Identifier: Apache-2.0
// Searches that go on from the records of another.
#include "vme/search/search.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/vme/bench.h"
#include "tests/unit/vme/searches.h"

namespace gen9::vme::test {
namespace {

using motion::Vector;

/// The records of a stream-out become the stream-in of another message.
void feed(const Words& from, Words& into, unsigned records = 1) {
    for (unsigned i = 0; i < 2 * records; ++i)
        into.message.payload[6 + i] = from.message.response[7 + i];
}
Words streaming(const Words& plain, bool in) {
    Words w(kSearch, in ? 1 : 0, 1);
    for (unsigned i = 0; i < 6; ++i)
        w.message.payload[i] = plain.message.payload[i];
    return w;
}

TEST(Stream, TwoWindowsAreOneSearch) {
    GEN9_COVERS("VME-03 VME-41 VME-71");
    const auto reference = motion::smooth_texture(96, 64, 31);
    const auto source = motion::smooth_texture(96, 64, 32);
    Bench b(source, reference);
    Words first_plain = search(32, 16, 32, 32, -20, -8),
          second_plain = search(32, 16, 32, 32, 4, 0);
    const auto costs = set_costs(first_plain, kLowTable, 1);
    set_costs(second_plain, kLowTable, 1);
    // Streams hold major shapes only.
    first_plain.set(0, 3, 30, 24, 0x70);
    second_plain.set(0, 3, 30, 24, 0x70);
    Words first = b.run(streaming(first_plain, false));
    EXPECT_EQ(first.answer(0, 0, 31, 29), 3u);
    Words second = streaming(second_plain, true);
    feed(first, second);
    b.run(second);
    motion::Best best;
    auto positions = motion::positions_of(units(), {4, 0});
    // An equal record of the earlier message loses, so the later window comes first.
    const auto earlier = motion::positions_of(units(), {-20, -8});
    positions.insert(positions.end(), earlier.begin(), earlier.end());
    motion::search(source, 32, 16, reference, costs, 0x70, positions, best);
    expect_division(second, motion::choose(best, costs), best);
    // The stream that comes out has the best of both.
    const motion::Part parts[] = {{0, 0, 16, 8}, {0, 8, 16, 8}, {0, 0, 8, 16}, {8, 0, 8, 16},
                                  {0, 0, 8, 8},  {8, 0, 8, 8},  {0, 8, 8, 8},  {8, 8, 8, 8}};
    for (unsigned i = 0; i < 8; ++i) {
        EXPECT_EQ(second.word(7, i), static_cast<unsigned>(best[parts[i]].distortion));
        EXPECT_EQ(second.answer(8, i), pair(best[parts[i]].vector.x, best[parts[i]].vector.y));
    }
    const motion::Found& whole = best[{0, 0, 16, 16}];
    EXPECT_EQ(second.answer(7, 4), static_cast<unsigned>(whole.distortion));
    EXPECT_EQ(second.answer(7, 5), pair(whole.vector.x, whole.vector.y));
}

TEST(Stream, EqualRecordsLoseAndEmptyOnesDoNotWin) {
    GEN9_COVERS("VME-41 VME-59");
    motion::Picture flat(64, 64), other(64, 64);
    std::ranges::fill(other.pixels, std::uint8_t{3});
    Bench b(flat, other);
    Words first = b.run(streaming(search(16, 16, 32, 32, -4, -4), false));
    Words second = streaming(search(16, 16, 32, 32, 8, 8), true);
    feed(first, second);
    b.run(second);
    EXPECT_EQ(second.vector(0), (Vector{32, 32}));
    EXPECT_EQ(second.answer(0, 0, 31, 29), 3u);  // nothing streamed survives
    // A better record wins, whole: nothing local is left of the shapes but those it lacks.
    Words third = streaming(search(16, 16, 32, 32, 8, 8), true);
    third.dword(6, 4, 700 | 5u << 16).dword(6, 5, pair(-40, 12));
    for (unsigned i = 0; i < 4; ++i)
        third.dword(6, i, 0xFFFFFFFF);
    b.run(third);
    EXPECT_EQ(third.vector(7), (Vector{-40, 12}));
    EXPECT_EQ(third.word(5, 0), 700u);
    EXPECT_EQ(third.answer(0, 0, 31, 29), 0u);
    EXPECT_EQ(third.answer(6, 0, 3, 0), 5u);
    EXPECT_EQ(third.answer(0, 1, 3, 0), 0u);  // far from the window's borders
    // Each shape has its reference's number and its vector.
    Words fourth = streaming(search(16, 16, 32, 32, 8, 8), true);
    fourth.dword(6, 0, 0xFFFFFFFF).dword(6, 1, 0xFFFFFFFF).dword(6, 4, 0xFFFF);
    fourth.dword(6, 2, 0x000A'000A).dword(6, 3, 0x000A'000A).dword(6, 6, 0x4321'0000);
    for (unsigned q = 0; q < 4; ++q)
        fourth.dword(7, 4 + q, pair(4 * static_cast<int>(q), -8));
    b.run(fourth);
    EXPECT_EQ(fourth.answer(0, 0, 1, 0), 3u);
    EXPECT_EQ(fourth.answer(0, 2, 15, 0), 40u);
    for (unsigned q = 0; q < 4; ++q) {
        EXPECT_EQ(fourth.answer(6, 0, 8 * q + 3, 8 * q), q + 1) << q;
        EXPECT_EQ(fourth.vector(4 * q), (Vector{4 * static_cast<int>(q), -8})) << q;
    }
    // Masked shapes stream out as never filled.
    Words masked_plain = search(16, 16);
    masked_plain.set(0, 3, 30, 24, 0x7E);
    const Words masked = b.run(streaming(masked_plain, false));
    EXPECT_EQ(masked.word(7, 0), 0x7FFFu);
    EXPECT_EQ(masked.word(7, 4), 0x3FFFu);
}

TEST(Stream, EachReferenceHasItsRecord) {
    GEN9_COVERS("VME-03 VME-14 VME-41 VME-71");
    const auto source = motion::smooth_texture(96, 64, 43);
    const motion::Picture pictures[2] = {motion::smooth_texture(96, 64, 44),
                                         motion::smooth_texture(96, 64, 45)};
    Bench b(source, pictures[0], pictures[1]);
    Words first = search(32, 16, 32, 32, -20, -8), second = search(32, 16, 32, 32, 4, 0);
    first.dword(0, 1, pair(-18, -9));
    second.dword(0, 1, pair(3, 1));
    const Words out = b.run(dual_search(first, false));
    Words both = dual_search(second, true);
    feed(out, both, 2);
    b.run(both);
    const motion::Costs none;
    const motion::Part parts[] = {{0, 0, 16, 8}, {0, 8, 16, 8}, {0, 0, 8, 16}, {8, 0, 8, 16},
                                  {0, 0, 8, 8},  {8, 0, 8, 8},  {0, 8, 8, 8},  {8, 8, 8, 8}};
    for (unsigned d = 0; d < 2; ++d) {
        motion::Best best;
        auto positions = motion::positions_of(units(), d ? Vector{3, 1} : Vector{4, 0});
        const auto earlier = motion::positions_of(units(), d ? Vector{-18, -9} : Vector{-20, -8});
        positions.insert(positions.end(), earlier.begin(), earlier.end());
        motion::search(source, 32, 16, pictures[d], none, 0x70, positions, best);
        for (unsigned i = 0; i < 8; ++i) {
            EXPECT_EQ(both.word(7 + 2 * d, i), static_cast<unsigned>(best[parts[i]].distortion));
            EXPECT_EQ(both.answer(8 + 2 * d, i),
                      pair(best[parts[i]].vector.x, best[parts[i]].vector.y));
        }
        const motion::Found& whole = best[{0, 0, 16, 16}];
        EXPECT_EQ(both.answer(7 + 2 * d, 4), static_cast<unsigned>(whole.distortion));
        EXPECT_EQ(both.answer(7 + 2 * d, 5), pair(whole.vector.x, whole.vector.y));
    }
}

TEST(Search, TwoRecordsOfOneReferenceAreMerged) {
    GEN9_COVERS("VME-14 VME-57");
    const auto reference = motion::texture(96, 96, 51);
    Bench b(motion::shifted(reference, -9, -2), reference);
    Words w(kSearch, 0, 2);
    const Words plain = search(32, 32, 20, 20);
    for (unsigned i = 0; i < 6; ++i)
        w.message.payload[i] = plain.message.payload[i];
    w.set(0, 3, 10, 8, 3).set(0, 3, 30, 24, 0x7E);
    w.dword(0, 0, pair(8, -4)).dword(0, 1, pair(8, 0));
    b.run(w);
    EXPECT_EQ(w.vector(0), (Vector{36, 8}));
    EXPECT_EQ(w.answer(0, 2, 15, 0), 0u);
    EXPECT_EQ(w.answer(9, 4), 0u);
    EXPECT_EQ(w.answer(9, 5), pair(36, 8));
    EXPECT_NE(w.answer(7, 4), 0u);
    EXPECT_EQ(w.answer(0, 1, 15, 8), 2u);
}

}  // namespace
}  // namespace gen9::vme::test
