// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "advanced_motion.h"
#include "tests/support/intra_reference.h"
#include "windows.h"

/// Six macroblocks, and what their checks and predictions must be.
class CheckedCases {
    using Picture = motion::Picture;
    using Vector = motion::Vector;

  public:
    void run() {
        CheckedMotion one;
        for (const Case& c : {Case{"4x4, low costs", 2, 0, 1, 1, 0, 3, 3, false, true},
                              {"8x8 in quarters", 1, 2, 0, 0, 0, 2, 5, true, false},
                              {"16x16 in halves", 0, 1, 5, 0, 0, 1, 0, false, true},
                              {"8x8, high costs", 1, 0, 1, 3, 2, 8, 8, false, false},
                              {"16x16, costs by two pixels", 0, 0, 1, 2, 3, 4, 4, true, true}}) {
            const CheckedSearch s = search_of(c, 8, 1);
            const CheckedFound found = one.run(source_, reference_, s);
            check_search(c, s, found, 8);
            check_intra(c, found);
            for (std::size_t mb = 0; mb < kMacroblocks; ++mb)
                for (std::size_t i = 0; i < static_cast<std::size_t>(c.checks); ++i)
                    for (std::size_t q = 0; q < (c.parts ? 4u : 1u); ++q) {
                        const std::size_t set = 8 * mb + i, at = c.parts ? 4 * set + q : set;
                        const Vector v = vector_of(s.checked[at]);
                        expect(found.checks[at] == motion::sad(source_, x_of(mb), y_of(mb),
                                                               part_of(c, q), forward(), v),
                               std::string(c.name) + ": checked vector");
                    }
        }
        BothWaysMotion both;
        for (const Case& c : {Case{"both, 8x8", 1, 0, 1, 1, 0, 4, 4, false, true, 21},
                              {"both, 16x16 by parts", 0, 2, 0, 0, 0, 2, 2, true, false, 48},
                              {"both, 4x4", 2, 0, 1, 0, 0, 1, 4, true, true, 32}}) {
            CheckedSearch s = search_of(c, 4, 2);
            for (std::size_t mb = 0; mb < kMacroblocks; ++mb) {
                // Each direction alone and both, of a macroblock or of each of its parts.
                const auto mode = static_cast<int>(mb % 3 + 1);
                s.modes.push_back(static_cast<cl_char>(
                    c.parts ? mode | (4 - mode) << 2 | (mode % 3 + 1) << 4 | 3 << 6 : mode));
            }
            for (const bool same : {false, true}) {
                const Picture& second = same ? reference_ : other_;
                if (same) pair_up(s.checked);
                const CheckedFound found =
                    both.run(source_, reference_, source_, reference_, second, s);
                check_search(c, s, found, 4);
                check_intra(c, found);
                for (std::size_t mb = 0; mb < kMacroblocks; ++mb)
                    for (std::size_t i = 0; i < static_cast<std::size_t>(c.checks); ++i)
                        for (std::size_t q = 0; q < (c.parts ? 4u : 1u); ++q)
                            check_both(c, s, found, second, mb, i, q, same);
            }
        }
    }

  private:
    static constexpr std::size_t kAcross = 3, kDown = 2, kMacroblocks = kAcross * kDown;
    struct Case {
        const char* name;
        cl_uint block, subpixel, radius, penalty, precision;
        int predictors, checks;
        bool parts, intra;
        cl_uchar weight = 0;
    };

    static int x_of(std::size_t mb) { return static_cast<int>(mb % kAcross) * 16; }
    static int y_of(std::size_t mb) { return static_cast<int>(mb / kAcross) * 16; }
    static Vector vector_of(cl_short2 v) { return {v.s[0], v.s[1]}; }
    const motion::Sampler& forward() const { return forward_; }
    static motion::Part part_of(const Case& c, std::size_t q) {
        const int n = static_cast<int>(q), side = c.parts ? 8 : 16;
        return {n % 2 * 8, n / 2 * 8, side, side};
    }
    static CheckedSearch search_of(const Case& c, std::size_t most, std::size_t directions) {
        CheckedSearch s;
        s.block = c.block;
        s.subpixel = c.subpixel;
        s.radius = c.radius;
        s.penalty = c.penalty;
        s.precision = c.precision;
        s.intra = c.intra;
        s.parts = c.parts;
        s.predictor_count = c.predictors;
        s.check_count = c.checks;
        s.weight = c.weight;
        Numbers numbers(c.block + 7 * c.radius + static_cast<unsigned>(c.checks));
        const auto vectors = [&](std::size_t count, std::uint32_t range) {
            std::vector<cl_short2> list(count);
            for (cl_short2& v : list)
                for (int axis = 0; axis < 2; ++axis)
                    v.s[axis] = static_cast<cl_short>(
                        static_cast<int>(numbers.below(2 * range + 1)) - static_cast<int>(range));
            return list;
        };
        s.predictors = vectors(most * kMacroblocks, 40);
        s.checked = vectors(most * kMacroblocks * directions * 4, 30);
        return s;
    }
    /// The backward vectors become the forward ones.
    static void pair_up(std::vector<cl_short2>& vectors) {
        for (std::size_t i = 0; i + 1 < vectors.size(); i += 2)
            vectors[i + 1] = vectors[i];
    }

