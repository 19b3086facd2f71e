// SPDX-License-Identifier: Apache-2.0
// sample_8x8 of the media sampler, against a second derivation.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/sampler/media_reference.h"

namespace gen9::sampler::media {
namespace {
using namespace test;

// --- Where a pixel goes

TEST(MediaLayout, CellsOfThePrmsTables) {
    GEN9_COVERS(
        "SMP-109 SMP-235 SMP-236 SMP-237 SMP-238 SMP-251 SMP-252 SMP-253 SMP-254 SMP-255 SMP-256 "
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
        // Each line is looked up once.
        for (unsigned i = 1; i < b.request->line_count; ++i)
            ASSERT_LT(b.request->lines[i - 1], b.request->lines[i]) << n;
        ++done;
    }
    EXPECT_EQ(b.stats.scalings.value(), done);
}

TEST(MediaScale, StandardTilesHaveTheSizeOfTheFormat) {
    Picture b;
    b.fill();
    b.copies();
    b.p = {&b, kRgba, 60, 40, 512};
    b.p.standard = true;
    for (const unsigned x : {0u, 20u, 44u})
        for (const unsigned y : {0u, 6u, 30u, 36u}) {
            b.one_to_one(x, y);
            ASSERT_EQ(b.send(), kOk) << b.report();
            for (unsigned i = 0; i < 64; ++i)
                for (unsigned c = 0; c < 3; ++c)
                    EXPECT_EQ(b.value(b.m, c, i % 16, i / 16),
                              b.p.byte(4 * (x + i % 16) + c, y + i / 16) << 8)
                        << x << ", " << y << " pixel " << i << " channel " << c;
        }
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
    GEN9_COVERS("SMP-127");
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
    GEN9_COVERS("SMP-230 SMP-241 SMP-242 SMP-243 SMP-245 SMP-246 SMP-260 VME-76 VME-84");
    struct Case {
        const char* what;
        void (*change)(Picture&);
        MessageStatus status;
    };
    const Case cases[] = {
        {"nothing", [](Picture&) {}, kOk},
        {"a reserved function", [](Picture& b) { b.m.function = 3; }, kWrong},
        {"an even reserved function", [](Picture& b) { b.m.function = 8; }, kWrong},
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

}  // namespace
}  // namespace gen9::sampler::media
