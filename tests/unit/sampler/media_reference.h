// SPDX-License-Identifier: Apache-2.0
// sample_8x8 derived a second time: the reference knows neither sets of texels nor separable sums.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/unit/sampler/media_bench.h"

namespace gen9::sampler::media::test {
using namespace gen9::sampler::test;

inline constexpr auto kOk = MessageStatus::Ok;
inline constexpr auto kWrong = MessageStatus::GuestError;
inline constexpr auto kMissing = MessageStatus::NotModelled;
inline constexpr unsigned kRgba = 9, kY8 = 12, kNv12 = 4;

inline std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

/// A picture of the bench as the PRM describes it: channels on grids of their own.
struct ReferencePicture {
    MediaBench* b;
    unsigned format, width, height, pitch;
    bool tiled = false;     ///< in Y tiles
    unsigned rotation = 0;  ///< quarter turns, clockwise
    bool mirror = false;
    unsigned offset_x = 0, offset_y = 0;  ///< of chroma, quarters of a pixel
    unsigned cb_row = 0, cr_row = 0;      ///< of planes
    bool interleaved = false;
    int field = -1;         ///< 0 top, 1 bottom
    bool standard = false;  ///< in tiles TileYF of elements of four bytes

    void write_state() const {
        b->shape_picture(format, width, height, pitch);
        b->bits(b->picture[0], 31, 30, rotation);
        b->bits(b->picture[1], 1, 0, offset_y & 3);
        b->bits(b->picture[1], 3, 2, static_cast<unsigned>(field + 1));
        b->bits(b->picture[2], 1, 0, tiled ? 3 : 0);
        b->bits(b->picture[2], 21, 21, mirror);
        b->bits(b->picture[2], 24, 24, offset_y >> 2);
        b->bits(b->picture[2], 25, 25, offset_x >> 1);
        b->bits(b->picture[2], 26, 26, interleaved);
        b->bits(b->picture[5], 19, 18, standard);
        b->picture[3] = cb_row;
        b->picture[4] = cr_row;
    }
    unsigned lines() const {
        return field < 0 ? height : field == 0 ? (height + 1) / 2 : height / 2;
    }
    bool chroma_format() const { return format <= 4 || format == 18; }
    bool subsampled(unsigned c) const { return chroma_format() && (c == 0 || c == 2); }
    /// The size of a channel's grid.
    unsigned columns(unsigned c) const { return subsampled(c) ? (width + 1) / 2 : width; }
    unsigned rows(unsigned c) const {
        return subsampled(c) && format == kNv12 ? (lines() + 1) / 2 : lines();
    }
    /// 128 bytes by 32 rows: from the highest bit on X6 Y4 X5 Y3 X4 Y2 Y1 Y0 X3 X2 X1 X0 (003:5332-5342).
    std::uint64_t standard_offset(unsigned x, unsigned y) const {
        const unsigned in_tile = (x & 15) | (y & 7) << 4 | (x >> 4 & 1) << 7 | (y >> 3 & 1) << 8 |
                                 (x >> 5 & 1) << 9 | (y >> 4 & 1) << 10 | (x >> 6 & 1) << 11;
        return std::uint64_t{y / 32} * (pitch * 32) + x / 128 * 4096 + in_tile;
    }
    unsigned byte(unsigned x, unsigned y) const {
        if (standard) return *b->memory.at(Bench::kTexels + standard_offset(x, y));
        const std::uint64_t offset = !tiled ? y * pitch + x
                                            : y / 32 * (pitch * 32) + x / 128 * 4096 +
                                                  x % 128 / 16 * 512 + y % 32 * 16 + x % 16;
        return *b->memory.at(Bench::kTexels + offset);
    }
    /// Bits of a channel; 0: the format has none.
    unsigned depth(unsigned c) const {
        if (chroma_format()) return c == 3 ? 0 : 8;
        if (format == kY8 || format == 5) return c == 1 ? 8 : 0;
        if (format == 11) return c == 0 ? 8 : 0;
        if (format == 10) return c % 2 == 0 ? 8 : 0;
        if (format == 8) return c == 3 ? 2 : 10;
        return 8;
    }
    int texel(unsigned c, unsigned x, unsigned row) const {
        const unsigned y = field < 0 ? row : 2 * row + static_cast<unsigned>(field);
        if (format < 4) {
            // Two pixels in four bytes: Y0 Cb Y1 Cr, and so on.
            static constexpr char kOrder[4][5] = {"YBYR", "RYBY", "YRYB", "BYRY"};
            const char want = c == 0 ? 'R' : c == 1 ? 'Y' : 'B';
            const unsigned pair = c == 1 ? x / 2 : x, which = c == 1 ? x % 2 : 0;
            unsigned seen = 0;
            for (unsigned i = 0; i < 4; ++i)
                if (kOrder[format][i] == want && seen++ == which)
                    return static_cast<int>(byte(4 * pair + i, y));
        }
        if (chroma_format() && c != 1) {
            if (interleaved) return static_cast<int>(byte(2 * x + (c == 0), cb_row + y));
            return static_cast<int>(byte(x, (c == 0 ? cr_row : cb_row) + y));
        }
        if (format == 10) return static_cast<int>(byte(2 * x + (c == 2), y));
        if (chroma_format() || format == kY8 || format == 5 || format == 11)
            return static_cast<int>(byte(x, y));
        unsigned word = 0;
        for (unsigned i = 4; i-- > 0;)
            word = word << 8 | byte(4 * x + i, y);
        if (format == 8) return static_cast<int>(c == 3 ? word >> 30 : word >> (10 * c) & 1023);
        static constexpr unsigned kBgra[] = {2, 1, 0, 3}, kAyuv[] = {0, 2, 1, 3};
        const unsigned at = format == 14 ? kBgra[c] : format == 13 ? kAyuv[c] : c;
        return static_cast<int>(word >> (8 * at) & 255);
    }
    /// The picture turned: the place of memory's grid that a place of the turned one shows.
    unsigned turned_columns(unsigned c) const { return rotation % 2 ? rows(c) : columns(c); }
    unsigned turned_rows(unsigned c) const { return rotation % 2 ? columns(c) : rows(c); }
    int turned(unsigned c, unsigned x, unsigned y) const {
        switch (rotation) {
            case 1:
                return texel(c, y, rows(c) - 1 - x);
            case 2:
                return texel(c, columns(c) - 1 - x, rows(c) - 1 - y);
            case 3:
                return texel(c, columns(c) - 1 - y, x);
            default:
                return texel(c, x, y);
        }
    }
    int outside(unsigned c, std::int64_t x, std::int64_t y) const {
        const auto inside = [&](std::int64_t at, std::int64_t size) {
            if (!mirror) return std::min(std::max<std::int64_t>(at, 0), size - 1);
            while (at < 0 || at >= size)
                at = at < 0 ? -1 - at : 2 * size - 1 - at;
            return at;
        };
        return turned(c, static_cast<unsigned>(inside(x, turned_columns(c))),
                      static_cast<unsigned>(inside(y, turned_rows(c))));
    }
    /// Where a position of the turned luma lies in the turned grid of a channel.
    long double grid_place(unsigned c, bool down, long double luma) const {
        const bool memory_down = rotation % 2 ? !down : down;
        const bool halves =
            memory_down ? rows(c) != lines() || (subsampled(c) && format == kNv12) : subsampled(c);
        if (!halves) return luma;
        const bool against = rotation == 2 || (rotation == 1 && !down) || (rotation == 3 && down);
        const long double whole = memory_down ? lines() : width,
                          half = memory_down ? rows(c) : columns(c),
                          offset = (memory_down ? offset_y : offset_x) / 4.0L;
        const long double place = ((against ? whole - 1 - luma : luma) - offset) / 2;
        return against ? half - 1 - place : place;
    }
};

/// Taps of the state, and how they are chosen.
struct ReferenceFilter {
    int table[2][2][32][8] = {};  ///< table, axis, phase, tap
    unsigned eight = 0, sharpness = 255;

