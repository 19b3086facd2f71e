// SPDX-License-Identifier: Apache-2.0
// Integer searches against a search in plain words.
#include "vme/search/search.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/vme/bench.h"
#include "tests/unit/vme/searches.h"
#include "vme/cost.h"

namespace gen9::vme::test {
namespace {

using motion::Vector;

TEST(Search, FindsAShiftWithoutDistortion) {
    GEN9_COVERS("VME-01 VME-59 VME-61 VME-62 VME-66 VME-67");
    const auto reference = motion::texture(64, 64, 1);
    Bench b(motion::shifted(reference, -3, 2), reference);
    // Window of 24x24 around: four units.
    Words w = search(16, 16, 24, 24, -4, -4);
    w.set(0, 3, 30, 24, 0x7E);
    b.run(w);
    EXPECT_EQ(w.answer(0, 2), 0u);
    for (unsigned z = 0; z < 16; ++z) {
        EXPECT_EQ(w.vector(z), (Vector{12, -8}));
        EXPECT_EQ(w.vector(z, 1), (Vector{0, 0}));
    }
    EXPECT_EQ(w.word(5, 0), 0u);
    EXPECT_EQ(w.answer(0, 1, 15, 8), 4u);
    EXPECT_EQ(w.answer(0, 0, 12, 8), 1u);  // L0
    EXPECT_EQ(w.answer(0, 0, 28, 24), 1u);
    EXPECT_EQ(w.answer(0, 1, 3, 0), 2u);  // x = 3 is the last column
}

TEST(Search, FirstOfEqualsInPathOrderIsKept) {
    GEN9_COVERS("VME-40 VME-44");
    motion::Picture flat(64, 64), other(64, 64);
    std::ranges::fill(flat.pixels, std::uint8_t{10});
    std::ranges::fill(other.pixels, std::uint8_t{12});
    Bench b(flat, other);
    Words w = search(16, 16, 48, 40, -16, -12);
    b.run(w);
    EXPECT_EQ(w.vector(0), (Vector{-64, -48}));
    EXPECT_EQ(w.answer(0, 2, 15, 0), 512u);
    EXPECT_EQ(w.answer(0, 0, 1, 0), 0u);  // 16x16 before the others
    EXPECT_EQ(w.answer(0, 1, 3, 0), 5u);  // left and top
    EXPECT_EQ(w.answer(6, 6), 48u * 16 * 512);
    EXPECT_EQ(w.answer(6, 7), 512u);
}

TEST(Search, AllShapesAsTheSearchInPlainWords) {
    GEN9_COVERS("VME-34 VME-46 VME-48 VME-49 VME-51 VME-53");
    for (unsigned seed = 0; seed < 6; ++seed) {
        const auto reference = motion::smooth_texture(80, 64, seed);
        const auto source = motion::smooth_texture(80, 64, seed % 2 ? seed + 100 : seed);
        Bench b(source, reference);
        // Near an edge, so that the window leaves the picture.
        const int x = seed % 3 ? 64 : 0, y = seed < 3 ? 0 : 48;
        Words w = search(x, y, 32, 28, -8, -6);
        const auto costs = set_costs(w, seed % 2 ? kLowTable : kQp45, seed % 4,
                                     {Vector{2, 3}, {-9, 14}, {30, -1}, {int(seed) - 5, 40}});
        const unsigned mask = seed == 4 ? 0x30 : seed == 5 ? 0x0F : 0;
        w.set(0, 3, 30, 24, mask);
        b.run(w);
        motion::Best best;
        motion::search(source, x, y, reference, costs, mask,
                       motion::positions_of(units(32, 28), {-8, -6}), best);
        expect_division(w, motion::choose(best, costs), best);
    }
}

Inputs with_table(const std::array<std::uint8_t, 8>& table) {
    Inputs in;
    for (unsigned i = 0; i < 8; ++i)
        in.costs.vector[i] = decode_cost(table[i]);
    return in;
}

TEST(Cost, VectorsLieOnTheCurveAndAreCappedTogether) {
    GEN9_COVERS("VME-29 VME-45 VME-48 VME-49");
    Inputs in = with_table(kLowTable);
    EXPECT_EQ(decode_cost(0x4A), 160u);
    EXPECT_EQ(vector_cost(in, {12, -8}, {}), 21u);
    EXPECT_EQ(vector_cost(in, {15, -5}, {3, 3}), 21u);
    const std::pair<unsigned, unsigned> points[] = {{0, 1}, {1, 4},   {2, 5},   {3, 7},
                                                    {4, 9}, {64, 15}, {70, 21}, {63, 14}};
    for (const auto& [distance, cost] : points)
        EXPECT_EQ(component_cost(in.costs, distance), cost) << distance;
    // A table that falls: the shift rounds down.
    Inputs falling = with_table({0x0F, 0x0E, 0x0C, 0x09, 0x08, 0x07, 0x06, 0x05});
    EXPECT_EQ(component_cost(falling.costs, 3), 10u);
    // Units: distances below one are lost.
    in.vector_unit = 2;
    EXPECT_EQ(vector_cost(in, {50, -33}, {}), 21u);
    Inputs high = with_table({0x1D, 0x3D, 0x48, 0x4E, 0x59, 0x59, 0x5B, 0x5C});
    EXPECT_EQ(vector_cost(high, {400, -400}, {}), 0x3FFu);
    high.wide_vector_cost = true;
    EXPECT_EQ(vector_cost(high, {400, -400}, {}), 2u * (384 + 336));
    EXPECT_EQ(vector_cost(high, {8000, -8000}, {}), 0xFFFu);
}

TEST(Cost, ReferencesCostByTheirNumber) {
    GEN9_COVERS("VME-26 VME-50");
    Inputs in;
    in.costs.ref_id = 10;
    const unsigned times[16] = {0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3};
    for (unsigned id = 0; id < 16; ++id)
        EXPECT_EQ(ref_id_cost(in, static_cast<std::uint8_t>(id)), 10 * times[id]);
    in.linear_ref_cost = true;
    EXPECT_EQ(ref_id_cost(in, 5), 50u);
}

TEST(Search, PathsWrapSkipAndCount) {
    GEN9_COVERS("VME-20 VME-24 VME-40 VME-44");
    const auto reference = motion::texture(80, 80, 3);
    const auto source = motion::shifted(reference, -6, -5);  // at (6, 5) from (0, 0): unit (1, 1)
    Bench b(source, reference);
    const auto walk = [&](std::vector<std::uint8_t> steps, unsigned length, unsigned start = 0) {
        Words w = search(32, 32, 32, 32);
        for (unsigned i = 0; i < 56; ++i)
            w.byte(4 + i / 32, i % 32, i < steps.size() ? steps[i] : 0);
        w.set(1, 2, 7, 0, length).set(1, 2, 15, 8, 60).set(1, 2, 23, 16, start);
        w.set(0, 3, 30, 24, 0x7E);
        b.run(w);
        return w;
    };
    // The driver's tiny path: (0,0) (1,0) (1,1) (0,1).
    Words w = walk({0x01, 0x10, 0x0F, 0x00}, 4);
    EXPECT_EQ(w.word(5, 0), 0u);
    EXPECT_EQ(w.answer(0, 1, 15, 8), 4u);
    w = walk({0x01, 0x10, 0x0F, 0x00}, 2);
    EXPECT_NE(w.word(5, 0), 0u);
    EXPECT_EQ(w.answer(0, 1, 15, 8), 2u);
    // The zero byte ends the path before LenSP.
    w = walk({0x01, 0x00, 0x10}, 5);
    EXPECT_EQ(w.answer(0, 1, 15, 8), 2u);
    // Out of the window and back: each step counts, and nothing is searched outside.
    w = walk({0x0F, 0x0F, 0x02, 0x11}, 5);
    EXPECT_EQ(w.word(5, 0), 0u);
    EXPECT_EQ(w.answer(0, 1, 15, 8), 5u);
    EXPECT_EQ(b.effort.units, 2u);
    // Once searched, a unit is not searched again; its step counts.
    w = walk({0x01, 0x0F, 0x01, 0x10}, 5);
    EXPECT_EQ(w.answer(0, 1, 15, 8), 5u);
    EXPECT_EQ(b.effort.units, 3u);
    // A path without a zero byte ends with LenSP, and after 56 bytes in any case.
    w = walk(std::vector<std::uint8_t>(56, 0x01), 63);
    EXPECT_EQ(w.answer(0, 1, 15, 8), 57u);
    EXPECT_EQ(b.effort.units, 4u);
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
}

TEST(Search, EqualDistortionsKeepTheLargerShape) {
    GEN9_COVERS("VME-19 VME-53");
    const auto reference = motion::texture(64, 64, 9);
    Bench b(motion::shifted(reference, -1, -1), reference);
    const auto major = [&](unsigned mask) {
        Words w = search(16, 16);
        w.set(0, 3, 30, 24, mask);
        b.run(w);
        EXPECT_EQ(w.answer(0, 2, 15, 0), 0u);
        return std::pair{w.answer(0, 0, 1, 0), w.answer(0, 6, 15, 8)};
    };
    EXPECT_EQ(major(0), (std::pair{0u, 0u}));
    EXPECT_EQ(major(0x01), (std::pair{1u, 0u}));
    EXPECT_EQ(major(0x03), (std::pair{2u, 0u}));
    EXPECT_EQ(major(0x07), (std::pair{3u, 0u}));
    EXPECT_EQ(major(0x0F), (std::pair{3u, 0x55u}));
    EXPECT_EQ(major(0x1F), (std::pair{3u, 0xAAu}));
    EXPECT_EQ(major(0x3F), (std::pair{3u, 0xFFu}));
}

TEST(Search, VectorsAreLimited) {
    GEN9_COVERS("VME-23 VME-52 VME-53 VME-64");
    const auto reference = motion::smooth_texture(64, 64, 21);
    const auto source = motion::smooth_texture(64, 64, 22);
    Bench b(source, reference);
    const motion::Costs none;
    motion::Best best;
    motion::search(source, 16, 16, reference, none, 0, motion::positions_of(units(), {0, 0}), best);
    for (const unsigned most : {1u, 2u, 3u, 4u, 9u, 16u, 32u, 63u}) {
        Words w = search(16, 16);
        w.set(1, 1, 5, 0, most);
        b.run(w);
        const auto free = motion::choose(best, none);
        const auto limited = motion::choose(best, none, static_cast<int>(most));
        // Below four vectors minor shapes are not searched at all, so that no better one was seen
        // than 8x8s.
        expect_division(w, limited, best);
        if (most >= 4)
            EXPECT_EQ(w.answer(0, 6, 25, 25), free.distortion < limited.distortion) << most;
        else
            EXPECT_EQ(w.answer(0, 6, 25, 25), 1u) << most;
    }
    Words none_allowed = search(16, 16);
    none_allowed.set(1, 1, 5, 0, 0);
    b.run(none_allowed);
    EXPECT_EQ(none_allowed.answer(0, 2, 15, 0), 0xFFFFu);
    EXPECT_EQ(none_allowed.answer(0, 0, 28, 24), 0u);
}

TEST(Search, TwoReferencesAndDirections) {
    GEN9_COVERS("VME-05 VME-14 VME-15 VME-47 VME-57");
    const auto forward = motion::smooth_texture(64, 64, 41);
    auto backward = motion::smooth_texture(64, 64, 42);
    // The left half comes from one picture and the right half from the other.
    motion::Picture source(64, 64);
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 64; ++x)
            source(x, y) = static_cast<unsigned char>(x < 24 ? forward.at(x + 2, y + 1)
                                                             : backward.at(x + 1, y + 3));
    Bench b(source, forward, backward);
    const auto dual = [&](std::uint8_t bias, bool one_direction = false, unsigned remap = 0) {
        Words w = search(16, 16);
        w.set(0, 3, 10, 8, 7).byte(2, 9, bias).set(1, 1, 28, 28, one_direction);
        w.set(0, 3, 5, 4, remap).set(0, 3, 30, 24, 0x70);
        b.run(w);
        return w;
    };
    Words w = dual(0);
    EXPECT_EQ(w.answer(0, 0, 1, 0), 2u);    // 8x16
    EXPECT_EQ(w.answer(0, 0, 12, 8), 9u);   // L0L1
    EXPECT_EQ(w.answer(0, 6, 23, 16), 4u);  // forward, backward
    EXPECT_EQ(w.answer(0, 2, 15, 0), 0u);
    EXPECT_EQ(w.vector(0, 0), (Vector{8, 4}));
    EXPECT_EQ(w.vector(4, 1), (Vector{4, 12}));
    EXPECT_EQ(w.answer(0, 1, 15, 8), 32u);
    EXPECT_EQ(w.answer(0, 6, 31, 26), 16u);
    // The bias of backward parts is a part's; with its sign it is that of forward parts.
    w = dual(0x05);
    EXPECT_EQ(w.answer(0, 2, 15, 0), 5u);
    w = dual(0x85);
    EXPECT_EQ(w.answer(0, 2, 15, 0), 5u);
    w = dual(0, true);
    const unsigned directions = w.answer(0, 6, 23, 16);
    EXPECT_TRUE(directions == 0 || (directions & 0xAA) == 0) << directions;
    EXPECT_GT(w.answer(0, 2, 15, 0), 0u);
    EXPECT_EQ(dual(0, false, 1).answer(0, 0, 12, 8), 5u);
    EXPECT_EQ(dual(0, false, 2).answer(0, 0, 12, 8), 7u);
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
    // Even and odd entries of the path.
    Words split = search(16, 16);
    split.set(0, 3, 10, 8, 7).set(0, 3, 11, 11, 1);
    for (unsigned i = 0; i < 56; ++i)
        split.byte(4 + i / 32, i % 32, i % 2 ? 0x10 : 0x01);
    split.set(1, 2, 7, 0, 3).set(1, 2, 15, 8, 3);
    b.run(split);
    EXPECT_EQ(split.answer(0, 1, 15, 8), 6u);
    EXPECT_EQ(split.vector(0, 0).y % 16 < 16 && split.vector(0, 0).y < 16, true);
    EXPECT_LT(split.vector(0, 1).x, 16);
}

TEST(Search, SumsAndBordersOfTheSecondReference) {
    GEN9_COVERS("VME-23 VME-61 VME-62");
    motion::Picture flat(64, 64), forward(64, 64), backward(64, 64);
    std::ranges::fill(forward.pixels, std::uint8_t{20});
    std::ranges::fill(backward.pixels, std::uint8_t{17});
    Bench b(flat, forward, backward);
    Words w = search(16, 16, 20, 20);
    w.set(0, 3, 10, 8, 7);
    b.run(w);
    constexpr unsigned kPixels = 256, kPositions = 16;
    EXPECT_EQ(w.answer(6, 6), kPositions * kPixels * 20);
    const unsigned sum = w.answer(0, 1, 26, 16) << 16 | w.answer(6, 4, 31, 16);
    EXPECT_EQ(sum, kPositions * kPixels * 17);
    EXPECT_EQ(w.answer(6, 7), kPixels * 17 << 16 | kPixels * 20);
    EXPECT_EQ(w.answer(0, 0, 12, 8), 2u);
    EXPECT_EQ(w.answer(0, 1, 7, 0), 0x50u) << "left and top of the one that was chosen";
    // Of equal ones the first, also where the message wants one direction for all.
    Bench same(flat, forward, forward);
    for (const unsigned one : {0u, 1u}) {
        w.set(1, 1, 28, 28, one);
        same.run(w);
        EXPECT_EQ(w.answer(0, 0, 12, 8), 1u) << one;
        EXPECT_EQ(w.answer(0, 1, 7, 0), 0x05u) << one;
    }
}

TEST(Search, TwoStartsThenThePath) {
    GEN9_COVERS("VME-14");
    const auto reference = motion::texture(96, 96, 52);
    Bench b(motion::shifted(reference, -13, -1), reference);  // unit (3, 0)
    Words w = search(32, 32);
    w.set(0, 3, 10, 8, 1).set(0, 3, 30, 24, 0x7E);
    w.set(1, 2, 27, 24, 2).set(1, 2, 31, 28, 0);
    w.byte(4, 0, 0x01).byte(4, 1, 0);
    w.set(1, 2, 7, 0, 3);
    b.run(w);
    EXPECT_EQ(w.vector(0), (Vector{52, 4}));
    EXPECT_EQ(w.answer(0, 1, 15, 8), 3u);
    w.set(1, 2, 7, 0, 2);
    b.run(w);
    EXPECT_NE(w.vector(0), (Vector{52, 4}));
}

TEST(Search, AdaptiveSearchGoesDownTheSlope) {
    GEN9_COVERS("VME-21 VME-24 VME-58");
    // A ramp: distortion falls towards one corner of the window.
    motion::Picture reference(96, 96), source(96, 96);
    for (int y = 0; y < 96; ++y)
        for (int x = 0; x < 96; ++x)
            reference(x, y) = static_cast<unsigned char>(x + y);
    source = motion::shifted(reference, -30, -22);
    Bench b(source, reference);
    Words w = search(16, 16, 64, 64);
    w.set(0, 3, 30, 24, 0x7E);
    w.byte(4, 0, 0x01).byte(4, 1, 0);
    w.set(1, 2, 7, 0, 2).set(1, 2, 15, 8, 40).set(1, 0, 1, 1, 1).set(1, 7, 17, 16, 3);
    b.run(w);
    EXPECT_EQ(w.answer(0, 2, 15, 0), 0u);
    EXPECT_EQ(w.answer(0, 1, 15, 8), b.effort.units);
    EXPECT_LT(b.effort.units, 40u);
    w.set(1, 2, 15, 8, 5);
    b.run(w);
    EXPECT_EQ(w.answer(0, 1, 15, 8), 5u);
}

TEST(Search, EarlyStopEndsAfterTheUnit) {
    GEN9_COVERS("VME-21 VME-22 VME-64");
    const auto reference = motion::texture(96, 96, 61);
    Bench b(motion::shifted(reference, -5, 0), reference);  // unit 1 of 16
    Words w = search(32, 32);
    w.set(0, 3, 30, 24, 0x7E).set(1, 0, 31, 24, 0x01);
    b.run(w);
    EXPECT_EQ(w.answer(0, 1, 15, 8), 16u);  // not enabled
    w.set(1, 0, 5, 5, 1);
    b.run(w);
    EXPECT_EQ(w.answer(0, 1, 15, 8), 2u);
    EXPECT_EQ(w.answer(0, 6, 24, 24), 1u);
    w.set(1, 0, 31, 24, 0);  // equal does not stop
    b.run(w);
    EXPECT_EQ(w.answer(0, 1, 15, 8), 16u);
    EXPECT_EQ(w.answer(0, 6, 24, 24), 0u);
    // A match of the second reference alone stops nothing.
    Bench dual(motion::shifted(reference, -5, 0), motion::texture(96, 96, 62), reference);
    Words both = search(32, 32);
    both.set(0, 3, 10, 8, 7).set(0, 3, 30, 24, 0x7E).set(1, 0, 31, 24, 0x01).set(1, 0, 5, 5, 1);
    dual.run(both);
    EXPECT_EQ(both.answer(0, 2, 15, 0), 0u) << "it is found";
    EXPECT_EQ(both.answer(0, 6, 24, 24), 0u);
}

TEST(Search, WeightsAndRowsAndSmallBlocks) {
    GEN9_COVERS("VME-11 VME-21 VME-25 VME-46");
    motion::Picture flat(64, 64), other(64, 64);
    std::ranges::fill(other.pixels, std::uint8_t{8});
    Bench b(flat, other);
    Words weighted = search(16, 16);
    weighted.set(1, 7, 20, 20, 1).dword(1, 3, 0xE4E4E4E4);  // 0 1 2 3 of each four
    b.run(weighted);
    EXPECT_EQ(weighted.answer(0, 2, 15, 0), 4 * (128u + 64 + 32 + 16));
    EXPECT_EQ(weighted.answer(0, 0, 1, 0), 0u);
    // Along x only the first row of each unit counts.
    const auto reference = motion::texture(96, 96, 71);
    Bench rows(motion::shifted(reference, -5, -1), reference);
    Words x_only = search(32, 32);
    x_only.set(1, 0, 6, 6, 1).set(0, 3, 30, 24, 0x7E);
    rows.run(x_only);
    EXPECT_NE(x_only.answer(0, 2, 15, 0), 0u);
    EXPECT_EQ(x_only.vector(0).y % 16, 0);
    // 8x8 and 16x8 sources pay the cost of their shape once.
    for (const unsigned size : {1u, 3u}) {
        Words small = search(32, 32);
        set_costs(small, {}, 0);
        small.set(0, 3, 1, 0, size).set(0, 3, 30, 24, 0x70);
        rows.run(small);
        EXPECT_EQ(small.answer(0, 2, 15, 0), motion::Costs::byte(size == 1 ? 0x4F : 0x59)) << size;
        EXPECT_EQ(small.vector(0), (Vector{20, 4}));
        EXPECT_EQ(small.vector(15), (Vector{0, 0}));
        EXPECT_EQ(small.answer(0, 0, 28, 24), 1u);
        EXPECT_EQ(small.answer(0, 0, 15, 15), 0u);
    }
}

TEST(Search, HaarFindsAPerfectMatch) {
    GEN9_COVERS("VME-18");
    const auto reference = motion::texture(64, 64, 81);
    Bench b(motion::shifted(reference, -7, -9), reference);
    Words w = search(16, 16);
    w.set(0, 3, 21, 20, 2).set(0, 3, 30, 24, 0x7E);
    b.run(w);
    EXPECT_EQ(w.vector(0), (Vector{28, 36}));
    EXPECT_EQ(w.answer(0, 2, 15, 0), 0u);
    // Symmetric in sign; the DC coefficient can be left out.
    std::int32_t difference[16], opposite[16], flat[16];
    for (int i = 0; i < 16; ++i) {
        difference[i] = i * i - 40;
        opposite[i] = 40 - i * i;
        flat[i] = 9;
    }
    EXPECT_EQ(haar_4x4(difference, false), haar_4x4(opposite, false));
    EXPECT_GT(haar_4x4(difference, false), haar_4x4(difference, true));
    EXPECT_EQ(haar_4x4(flat, false), 4u * 9);
    EXPECT_EQ(haar_4x4(flat, true), 0u);
}

TEST(Haar, OfEverySmallBlock) {
    GEN9_COVERS("VME-18 VME-29");
    // Both levels in each direction: the sum, the difference of the halves, those within them.
    const int matrix[4][4] = {{1, 1, 1, 1}, {1, 1, -1, -1}, {1, -1, 0, 0}, {0, 0, 1, -1}};
    for (unsigned block = 0; block < 1u << 16; ++block) {
        std::int32_t d[16];
        for (int i = 0; i < 16; ++i)
            d[i] = block >> i & 1 ? 255 : -9;
        int half[16]{}, sum = 0, dc = 0;
        for (int i = 0; i < 4; ++i)
            for (int n = 0; n < 4; ++n)
                for (int m = 0; m < 4; ++m)
                    half[4 * i + n] += matrix[i][m] * d[4 * m + n];
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                int c = 0;
                for (int n = 0; n < 4; ++n)
                    c += half[4 * i + n] * matrix[j][n];
                sum += std::abs(c);
                if (i + j == 0) dc = std::abs(c);
            }
        if (haar_4x4(d, false) != static_cast<unsigned>(sum / 4) ||
            haar_4x4(d, true) != static_cast<unsigned>((sum - dc) / 4))
            FAIL() << block;
    }
}

TEST(Search, Transform8x8NeedsLargeParts) {
    GEN9_COVERS("VME-60");
    const auto reference = motion::texture(64, 64, 91);
    Bench b(motion::shifted(reference, -1, -1), reference);
    const auto flag = [&](unsigned mask, bool enable) {
        Words w = search(16, 16);
        w.set(0, 3, 30, 24, mask).set(1, 0, 7, 7, enable);
        b.run(w);
        return w.answer(0, 0, 15, 15);
    };
    EXPECT_EQ(flag(0, false), 0u);
    EXPECT_EQ(flag(0, true), 1u);
    EXPECT_EQ(flag(0x77, true), 1u);
    EXPECT_EQ(flag(0x3F, true), 0u);
}

}  // namespace
}  // namespace gen9::vme::test
