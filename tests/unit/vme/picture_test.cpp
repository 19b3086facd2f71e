// SPDX-License-Identifier: Apache-2.0
// Surfaces, edges and fields.
#include "vme/picture/picture.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/vme/bench.h"

namespace gen9::vme::test {
namespace {

using motion::Vector;

/// The sum of differences at one position: what a search of a single unit says of its first place.
unsigned first_distortion(Bench& b, int x, int y, int dx, int dy) {
    Words w(kMesh);
    w.dword(0, 2, pair(x, y)).dword(0, 0, pair(dx, dy));
    b.run(w);
    return w.word(0, 0);
}

TEST(Picture, EdgesRepeatOutside) {
    GEN9_COVERS("VME-08 VME-09 VME-10");
    // Sizes that are no multiples of 16: source blocks leave the picture, too.
    const auto source = motion::texture(38, 27, 1), reference = motion::texture(38, 27, 2);
    Bench b(source, reference);
    for (const Vector at : {Vector{0, 0}, {32, 16}, {5, 11}, {37, 26}})
        for (const Vector d : {Vector{-4, -4}, {-31, 3}, {8, -20}, {0, 0}, {9, 9}})
            EXPECT_EQ(first_distortion(b, at.x, at.y, d.x, d.y),
                      static_cast<unsigned>(
                          motion::sad_whole(source, at.x, at.y, {0, 0, 16, 16}, reference, d) +
                          // Beyond 64 a vector costs its distance, whatever the table says.
                          motion::Costs{}.vector({4 * d.x, 4 * d.y}, 0)))
                << at.x << ' ' << at.y << ' ' << d.x << ' ' << d.y;
}

TEST(Picture, TilesAndLinesOfMemory) {
    GEN9_COVERS("VME-05");
    const auto source = motion::texture(150, 70, 3), reference = motion::texture(150, 70, 4);
    for (const std::uint32_t tiles : {state::TILEMODE_XMAJOR, state::TILEMODE_YMAJOR}) {
        Bench b(source, source);
        auto dwords = b.memory.bind(1, reference);
        const std::uint64_t base = (b.memory.bytes.size() + 4095) & ~4095ull;
        state::SurfacePitch.set(dwords, 511);
        state::TileMode.set(dwords, tiles);
        state::SurfaceBaseAddress.set(dwords, base);
        b.memory.put(1, dwords);
        b.memory.bytes.resize(base + 512 * 96);
        for (int y = 0; y < 70; ++y)
            for (int x = 0; x < 150; ++x) {
                // A tile is 512 bytes of 8 rows, or columns of 16 bytes of 32 rows.
                const int tile = tiles == state::TILEMODE_XMAJOR ? y / 8 : y / 32 * 4 + x / 128;
                const int in = tiles == state::TILEMODE_XMAJOR
                                   ? y % 8 * 512 + x
                                   : x % 128 / 16 * 512 + y % 32 * 16 + x % 16;
                b.memory.bytes[base + static_cast<unsigned>(4096 * tile + in)] =
                    static_cast<std::uint8_t>(reference.at(x, y));
            }
        for (const Vector at : {Vector{0, 0}, {112, 17}, {123, 60}}) {
            const auto expected = static_cast<unsigned>(
                motion::sad_whole(source, at.x, at.y, {0, 0, 16, 16}, reference, {3, -6}));
            EXPECT_EQ(first_distortion(b, at.x, at.y, 3, -6), expected);
            Words w(kMesh);
            w.dword(0, 2, pair(at.x, at.y)).dword(0, 0, pair(3, -6));
            b.run_by_lines(w);
            EXPECT_EQ(w.word(0, 0), expected);
        }
    }
}

TEST(Picture, FieldsAreHalfPictures) {
    GEN9_COVERS("VME-11 VME-12 VME-23 VME-29 VME-59");
    const auto source = motion::texture(48, 61, 5), reference = motion::texture(48, 61, 6);
    for (unsigned source_parity = 0; source_parity < 2; ++source_parity)
        for (unsigned parity = 0; parity < 2; ++parity) {
            const auto half = source.field(static_cast<int>(source_parity));
            const auto other = reference.field(static_cast<int>(parity));
            Bench b(source, reference), halves(half, other);
            const auto run = [&](Bench& bench, bool fields) {
                Words w = search(16, 16, 32, 28, -5, -3);
                if (fields)
                    w.set(0, 3, 7, 6, 3).set(1, 7, 19, 19, source_parity).set(1, 1, 15, 8, parity);
                bench.run(w);
                return w;
            };
            const Words a = run(b, true), c = run(halves, false);
            for (unsigned phase = 1; phase < 7; ++phase)
                EXPECT_EQ(std::memcmp(a.message.response[phase].bytes,
                                      c.message.response[phase].bytes, 32),
                          0)
                    << phase;
            EXPECT_EQ(a.answer(0, 2), c.answer(0, 2));
            EXPECT_EQ(a.answer(0, 0, 14, 14), 1u);
            EXPECT_EQ(a.answer(0, 0, 7, 7), source_parity);
            // The same by the states of the surfaces.
            Bench states(source, reference);
            const auto picture = [&](unsigned index, const motion::Picture& p, unsigned which) {
                auto dwords = states.memory.bind(index, p);
                state::PictureStructure.set(dwords, 1 + which);
                states.memory.put(index, dwords);
            };
            picture(0, source, source_parity);
            picture(1, reference, parity);
            EXPECT_EQ(run(states, false).answer(0, 2), c.answer(0, 2));
            // What the message asks for as well changes nothing.
            EXPECT_EQ(run(states, true).answer(0, 2), c.answer(0, 2));
        }
}

TEST(Picture, ALineStrideSkipsLines) {
    GEN9_COVERS("VME-05");
    const auto picture = motion::texture(48, 64, 7);
    Bench b(picture.field(1), picture);
    auto dwords = b.memory.bind(1, picture);
    state::Height.set(dwords, 31);
    state::VerticalLineStride.set(dwords, 1);
    state::VerticalLineStrideOffset.set(dwords, 1);
    b.memory.put(1, dwords);
    EXPECT_EQ(first_distortion(b, 8, 8, 0, 0), 0u);
}

TEST(Picture, OnlyWhatIsNeededIsLookedAt) {
    GEN9_COVERS("VME-05");
    const auto picture = motion::texture(48, 48, 8);
    Bench b;
    b.memory.bind(0, picture);
    // Intra alone: the entry of the reference lies outside memory.
    std::memset(b.memory.bytes.data() + 4, 0xFF, 4);
    Words intra(kCheck);
    b.run(intra.set(5, 1, 9, 8, 1));
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
    // Entry 0 may hold the value 0: a state at the base.
    auto dwords = b.memory.bind(0, picture);
    std::memset(b.memory.bytes.data(), 0, 8);
    std::memcpy(b.memory.bytes.data() + 64, dwords.data(), 64);
    const std::uint32_t first = 64;
    std::memcpy(b.memory.bytes.data(), &first, 4);
    b.core.invalidate_states();
    Words again(kCheck);
    b.run(again.set(5, 1, 9, 8, 1));
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
    // A source of another format, and one that is not there.
    state::SurfaceFormat.set(dwords, state::R8G8B8A8_UNORM);
    b.memory.put(0, dwords);
    b.core.invalidate_states();
    Words colour(kCheck);
    b.run(colour.set(5, 1, 9, 8, 1));
    EXPECT_EQ(b.reporter.guest_errors(), 1u);
    EXPECT_NE(b.report().find("luma"), std::string::npos);
    EXPECT_EQ(colour.answer(0, 3), 0u);
}

}  // namespace
}  // namespace gen9::vme::test