    void write_state(MediaBench& b, bool bypass, bool shuffled) const {
        for (unsigned axis = 0; axis < 2; ++axis)
            for (unsigned phase = 0; phase < 32; ++phase)
                for (unsigned tap = 0; tap < 8; ++tap) {
                    b.set_tap(0, axis, phase, tap, table[0][axis][phase][tap]);
                    if (tap >= 2 && tap < 6)
                        b.set_tap(1, axis, phase, tap, table[1][axis][phase][tap]);
                }
        b.filter_mode(eight, bypass, sharpness, shuffled);
    }
    int tap(unsigned c, unsigned axis, unsigned phase, unsigned i) const {
        if (eight == 2 || eight == 3 || (eight == 1 && c == 1)) return table[0][axis][phase][i];
        return i < 2 || i > 5 ? 0 : table[c == 1 ? 0 : 1][axis][phase][i];
    }
};

unsigned expected(const ReferencePicture& p, const ReferenceFilter& f, const MediaMessage& m,
                  unsigned c, unsigned x, unsigned y) {
    const std::int64_t full = m.form < 2 ? 0xFF00 : 0xFF;
    if (p.depth(c) == 0) return static_cast<unsigned>(c == 3 ? full : 0);
    const auto place = [&](bool down, unsigned n) {
        const long double first = down ? m.v : m.u, step = std::max(down ? m.dv : m.du, 0.0f),
                          second = down ? m.ddv : m.ddu;
        const unsigned size = down != (p.rotation % 2 == 1) ? p.lines() : p.width;
        const long double at = first + step * n + second * n * (n - 1.0L) / 2;
        return static_cast<std::int64_t>(
            std::floor(p.grid_place(c, down, at * size) * 1024 + 0.5L));
    };
    static constexpr unsigned kRows[] = {4, 4, 8, 4};
    const std::int64_t px = place(false, x), py = place(true, y + m.block * kRows[m.sequence]);
    const std::int64_t x0 = floor_div(px, 1024), y0 = floor_div(py, 1024);
    const auto phase_x = static_cast<unsigned>(px - x0 * 1024) / 32,
               phase_y = static_cast<unsigned>(py - y0 * 1024) / 32;
    std::int64_t sharp = 0, smooth = 0;
    for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 8; ++i) {
            const std::int64_t texel = p.outside(c, x0 + i - 3, y0 + j - 3);
            sharp += texel * f.tap(c, 0, phase_x, static_cast<unsigned>(i)) *
                     f.tap(c, 1, phase_y, static_cast<unsigned>(j));
            const auto share = [](int tap, unsigned phase) {
                const int second = static_cast<int>(2 * phase);
                return tap == 3 ? 64 - second : tap == 4 ? second : 0;
            };
            smooth += texel * share(i, phase_x) * share(j, phase_y);
        }
    const std::int64_t most = (1 << p.depth(c)) - 1, level = f.sharpness;
    const std::int64_t value =
        floor_div(2 * full * (level * sharp + (255 - level) * smooth) + 4096 * most * 255,
                  2 * 4096 * most * 255);
    return static_cast<unsigned>(std::min(std::max<std::int64_t>(value, 0), full));
}

