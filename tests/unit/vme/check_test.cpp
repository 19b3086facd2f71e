// SPDX-License-Identifier: Apache-2.0
// Skip checks and the forward transform.
#include "vme/check/skip.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/vme/bench.h"

namespace gen9::vme::test {
namespace {

using motion::Vector;

/// A skip check of one pair or four, without intra prediction.
struct Skip : Words {
    Skip(int x, int y, std::uint32_t mask, bool four = false) : Words(kCheck) {
        dword(0, 2, pair(x, y)).set(0, 3, 14, 14, four);
        set(1, 0, 0, 0, 1).set(1, 7, 31, 24, mask).set(1, 1, 21, 16, 32).set(5, 1, 9, 8, 2);
    }
    Skip& vector(unsigned block, unsigned direction, Vector v) {
        dword(4, 2 * block + direction, pair(v.x, v.y));
        return *this;
    }
};

TEST(Skip, OneVectorForAll) {
    GEN9_COVERS("VME-03 VME-17 VME-21 VME-30 VME-62 VME-66 VME-67");
    const auto source = motion::texture(64, 64, 1), reference = motion::texture(64, 64, 2);
    Bench b(source, reference);
    const motion::Sampler plain(reference, false);
    for (const Vector v : {Vector{0, 0}, {-13, 6}, {2, 2}, {-70, 5}, {77, -3}}) {
        Skip w(16, 24, 1);
        w.vector(0, 0, v);
        b.run(w);
        const auto sum =
            static_cast<unsigned>(motion::sad(source, 16, 24, {0, 0, 16, 16}, plain, v));
        EXPECT_EQ(w.word(5, 0), std::min(sum, 0xFFFFu));
        EXPECT_EQ(w.answer(0, 2), sum | sum << 16);
        EXPECT_EQ(w.Words::vector(15), v);
        EXPECT_EQ(w.answer(0, 0, 1, 0), 0u);
        EXPECT_EQ(w.answer(0, 0, 12, 8), 1u);
        EXPECT_EQ(w.answer(0, 0, 28, 24), 1u);
        EXPECT_EQ(w.answer(0, 3), 0u);
    }
    // Without the check there is nothing of it.
    Skip off(16, 24, 1);
    off.set(1, 0, 0, 0, 0);
    b.run(off);
    for (const unsigned dword : {0u, 2u, 6u})
        EXPECT_EQ(off.answer(0, dword), 0u) << dword;
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
}

TEST(Skip, AReferenceThatIsNotThereIsReported) {
    GEN9_COVERS("VME-05");
    const auto source = motion::texture(64, 64, 1);
    Bench b(source, source);
    Skip w(16, 24, 2);
    b.run(w);
    EXPECT_EQ(b.reporter.guest_errors() + b.reporter.not_modelled_uses(), 1u) << b.report();
    EXPECT_NE(w.message.status, MessageStatus::Ok);
    for (unsigned phase = 0; phase < w.message.response_length; ++phase)
        for (const std::uint8_t byte : w.message.response[phase].bytes)
            EXPECT_EQ(byte, 0);
}

TEST(Skip, FourVectorsCostsAndDirections) {
    GEN9_COVERS("VME-17 VME-27 VME-30 VME-46 VME-67");
    const auto forward = motion::texture(64, 64, 3), backward = motion::texture(64, 64, 4);
    const auto source = motion::texture(64, 64, 5);
    Bench b(source, forward, backward);
    const motion::Sampler f(forward, false), k(backward, false);
    const Vector v[4] = {{4, 0}, {-6, 3}, {0, 9}, {5, 5}};
    Skip w(16, 16, 0b01'11'10'01, true);
    for (unsigned q = 0; q < 4; ++q) {
        w.vector(q, 0, v[q]);
        w.vector(q, 1, {v[q].y, v[q].x});
    }
    for (unsigned i = 0; i < 8; ++i)
        w.byte(2, 12 + i, static_cast<std::uint8_t>(i));
    w.byte(2, 5, 0x45).byte(2, 8, 0x0F);
    motion::Costs costs;
    costs.table = {0, 1, 2, 3, 4, 5, 6, 7};
    for (const unsigned added : {0u, 1u, 2u, 3u}) {
        w.set(1, 7, 6, 5, added);
        b.run(w);
        unsigned all = 0, raw = 0;
        for (int q = 0; q < 4; ++q) {
            const motion::Part part{q % 2 * 8, q / 2 * 8, 8, 8};
            const Vector back{v[q].y, v[q].x};
            int sum = 0, cost = 0;
            if (q == 2) {
                for (int y = part.y; y < part.y + 8; ++y)
                    for (int x = part.x; x < part.x + 8; ++x) {
                        const int one = f.quarter(4 * (16 + x) + v[q].x, 4 * (16 + y) + v[q].y);
                        const int two = k.quarter(4 * (16 + x) + back.x, 4 * (16 + y) + back.y);
                        sum += std::abs(source.at(16 + x, 16 + y) - (one + two + 1) / 2);
                    }
                cost = costs.vector(v[q], q) + costs.vector(back, q);
            } else {
                sum = motion::sad(source, 16, 16, part, q == 1 ? k : f, q == 1 ? back : v[q]);
                cost = costs.vector(q == 1 ? back : v[q], q);
            }
            raw += static_cast<unsigned>(sum);
            if (added & 1) sum += cost;
            if (added & 2) sum += 80;
            all += static_cast<unsigned>(sum);
            EXPECT_EQ(w.word(5, static_cast<unsigned>(4 * q)), static_cast<unsigned>(sum)) << q;
        }
        EXPECT_EQ(w.answer(0, 2, 15, 0), all);
        EXPECT_EQ(w.answer(0, 2, 31, 16), raw);
    }
    EXPECT_EQ(w.answer(0, 0, 12, 8), 0x16u);
    EXPECT_EQ(w.answer(0, 0, 1, 0), 3u);
    EXPECT_EQ(w.answer(0, 6, 23, 16), 0b00'10'01'00u);
    EXPECT_EQ(w.answer(0, 0, 28, 24), 5u);
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
}

TEST(Skip, RawDistortionOfTheWorstBlock) {
    GEN9_COVERS("VME-17 VME-62");
    motion::Picture flat(64, 64), source(64, 64);
    source(16 + 9, 16 + 3) = 40;
    source(16 + 10, 16 + 6) = 7;
    source(16 + 1, 16 + 1) = 45;
    Bench b(source, flat);
    const auto raw = [&](bool blocks, bool eight, bool four = false) {
        Skip w(16, 16, four ? 0x55 : 1, four);
        w.set(0, 3, 19, 19, blocks).set(1, 0, 7, 7, eight);
        b.run(w);
        return w.answer(0, 2, 31, 16);
    };
    EXPECT_EQ(raw(false, false), 92u);
    EXPECT_EQ(raw(true, true), 47u);
    EXPECT_EQ(raw(true, false), 45u);
    EXPECT_EQ(raw(false, true, true), 92u);
    EXPECT_EQ(raw(true, true, true), 47u) << "the worst of four skipped blocks";
}

// Every vector of two pixels around, in quarters: each filter, direction and shape.
TEST(Skip, EveryVectorNearby) {
    GEN9_COVERS("VME-29 VME-30 VME-62 VME-67");
    const auto forward = motion::texture(32, 32, 11), backward = motion::texture(32, 32, 12);
    const auto source = motion::texture(32, 32, 13);
    Bench b(source, forward, backward);
    for (const bool bilinear : {false, true}) {
        const motion::Sampler samplers[2] = {{forward, bilinear}, {backward, bilinear}};
        for (int y = -8; y <= 8; ++y)
            for (int x = -8; x <= 8; ++x) {
                const unsigned direction = static_cast<unsigned>(x + y) & 1;
                const bool four = (x & 2) != 0;
                Skip w(8, 4, four ? 0x55u << direction : 1u << direction, four);
                w.set(1, 7, 18, 18, bilinear);
                unsigned sums[4] = {0, 0, 0, 0}, all = 0;
                for (unsigned q = 0; q < (four ? 4u : 1u); ++q) {
                    const int turn = static_cast<int>(q);
                    const Vector v = turn % 2 ? Vector{y + turn, x} : Vector{x, y - turn};
                    w.vector(q, direction, v);
                    const int side = four ? 8 : 16;
                    sums[q] = static_cast<unsigned>(
                        motion::sad(source, 8, 4, {turn % 2 * 8, turn / 2 * 8, side, side},
                                    samplers[direction], v));
                    all += sums[q];
                }
                b.run(w);
                for (unsigned q = 0; q < 4; ++q)
                    ASSERT_EQ(w.word(5, 4 * q), sums[q]) << x << ", " << y << ", " << q;
                ASSERT_EQ(w.answer(0, 2), all | all << 16) << x << ", " << y;
            }
    }
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
}

using Thresholds = std::array<std::uint16_t, 7>;

/// By definition: rows of the matrix on both sides.
Excess plain_excess(const std::int32_t (&d)[16], const Thresholds& threshold) {
    const int matrix[4][4] = {{1, 1, 1, 1}, {2, 1, -1, -2}, {1, -1, -1, 1}, {1, -2, 2, -1}};
    int half[16]{};
    for (int i = 0; i < 4; ++i)
        for (int n = 0; n < 4; ++n)
            for (int m = 0; m < 4; ++m)
                half[4 * i + n] += matrix[i][m] * d[4 * m + n];
    Excess expected;
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            int c = 0;
            for (int n = 0; n < 4; ++n)
                c += half[4 * i + n] * matrix[j][n];
            const int over = std::abs(c) - threshold[static_cast<std::size_t>(i + j)];
            if (over <= 0) continue;
            ++expected.count;
            expected.sum += static_cast<unsigned>(over);
        }
    return expected;
}

TEST(Transform, OfEverySmallBlock) {
    GEN9_COVERS("VME-33 VME-70");
    const Thresholds threshold{300, 40, 30, 20, 10, 5, 0};
    for (const auto& [low, high] : {std::pair{-255, 255}, {0, 3}})
        for (unsigned block = 0; block < 1u << 16; ++block) {
            std::int32_t d[16];
            for (int i = 0; i < 16; ++i)
                d[i] = block >> i & 1 ? high : low;
            const Excess excess = transform_excess(d, threshold);
            const Excess expected = plain_excess(d, threshold);
            if (excess.count != expected.count || excess.sum != expected.sum) FAIL() << block;
        }
}

// What is left of a predicted macroblock, each 8x8 block by itself.
TEST(Transform, OfAPredictionByBlocks) {
    GEN9_COVERS("VME-33 VME-70");
    const auto reference = motion::smooth_texture(48, 48, 21),
               source = motion::smooth_texture(48, 48, 22);
    Bench b(source, reference);
    const motion::Sampler plain(reference, false);
    const Thresholds threshold{500, 90, 80, 70, 60, 50, 40};
    for (const bool four : {false, true}) {
        Skip w(12, 20, four ? 0x55 : 1, four);
        w.set(0, 3, 17, 17, 1).dword(2, 6, 0x505A'01F4).dword(2, 7, 0x2832'3C46);
        for (unsigned q = 0; q < 4; ++q)
            w.vector(q, 0, {7 - 5 * static_cast<int>(q), 2 + 3 * static_cast<int>(q)});
        b.run(w);
        for (unsigned q = 0; q < 4; ++q) {
            const int turn = four ? static_cast<int>(q) : 0;
            Excess sum;
            for (unsigned z = 4 * q; z < 4 * q + 4; ++z) {
                std::int32_t d[16];
                for (int i = 0; i < 16; ++i) {
                    const int x = 12 + 4 * block_x(z) + i % 4, y = 20 + 4 * block_y(z) + i / 4;
                    d[i] =
                        source.at(x, y) - plain.quarter(4 * x + 7 - 5 * turn, 4 * y + 2 + 3 * turn);
                }
                const Excess one = plain_excess(d, threshold);
                sum.count += one.count;
                sum.sum += one.sum;
            }
            EXPECT_GT(sum.count, 0u);
            EXPECT_EQ(w.answer(6, 1, 8 * q + 7, 8 * q), sum.count) << q;
            EXPECT_EQ(w.answer(6, 2 + q / 2, 16 * (q % 2) + 15, 16 * (q % 2)), sum.sum) << q;
        }
        // Nothing of chroma.
        EXPECT_EQ(w.answer(6, 4), 0u);
        EXPECT_EQ(w.answer(6, 5), 0u);
    }
}

TEST(Transform, IsToldByBlocks) {
    GEN9_COVERS("VME-33 VME-70");
    motion::Picture flat(64, 64), source(64, 64);
    for (int y = 0; y < 4; ++y)
        for (int x = 0; x < 4; ++x)
            source(16 + 8 + x, 16 + y) = 10;  // DC of 160 in one 4x4 block of block 1
    Bench b(source, flat);
    Skip w(16, 16, 1);
    w.set(0, 3, 17, 17, 1).dword(2, 6, 0xFFFF0064).dword(2, 7, 0xFFFFFFFF);
    b.run(w);
    EXPECT_EQ(w.answer(6, 1), 0x100u);
    EXPECT_EQ(w.answer(6, 2), 60u << 16);
    EXPECT_EQ(w.answer(6, 3), 0u);
    w.set(0, 3, 17, 17, 0);
    b.run(w);
    EXPECT_EQ(w.answer(6, 1), 0u);
}

}  // namespace
}  // namespace gen9::vme::test
