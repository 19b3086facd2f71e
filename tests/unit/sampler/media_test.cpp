// SPDX-License-Identifier: Apache-2.0
// The media sampler: sample_8x8 against a second derivation that knows neither sets of texels nor
// separable sums, and sample_unorm against integers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/covers.h"
#include "tests/unit/sampler/media_bench.h"

namespace gen9::sampler::media {
namespace {
using namespace test;

constexpr auto kOk = MessageStatus::Ok;
constexpr auto kWrong = MessageStatus::GuestError;
constexpr auto kMissing = MessageStatus::NotModelled;
constexpr unsigned kRgba = 9, kY8 = 12, kNv12 = 4;

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
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
    int field = -1;  ///< 0 top, 1 bottom

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
    unsigned byte(unsigned x, unsigned y) const {
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
    for (unsigned r = 0; r < b.message.response_length; ++r)
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

// --- Where a pixel goes

TEST(MediaLayout, CellsOfThePrmsTables) {
    GEN9_COVERS(
        "SMP-235 SMP-236 SMP-237 SMP-238 SMP-251 SMP-252 SMP-253 SMP-254 SMP-255 SMP-256 "
        "SMP-257 SMP-258 VME-86");
    enum { R, G, B, A };
    enum How { Unorm, Plain, Shuffled };
    struct Cell {
        How how;
        unsigned form, reg, dword, low;  ///< of the bits
        unsigned channel, pixel;
    };
    const Cell cells[] = {
        {Unorm, 0, 0, 7, 16, R, 15},    {Unorm, 0, 1, 1, 16, R, 19},
        {Unorm, 0, 7, 7, 16, A, 31},    {Unorm, 1, 0, 7, 16, R, 30},
        {Unorm, 1, 2, 0, 16, G, 17},    {Unorm, 1, 3, 0, 0, B, 0},
        {Unorm, 1, 5, 3, 16, A, 23},    {Unorm, 2, 0, 7, 24, R, 31},
        {Unorm, 2, 2, 1, 8, B, 5},      {Unorm, 3, 0, 7, 24, R, 30},
        {Unorm, 3, 0, 3, 24, B, 30},    {Unorm, 3, 0, 4, 0, R, 0},
        {Unorm, 3, 1, 6, 0, G, 24},     {Unorm, 3, 2, 0, 24, A, 3},
        {Plain, 0, 0, 7, 16, R, 15},    {Plain, 0, 7, 0, 0, G, 48},
        {Plain, 0, 15, 7, 16, A, 63},   {Plain, 1, 1, 7, 16, R, 62},
        {Plain, 1, 5, 0, 0, G, 48},     {Plain, 1, 7, 0, 0, B, 32},
        {Plain, 1, 8, 7, 16, A, 15},    {Plain, 2, 1, 6, 24, R, 59},
        {Plain, 2, 5, 0, 0, B, 32},     {Plain, 3, 0, 7, 24, R, 62},
        {Plain, 3, 2, 0, 0, G, 32},     {Plain, 3, 3, 0, 8, B, 2},
        {Plain, 3, 4, 7, 24, A, 31},    {Shuffled, 0, 0, 7, 16, R, 23},
        {Shuffled, 0, 1, 3, 16, R, 39}, {Shuffled, 0, 9, 0, 0, R, 40},
        {Shuffled, 0, 14, 0, 0, A, 8},  {Shuffled, 1, 0, 7, 16, R, 54},
        {Shuffled, 1, 4, 7, 16, A, 23}, {Shuffled, 1, 6, 7, 16, R, 62},
        {Shuffled, 1, 9, 4, 16, B, 42}, {Shuffled, 2, 0, 7, 24, R, 55},
        {Shuffled, 2, 4, 3, 24, R, 31}, {Shuffled, 3, 0, 7, 24, R, 54},
        {Shuffled, 3, 0, 3, 24, B, 54}, {Shuffled, 3, 3, 4, 0, R, 8},
        {Shuffled, 3, 3, 3, 24, B, 62}, {Shuffled, 3, 5, 0, 0, A, 8},
    };
    Picture b;
    b.shape(surface_state::SURFTYPE_2D, 0x0C7, 8, 4, 1, 64);
    for (const Cell& cell : cells) {
        const unsigned columns = cell.how == Unorm ? 8 : 16;
        // A texel's byte is the number of its pixel, times 4, plus the channel.
        for (unsigned pixel = 0; pixel < 4 * columns; ++pixel)
            for (unsigned c = 0; c < 4; ++c)
                b.put<std::uint8_t>(pixel / columns * 64 + pixel % columns * 4 + c,
                                    static_cast<std::uint8_t>(pixel * 4 + c));
        b.m = {};
        b.m.form = cell.form;
        b.copies();
        if (cell.how == Unorm) {
            b.m.code = kUnorm;
            b.m.du = 1.0f / 8;
            b.m.dv = 1.0f / 4;
            ASSERT_EQ(b.send_media(b.m), kOk) << b.report();
        } else {
            b.one_to_one(0, 0);
            ASSERT_EQ(b.send(true, cell.how == Shuffled), kOk) << b.report();
        }
        const std::uint32_t dword =
            load<std::uint32_t>(b.message.response[cell.reg].bytes + 4 * cell.dword);
        const std::uint32_t want = cell.pixel * 4 + cell.channel;
        EXPECT_EQ(cell.form < 2 ? dword >> cell.low & 0xFFFF : dword >> cell.low & 0xFF,
                  cell.form < 2 ? want << 8 : want)
            << cell.how << " form " << cell.form << " W" << cell.reg << "." << cell.dword;
    }
}

// --- sample_8x8

TEST(MediaScale, CopiesAtEverySize) {
    GEN9_COVERS("SMP-244");
    Picture b;
    b.fill();
    b.copies();
    b.p = {&b, kY8, 4, 4, 16384};
    for (const unsigned width : {4u, 16u, 49u, 176u, 352u, 1000u, 1918u, 1920u, 4095u, 16384u}) {
        b.p.width = width;
        b.m.masked = 0xD;
        // From the last block on the edge stands for what is missing.
        for (const unsigned x : {0u, width / 2, width - std::min(width, 16u), width - 1}) {
            b.one_to_one(x, 1);
            ASSERT_EQ(b.send(), kOk) << b.report();
            for (unsigned i = 0; i < 64; ++i)
                EXPECT_EQ(b.value(b.m, 1, i % 16, i / 16),
                          b.p.byte(std::min(x + i % 16, width - 1), std::min(1 + i / 16, 3u)) << 8)
                    << width << " from " << x << " pixel " << i;
        }
    }
}

TEST(MediaScale, TwoTapsAreTheMeanOfNeighbours) {
    Picture b;
    b.fill();
    b.linear();
    b.p = {&b, kY8, 16, 8, 64};
    b.one_to_one(2, 2);
    b.m.u += 0.25f / 16;
    b.m.v += 0.5f / 8;
    b.m.masked = 0xD;
    ASSERT_EQ(b.send(), kOk) << b.report();
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 8; ++x) {
            const unsigned upper = 3 * b.p.byte(x + 2, y + 2) + b.p.byte(x + 3, y + 2),
                           lower = 3 * b.p.byte(x + 2, y + 3) + b.p.byte(x + 3, y + 3);
            EXPECT_EQ(b.value(b.m, 1, x, y), (upper + lower) * 32);  // of eight, times 256
        }
}

/// Random formats, sizes, turns, tables, positions, blocks, forms and masks.
TEST(MediaScale, RandomMessagesAgreeWithTheReference) {
    GEN9_COVERS(
        "SMP-230 SMP-242 SMP-243 SMP-244 SMP-245 SMP-246 SMP-248 SMP-249 SMP-252 "
        "SMP-253 SMP-254 SMP-255 SMP-256 SMP-257 SMP-258 SMP-260 VME-75 VME-79 VME-80");
    Picture b;
    b.fill();
    static constexpr unsigned kFormats[] = {0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 14, 18};
    unsigned done = 0;
    for (unsigned n = 0; n < 500; ++n) {
        b.p = {&b, kFormats[b.below(14)], 4 + b.below(60), 1 + b.below(40), 512};
        b.p.tiled = b.below(2);
        b.p.rotation = b.below(3) ? 0 : b.below(4);
        b.p.mirror = b.below(2);
        b.p.offset_x = 2 * b.below(2);
        b.p.offset_y = b.below(8);
        b.p.cb_row = 64 + b.below(16);
        b.p.cr_row = 128 + b.below(16);
        b.p.interleaved = b.below(2);
        b.p.field = b.p.height > 1 && b.below(4) == 0 ? static_cast<int>(b.below(2)) : -1;
        b.any_taps(b.below(2) ? 128 : 40);
        if (b.below(3) == 0) b.linear();
        b.f.eight = b.below(4);
        b.f.sharpness = b.below(2) ? 255 : b.below(2) ? 0 : b.below(256);
        MediaMessage& m = b.m = {};
        m.sequence = b.below(4);
        m.form = b.below(4);
        m.masked = b.below(15);
        m.index = b.below(3);
        m.header = m.form || m.masked || b.below(2);
        m.bypass = b.below(2) || !(m.masked & 2);
        const bool shuffled = m.sequence % 2 || b.below(3) == 0;
        if (m.sequence == 2) {
            if (m.form < 2) m.masked = b.below(2) ? 0xD : 0xA;
            if (m.form == 1 && b.below(3) == 0) m.masked = 0x8;
            m.header = true;
            m.bypass = true;
        }
        if (!m.header) m.index = 0;
        const unsigned width = b.p.rotation % 2 ? b.p.lines() : b.p.width,
                       height = b.p.rotation % 2 ? b.p.width : b.p.lines();
        const auto real = [&] { return static_cast<float>(b.below(1 << 20)) / (1 << 20); };
        m.u = real() * 1.5f - 0.25f;
        m.v = real() * 1.5f - 0.25f;
        m.du = std::min(real(), 15.9f / static_cast<float>(width) * real());
        m.dv = std::min(real(), 15.9f / static_cast<float>(height) * real());
        if (b.below(8) == 0) m.du = -m.du;
        if (b.below(8) == 0) m.dv = -m.dv;
        if (b.below(2) && m.du > 0) {
            const float pixels = m.du * static_cast<float>(width);
            const float most =
                std::min(pixels / 2, (64 - 2 * pixels) / 35) / static_cast<float>(width);
            m.ddu = b.below(2) ? most * 0.99f * real() : -m.du / 18 * 0.99f * real();
        }
        if (b.below(2)) m.ddv = m.dv / 20 * (real() - 0.5f);
        if (b.p.rotation % 2 == 0 || m.sequence == 3) m.block = b.below(4) ? b.below(4) : 0;
        b.sender.sampler_state_offset = Bench::kSampler;
        b.by_lines = n % 2;
        ASSERT_EQ(b.send(true, shuffled), kOk) << n << ": " << b.report();
        expect_all(b, b.p, b.f, m, "message " + std::to_string(n));
        if (testing::Test::HasFatalFailure()) return;
        ++done;
    }
    EXPECT_EQ(b.stats.scalings.value(), done);
}

TEST(MediaScale, ATurnedPictureIsSampledAsIfItLayTurnedInMemory) {
    Picture b;
    b.fill();
    b.any_taps(60);
    b.f.eight = 3;
    b.p = {&b, kY8, 24, 12, 64};
    b.m.masked = 0xD;
    b.m.u = 0.21f;
    b.m.v = 0.33f;
    b.m.du = 0.031f;
    b.m.dv = 0.043f;
    b.p.rotation = 1;
    ASSERT_EQ(b.send(), kOk);
    std::array<unsigned, 64> turned;
    for (unsigned i = 0; i < 64; ++i)
        turned[i] = b.value(b.m, 1, i % 16, i / 16);
    // A quarter turn clockwise: what was at the left is at the top.
    std::array<std::array<std::uint8_t, 12>, 24> copy;
    for (unsigned y = 0; y < 24; ++y)
        for (unsigned x = 0; x < 12; ++x)
            copy[y][x] = static_cast<std::uint8_t>(b.p.byte(y, 11 - x));
    for (unsigned y = 0; y < 24; ++y)
        for (unsigned x = 0; x < 12; ++x)
            b.put<std::uint8_t>(y * 64 + x, copy[y][x]);
    b.p = {&b, kY8, 12, 24, 64};
    ASSERT_EQ(b.send(), kOk);
    for (unsigned i = 0; i < 64; ++i)
        EXPECT_EQ(b.value(b.m, 1, i % 16, i / 16), turned[i]) << i;
}

/// The CM runtime's states: NV12, the siting of MPEG-2, a table that takes the nearest pixel.
TEST(MediaScale, TheRuntimesCopyTableCopiesNv12) {
    Picture b;
    b.fill();
    for (auto& table : b.f.table)
        for (auto& axis : table)
            for (int n = 0; n < 32; ++n)
                axis[n][n < 17 ? 3 : 4] = 64;
    b.f.eight = 1;
    b.p = {&b, kNv12, 32, 8, 64};
    b.p.offset_y = 2;
    b.p.interleaved = true;
    b.p.cb_row = 8;
    b.one_to_one(0, 0);
    ASSERT_EQ(b.send(), kOk) << b.report();
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 16; ++x) {
            EXPECT_EQ(b.value(b.m, 1, x, y), b.p.byte(x, y) << 8);
            EXPECT_EQ(b.value(b.m, 2, x, y), b.p.byte(x / 2 * 2, 8 + y / 2) << 8) << x << " " << y;
            EXPECT_EQ(b.value(b.m, 0, x, y), b.p.byte(x / 2 * 2 + 1, 8 + y / 2) << 8);
            EXPECT_EQ(b.value(b.m, 3, x, y), 0xFF00u);
        }
}

TEST(MediaScale, PlacesFarAwayHaveTheEdge) {
    Picture b;
    b.fill();
    b.copies();
    b.p = {&b, kY8, 16, 8, 64};
    b.m.masked = 0xD;
    const float far[] = {1e30f, -1e30f, std::numeric_limits<float>::infinity(),
                         -std::numeric_limits<float>::infinity(),
                         std::numeric_limits<float>::quiet_NaN()};
    for (const bool mirror : {false, true})
        for (const float u : far)
            for (const float v : far) {
                b.p.mirror = mirror;
                b.m.u = u;
                b.m.v = v;
                ASSERT_EQ(b.send(), kOk) << b.report();
                if (mirror) continue;
                EXPECT_EQ(b.value(b.m, 1, 0, 0), b.p.byte(u > 0 ? 15 : 0, v > 0 ? 7 : 0) << 8)
                    << u << " " << v;
            }
    EXPECT_TRUE(b.reporter.entries().empty());
}

TEST(MediaScale, SizesAndMasksOfTheSendGateNothing) {
    Picture b;
    b.fill();
    b.copies();
    b.one_to_one(0, 0);
    b.p.write_state();
    b.f.write_state(b, true, false);
    b.write_media_states(b.m);
    for (const std::uint32_t mask : {0u, 1u, 0xFFu, 0xFFFFu}) {
        b.build_media(b.m);
        b.message.execution_mask = mask;
        b.run({});
        ASSERT_EQ(b.message.status, kOk);
        expect_all(b, b.p, b.f, b.m, "mask " + std::to_string(mask));
    }
}

TEST(MediaScale, EachIllegalMessageIsReportedOnceAndReturnsZeros) {
    GEN9_COVERS("SMP-230 SMP-241 SMP-242 SMP-243 SMP-245 SMP-246 SMP-260 VME-76");
    struct Case {
        const char* what;
        void (*change)(Picture&);
        MessageStatus status;
    };
    const Case cases[] = {
        {"nothing", [](Picture&) {}, kOk},
        {"a reserved function", [](Picture& b) { b.m.function = 3; }, kWrong},
        {"the last reserved function", [](Picture& b) { b.m.function = 15; }, kWrong},
        {"bit 22", [](Picture& b) { b.m.reserved = 1; }, kWrong},
        {"all channels masked", [](Picture& b) { b.m.masked = 15, b.m.response = 4; }, kWrong},
        {"a short response", [](Picture& b) { b.m.response = 12; }, kWrong},
        {"a long response", [](Picture& b) { b.m.masked = 0xD, b.m.response = 8; }, kWrong},
        {"8x4 not shuffled", [](Picture& b) { b.m.sequence = 1; }, kWrong},
        {"4x4 not shuffled", [](Picture& b) { b.m.sequence = 3; }, kWrong},
        {"16x8 of all", [](Picture& b) { b.m.sequence = 2, b.m.response = 31; }, kWrong},
        {"16x8 of red and green", [](Picture& b) { b.m.sequence = 2, b.m.masked = 0xC; }, kWrong},
        {"16x8 of alpha", [](Picture& b) { b.m.sequence = 2, b.m.masked = 0x7; }, kWrong},
        {"16x8 of green and blue",
         [](Picture& b) { b.m.sequence = 2, b.m.masked = 0x9, b.m.form = 1; }, kWrong},
        {"16x8 of all but alpha in form 1",
         [](Picture& b) { b.m.sequence = 2, b.m.masked = 0x8, b.m.form = 1; }, kOk},
        {"16x8 of all but alpha in form 0",
         [](Picture& b) { b.m.sequence = 2, b.m.masked = 0x8, b.m.response = 24; }, kWrong},
        {"16x8 of all in form 2", [](Picture& b) { b.m.sequence = 2, b.m.form = 2; }, kOk},
        {"16x8 of all in form 3", [](Picture& b) { b.m.sequence = 2, b.m.form = 3; }, kOk},
        {"a turned block", [](Picture& b) { b.p.rotation = 1, b.m.block = 1; }, kWrong},
        {"a half turn", [](Picture& b) { b.p.rotation = 2, b.m.block = 1; }, kOk},
        {"16-bit luma", [](Picture& b) { b.p.format = 7; }, kWrong},
        {"16-bit luma with a sign", [](Picture& b) { b.p.format = 6; }, kWrong},
        {"16-bit channels", [](Picture& b) { b.p.format = 15; }, kWrong},
        {"one bit", [](Picture& b) { b.p.format = 16; }, kWrong},
        {"32-bit luma", [](Picture& b) { b.p.format = 17; }, kWrong},
        {"a format that does not exist", [](Picture& b) { b.p.format = 31; }, kWrong},
        {"three columns", [](Picture& b) { b.p.width = 3; }, kWrong},
        {"16 columns a step", [](Picture& b) { b.p.width = 64, b.m.du = 0.25f; }, kWrong},
        {"less", [](Picture& b) { b.p.width = 64, b.m.du = 0.2499f; }, kOk},
        {"16 rows a step", [](Picture& b) { b.p.height = 64, b.m.dv = 0.25f; }, kWrong},
        {"the whole width a step", [](Picture& b) { b.p.width = 8, b.m.du = 1; }, kWrong},
        {"the whole height a step", [](Picture& b) { b.m.dv = 1; }, kWrong},
        {"no number of a step",
         [](Picture& b) { b.m.du = std::numeric_limits<float>::quiet_NaN(); }, kWrong},
        {"an endless step", [](Picture& b) { b.m.dv = std::numeric_limits<float>::infinity(); },
         kWrong},
        {"a second derivative above half of the step",
         [](Picture& b) { b.m.du = 0.01f, b.m.ddu = 0.0051f; }, kWrong},
        {"one of half of the step", [](Picture& b) { b.m.du = 0.01f, b.m.ddu = 0.0049f; }, kOk},
        {"one above the limit of 64 pixels",
         [](Picture& b) { b.p.width = 64, b.m.du = 15.0f / 64, b.m.ddu = 1.0f / 64; }, kWrong},
        {"one below it",
         [](Picture& b) { b.p.width = 64, b.m.du = 15.0f / 64, b.m.ddu = 0.95f / 64; }, kOk},
        {"one that turns back", [](Picture& b) { b.m.du = 0.01f, b.m.ddu = -0.00056f; }, kWrong},
        {"one that nearly does", [](Picture& b) { b.m.du = 0.01f, b.m.ddu = -0.00055f; }, kOk},
        {"no number of a second derivative",
         [](Picture& b) { b.m.ddu = std::numeric_limits<float>::quiet_NaN(); }, kWrong},
        {"the edge filter", [](Picture& b) { b.m.bypass = false; }, kMissing},
        {"the edge filter without green", [](Picture& b) { b.m.bypass = false, b.m.masked = 2; },
         kOk},
        {"a result for memory", [](Picture& b) { b.m.response = 0; }, kMissing},
        {"a result for memory without a header",
         [](Picture& b) { b.m.response = 0, b.m.header = false; }, kWrong},
    };
    for (const Case& test : cases) {
        Picture b;
        b.fill();
        b.copies();
        b.p = {&b, kRgba, 32, 16, 256};
        test.change(b);
        EXPECT_EQ(b.send(), test.status) << test.what << ": " << b.report();
        EXPECT_EQ(b.reporter.entries().size(), test.status == kOk ? 0u : 1u) << test.what;
        if (test.status == kOk) continue;
        EXPECT_EQ(b.stats.refused.value(), 1u);
        for (unsigned r = 0; r < b.message.response_length; ++r) {
            EXPECT_EQ(b.message.response_enable[r], ~0u);
            for (const std::uint8_t byte : b.message.response[r].bytes)
                EXPECT_EQ(byte, 0) << test.what;
        }
    }
}

TEST(MediaScale, TheAdaptiveFilterIsReportedUnlessBypassed) {
    for (unsigned eight = 0; eight < 4; ++eight)
        for (const unsigned bypass : {0u, 1u, 2u, 3u}) {
            Picture b;
            b.copies();
            b.f.eight = eight;
            b.p.write_state();
            b.f.write_state(b, false, false);
            b.bits(b.scaler[153], 22, 21, bypass);
            EXPECT_EQ(b.send_media(b.m), eight == 0 || bypass == 3 ? kOk : kMissing)
                << eight << " " << bypass;
        }
}

TEST(MediaScale, SurfacesAndStatesThatAreNotThere) {
    Picture b;
    b.p.write_state();
    b.f.write_state(b, true, false);
    b.write_media_states(b.m);
    b.core.invalidate_states();
    const std::uint32_t nowhere = 0xF0000000;
    std::memcpy(b.memory.at(Bench::kStates), &nowhere, 4);
    b.build_media(b.m);
    b.run({});
    EXPECT_EQ(b.message.status, kWrong);
    b.write_media_states(b.m);
    b.core.invalidate_states();
    b.build_media(b.m);
    store(b.message.payload[0].bytes + 12, 0xF0000000u);
    b.run({});
    EXPECT_EQ(b.message.status, kWrong);
    // A compressed surface is missing.
    b.p.write_state();
    b.bits(b.picture[2], 22, 22, 1);
    EXPECT_EQ(b.send_media(b.m), kMissing);
    // A picture that is not mapped reads as zeros.
    b.p.write_state();
    b.picture[7] = 5;
    EXPECT_EQ(b.send_media(b.m), kOk);
    EXPECT_EQ(b.value(b.m, 0, 3, 2), 0u);
}

TEST(MediaScale, StatesAreKeptUntilTheyAreInvalidated) {
    GEN9_COVERS("SMP-248");
    Picture b;
    b.fill();
    b.copies();
    b.one_to_one(0, 0);
    ASSERT_EQ(b.send(), kOk);
    const unsigned first = b.value(b.m, 0, 0, 0), reads = b.memory.state_reads;
    for (unsigned phase = 0; phase < 32; ++phase)
        b.set_tap(1, 0, phase, 3, 32);
    b.write_media_states(b.m);
    b.build_media(b.m);
    b.run({});
    EXPECT_EQ(b.value(b.m, 0, 0, 0), first);
    EXPECT_EQ(b.memory.state_reads, reads);
    EXPECT_EQ(b.send_media(b.m), kOk);
    EXPECT_EQ(b.value(b.m, 0, 0, 0), first / 2);
}

// --- sample_unorm

struct Unorm : Picture {
    Unorm() {
        m.code = kUnorm;
        fill();
        sized(0x0C7, 32, 16, 128);
    }
    void sized(unsigned format, unsigned width, unsigned height, unsigned pitch) {
        shape(surface_state::SURFTYPE_2D, format, width, height, 1, pitch);
        w = width;
        h = height;
    }
    unsigned w = 32, h = 16;
    std::uint8_t at(std::uint64_t offset) { return *memory.at(kTexels + offset); }
};

TEST(MediaUnorm, RandomMessagesAreIntegersOfTheTexels) {
    GEN9_COVERS("SMP-231 SMP-232 SMP-234 SMP-235 SMP-236 SMP-237 SMP-238 SMP-239 VME-78 VME-86");
    Unorm b;
    for (unsigned n = 0; n < 500; ++n) {
        b.sized(0x0C7, 4 + b.below(28), 4 + b.below(28), 128);
        b.set(surface_state::TileMode, b.below(2) ? 0 : 3);
        const bool tiled = b.surface[0] >> 12 & 3;
        const bool linear = b.below(3);
        const unsigned round = b.below(2) ? 0x3F : 0;
        b.filters(linear, linear);
        b.sampler[3] = (b.sampler[3] & ~(0x3Fu << 13)) | round << 13;
        MediaMessage& m = b.m;
        m.code = std::array{kUnorm, kUnormMedia, kUnormKill, kUnormMediaKill}[b.below(4)];
        m.form = b.below(4);
        m.masked = b.below(15);
        const auto real = [&] { return static_cast<float>(b.below(1 << 20)) / (1 << 20); };
        m.u = real() * 1.4f - 0.2f;
        m.v = real() * 1.4f - 0.2f;
        m.du = 2.99f / static_cast<float>(b.w) * real();
        m.dv = 2.99f / static_cast<float>(b.h) * real();
        if (b.below(8) == 0) m.du = -m.du;
        b.by_lines = n % 2;
        ASSERT_EQ(b.send_media(m), kOk) << b.report();
        const MediaLayout layout(m, false);
        std::array<std::uint32_t, Message::kMaxResponse> enable{};
        for (unsigned i = 0; i < 128; ++i) {
            const unsigned c = i / 32, x = i % 8, y = i / 8 % 4;
            const auto place = layout.place(c, x, y, 8);
            if (!place.size) continue;
            enable[place.reg] |= ((1u << place.size) - 1) << place.byte;
            const auto texels = [&](float first, float step, unsigned count, unsigned size) {
                const double at = (double{first} + std::max(step, 0.0f) * double(count)) * size;
                return static_cast<std::int64_t>(
                    std::floor((at - (linear ? 0.5 : 0)) * 256 + (round ? 0.5 : 0)));
            };
            const std::int64_t u = texels(m.u, m.du, x, b.w), v = texels(m.v, m.dv, y, b.h);
            const auto byte = [&](std::int64_t tx, std::int64_t ty) {
                const auto cx = static_cast<unsigned>(std::min<std::int64_t>(
                                    std::max<std::int64_t>(tx, 0), b.w - 1)) *
                                    4 +
                                c;
                const auto cy = static_cast<unsigned>(
                    std::min<std::int64_t>(std::max<std::int64_t>(ty, 0), b.h - 1));
                return std::int64_t{
                    b.at(tiled ? cx / 16 * 512 + cy * 16 + cx % 16 : cy * 128 + cx)};
            };
            const std::int64_t tx = floor_div(u, 256), ty = floor_div(v, 256);
            const std::int64_t fx = linear ? u - tx * 256 : 0, fy = linear ? v - ty * 256 : 0;
            const std::int64_t sum =
                (256 - fy) * ((256 - fx) * byte(tx, ty) + fx * byte(tx + 1, ty)) +
                fy * ((256 - fx) * byte(tx, ty + 1) + fx * byte(tx + 1, ty + 1));
            const auto want = static_cast<unsigned>((sum + 32768) / 65536);
            ASSERT_EQ(b.value(m, c, x, y), m.form < 2 ? want << 8 : want)
                << n << ": channel " << c << " at " << x << ", " << y;
        }
        if (m.code == kUnormKill || m.code == kUnormMediaKill) {
            enable[layout.registers()] = 0xF;
            EXPECT_EQ(load<std::uint32_t>(b.message.response[layout.registers()].bytes), ~0u);
        }
        for (unsigned r = 0; r < b.message.response_length; ++r)
            ASSERT_EQ(b.message.response_enable[r], enable[r]) << n << ": register " << r;
    }
    EXPECT_EQ(b.stats.unorms.value(), 500u);
}

TEST(MediaUnorm, FormatsOfUpToEightBits) {
    GEN9_COVERS("SMP-233");
    struct Row {
        unsigned format, bytes;
        std::array<unsigned, 4> want;  ///< of the bytes 12h, 84h, 56h, F7h
    };
    const Row rows[] = {
        {0x0C7, 4, {0x12, 0x84, 0x56, 0xF7}},
        {0x0C0, 4, {0x56, 0x84, 0x12, 0xF7}},
        {0x0E9, 4, {0x56, 0x84, 0x12, 0xFF}},
        {0x106, 2, {0x12, 0x84, 0, 0}},  // 16 bits without alpha: alpha is 0
        {0x100, 2, {132, 130, 148, 0}},  // 8412h: R 10000b, G 100000b, B 10010b
        {0x104, 2, {0x44, 0x11, 0x22, 0x88}},
        {0x114, 2, {0x12, 0x12, 0x12, 0x84}},
        {0x140, 1, {0x12, 0, 0, 0xFF}},
        {0x144, 1, {0, 0, 0, 0x12}},
        {0x146, 1, {0x12, 0x12, 0x12, 0xFF}},
        {0x182, 4, {0xF7, 0x12, 0x84, 0xFF}},  // Y0 Cb Y1 Cr
    };
    for (const Row& row : rows) {
        Unorm b;
        b.sized(row.format, 16, 16, 64);
        b.put<std::uint32_t>(0, 0xF7568412);
        b.m.form = 2;
        ASSERT_EQ(b.send_media(b.m), kOk) << std::hex << row.format << b.report();
        for (unsigned c = 0; c < 4; ++c)
            EXPECT_EQ(b.value(b.m, c, 0, 0), row.want[c]) << std::hex << row.format << " " << c;
        if (row.format != 0x182) continue;
        b.m.u = 1.0f / 16;
        b.send_media(b.m);
        EXPECT_EQ(b.value(b.m, 1, 0, 0), 0x56u) << "the second pixel of a pair";
    }
}

TEST(MediaUnorm, KilledPixelsCountFromTheHighestBit) {
    GEN9_COVERS("SMP-240");
    for (const bool replaces : {false, true}) {
        Unorm b;
        b.sized(0x0C0, 8, 4, 64);
        for (unsigned i = 0; i < 256; i += 4)
            b.put<std::uint32_t>(i, 0x80604020 + i);
        b.put<std::uint32_t>(0 * 64 + 1 * 4, 0xFF0000FF);
        b.put<std::uint32_t>(3 * 64 + 7 * 4, 0xFF0000FF);
        auto tables = std::make_shared<SamplerTables>();
        tables->keys[2] = {0xFE0000FE, 0xFF0001FF};
        auto state = std::make_shared<PipelineState>(*b.sender.state);
        state->sampler_tables = tables;
        b.sender.state = state;
        b.set_sampler(sampler_state::ChromaKeyEnable, 1);
        b.set_sampler(sampler_state::ChromaKeyIndex, 2);
        b.set_sampler(sampler_state::ChromaKeyMode, replaces);
        b.m.code = kUnormKill;
        b.m.du = 1.0f / 8;
        b.m.dv = 1.0f / 4;
        b.m.masked = 0xE;
        ASSERT_EQ(b.send_media(b.m), kOk) << b.report();
        EXPECT_EQ(load<std::uint32_t>(b.message.response[2].bytes),
                  replaces ? ~0u : ~(1u << 30 | 1u));
        EXPECT_EQ(b.message.response_enable[2], 0xFu);
        b.m.code = kUnorm;
        b.m.masked = 0x0;
        ASSERT_EQ(b.send_media(b.m), kOk);
        EXPECT_EQ(b.value(b.m, 2, 1, 0), replaces ? 0u : 0xFF00u);
        EXPECT_EQ(b.value(b.m, 3, 1, 0), replaces ? 0u : 0xFF00u);
    }
}

TEST(MediaUnorm, OneOfRedAndBlueLeavesTheOthersBytes) {
    GEN9_COVERS("SMP-239 SMP-258");
    Unorm b;
    b.m.form = 3;
    for (const unsigned masked : {0x1u, 0x4u, 0x5u}) {
        b.m.masked = masked;
        ASSERT_EQ(b.send_media(b.m), kOk) << b.report();
        EXPECT_EQ(b.message.response_length, masked == 5 ? 2 : 3);
        if (masked == 5) continue;
        EXPECT_EQ(b.message.response_enable[0], masked == 1 ? 0x0000FFFFu : 0xFFFF0000u);
    }
}

TEST(MediaUnorm, EachIllegalSurfaceOrSamplerIsReported) {
    GEN9_COVERS("SMP-233 SMP-234");
    struct Case {
        const char* what;
        void (*change)(Unorm&);
        MessageStatus status;
    };
    const Case cases[] = {
        {"nothing", [](Unorm&) {}, kOk},
        {"a volume", [](Unorm& b) { b.set(surface_state::SurfaceType, 2); }, kWrong},
        {"sixteen bits", [](Unorm& b) { b.set(surface_state::SurfaceFormat, 0x10A); }, kWrong},
        {"ten bits", [](Unorm& b) { b.set(surface_state::SurfaceFormat, 0x0C2); }, kWrong},
        {"floats", [](Unorm& b) { b.set(surface_state::SurfaceFormat, 0x0D8); }, kWrong},
        {"no format", [](Unorm& b) { b.set(surface_state::SurfaceFormat, 0x1FF); }, kWrong},
        {"levels", [](Unorm& b) { b.set(surface_state::MIPCountLOD, 1); }, kWrong},
        {"depth", [](Unorm& b) { b.set(surface_state::Depth, 1); }, kWrong},
        {"a least level", [](Unorm& b) { b.set(surface_state::SurfaceMinLOD, 1); }, kWrong},
        {"a resource's least level", [](Unorm& b) { b.set(surface_state::ResourceMinLOD, 1); },
         kWrong},
        {"a first slice", [](Unorm& b) { b.set(surface_state::MinimumArrayElement, 1); }, kWrong},
        {"samples", [](Unorm& b) { b.set(surface_state::NumberOfMultisamples, 1); }, kWrong},
        {"three columns", [](Unorm& b) { b.set(surface_state::Width, 2); }, kWrong},
        {"four columns", [](Unorm& b) { b.set(surface_state::Width, 3); }, kOk},
        {"three rows", [](Unorm& b) { b.set(surface_state::Height, 2); }, kWrong},
        {"an anisotropic filter", [](Unorm& b) { b.filters(2, 2); }, kWrong},
        {"two filters", [](Unorm& b) { b.filters(0, 1); }, kOk},
        {"levels' filter", [](Unorm& b) { b.filters(0, 0, 1); }, kWrong},
        {"wrapped", [](Unorm& b) { b.modes(0, 2, 2); }, kWrong},
        {"mirrored", [](Unorm& b) { b.modes(2, 1, 2); }, kWrong},
        {"a border", [](Unorm& b) { b.modes(4, 2, 2); }, kWrong},
        {"four columns a step", [](Unorm& b) { b.m.du = 4.0f / 32; }, kWrong},
        {"three columns a step", [](Unorm& b) { b.m.du = 3.0f / 32; }, kOk},
        {"four rows a step", [](Unorm& b) { b.m.dv = 4.0f / 16; }, kWrong},
        {"no number of a step", [](Unorm& b) { b.m.dv = std::numeric_limits<float>::quiet_NaN(); },
         kWrong},
        {"no number of a place", [](Unorm& b) { b.m.u = std::numeric_limits<float>::quiet_NaN(); },
         kOk},
        {"a short response", [](Unorm& b) { b.m.response = 6; }, kWrong},
        {"no response", [](Unorm& b) { b.m.response = 0; }, kWrong},
        {"all channels masked", [](Unorm& b) { b.m.masked = 15, b.m.response = 2; }, kWrong},
        {"turned", [](Unorm& b) { b.set(surface_state::RenderTargetAndSampleRotation, 2); },
         kMissing},
        {"deinterlacing, which Gen9 lacks", [](Unorm& b) { b.m.code = 8; }, kWrong},
    };
    for (const Case& test : cases) {
        Unorm b;
        test.change(b);
        EXPECT_EQ(b.send_media(b.m), test.status) << test.what << ": " << b.report();
        EXPECT_EQ(b.reporter.entries().size(), test.status == kOk ? 0u : 1u) << test.what;
    }
    // Nothing is sampled of no surface, or by a sampler that is switched off.
    Unorm b;
    b.set(surface_state::SurfaceType, surface_state::SURFTYPE_NULL);
    EXPECT_EQ(b.send_media(b.m), kOk) << b.report();
    EXPECT_EQ(b.value(b.m, 3, 2, 2), 0u);
}

}  // namespace
}  // namespace gen9::sampler::media
