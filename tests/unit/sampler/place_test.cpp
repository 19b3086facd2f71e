// SPDX-License-Identifier: Apache-2.0
// Where texels lie: tiles, slices, levels, mip tails, planes, samples.
#include <gtest/gtest.h>

#include <set>

#include "sampler/filter/load.h"
#include "tests/support/covers.h"
#include "tests/unit/sampler/bench.h"

namespace gen9::sampler {
namespace {
using namespace test;
using surface::Tiling;

/// Letters of a tile's address bits from the highest down, as the table of 003:5332-5342 and the
/// surface layout chapters print them; each letter takes the next bit of its coordinate from the
/// right. Bytes of x.
std::uint64_t by_letters(const std::string& letters, unsigned x, unsigned y, unsigned z) {
    std::uint64_t offset = 0;
    unsigned* const at[] = {&x, &y, &z};
    unsigned bit = 0;
    for (auto letter = letters.rbegin(); letter != letters.rend(); ++letter) {
        unsigned& coordinate = *at[*letter - 'X'];
        offset |= std::uint64_t{coordinate & 1} << bit++;
        coordinate >>= 1;
    }
    return offset;
}

TEST(Tiles, AddressBitsAreThoseOfTheTables) {
    struct Row {
        Tiling tiling;
        unsigned bytes, width, height;
        const char* letters;
    };
    const Row rows[] = {{Tiling::X, 4, 512, 8, "YYYXXXXXXXXX"},
                        {Tiling::Y, 4, 128, 32, "XXXYYYYYXXXX"},
                        {Tiling::W, 1, 64, 64, "XXXYYYXYXYXY"},
                        {Tiling::Yf, 1, 64, 64, "XYXYYYYYXXXX"},
                        {Tiling::Yf, 4, 128, 32, "XYXYXYYYXXXX"},
                        {Tiling::Yf, 16, 256, 16, "XYXYXXYYXXXX"},
                        {Tiling::Ys, 1, 256, 256, "XYXYXYXYYYYYXXXX"},
                        {Tiling::Ys, 2, 512, 128, "XYXYXYXYXYYYXXXX"},
                        {Tiling::Ys, 8, 1024, 64, "XYXYXYXYXXYYXXXX"}};
    for (const Row& row : rows) {
        std::set<std::uint64_t> seen;
        // The pitch of W counts two rows.
        const unsigned pitch = row.width * 4 * (row.tiling == Tiling::W ? 2 : 1);
        const surface::Layout layout{row.tiling, pitch, static_cast<std::uint8_t>(row.bytes)};
        const std::uint64_t size = std::uint64_t{row.width} * row.height;
        for (unsigned y = 0; y < row.height * 2; ++y)
            for (unsigned x = 0; x < row.width * 2; ++x) {
                std::string letters = row.letters;
                if (row.tiling == Tiling::W) letters = "XXXYYYYXYXYX";
                const std::uint64_t tile = x / row.width + y / row.height * 4;
                const std::uint64_t wanted =
                    tile * size + by_letters(letters, x % row.width, y % row.height, 0);
                const std::uint64_t got = surface::tile_offset(layout, x, y);
                if (row.tiling != Tiling::W) {
                    ASSERT_EQ(got, wanted) << row.letters << " " << x << "," << y;
                }
                seen.insert(got);
            }
        EXPECT_EQ(seen.size(), size * 4) << row.letters;  // each byte has a place of its own
    }
    // Points of the guide, found by hand.
    EXPECT_EQ(surface::tile_offset({Tiling::W, 128, 1}, 5, 6), 0x39u);
    EXPECT_EQ(surface::tile_offset({Tiling::Yf, 128, 4}, 36, 5), 0x254u);
    EXPECT_EQ(surface::tile_offset({Tiling::Y, 512, 4}, 33 * 4, 5), 0x1054u);
    EXPECT_EQ(surface::tile_offset({Tiling::X, 1024, 4}, 161 * 4, 13), 0x3A84u);
}

TEST(Tiles, VolumesHaveTilesOfThreeDimensions) {
    const std::pair<unsigned, const char*> rows[] = {{1, "XYZXYZYZZZYYXXXX"},
                                                     {2, "XYZXYZYZZZYYXXXX"},
                                                     {4, "XYZXYZXYZZYYXXXX"},
                                                     {8, "XYZXYZXXZZYYXXXX"},
                                                     {16, "XYZXYZXXZZYYXXXX"}};
    for (const auto& [bytes, letters] : rows)
        for (const Tiling tiling : {Tiling::Yf, Tiling::Ys}) {
            const std::string text =
                tiling == Tiling::Ys ? letters : std::string(letters).substr(4);
            const surface::TileSize size = surface::standard_tile(tiling, bytes, true);
            const auto count = [&](char letter) {
                return 1u << std::count(text.begin(), text.end(), letter);
            };
            EXPECT_EQ(size.width_bytes, count('X'));
            EXPECT_EQ(size.height, count('Y'));
            EXPECT_EQ(size.depth, count('Z'));
            const surface::Layout layout{tiling, size.width_bytes,
                                         static_cast<std::uint8_t>(bytes)};
            for (unsigned n = 0; n < 5000; ++n) {
                const unsigned x = n * 7 % size.width_bytes, y = n * 5 % size.height;
                const unsigned z = n * 3 % size.depth;
                ASSERT_EQ(surface::volume_offset(layout, size.height, x, y, z),
                          by_letters(text, x, y, z));
                const surface::TilePlace place = surface::place_in_tile(
                    tiling, bytes, true, static_cast<std::uint32_t>(by_letters(text, x, y, z)));
                ASSERT_EQ(place.x, x);
                ASSERT_EQ(place.y, y);
                ASSERT_EQ(place.z, z);
            }
        }
}

/// Where a load of (u, v, r) at a level reads.
std::uint64_t place(Bench& b, std::uint32_t u, std::uint32_t v, std::uint32_t r, unsigned lod = 0) {
    b.core.go_general_way(true);
    b.send(kLd, {all_of(u), all_of(v), all_of(lod), all_of(r)});
    EXPECT_EQ(b.message.status, MessageStatus::Ok);
    return b.request->taps[0].address - Bench::kTexels;
}

TEST(Place, SlicesAndLevelsOfTheDriversStates) {
    Bench b;
    // The driver's 2D array of 20 x 9 x 3 and its 3D image of 20 x 9 x 5, RGBA8 in Y tiles.
    b.surface = {0x331D7000, 0x06000003, 0x00080013,
                 0x0040007F, 0x00000100, 0,
                 0,          0x09770000, static_cast<std::uint32_t>(Bench::kTexels)};
    EXPECT_EQ(place(b, 0, 0, 1), 0xC0u);
    b.surface = {0x431D7000, 0x06000008, 0x00080013,
                 0x0080007F, 0x00000200, 0,
                 0,          0x09770000, static_cast<std::uint32_t>(Bench::kTexels)};
    EXPECT_EQ(place(b, 0, 0, 1), 0x1000u);
    // 16 x 16 RGBA8 with all its levels: texel columns and rows, linear.
    Bench c;
    c.shape(surface_state::SURFTYPE_2D, 0x0C7, 16, 16, 1, 64);
    c.set(surface_state::MIPCountLOD, 4);
    const unsigned corners[][2] = {{0, 0}, {0, 16}, {8, 16}, {8, 20}, {8, 24}};
    for (unsigned level = 0; level < 5; ++level)
        EXPECT_EQ(place(c, 0, 0, 0, level), corners[level][1] * 64 + corners[level][0] * 4);
}

TEST(Place, OneDimensionWithTilesIsARowOfTwo) {
    Bench b;
    b.shape(surface_state::SURFTYPE_1D, 0x0D8, 64, 1, 1, 256);
    b.set(surface_state::MIPCountLOD, 3);
    EXPECT_EQ(place(b, 0, 0, 0, 1), 64 * 4u);
    EXPECT_EQ(place(b, 0, 0, 0, 2), 128 * 4u);
    // Levels lie at (0, 4), (32, 4) and (32, 8); columns of a Y tile are 512 bytes apart.
    b.set(surface_state::TileMode, surface_state::YMAJOR);
    EXPECT_EQ(place(b, 5, 0, 0), 512 + 4u);
    EXPECT_EQ(place(b, 0, 0, 0, 1), 4 * 16u);
    EXPECT_EQ(place(b, 1, 0, 0, 2), 0x1000 + 4 * 16 + 4u);
    EXPECT_EQ(place(b, 0, 0, 0, 3), 0x1000 + 8 * 16u);
}

TEST(Place, CompressedLevelsCountBlocks) {
    Bench b;
    b.shape(surface_state::SURFTYPE_2D, 0x186, 64, 64, 1, 256);  // BC1
    b.set(surface_state::MIPCountLOD, 3);
    EXPECT_EQ(place(b, 5, 9, 0), 2 * 256 + 1 * 8u);
    EXPECT_EQ(place(b, 0, 0, 0, 1), 16 * 256u);
    EXPECT_EQ(place(b, 0, 0, 0, 2), 16 * 256 + 8 * 8u);
    EXPECT_EQ(place(b, 0, 0, 0, 3), 20 * 256 + 8 * 8u);
    EXPECT_EQ(b.request->taps[0].x, 0);
    place(b, 7, 9, 0);
    EXPECT_EQ(b.request->taps[0].x, 3);
    EXPECT_EQ(b.request->taps[0].y, 1);
}

TEST(Place, MipTailsShareATile) {
    Bench b;
    b.shape(surface_state::SURFTYPE_2D, 0x0C7, 64, 64, 1, 256);
    b.set(surface_state::TileMode, surface_state::YMAJOR);
    b.set(surface_state::TiledResourceMode, surface_state::TRM_TILEYF);
    b.set(surface_state::MIPCountLOD, 6);
    b.set(surface_state::MipTailStartLOD, 2);
    // 32 x 32 texels a tile: level 0 has 2 x 2 of them, level 1 one below; the tail is the next.
    EXPECT_EQ(place(b, 0, 0, 0, 1), 4 * 0x1000u);
    const unsigned slots[] = {2048, 1536, 1280, 1024, 768};  // of a 4 KB tile, the first is slot 4
    for (unsigned level = 2; level < 7; ++level)
        EXPECT_EQ(place(b, 0, 0, 0, level), 5 * 0x1000 + slots[level - 2]) << level;
}

TEST(Place, PlanarImagesHaveChromaOfHalfTheSize) {
    GEN9_COVERS("SMP-212");
    Bench b;
    b.shape(surface_state::SURFTYPE_2D, 0x1A5, 8, 4, 1, 16);
    b.set(surface_state::YOffsetForUOrUVPlane, 4);
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 8; ++x)
            b.put(y * 16 + x, static_cast<std::uint8_t>(10 * y + x));
    for (unsigned y = 0; y < 2; ++y)
        for (unsigned x = 0; x < 4; ++x) {
            b.put(64 + y * 16 + 2 * x, static_cast<std::uint8_t>(100 + 10 * y + x));      // Cb
            b.put(64 + y * 16 + 2 * x + 1, static_cast<std::uint8_t>(200 + 10 * y + x));  // Cr
        }
    const auto at = [&](std::uint32_t u, std::uint32_t v) {
        auto color = b.send(kLdLz, {all_of(u), all_of(v)}).color();
        for (float& c : color)
            c = std::round(c * 255);
        return color;
    };
    EXPECT_EQ(at(5, 3), (std::array<float, 4>{212, 35, 112, 255}));
    b.set_sampler(sampler_state::NonnormalizedCoordinateEnable, 1);
    auto sampled = b.send(kSampleLz, {all(5.5f), all(3.5f)}).color();
    EXPECT_EQ(std::round(sampled[0] * 255), 212);
    EXPECT_EQ(std::round(sampled[1] * 255), 35);
    EXPECT_EQ(std::round(sampled[2] * 255), 112);
    // Three planes: V has a place of its own.
    b.set(surface_state::SeparateUVPlaneEnable, 1);
    b.set(surface_state::YOffsetForUOrUVPlane, 4);
    b.set(surface_state::YOffsetForVPlane, 5);
    EXPECT_EQ(at(2, 0), (std::array<float, 4>{200 + 10, 2, 200, 255}));
}

TEST(Place, PlanarImagesOfWordsHaveTheSamePlaces) {
    Bench b;
    b.shape(surface_state::SURFTYPE_2D, 0x1A6, 8, 4, 1, 32);
    b.set(surface_state::YOffsetForUOrUVPlane, 4);
    b.put<std::uint16_t>(3 * 32 + 5 * 2, 0x1234);
    b.put<std::uint16_t>((4 + 1) * 32 + 2 * 4, 0x5678);      // Cb
    b.put<std::uint16_t>((4 + 1) * 32 + 2 * 4 + 2, 0x9ABC);  // Cr
    const auto texel = [&] { return b.send(kLdLz, {all_of(5), all_of(3)}).color(); };
    using Color = std::array<float, 4>;
    EXPECT_EQ(texel(), (Color{0x9ABC / 65535.0f, 0x1234 / 65535.0f, 0x5678 / 65535.0f, 1}));
    b.by_lines = true;
    EXPECT_EQ(texel(), (Color{0x9ABC / 65535.0f, 0x1234 / 65535.0f, 0x5678 / 65535.0f, 1}));
    b.set(surface_state::SeparateUVPlaneEnable, 1);
    b.set(surface_state::YOffsetForVPlane, 6);
    b.put<std::uint16_t>((4 + 1) * 32 + 2 * 2, 0xAAAA);
    b.put<std::uint16_t>((6 + 1) * 32 + 2 * 2, 0xBBBB);
    EXPECT_EQ(texel(), (Color{0xBBBB / 65535.0f, 0x1234 / 65535.0f, 0xAAAA / 65535.0f, 1}));
}

TEST(Place, SamplesHavePlanesOrLieSideBySide) {
    GEN9_COVERS("SMP-155");
    Bench b;
    b.shape(surface_state::SURFTYPE_2D, 0x0D7, 8, 8, 1, 128);
    b.set(surface_state::NumberOfMultisamples, 2);
    b.set(surface_state::SurfaceQPitch, 2);
    const auto at = [&](std::uint32_t sample, std::uint32_t u, std::uint32_t v) {
        b.send(kLd2dss, {all_of(sample), all_of(u), all_of(v)});
        return b.request->taps[0].address - Bench::kTexels;
    };
    EXPECT_EQ(at(3, 1, 2), (3 * 8 + 2) * 128 + 4u);
    b.set(surface_state::MultisampledSurfaceStorageFormat, 1);
    // Sample 3 of pixel (1, 2): X' = 1 << 1 | 1 = 3, Y' = 2 << 1 | 2 = 6.
    EXPECT_EQ(at(3, 1, 2), 6 * 128 + 3 * 4u);
    b.set(surface_state::MultisampledSurfaceStorageFormat, 0);
    EXPECT_EQ(b.send(kLd2dss, {all_of(4), all_of(0), all_of(0)}).bits[0][0], 0u);
    b.send(kSampleLz, {all(0), all(0)});
    EXPECT_EQ(b.message.status, MessageStatus::GuestError);  // SMP-158
}

TEST(Place, ControlValuesSayTheSlices) {
    GEN9_COVERS("SMP-157");
    Bench b;
    b.shape(surface_state::SURFTYPE_2D, 0x0D7, 8, 8, 1, 128);
    b.set(surface_state::NumberOfMultisamples, 2);
    b.set(surface_state::SurfaceQPitch, 2);
    b.set(surface_state::AuxiliarySurfaceMode, surface_state::AUX_CCS_D);
    b.set(surface_state::AuxiliarySurfaceBaseAddress, Bench::kTexels + 0x10000);
    b.set(surface_state::RedClearColor, 77);
    for (unsigned slice = 0; slice < 4; ++slice)
        b.put<std::uint32_t>(slice * 8 * 128, 500 + slice);
    // In tiles of 128 bytes by 32 rows: pixel (17, 3) would be in the second column of 16 bytes.
    b.put<std::uint8_t>(0x10000 + 3 * 16 + 5, 0xE4);
    EXPECT_EQ(b.send(kLdMcs, {all_of(5), all_of(3)}).integers(),
              (std::array<std::uint32_t, 4>{0xE4, 0, 0, 0}));
    const auto load = [&](std::uint32_t sample, std::uint32_t mcs) {
        return b.send(kLd2dms, {all_of(sample), all_of(mcs), all_of(0), all_of(0)}).bits[0][0];
    };
    for (unsigned sample = 0; sample < 4; ++sample) {
        EXPECT_EQ(load(sample, 0xE4), 500 + sample);
        EXPECT_EQ(load(sample, 0x1B), 503 - sample);
        EXPECT_EQ(load(sample, 0), 500u);
        EXPECT_EQ(load(sample, 0xFF), 77u);  // clear
    }
    b.set(surface_state::NumberOfMultisamples, 4);
    b.set(surface_state::SurfaceQPitch, 2);
    const auto wide = [&](std::uint32_t sample, std::uint32_t low, std::uint32_t high) {
        b.send(kLd2dmsW, {all_of(sample), all_of(low), all_of(high), all_of(0), all_of(0)});
        return (b.request->taps[0].address - Bench::kTexels) / (8 * 128);
    };
    EXPECT_EQ(wide(9, 0, 0x000000B0), 11u);
    EXPECT_EQ(wide(2, 0x700, 0), 7u);
    b.set(surface_state::AuxiliarySurfaceMode, 0);
    EXPECT_EQ(b.send(kLdMcs, {all_of(5), all_of(3)}).bits[0][0], 0u);
}

TEST(Lines, AreListedInOrderOncePerSubspan) {
    Bench b;
    b.shape(surface_state::SURFTYPE_2D, 0x0D7, 64, 8, 1, 256);
    std::vector<std::uint32_t> u(16);
    for (unsigned n = 0; n < 16; ++n)
        u[n] = n < 8 ? 32 + n : n * 4;
    Bench::Options o;
    o.simd = 2;
    b.by_lines = true;
    b.send(kLdLz, {u}, o);
    // Columns 32-35 and 36-39 are one line, asked for by each subspan; 32-44 and 48-60 two more.
    std::vector<std::uint64_t> lines;
    for (unsigned i = 0; i < b.request->line_count; ++i)
        lines.push_back(b.request->lines[i] - Bench::kTexels / 64);
    EXPECT_EQ(lines, (std::vector<std::uint64_t>{2, 2, 2, 3}));
}

}  // namespace
}  // namespace gen9::sampler
