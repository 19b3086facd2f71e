// SPDX-License-Identifier: Apache-2.0
// Results of the scaler that go to memory.
#include <gtest/gtest.h>

#include <map>

#include "tests/support/covers.h"
#include "tests/unit/sampler/media_reference.h"

namespace gen9::sampler::media {
namespace {
using namespace test;

/// A picture, and a surface of bytes behind it that results go to.
struct ToMemory : Picture {
    static constexpr std::uint64_t kOut = kTexels + 0x200000;
    static constexpr unsigned kPitch = 128, kIndex = 5, kChromaRow = 40;
    std::array<std::uint32_t, 16> out{};

    ToMemory() {
        fill();
        copies();
        p = {this, kRgba, 32, 16, 256};
        one_to_one(0, 0);
        m.response = 0;
        m.target = kIndex;
        m.target_x = 8;
        m.target_y = 6;
        set_out(surface_state::SurfaceType, surface_state::SURFTYPE_2D);
        set_out(surface_state::SurfaceFormat, 0x140);  // R8_UNORM, whose width counts DWords
        set_out(surface_state::Width, kPitch / 4 - 1);
        set_out(surface_state::Height, 31);
        set_out(surface_state::SurfacePitch, kPitch - 1);
        set_out(surface_state::SurfaceBaseAddress, kOut);
        set_out(surface_state::YOffsetForUOrUVPlane, kChromaRow);
    }
    void set_out(const packets::Field& field, std::uint64_t value) { field.set(out, value); }
    MessageStatus send_there() {
        constexpr std::uint32_t kState = 0x7000;
        store(memory.at(kStates + 4 * kIndex), kState);
        std::memcpy(memory.at(kStates + kState), out.data(), sizeof out);
        return send(true, m.sequence % 2 != 0);
    }
    unsigned channel(char c, unsigned x, unsigned y) {
        const unsigned at = c == 'Y' ? 1 : c == 'U' ? 2 : 0;
        return *memory.at(kTexels + y * 256 + 4 * x + at);
    }
    using Bytes = std::map<std::uint64_t, unsigned>;
    Bytes written() const {
        Bytes bytes;
        for (const MemoryBlock::Line& line : Core::written(*request))
            for (unsigned i = 0; i < 64; ++i)
                if (line.enabled >> i & 1) {
                    EXPECT_TRUE(bytes.emplace(line.number * 64 + i, line.bytes[i]).second);
                }
        return bytes;
    }
    /// What the names of the formats say: the bytes of two pixels, or planes of luma and of chroma.
    Bytes expected(unsigned width, unsigned height) {
        static const char* const kPairs[] = {"YUYV", "VYUY", "YVYU", "UYVY"};
        Bytes bytes;
        const auto put_at = [&](unsigned x, unsigned y, char c, unsigned from_x, unsigned from_y) {
            const unsigned n = c == 'Y' ? 1 : c == 'U' ? 2 : 0;
            if (x < kPitch && (m.masked >> n & 1) == 0)
                bytes[kOut + y * kPitch + x] = channel(c, from_x, from_y);
        };
        for (unsigned y = 0; y < height; ++y)
            for (unsigned x = 0; x < width; ++x) {
                if (m.target_format < 4) {
                    for (unsigned i = 0; i < 4 && x % 2 == 0; ++i) {
                        const char c = kPairs[m.target_format][i];
                        put_at(m.target_x + 2 * x + i, m.target_y + y, c, c == 'Y' ? x + i / 2 : x,
                               y);
                    }
                    continue;
                }
                put_at(m.target_x + x, m.target_y + y, 'Y', x, y);
                if (m.target_format == 4 && y % 2 == 0)
                    put_at(m.target_x + x, kChromaRow + (m.target_y + y) / 2, x % 2 ? 'V' : 'U',
                           x & ~1u, y);
            }
        return bytes;
    }
};

TEST(MediaToMemory, EachFormatAndShape) {
    GEN9_COVERS("SMP-105 SMP-109 SMP-259 VME-85");
    for (unsigned format = 0; format < 6; ++format)
        for (unsigned sequence = 0; sequence < 4; ++sequence)
            for (const bool by_lines : {false, true}) {
                ToMemory b;
                b.by_lines = by_lines;
                b.m.target_format = format;
                b.m.sequence = sequence;
                b.m.form = sequence;  // is not looked at
                ASSERT_EQ(b.send_there(), kOk) << b.report();
                EXPECT_EQ(b.written(), b.expected(b.m.width(), b.m.height()))
                    << format << ", " << sequence;
            }
}

TEST(MediaToMemory, MasksAndTheSurfacesEnd) {
    GEN9_COVERS("SMP-259");
    for (const unsigned masked : {1u, 2u, 5u}) {
        ToMemory b;
        b.m.masked = masked;
        b.m.target_x = 112;  // 16 bytes are left in the row
        ASSERT_EQ(b.send_there(), kOk);
        EXPECT_EQ(b.written(), b.expected(16, 4)) << masked;
    }
    ToMemory low;
    low.m.target_format = 5;
    low.m.target_y = 30;
    ASSERT_EQ(low.send_there(), kOk);
    EXPECT_EQ(low.written(), low.expected(16, 2));
    // No surface: nothing is written.
    low.set_out(surface_state::SurfaceType, surface_state::SURFTYPE_NULL);
    ASSERT_EQ(low.send_there(), kOk);
    EXPECT_TRUE(low.written().empty());
    // Y tiles: columns of 16 bytes, 32 rows high.
    ToMemory tiled;
    tiled.m.target_format = 5;
    tiled.set_out(surface_state::TileMode, 3);
    ASSERT_EQ(tiled.send_there(), kOk);
    const auto bytes = tiled.written();
    EXPECT_EQ(bytes.size(), 64u);
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 16; ++x)
            EXPECT_EQ(bytes.at(ToMemory::kOut + (8 + x) / 16 * 512 + (6 + y) * 16 + (8 + x) % 16),
                      tiled.channel('Y', x, y));
}

TEST(MediaToMemory, WhatIsWrongIsReportedOnceAndWritesNothing) {
    GEN9_COVERS("SMP-105 SMP-259");
    const std::pair<const char*, void (*)(ToMemory&)> cases[] = {
        {"16 bits", [](ToMemory& b) { b.m.target_format = 6; }},
        {"32 bits", [](ToMemory& b) { b.m.target_format = 17; }},
        {"a reserved format", [](ToMemory& b) { b.m.target_format = 7; }},
        {"the last format", [](ToMemory& b) { b.m.target_format = 31; }},
        {"not a DWord", [](ToMemory& b) { b.m.target_x = 2; }},
        {"chroma of an odd row", [](ToMemory& b) { b.m.target_format = 4, b.m.target_y = 5; }},
        {"a volume",
         [](ToMemory& b) { b.set_out(surface_state::SurfaceType, surface_state::SURFTYPE_3D); }},
        {"an array", [](ToMemory& b) { b.set_out(surface_state::SurfaceArray, 1); }},
        {"tiles of stencils", [](ToMemory& b) { b.set_out(surface_state::TileMode, 1); }},
        {"compressed", [](ToMemory& b) { b.set_out(surface_state::MemoryCompressionEnable, 1); }},
        {"a turned picture", [](ToMemory& b) { b.p.rotation = 2; }},
    };
    for (const auto& [what, change] : cases) {
        ToMemory b;
        change(b);
        EXPECT_EQ(b.send_there(), kWrong) << what;
        EXPECT_EQ(b.reporter.entries().size(), 1u) << what;
        EXPECT_TRUE(b.written().empty()) << what;
        EXPECT_EQ(b.report().find("gone") != std::string::npos,
                  b.m.target_format == 6 || b.m.target_format == 17);
    }
    // A message before has left lines; the next one writes none that is refused, or goes to
    // registers.
    ToMemory b;
    ASSERT_EQ(b.send_there(), kOk);
    EXPECT_FALSE(b.written().empty());
    b.m.binding = 254;  // names no surface
    EXPECT_EQ(b.send_there(), kWrong);
    EXPECT_TRUE(b.written().empty());
    b.m.binding = 0;
    b.m.response = -1;
    ASSERT_EQ(b.send_there(), kOk);
    EXPECT_TRUE(b.written().empty());
}

}  // namespace
}  // namespace gen9::sampler::media
