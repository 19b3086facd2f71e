// SPDX-License-Identifier: Apache-2.0
// Intra prediction against AVC's formulas.
#include "vme/check/intra.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/covers.h"
#include "tests/support/intra_reference.h"
#include "tests/unit/vme/bench.h"

namespace gen9::vme::test {
namespace {

using motion::IntraAnswer;

struct Macroblock : motion::Macroblock {
    /// The message for it; the source picture has the macroblock at (16, 16).
    Words message(bool swapped = false) const {
        Words w(kCheck);
        w.dword(0, 2, pair(16, 16)).set(5, 1, 9, 8, 1);
        w.set(1, 7, 15, 8,
              ((there & 1) ? 0x60u : 0u) | ((there & 2) ? 0x10u : 0u) | ((there & 4) ? 0x08u : 0u) |
                  ((there & 8) ? 0x04u : 0u));
        w.set(1, 7, 7, 7, swapped);
        for (unsigned i = 0; i < 24; ++i)
            w.byte(5, 8 + i, static_cast<std::uint8_t>(at(static_cast<int>(i), -1)));
        for (unsigned i = 0; i < 16; ++i)
            w.byte(6, i, static_cast<std::uint8_t>(at(-1, static_cast<int>(i))));
        w.byte(5, 7, static_cast<std::uint8_t>(at(-1, -1)));
        if (swapped) {
            w.byte(5, 7, static_cast<std::uint8_t>(at(-1, 15)));
            w.byte(6, 15, static_cast<std::uint8_t>(at(-1, -1)));
        }
        for (unsigned i = 0; i < 8; ++i)
            w.set(6, 4, 4 * i + 3, 4 * i, static_cast<std::uint32_t>(neighbour_modes[i]));
        w.byte(6, 28, static_cast<std::uint8_t>(penalty));
        w.byte(6, 29, static_cast<std::uint8_t>(penalty));
        w.byte(6, 30, static_cast<std::uint8_t>(penalty));
        w.byte(2, 0, static_cast<std::uint8_t>(not_predicted));
        w.set(5, 0, 8, 0, disabled).set(5, 0, 24, 16, disabled).set(5, 1, 3, 0, disabled & 0xF);
        return w;
    }
    motion::Picture source() const {
        motion::Picture p(48, 48);
        for (int y = 0; y < 16; ++y)
            for (int x = 0; x < 16; ++x)
                p(16 + x, 16 + y) = static_cast<unsigned char>(at(x, y));
        return p;
    }
};

Macroblock macroblock(unsigned there, unsigned seed) {
    Macroblock m;
    m.around = motion::smooth_texture(40, 32, seed);
    m.there = there;
    return m;
}

void expect_modes(const Words& w, const IntraAnswer& answer) {
    EXPECT_EQ(w.answer(0, 3, 15, 0), static_cast<unsigned>(answer.distortion));
    for (unsigned z = 0; z < 16; ++z)
        EXPECT_EQ(w.message.response[0].bytes[16 + z / 2] >> (z % 2 * 4) & 0xF, answer.mode[z])
            << z;
}

TEST(Intra, EachSizeWithAllNeighbours) {
    GEN9_COVERS("VME-27 VME-28 VME-36 VME-37 VME-62 VME-63");
    for (unsigned there = 0; there < 16; ++there)
        for (unsigned seed = 0; seed < 2; ++seed) {
            const Macroblock m = macroblock(there, 2 * there + seed);
            Bench b;
            b.memory.bind(0, m.source());
            const IntraAnswer answers[3] = {m.whole(), m.blocks(8), m.blocks(4)};
            for (unsigned size = 0; size < 3; ++size) {
                Words w = m.message(seed == 1);
                w.set(1, 7, 2, 0, 7u & ~(1u << size));
                b.run(w);
                expect_modes(w, answers[size]);
                EXPECT_EQ(w.answer(0, 0, 5, 4), size) << there;
                EXPECT_EQ(w.answer(0, 0, 15, 15), size == 1 ? 1u : 0u);
            }
            EXPECT_EQ(b.reporter.guest_errors(), 0u);
        }
}

TEST(Intra, EachModeAlone) {
    GEN9_COVERS("VME-37");
    const Macroblock all = macroblock(15, 77);
    Bench b;
    b.memory.bind(0, all.source());
    for (unsigned mode = 0; mode < 9; ++mode)
        for (unsigned size = 0; size < 3; ++size) {
            if (size == 0 && mode > 3) continue;
            Macroblock m = all;
            m.disabled = 0x1FF & ~(1u << mode);
            Words w = m.message();
            w.set(1, 7, 2, 0, 7u & ~(1u << size));
            b.run(w);
            expect_modes(w, size == 0 ? m.whole() : m.blocks(size == 1 ? 8 : 4));
        }
}

TEST(Intra, ASizeWithoutAModeIsNotChosen) {
    GEN9_COVERS("VME-37");
    const Macroblock m = macroblock(0, 3);  // without neighbours DC is left
    Bench b;
    b.memory.bind(0, m.source());
    const IntraAnswer answers[3] = {m.whole(), m.blocks(8), m.blocks(4)};
    for (unsigned size = 0; size < 4; ++size) {
        Words w = m.message();
        constexpr unsigned kNoDc = 4;
        if (size != 0) w.set(5, 1, 3, 0, kNoDc);
        if (size != 1) w.set(5, 0, 24, 16, kNoDc);
        if (size != 2) w.set(5, 0, 8, 0, kNoDc);
        for (unsigned i = 1; i < 4; ++i)
            w.byte(2, i, 0x05);
        b.run(w);
        EXPECT_EQ(w.answer(0, 3, 15, 0),
                  size == 3 ? 0xFFFFu : static_cast<unsigned>(answers[size].distortion) + 5);
        EXPECT_EQ(w.answer(0, 0, 5, 4), size % 3);
    }
}

TEST(Intra, CostsOfModesSizesAndPrediction) {
    GEN9_COVERS("VME-31 VME-38 VME-46 VME-51");
    Macroblock m = macroblock(15, 5);
    m.neighbour_modes = {0, 1, 4, 8, 2, 0, 1, 3};
    m.not_predicted = 12;
    m.penalty = 30;
    Bench b;
    b.memory.bind(0, m.source());
    const IntraAnswer answers[3] = {m.whole(), m.blocks(8), m.blocks(4)};
    for (unsigned cheap = 0; cheap < 3; ++cheap) {
        Words w = m.message();
        const unsigned costs[3] = {0x8C, 0x8C, 0x8C};  // 3072
        for (unsigned size = 0; size < 3; ++size)
            w.byte(2, 1 + size, static_cast<std::uint8_t>(size == cheap ? 0x05 : costs[size]));
        b.run(w);
        EXPECT_EQ(w.answer(0, 0, 5, 4), cheap);
        IntraAnswer with_cost = answers[cheap];
        with_cost.distortion += 5;
        expect_modes(w, with_cost);
    }
}

TEST(Intra, FlatBlockCostsItsShapeAlone) {
    GEN9_COVERS("VME-53 VME-64");
    Macroblock m = macroblock(15, 0);
    std::ranges::fill(m.around.pixels, std::uint8_t{50});
    Bench b;
    b.memory.bind(0, m.source());
    Words w = m.message();
    w.byte(2, 1, 0x6E).byte(2, 2, 0x7A).byte(2, 3, 0x8C);
    b.run(w);
    EXPECT_EQ(w.answer(0, 3, 15, 0), 896u);
    EXPECT_EQ(w.answer(0, 0, 5, 4), 0u);
    EXPECT_EQ(w.answer(0, 6, 7, 0), 0x7Cu);
    // Equal sizes: the larger one. Of equal modes the first one.
    for (unsigned i = 1; i < 4; ++i)
        w.byte(2, i, 0);
    b.run(w);
    EXPECT_EQ(w.answer(0, 0, 5, 4), 0u);
    EXPECT_EQ(w.answer(0, 4), 0u);
    // Without neighbours the middle is predicted.
    m.there = 0;
    Words alone = m.message();
    alone.set(1, 7, 2, 0, 6);
    b.run(alone);
    EXPECT_EQ(alone.answer(0, 3, 15, 0), 256u * (128 - 50));
    EXPECT_EQ(alone.answer(0, 4), 0x22222222u);
}

TEST(Intra, Chroma) {
    GEN9_COVERS("VME-10 VME-31 VME-37 VME-39 VME-62 VME-64");
    // Luma of 32x32 and interleaved pairs below; neighbours as a plane of pairs around them.
    const auto around = motion::smooth_texture(24, 12, 9);  // pairs: x doubled
    motion::Picture picture(32, 48);
    for (int y = 0; y < 8; ++y)
        for (int i = 0; i < 16; ++i)
            picture(16 + i, 32 + 8 + y) = static_cast<unsigned char>(around.at(2 + i, 1 + y));
    const auto pixel = [&](int c, int x, int y) { return around.at(2 + 2 * x + c, 1 + y); };
    for (unsigned there = 0; there < 16; ++there) {
        Bench b;
        auto dwords = b.memory.bind(0, picture, state::PLANAR_420_8);
        state::Height.set(dwords, 31);
        state::InterleaveChroma.set(dwords, 1);
        state::YOffsetForUCb.set(dwords, 32);
        b.memory.put(0, dwords);
        const bool left = there & 1, top = there & 2, corner = there & 8;
        Words w(kCheck);
        w.dword(0, 2, pair(16, 16)).set(5, 1, 9, 8, 0).byte(2, 11, 0x07);
        w.set(1, 7, 15, 8, (left ? 0x60u : 0u) | (top ? 0x10u : 0u) | (corner ? 0x04u : 0u));
        int best = 1 << 29, chosen = 0;
        for (unsigned c = 0; c < 2; ++c) {
            for (int i = 0; i < 8; ++i) {
                const auto at = static_cast<unsigned>(2 * i) + c;
                w.byte(7, at, static_cast<std::uint8_t>(pixel(static_cast<int>(c), -1, i)));
                w.byte(7, 16 + at, static_cast<std::uint8_t>(pixel(static_cast<int>(c), i, -1)));
            }
            w.byte(6, 20 + c, static_cast<std::uint8_t>(pixel(static_cast<int>(c), -1, -1)));
        }
        for (int mode = 0; mode < 4; ++mode) {
            if ((mode == 1 && !left) || (mode == 2 && !top) ||
                (mode == 3 && !(left && top && corner)))
                continue;
            int sum = 7 * (mode == 3 ? 2 : mode == 0 ? 0 : 1);
            for (int c = 0; c < 2; ++c)
                for (int y = 0; y < 8; ++y)
                    for (int x = 0; x < 8; ++x) {
                        int value = 0;
                        if (mode == 0) {
                            int over = 0, beside = 0;
                            for (int i = 0; i < 4; ++i) {
                                over += pixel(c, x / 4 * 4 + i, -1);
                                beside += pixel(c, -1, y / 4 * 4 + i);
                            }
                            const bool diagonal = (x < 4) == (y < 4);
                            if (!left && !top)
                                value = 128;
                            else if (left && top && diagonal)
                                value = (over + beside + 4) >> 3;
                            else if (top && (!left || diagonal || x >= 4))
                                value = (over + 2) >> 2;
                            else
                                value = (beside + 2) >> 2;
                        } else if (mode == 1) {
                            value = pixel(c, -1, y);
                        } else if (mode == 2) {
                            value = pixel(c, x, -1);
                        } else {
                            int h = 0, v = 0;
                            for (int i = 0; i < 4; ++i) {
                                h += (i + 1) * (pixel(c, 4 + i, -1) - pixel(c, 2 - i, -1));
                                v += (i + 1) * (pixel(c, -1, 4 + i) - pixel(c, -1, 2 - i));
                            }
                            value = std::clamp((16 * (pixel(c, -1, 7) + pixel(c, 7, -1)) +
                                                ((34 * h + 32) >> 6) * (x - 3) +
                                                ((34 * v + 32) >> 6) * (y - 3) + 16) >>
                                                   5,
                                               0, 255);
                        }
                        sum += std::abs(pixel(c, x, y) - value);
                    }
            if (sum < best) best = sum, chosen = mode;
        }
        b.run(w);
        EXPECT_EQ(w.answer(0, 3, 31, 16), static_cast<unsigned>(best)) << there;
        EXPECT_EQ(w.answer(0, 6, 1, 0), static_cast<unsigned>(chosen)) << there;
        EXPECT_EQ(b.reporter.guest_errors(), 0u);
        // DC disabled: bit 2 of the mask.
        if (there != 15) continue;
        Words nothing = w;
        b.run(nothing.set(5, 1, 7, 4, 0xF));
        EXPECT_EQ(nothing.answer(0, 3, 31, 16), 0xFFFFu);
        for (const unsigned only : {0u, 1u, 3u}) {
            Words one = w;
            one.set(5, 1, 7, 4, 0xF & ~(1u << only));
            b.run(one);
            EXPECT_EQ(one.answer(0, 6, 1, 0), only == 0 ? 2u : only);
        }
    }
}

}  // namespace
}  // namespace gen9::vme::test