/// Every byte of the response, and which of them are written.
void expect_all(const MediaBench& b, const ReferencePicture& p, const ReferenceFilter& f,
                const MediaMessage& m, const std::string& where) {
    const MediaLayout layout(m, b.shuffled());
    std::array<std::uint32_t, Message::kMaxResponse> enable{};
    for (unsigned c = 0; c < 4; ++c)
        for (unsigned y = 0; y < m.height(); ++y)
            for (unsigned x = 0; x < m.width(); ++x) {
                const auto at = layout.place(c, x, y, m.width());
                if (at.size == 0) continue;
                enable[at.reg] |= ((1u << at.size) - 1) << at.byte;
                ASSERT_EQ(b.value(m, c, x, y), expected(p, f, m, c, x, y))
                    << where << ": channel " << c << " at " << x << ", " << y;
            }
    for (unsigned r = 0; r < enable.size(); ++r)
        ASSERT_EQ(b.message.response_enable[r], enable[r]) << where << ": register " << r;
}

struct Picture : MediaBench {
    ReferencePicture p{this, kRgba, 16, 4, 64};
    ReferenceFilter f;
    MediaMessage m;
    std::mt19937 random{1};

    unsigned below(unsigned count) { return static_cast<unsigned>(random() % count); }
    void fill() {
        for (unsigned i = 0; i < 0x40000; ++i)
            put<std::uint8_t>(i, static_cast<std::uint8_t>(random()));
    }
    void copies() {
        for (auto& table : f.table)
            for (auto& axis : table)
                for (auto& phase : axis)
                    phase[3] = 64;
    }
    void linear() {
        for (auto& table : f.table)
            for (auto& axis : table)
                for (int n = 0; n < 32; ++n) {
                    axis[n][3] = 64 - 2 * n;
                    axis[n][4] = 2 * n;
                }
    }
    void any_taps(int most) {
        for (auto& table : f.table)
            for (auto& axis : table)
                for (auto& phase : axis)
                    for (int& tap : phase)
                        tap = static_cast<int>(below(static_cast<unsigned>(2 * most))) - most;
    }
    MessageStatus send(bool bypass = true, bool shuffle = false) {
        p.write_state();
        f.write_state(*this, bypass, shuffle);
        return send_media(m);
    }
    void one_to_one(unsigned x, unsigned y) {
        m.u = static_cast<float>(x) / static_cast<float>(p.width);
        m.v = static_cast<float>(y) / static_cast<float>(p.lines());
        m.du = 1.0f / static_cast<float>(p.width);
        m.dv = 1.0f / static_cast<float>(p.lines());
    }
};

}  // namespace gen9::sampler::media::test