    void check_search(const Case& c, const CheckedSearch& s, const CheckedFound& found,
                      std::size_t most) const {
        const struct {
            Vector corner, units;
        } windows[] = {{{-2, -2}, {1, 1}}, {{-4, -4}, {2, 2}}, {}, {}, {}, {{-16, -12}, {8, 6}}};
        const unsigned tables[4][2] = {
            {0, 0}, {0x09050401, 0x0F0E0C0A}, {0x2B1D1A05, 0x39392F2D}, {0x4E483D1D, 0x5C5B5958}};
        const unsigned masks[] = {0x7E, 0x77, 0x3F};
        const auto& window = windows[c.radius];
        const std::size_t blocks = blocks_of(c.block);
        const int side = c.block == 0 ? 1 : c.block == 1 ? 2 : 4, size = 16 / side;
        for (std::size_t mb = 0; mb < kMacroblocks; ++mb) {
            motion::Costs costs;
            costs.unit = static_cast<int>(c.precision);
            for (std::size_t i = 0; i < 8; ++i)
                costs.table[i] =
                    motion::Costs::byte(tables[c.penalty][i / 4] >> 8 * (i % 4) & 0xFF);
            motion::Best best;
            for (int i = 0; i < c.predictors; ++i) {
                const cl_short2 p = s.predictors[most * mb + static_cast<std::size_t>(i)];
                const Vector whole{p.s[0] / 4, p.s[1] / 4 & ~1};
                // The first one is the centre of the costs.
                if (i == 0) costs.centre.fill({4 * whole.x, 4 * whole.y});
                motion::search(
                    source_, x_of(mb), y_of(mb), reference_, costs, masks[c.block],
                    motion::positions_of(serpentine(window.units.x, window.units.y),
                                         {window.corner.x + whole.x, window.corner.y + whole.y}),
                    best);
            }
            for (std::size_t i = 0; i < blocks; ++i) {
                const int n = static_cast<int>(i);
                const int x = side == 4 ? (n & 1) | (n >> 1 & 2) : n % side;
                const int y = side == 4 ? (n >> 1 & 1) | (n >> 2 & 2) : n / side;
                const motion::Part part{x * size, y * size, size, size};
                motion::Found f = best.at(part);
                if (c.subpixel)
                    f = motion::refine(source_, x_of(mb), y_of(mb), part, forward(), costs,
                                       f.vector, c.subpixel == 2);
                // Blocks of a macroblock lie together; macroblocks of a row follow each other.
                const std::size_t at = blocks * mb + i;
                expect(vector_of(found.vectors[at]) == f.vector, std::string(c.name) + ": vector");
                expect(found.residuals[at] == f.distortion, std::string(c.name) + ": residual");
            }
        }
    }

    void check_intra(const Case& c, const CheckedFound& found) const {
        if (!c.intra) return;
        for (std::size_t mb = 0; mb < kMacroblocks; ++mb) {
            motion::Macroblock m;
            m.around = Picture(40, 32);
            for (int y = 0; y < 32; ++y)
                for (int x = 0; x < 40; ++x)
                    m.around(x, y) =
                        static_cast<unsigned char>(source_.at(x_of(mb) + x - 8, y_of(mb) + y - 8));
            const bool left = mb % kAcross != 0, top = mb >= kAcross,
                       right = top && mb % kAcross != kAcross - 1;
            m.there = left * 1u | top * 2u | right * 4u | (left && top) * 8u;
            const motion::IntraAnswer answers[3] = {m.whole(), m.blocks(8), m.blocks(4)};
            const std::string what = std::string(c.name) + ": intra prediction of size ";
            for (std::size_t size = 0; size < 3; ++size)
                expect(found.intra_residuals[4 * mb + size] == answers[size].distortion,
                       what + std::to_string(size));
            const cl_char* const modes = &found.intra_modes[22 * mb];
            expect(modes[0] == answers[0].mode[0], what + "0: mode");
            for (std::size_t q = 0; q < 4; ++q)
                expect(modes[1 + q] == answers[1].mode[4 * q], what + "1: mode");
            for (std::size_t z = 0; z < 16; ++z)
                expect(modes[5 + z] == answers[2].mode[z], what + "2: mode");
        }
    }

    /// The rounding of a mean is not settled: a distortion lies between those of both roundings.
    void check_both(const Case& c, const CheckedSearch& s, const CheckedFound& found,
                    const Picture& second, std::size_t mb, std::size_t i, std::size_t q,
                    bool same) const {
        const motion::Sampler backward(second, false);
        const std::size_t set = 4 * mb + i, at = c.parts ? 4 * set + q : set;
        const Vector f = vector_of(s.checked[2 * at]), b = vector_of(s.checked[2 * at + 1]);
        const int mode = s.modes[mb] >> (c.parts ? 2 * q : 0) & 3;
        const motion::Part part = part_of(c, q);
        int least = 0, most = 0;
        for (int y = y_of(mb) + part.y; y < y_of(mb) + part.y + part.h; ++y)
            for (int x = x_of(mb) + part.x; x < x_of(mb) + part.x + part.w; ++x) {
                const int one = forward().quarter(4 * x + f.x, 4 * y + f.y);
                const int two = backward.quarter(4 * x + b.x, 4 * y + b.y);
                const int sum = mode == 1   ? 64 * one
                                : mode == 2 ? 64 * two
                                            : (64 - c.weight) * one + c.weight * two;
                const int below = std::abs(source_.at(x, y) - sum / 64),
                          above = std::abs(source_.at(x, y) - (sum + 63) / 64);
                least += std::min(below, above);
                most += std::max(below, above);
            }
        const int distortion = found.checks[at];
        expect(distortion >= least && distortion <= most,
               std::string(c.name) + (same ? ", the same twice" : "") + ": checked vectors");
        expect(!same || least == most, "the same twice has no rounding");
    }

    const Picture source_ = motion::smooth_texture(48, 32, 14);
    const Picture reference_ = motion::smooth_texture(48, 32, 13);
    const Picture other_ = motion::smooth_texture(48, 32, 15);
    const motion::Sampler forward_{reference_, false};
};
