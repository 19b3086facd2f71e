// SPDX-License-Identifier: Apache-2.0
// Fractional samples and refinement against the same in plain words.
#include "vme/refine/refine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/covers.h"
#include "tests/support/sample.h"
#include "tests/unit/vme/bench.h"
#include "vme/refine/samples.h"

namespace gen9::vme::test {
namespace {

using motion::Vector;

TEST(Samples, HalfAndQuarterOfFourPixels) {
    GEN9_COVERS("VME-16 VME-29");
    EXPECT_EQ(half_sample(10, 20, 40, 80), 26);
    EXPECT_EQ(half_sample(0, 255, 255, 0), 255);
    EXPECT_EQ(half_sample(255, 0, 0, 255), 0);
    EXPECT_EQ(half_sample(0, 1, 1, 3), 0);  // 7 / 8: nothing is rounded up
}

TEST(Samples, HalfOfAnySumsOfPixels) {
    GEN9_COVERS("VME-16");
    for (int inner = 0; inner <= 510; ++inner)
        for (int outer = 0; outer <= 510; ++outer) {
            const int b = std::min(inner, 255), a = std::min(outer, 255);
            const auto exact = static_cast<int>(std::floor((5 * inner - outer) / 8.0));
            const int expected = std::clamp(exact, 0, 255);
            if (half_sample(a, b, inner - b, outer - a) != expected ||
                half_sample(outer - a, inner - b, b, a) != expected)
                FAIL() << inner << ", " << outer;
        }
}

// All blocks of 4x4 pixels of two values, at each of the 16 places within a pixel.
TEST(Samples, OfEverySmallBlock) {
    GEN9_COVERS("VME-16 VME-29");
    constexpr int kBlocks = 256, kSize = 4 * kBlocks;
    struct Case {
        unsigned char low, high;
        bool bilinear;
    };
    for (const Case& c : {Case{0, 255, false}, {7, 200, false}, {0, 255, true}}) {
        motion::Picture picture(kSize, kSize);
        for (int y = 0; y < kSize; ++y)
            for (int x = 0; x < kSize; ++x) {
                const int block = x / 4 + y / 4 * kBlocks, bit = x % 4 + y % 4 * 4;
                picture(x, y) = block >> bit & 1 ? c.high : c.low;
            }
        const motion::Sampler plain(picture, c.bilinear);
        Patch patch;
        patch.view.width = patch.view.height = patch.width = patch.height = kSize;
        patch.bytes.assign(picture.pixels.begin(), picture.pixels.end());
        const Samples samples(patch, c.bilinear);
        for (int block = 0; block < kBlocks * kBlocks; ++block) {
            if (!gen9::test::has_its_turn(static_cast<unsigned>(block), 8)) continue;
            const int x = 4 * (block % kBlocks * 4 + 1), y = 4 * (block / kBlocks * 4 + 1);
            for (int place = 0; place < 16; ++place) {
                std::uint8_t out[16];
                samples.predict(x + place % 4, y + place / 4, 1, 1, out);
                if (out[0] != plain.quarter(x + place % 4, y + place / 4))
                    FAIL() << "block " << block << ", place " << place << ", " << c.bilinear;
            }
        }
    }
}

TEST(Samples, EveryPlaceByDefinition) {
    GEN9_COVERS("VME-08 VME-16 VME-29");
    const auto picture = motion::texture(32, 32, 7);
    Bench b(picture, picture);
    for (const bool bilinear : {false, true}) {
        const motion::Sampler plain(picture, bilinear);
        Patch patch;
        patch.view.width = patch.view.height = 32;
        patch.x = patch.y = -6;
        patch.width = patch.height = 44;
        for (int y = -6; y < 38; ++y)
            for (int x = -6; x < 38; ++x)
                patch.bytes.push_back(static_cast<std::uint8_t>(picture.at(x, y)));
        const Samples samples(patch, bilinear);
        for (int y = -19; y < 80; y += 5)
            for (int x = -18; x < 80; x += 3) {
                std::uint8_t out[256];
                samples.predict(x, y, 8, 4, out);
                for (int j = 0; j < 4; ++j)
                    for (int i = 0; i < 8; ++i)
                        ASSERT_EQ(out[16 * j + i], plain.quarter(x + 4 * i, y + 4 * j))
                            << x << ", " << y;
            }
    }
}

TEST(Samples, WeightedMeanOfTwo) {
    GEN9_COVERS("VME-23");
    std::uint8_t forward[256]{}, backward[256]{}, out[256];
    forward[0] = 100;
    backward[0] = 200;
    forward[1] = 1;
    const std::pair<unsigned, int> weights[] = {
        {16, 125}, {21, 133}, {32, 150}, {43, 167}, {48, 175}};
    for (const auto& [weight, mean] : weights) {
        mix(forward, backward, weight, 2, 1, out);
        EXPECT_EQ(out[0], mean);
        EXPECT_EQ(out[1], weight <= 32 ? 1 : 0);
    }
}

/// A refinement of a shape: the start is the same everywhere unless set.
struct Refinement : Words {
    Refinement(int x, int y, unsigned major, unsigned minor = 0, unsigned subpel = 3)
        : Words(kRefine) {
        dword(0, 2, pair(x, y));
        set(0, 3, 13, 12, subpel).set(0, 3, 18, 18, 1);
        set(1, 1, 5, 0, 63).set(1, 1, 21, 16, 32);
        set(2, 5, 1, 0, major).set(2, 5, 15, 8, minor);
    }
    void start(unsigned direction, Vector v) {
        for (unsigned z = 0; z < 16; ++z)
            dword(4 + z / 4, z % 4 * 2 + direction, pair(v.x, v.y));
    }
};

TEST(Refine, EachPartAsInPlainWords) {
    GEN9_COVERS("VME-03 VME-16 VME-32 VME-42 VME-46 VME-56 VME-66 VME-67");
    const auto reference = motion::smooth_texture(64, 64, 11);
    const auto source = motion::smooth_texture(64, 64, 12);
    Bench b(source, reference);
    struct Case {
        unsigned major, minor, subpel;
        bool bilinear;
        std::vector<motion::Part> parts;
        int shapes;  ///< sum of shape costs, with 1, 2, 4, 8, 16 for 16x8, 8x8, 8x4, 4x4, 16x16
    };
    const std::vector<Case> cases = {{0, 0, 3, false, {{0, 0, 16, 16}}, 16},
                                     {0, 0, 1, true, {{0, 0, 16, 16}}, 16},
                                     {1, 0, 3, false, {{0, 0, 16, 8}, {0, 8, 16, 8}}, 1},
                                     {2, 0, 3, true, {{0, 0, 8, 16}, {8, 0, 8, 16}}, 1},
                                     {3,
                                      0xE4,
                                      3,
                                      false,
                                      {{0, 0, 8, 8},
                                       {8, 0, 8, 4},
                                       {8, 4, 8, 4},
                                       {0, 8, 4, 8},
                                       {4, 8, 4, 8},
                                       {8, 8, 4, 4},
                                       {12, 8, 4, 4},
                                       {8, 12, 4, 4},
                                       {12, 12, 4, 4}},
                                      2 + 4 + 4 + 8}};
    for (const Case& c : cases) {
        // At the edge: samples are made of the nearest pixels there.
        Refinement w(48, 0, c.major, c.minor, c.subpel);
        const Vector start{12, -16};
        w.start(0, start);
        w.set(1, 7, 18, 18, c.bilinear);
        const std::uint8_t modes[5] = {0x01, 0x02, 0x04, 0x08, 0x41};
        for (unsigned i = 0; i < 5; ++i)
            w.byte(2, 4 + i, modes[i]);
        motion::Costs costs;
        const std::uint8_t table[8] = {0x01, 0x04, 0x05, 0x09, 0x0A, 0x0C, 0x0E, 0x0F};
        for (unsigned i = 0; i < 8; ++i) {
            w.byte(2, 12 + i, table[i]);
            costs.table[i] = table[i];
        }
        costs.centre = {Vector{8, -12}, {0, 0}, {3, 9}, {-4, -4}};
        for (unsigned i = 0; i < 4; ++i)
            w.dword(3, 2 * i, pair(costs.centre[i].x, costs.centre[i].y));
        b.run(w);
        const motion::Sampler sampler(reference, c.bilinear);
        int sum = c.shapes;
        std::array<unsigned, 16> distortion{};
        for (const motion::Part& part : c.parts) {
            const motion::Found found =
                motion::refine(source, 48, 0, part, sampler, costs, start, c.subpel == 3);
            sum += found.distortion;
            for (int y = part.y / 4; y < (part.y + part.h) / 4; ++y)
                for (int x = part.x / 4; x < (part.x + part.w) / 4; ++x)
                    EXPECT_EQ(
                        w.vector(block_at(static_cast<unsigned>(x), static_cast<unsigned>(y))),
                        found.vector);
            distortion[block_at(static_cast<unsigned>(part.x / 4),
                                static_cast<unsigned>(part.y / 4))] =
                static_cast<unsigned>(found.distortion);
        }
        for (unsigned z = 0; z < 16; ++z)
            EXPECT_EQ(w.word(5, z), distortion[z]) << z;
        EXPECT_EQ(w.answer(0, 2, 15, 0), static_cast<unsigned>(sum));
        EXPECT_EQ(w.answer(0, 0, 1, 0), c.major);
        EXPECT_EQ(w.answer(0, 0, 28, 24), c.parts.size());
        EXPECT_EQ(w.answer(0, 6, 15, 8), c.minor);
    }
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
}

TEST(Refine, WholePixelsStayWhereTheyAre) {
    GEN9_COVERS("VME-16");
    const auto picture = motion::texture(64, 64, 13);
    Bench b(motion::shifted(picture, -2, 0), picture);
    Refinement w(16, 16, 0, 0, 0);
    w.start(0, {4, 4});
    w.dword(1, 6, 0x00000020).set(0, 3, 18, 18, 0);
    w.set(0, 3, 18, 18, 1);
    b.run(w);
    EXPECT_EQ(w.vector(3), (Vector{4, 4}));
    EXPECT_EQ(w.answer(6, 0), 0x20u);
    w.start(0, {8, 0});
    EXPECT_EQ(b.run(w).word(5, 0), 0u);
}

/// The mean of two pictures lies between them.
struct Between {
    motion::Picture forward = motion::smooth_texture(64, 64, 14);
    motion::Picture backward = motion::smooth_texture(64, 64, 15);
    motion::Picture source{64, 64};
    Between() {
        for (int y = 0; y < 64; ++y)
            for (int x = 0; x < 64; ++x)
                source(x, y) =
                    static_cast<unsigned char>((forward.at(x, y) + backward.at(x, y) + 1) / 2);
    }
};

TEST(Refine, BothDirectionsWhereTheyAreBetter) {
    GEN9_COVERS("VME-14 VME-23 VME-54 VME-55 VME-56 VME-59 VME-64");
    const Between p;
    Bench b(p.source, p.forward, p.backward);
    const auto run = [&](unsigned major, unsigned minor, unsigned most, bool all,
                         std::uint32_t directions = 0) {
        Refinement w(16, 16, major, minor, 0);
        w.start(0, {0, 0});
        w.start(1, {0, 0});
        w.set(0, 3, 18, 18, 0).set(1, 1, 5, 0, most).set(1, 0, 2, 2, all);
        w.set(2, 5, 23, 16, directions);
        b.run(w);
        return w;
    };
    Words w = run(0, 0, 63, false);
    EXPECT_EQ(w.answer(0, 2, 15, 0), 0u);
    EXPECT_EQ(w.answer(0, 0, 12, 8), 3u);
    EXPECT_EQ(w.answer(0, 6, 23, 16), 2u);
    EXPECT_EQ(w.answer(0, 0, 28, 24), 2u);
    // A limit of 0 is none.
    EXPECT_EQ(run(0, 0, 0, false).answer(0, 0, 12, 8), 3u);
    // In the order of the blocks, as long as there are vectors.
    w = run(3, 0, 6, false);
    EXPECT_EQ(w.answer(0, 6, 23, 16), 0x0Au);
    EXPECT_EQ(w.answer(0, 0, 28, 24), 6u);
    EXPECT_EQ(w.word(5, 0), 0u);
    EXPECT_NE(w.word(5, 8), 0u);
    w = run(1, 0, 3, false, 4);
    EXPECT_EQ(w.answer(0, 6, 23, 16), 0x6u);  // both, backward
    EXPECT_EQ(w.answer(0, 0, 12, 8), 0x12u);  // BiL1
    w = run(1, 0, 3, false, 0);
    EXPECT_EQ(w.answer(0, 0, 12, 8), 0x10u);
    // All or none.
    w = run(1, 0, 3, true);
    EXPECT_EQ(w.answer(0, 6, 23, 16), 0u);
    w = run(1, 0, 4, true);
    EXPECT_EQ(w.answer(0, 6, 23, 16), 0xAu);
    EXPECT_EQ(w.answer(0, 0, 12, 8), 0x14u);
    // None where they are switched off.
    Refinement off(16, 16, 1, 0, 0);
    off.set(1, 0, 2, 2, 1);
    b.run(off);
    EXPECT_EQ(off.answer(0, 6, 23, 16), 0u);
    // None where one direction is as good.
    Bench forward(p.forward, p.forward, p.backward);
    Refinement same(16, 16, 0, 0, 0);
    same.start(0, {0, 0});
    same.start(1, {0, 0});
    same.set(0, 3, 18, 18, 0).set(1, 1, 5, 0, 4).set(1, 0, 2, 2, 1);
    forward.run(same);
    EXPECT_EQ(same.answer(0, 0, 12, 8), 1u);
    EXPECT_EQ(same.answer(0, 2, 15, 0), 0u);
    // Shapes below 8x8 never.
    w = run(3, 0x03, 63, false);
    EXPECT_EQ(w.answer(0, 6, 23, 16), 0xA8u);
    EXPECT_NE(w.word(5, 0), 0u);
    EXPECT_EQ(w.word(5, 4), 0u);
    // Without it one direction is refined, and stays.
    Refinement one(16, 16, 0, 0, 3);
    one.start(0, {0, 0});
    one.start(1, {-8, 20});
    one.set(2, 5, 23, 16, 1);
    b.run(one);
    EXPECT_EQ(one.answer(0, 0, 12, 8), 2u);
    EXPECT_EQ(one.vector(0, 0), (Vector{0, 0}));
    EXPECT_NE(one.vector(0, 1), (Vector{-8, 20}));
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
}

TEST(Refine, FieldsByBlockAndDirection) {
    GEN9_COVERS("VME-11 VME-12 VME-23");
    const auto source = motion::texture(48, 64, 17);
    const motion::Picture pictures[2] = {motion::texture(48, 64, 18), motion::texture(48, 64, 19)};
    Bench b(source, pictures[0], pictures[1]);
    const auto half = source.field(1);
    for (const unsigned polarity : {0x6Au, 0x95u, 0xC3u})
        for (unsigned d = 0; d < 2; ++d) {
            Refinement w(8, 8, 3, 0, 0);
            w.set(0, 3, 7, 6, 3).set(1, 7, 19, 19, 1).set(1, 1, 15, 8, polarity);
            w.set(2, 5, 23, 16, d ? 0x55 : 0);
            b.run(w);
            for (unsigned q = 0; q < 4; ++q) {
                const int parity = static_cast<int>(polarity >> (q + 4 * d) & 1);
                const int x = static_cast<int>(q % 2 * 8), y = static_cast<int>(q / 2 * 8);
                EXPECT_EQ(w.word(5, 4 * q),
                          static_cast<unsigned>(motion::sad_whole(
                              half, 8, 8, {x, y, 8, 8}, pictures[d].field(parity), {0, 0})))
                    << polarity << ", " << d << ", " << q;
            }
        }
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
}

TEST(Refine, ReferencesByBlockAndDirection) {
    GEN9_COVERS("VME-05 VME-26");
    const auto picture = motion::texture(64, 64, 16);
    Bench b;
    b.memory.bind(0, motion::shifted(picture, 0, 0));
    for (unsigned block = 0; block < 4; ++block)
        b.memory.bind(1 + 2 * (5 + block), motion::shifted(picture, static_cast<int>(block), 0));
    Refinement w(16, 16, 3, 0, 0);
    for (unsigned z = 0; z < 16; ++z)
        w.dword(4 + z / 4, z % 4 * 2, pair(4 * static_cast<int>(z / 4), 0));
    w.dword(1, 6, 0x08070605);
    b.run(w);
    EXPECT_EQ(w.answer(0, 2, 15, 0), 0u);
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
}

}  // namespace
}  // namespace gen9::vme::test
