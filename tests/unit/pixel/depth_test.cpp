// SPDX-License-Identifier: Apache-2.0
#include "pixel/depth.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>
#include <set>

#include "pixel/depth_surface.h"
#include "tests/support/covers.h"

namespace gen9::pixel {
namespace {

const formats::Format& d32() {
    return *formats::find_depth_format(1);
}
const formats::Format& d24() {
    return *formats::find_depth_format(3);
}
const formats::Format& d16() {
    return *formats::find_depth_format(5);
}

std::uint32_t stored(const formats::Format& f, float z, float least = 0, float most = 1) {
    DepthRow row{}, bits{};
    row.fill(std::bit_cast<std::uint32_t>(z));
    to_buffer(f, least, most, row, bits);
    return bits[7];
}

TEST(Depth, IsConvertedBeforeItIsCompared) {
    GEN9_COVERS("DZ-15 DZ-35");
    EXPECT_EQ(stored(d16(), 0.5f), 32768u);
    EXPECT_EQ(stored(d24(), 1), 0xFFFFFFu);
    EXPECT_EQ(stored(d24(), 0x1p-24f), 1u);
    EXPECT_EQ(stored(d24(), 7), 0xFFFFFFu);
    EXPECT_EQ(stored(d24(), 0.9f, 0.25f, 0.75f), 12582911u);
    EXPECT_EQ(stored(d32(), 0.3f), std::bit_cast<std::uint32_t>(0.3f));
    EXPECT_EQ(stored(d32(), -2, -1, 1), std::bit_cast<std::uint32_t>(-1.0f));
    EXPECT_EQ(stored(d16(), std::numeric_limits<float>::quiet_NaN(), 0.25f, 1), 16384u);
    // Two values of one code are equal, and X is not compared.
    DepthState s;
    s.format = &d24();
    s.depth_test = true;
    s.depth_function = Compare::Equal;
    TestRow row;
    row.source[0] = stored(d24(), 0.5f);
    row.depth[0] = stored(d24(), 0.5f + 0x1p-24f * 0.4f) | 0xAB000000;
    EXPECT_EQ(test(s, false, 1, row).passed, 1u);
    // Floats below zero are in order, and both zeros are equal.
    s.format = &d32();
    row.source[0] = 0x80000000;
    row.depth[0] = 0;
    EXPECT_EQ(test(s, false, 1, row).passed, 1u);
    s.depth_function = Compare::Less;
    row.source[0] = std::bit_cast<std::uint32_t>(-2.0f);
    row.depth[0] = std::bit_cast<std::uint32_t>(-1.0f);
    EXPECT_EQ(test(s, false, 1, row).passed, 1u);
}

/// One sample by the text of 003:16488-16711, with numbers for codes.
struct Sample {
    bool passed;
    std::uint32_t depth;
    unsigned stencil;
};
bool in_order(unsigned code, long a, long b) {
    // By what may hold: less, equal, greater.
    static const bool table[8][3] = {{1, 1, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                                     {1, 1, 0}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}};
    return table[code][a < b ? 0 : a == b ? 1 : 2];
}
unsigned operated(unsigned op, unsigned s, unsigned r) {
    const unsigned results[] = {
        s, 0, r, s < 255 ? s + 1 : 255, s > 0 ? s - 1 : 0, (s + 1) % 256, (s + 255) % 256, 255 - s};
    return results[op];
}

TEST(DepthStencil, TestsAndWritesByTheRules) {
    GEN9_COVERS("DZ-33 DZ-34 DZ-36 DZ-37 DZ-38 DZ-39");
    std::mt19937 random(77);
    for (unsigned turn = 0; turn < 2000; ++turn) {
        DepthState s;
        s.format = &d16();
        s.depth_test = random() % 4, s.depth_write = random() % 2;
        s.stencil_test = random() % 4, s.stencil_write = s.stencil_test && random() % 4;
        s.depth_function = Compare(random() % 8);
        s.double_sided = random() % 2;
        for (StencilFace* face : {&s.front, &s.back})
            *face = {Compare(random() % 8),   StencilOp(random() % 8), StencilOp(random() % 8),
                     StencilOp(random() % 8), std::uint8_t(random()),  std::uint8_t(random()),
                     std::uint8_t(random())};
        TestRow row;
        for (unsigned n = 0; n < formats::kLanes; ++n)
            row.source[n] = random() % 3, row.depth[n] = random() % 3,
            row.stencil[n] = std::uint8_t(random() % 2 ? random() % 2 * 255 : random());
        const bool back = random() % 2;
        const std::uint32_t lanes = random() & 0xFFFF;
        const StencilFace& face = back && s.double_sided ? s.back : s.front;
        const TestRow before = row;
        const TestResult result = test(s, back, lanes, row);
        for (unsigned n = 0; n < formats::kLanes; ++n) {
            Sample e{false, before.depth[n], before.stencil[n]};
            if (lanes >> n & 1) {
                const bool st = !s.stencil_test ||
                                in_order(unsigned(face.function), face.reference & face.test_mask,
                                         before.stencil[n] & face.test_mask);
                const bool dt = !s.depth_test || in_order(unsigned(s.depth_function),
                                                          before.source[n], before.depth[n]);
                e.passed = st && dt;
                const StencilOp op = st ? dt ? face.pass : face.depth_fail : face.fail;
                const unsigned made = operated(unsigned(op), e.stencil, face.reference);
                if (s.stencil_write)
                    for (unsigned b = 0; b < 8; ++b)
                        if (face.write_mask >> b & 1)
                            e.stencil = (e.stencil & ~(1u << b)) | (made & 1u << b);
                if (e.passed && s.depth_write) e.depth = before.source[n];
            }
            ASSERT_EQ(result.passed >> n & 1, e.passed ? 1u : 0u) << turn;
            ASSERT_EQ(row.depth[n], e.depth);
            ASSERT_EQ(row.stencil[n], e.stencil);
            if (e.depth != before.depth[n]) {
                ASSERT_TRUE(result.depth_changed >> n & 1);
            }
            if (e.stencil != before.stencil[n]) {
                ASSERT_TRUE(result.stencil_changed >> n & 1);
            }
        }
    }
}

TEST(DepthStencil, EnablesNeedAllPackets) {
    GEN9_COVERS("DZ-09 DZ-10 DZ-11 DZ-12 DZ-13 DZ-16");
    const std::uint32_t ds[4] = {0, 0xF | 2u << 5, 0x11223344, 0x5566};
    std::uint32_t db[8] = {0, 1u << 29 | 1u << 28 | 1u << 27 | 3u << 18};
    std::uint32_t sb[5] = {0, 1u << 31};
    DepthState s = read_depth_state(ds, db, sb);
    EXPECT_TRUE(s.depth_test && s.depth_write && s.stencil_test && s.stencil_write);
    EXPECT_EQ(s.format, &d24());
    EXPECT_EQ(s.depth_function, Compare::Less);
    EXPECT_EQ(s.front.test_mask, 0x11);
    EXPECT_EQ(s.front.write_mask, 0x22);
    EXPECT_EQ(s.back.test_mask, 0x33);
    EXPECT_EQ(s.back.write_mask, 0x44);
    EXPECT_EQ(s.front.reference, 0x55);
    EXPECT_EQ(s.back.reference, 0x66);
    db[1] &= ~(3u << 27);
    s = read_depth_state(ds, db, sb);
    EXPECT_TRUE(s.depth_test && !s.depth_write && s.stencil_test && !s.stencil_write);
    db[1] |= 7u << 29 | 3u << 27;
    sb[1] = 0;
    s = read_depth_state(ds, db, sb);
    EXPECT_FALSE(s.depth_test || s.depth_write || s.stencil_test || s.stencil_write);
}

TEST(DepthStencil, ShadersDelayWhatTheyCanChange) {
    GEN9_COVERS("DZ-06 DZ-08");
    TestTimeFacts f;
    EXPECT_TRUE(test_time(f).test_early && test_time(f).write_early);
    f.kills = true;
    EXPECT_TRUE(test_time(f).test_early && !test_time(f).write_early);
    f.stencil_write = true;
    EXPECT_FALSE(test_time(f).test_early);
    f.control = 2;
    EXPECT_TRUE(test_time(f).write_early && test_time(f).ignores_shader);
    f = {};
    f.computed_depth = true;
    EXPECT_FALSE(test_time(f).test_early);
    f = {};
    f.control = 1;
    EXPECT_FALSE(test_time(f).test_early || test_time(f).write_early);
}

/// Offsets within a block are the addresses' own differences, and no block crosses its page.
TEST(DepthSurface, BlocksOfPixelsAreAlike) {
    std::mt19937 random(3);
    unsigned alike = 0;
    for (unsigned trial = 0; trial < 400; ++trial) {
        DepthSurface d;
        constexpr std::uint8_t kBytes[] = {1, 2, 4};
        d.bytes = kBytes[random() % 3];
        d.samples = static_cast<std::uint8_t>(1u << random() % 5);
        d.level = d.samples == 1 ? static_cast<std::uint8_t>(random() % 4) : 0;
        d.width = 1 + random() % 300, d.height = 1 + random() % 200;
        d.base = 0x10000 + (random() % 4 ? 0 : 0x200);
        d.pitch_bytes = 128 * (1 + random() % 60);
        d.qpitch_rows = 4 * (random() % 300);
        d.first_slice = random() % 3;
        const SamplePlaces places(d);
        if (places.block_offsets(0) == nullptr) continue;
        ++alike;
        const std::uint32_t x = random() % 38 * 8, y = random() % 50 * 4, slice = random() % 4;
        const std::uint64_t first = places.address(slice, x, y, 0);
        for (unsigned sample = 0; sample < d.samples; ++sample)
            for (unsigned pixel = 0; pixel < 32; ++pixel) {
                const std::uint64_t at =
                    places.address(slice, x + pixel % 8, y + pixel / 8, sample);
                ASSERT_EQ(at, first + (*places.block_offsets(sample))[pixel])
                    << "trial " << trial << " sample " << sample << " pixel " << pixel;
                ASSERT_EQ(at / 4096, first / 4096);
            }
        for (unsigned pixel = 0; places.in_quads() && pixel < 32; ++pixel)
            EXPECT_EQ((*places.block_offsets(0))[pixel],
                      (*places.block_offsets(0))[pixel & ~3u] + 4 * (pixel & 3));
    }
    EXPECT_GT(alike, 100u);
}

/// All functions and formats against one value at a time.
TEST(Depth, RowsAreComparedLikeNumbers) {
    GEN9_COVERS("DZ-36");
    std::mt19937 random(5);
    const std::uint32_t numbers[] = {0,           0x80000000u, 0x3F800000u, 0xBF800000u,
                                     0x7F800000u, 1,           0x80000001u};
    for (const formats::Format* format : {&d16(), &d24(), &d32()})
        for (unsigned function = 0; function < 8; ++function)
            for (unsigned trial = 0; trial < 50; ++trial) {
                DepthState state;
                state.format = format;
                state.depth_test = state.depth_write = true;
                state.depth_function = static_cast<Compare>(function);
                const bool floats = format == &d32();
                TestRow row;
                for (unsigned n = 0; n < 16; ++n) {
                    const auto pick = [&] {
                        if (floats) return numbers[random() % std::size(numbers)];
                        return static_cast<std::uint32_t>(random() % 3 * 0x1234);
                    };
                    row.source[n] = pick();
                    // What lies beside the depth in its DWord says nothing.
                    row.depth[n] = pick() | (format == &d24() ? random() % 2 << 31 : 0);
                }
                const TestRow before = row;
                const std::uint32_t lanes = random() & 0xFFFF;
                const TestResult result = test(state, false, lanes, row);
                for (unsigned n = 0; n < 16; ++n) {
                    const auto number = [&](std::uint32_t bits) {
                        return floats ? double{std::bit_cast<float>(bits)}
                                      : static_cast<double>(bits & 0xFFFFFF);
                    };
                    const double a = number(before.source[n]), b = number(before.depth[n]);
                    const bool passes[8] = {true, false, a<b, a == b, a <= b, a> b, a != b, a >= b};
                    const bool passed = (lanes >> n & 1) && passes[function];
                    ASSERT_EQ(result.passed >> n & 1, passed) << "function " << function;
                    ASSERT_EQ(row.depth[n], passed ? before.source[n] : before.depth[n]);
                }
            }
}

TEST(DepthSurface, SamplesLieSideBySide) {
    GEN9_COVERS("DZ-16 DZ-17");
    for (const unsigned samples : {1u, 2u, 4u, 8u, 16u}) {
        std::set<std::pair<std::uint32_t, std::uint32_t>> places;
        for (std::uint32_t y = 0; y < 4; ++y)
            for (std::uint32_t x = 0; x < 4; ++x)
                for (unsigned s = 0; s < samples; ++s) {
                    const SamplePlace p = interleaved(samples, x, y, s);
                    EXPECT_LT(p.x, samples >= 8 ? 16u : samples > 1 ? 8u : 4u);
                    EXPECT_LT(p.y, samples == 16 ? 16u : samples >= 4 ? 8u : 4u);
                    places.insert({p.x, p.y});
                }
        EXPECT_EQ(places.size(), 16 * samples);
    }
    DepthSurface d;
    d.base = 0x1000, d.pitch_bytes = 256, d.width = 50, d.height = 30;
    EXPECT_EQ(sample_address(d, 0, 33, 2, 0), 0x1000u + 4096 + 32 + 4);
    d.level = 1;  // below 32 rows
    EXPECT_EQ(sample_address(d, 0, 0, 0, 0), 0x1000u + 2 * 4096);
    d.bytes = 1, d.pitch_bytes = 256, d.level = 0, d.qpitch_rows = 64;
    EXPECT_EQ(sample_address(d, 0, 65, 9, 0), 0x1000u + 4096 + 64 + 2 + 1);
    EXPECT_EQ(sample_address(d, 1, 0, 0, 0), 0x1000u + 2 * 4096) << "128 bytes of pitch for a tile";
}

}  // namespace
}  // namespace gen9::pixel
