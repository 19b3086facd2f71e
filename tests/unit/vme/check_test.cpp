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
    EXPECT_EQ(off.answer(0, 2), 0u);
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
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

TEST(Transform, CountsWhatIsAboveItsThreshold) {
    GEN9_COVERS("VME-33 VME-70");
    // By definition: rows of the matrix on both sides.
    const int matrix[4][4] = {{1, 1, 1, 1}, {2, 1, -1, -2}, {1, -1, -1, 1}, {1, -2, 2, -1}};
    const std::array<std::uint16_t, 7> threshold{300, 40, 30, 20, 10, 5, 0};
    const auto texture = motion::texture(16, 16, 6);
    for (int sample = 0; sample < 12; ++sample) {
        std::int32_t d[16];
        for (int i = 0; i < 16; ++i)
            d[i] = texture.at(i, sample) / 8 - 16;
        Excess expected;
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j) {
                int c = 0;
                for (int m = 0; m < 4; ++m)
                    for (int n = 0; n < 4; ++n)
                        c += matrix[i][m] * d[4 * m + n] * matrix[j][n];
                const int over = std::abs(c) - threshold[static_cast<std::size_t>(i + j)];
                if (over > 0) {
                    ++expected.count;
                    expected.sum += static_cast<unsigned>(over);
                }
            }
        const Excess excess = transform_excess(d, threshold);
        EXPECT_EQ(excess.count, expected.count);
        EXPECT_EQ(excess.sum, expected.sum);
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
