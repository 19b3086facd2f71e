// SPDX-License-Identifier: Apache-2.0
// Where the elements of typed surfaces lie: tiles, mip levels, samples, fields; and what a surface
// says of itself.
#include <gtest/gtest.h>

#include <set>

#include "hdc/surface/place_element.h"
#include "tests/support/covers.h"
#include "tests/unit/hdc/decode/messages.h"

namespace gen9::hdc {
namespace {
using namespace test;
namespace state = packets::render_surface_state;

constexpr unsigned kR8Uint = 0x143, kR32Uint = 0x0D7;

/// Address bits 6 to 15 by the table of 003:5332-5342, from bit 15 down; bits 5:0 are v1 v0 u3..u0.
struct Standard {
    unsigned bytes;
    const char* bits;
};
const Standard kStandard[] = {{1, "u7 v7 u6 v6 u5 v5 u4 v4 v3 v2"},
                              {2, "u8 v6 u7 v5 u6 v4 u5 v3 u4 v2"},
                              {4, "u8 v6 u7 v5 u6 v4 u5 v3 u4 v2"},
                              {8, "u9 v5 u8 v4 u7 v3 u6 v2 u5 u4"},
                              {16, "u9 v5 u8 v4 u7 v3 u6 v2 u5 u4"}};

TEST(StandardTiles, AddressBitsAreThoseOfTheTable) {
    GEN9_COVERS("DP-181");
    for (const Standard& row : kStandard)
        for (const Tiling tiling : {Tiling::Yf, Tiling::Ys}) {
            const unsigned bits = tiling == Tiling::Ys ? 16 : 12;
            const unsigned pitch = 4096;
            for (unsigned x = 0; x < 1500; x += 37)
                for (unsigned y = 0; y < 300; y += 7) {
                    std::uint64_t expected = (y & 3) << 4 | (x & 15);
                    unsigned columns = 4, rows = 2;  // bits of the tile taken so far
                    for (unsigned bit = 6; bit < bits; ++bit) {
                        const char* source = row.bits + (15 - bit) * 3;
                        const unsigned number = static_cast<unsigned>(source[1] - '0');
                        const bool column = source[0] == 'u';
                        ++(column ? columns : rows);
                        expected |= std::uint64_t{(column ? x : y) >> number & 1} << bit;
                    }
                    expected += ((x >> columns) + std::uint64_t{y >> rows} * (pitch >> columns))
                                << bits;
                    ASSERT_EQ(
                        tile_offset({tiling, pitch, static_cast<std::uint8_t>(row.bytes)}, x, y),
                        expected)
                        << row.bytes << ' ' << x << ' ' << y;
                }
        }
}

TEST(WTiles, EveryByteHasItsPlaceInBlocksOfEightByEight) {
    GEN9_COVERS("DP-151");
    std::set<std::uint64_t> seen;
    for (unsigned y = 0; y < 64; ++y)
        for (unsigned x = 0; x < 64; ++x)
            seen.insert(tile_offset({Tiling::W, 256}, x, y));
    EXPECT_EQ(seen.size(), 4096u);
    EXPECT_EQ(*seen.rbegin(), 4095u);
    // Public: the W tile of the surface layout chapter: 2x2, 4x4, 8x8 bytes, then rows of blocks.
    EXPECT_EQ(tile_offset({Tiling::W, 256}, 1, 0), 1u);
    EXPECT_EQ(tile_offset({Tiling::W, 256}, 0, 1), 2u);
    EXPECT_EQ(tile_offset({Tiling::W, 256}, 2, 0), 4u);
    EXPECT_EQ(tile_offset({Tiling::W, 256}, 0, 2), 8u);
    EXPECT_EQ(tile_offset({Tiling::W, 256}, 4, 0), 16u);
    EXPECT_EQ(tile_offset({Tiling::W, 256}, 0, 4), 32u);
    EXPECT_EQ(tile_offset({Tiling::W, 256}, 0, 8), 64u);
    EXPECT_EQ(tile_offset({Tiling::W, 256}, 8, 0), 512u);
    EXPECT_EQ(tile_offset({Tiling::W, 256}, 64, 0), 4096u);
    EXPECT_EQ(tile_offset({Tiling::W, 256}, 0, 64), 2 * 4096u) << "the pitch counts two rows";
}

struct TypedLayout : ::testing::Test {
    Bench b;
    void use(const SurfaceBits& surface) { b.bind(0, surface); }
    /// Writes red to one place; the status.
    MessageStatus write(std::initializer_list<std::uint32_t> parameters, std::uint32_t value) {
        Send send(DC1, descriptor(0x0D, 1 << 12 | 0xE << 8, 0), 1);
        for (const std::uint32_t parameter : parameters)
            send.add(U32(8, parameter));
        return b.run(send.add(U32(8, value))).message.status;
    }
    std::uint32_t dword(std::uint64_t offset) {
        return b.memory.get<std::uint32_t>(kData + offset);
    }
};

SurfaceBits image(unsigned type, unsigned width, unsigned height, unsigned depth, unsigned pitch,
                  unsigned format = kR32Uint) {
    return SurfaceBits::image(type, format, kData, width, height, depth, pitch);
}

TEST_F(TypedLayout, MipLevelsOfTwoDimensionalSurfacesStandBelowAndRightOfTheFirst) {
    GEN9_COVERS("DP-061 DP-095");
    // 20 x 12 with levels 10 x 6, 5 x 3, 2 x 1, 1 x 1; aligned to 4 by 4.
    SurfaceBits s = image(state::SURFTYPE_2D, 20, 12, 1, 256);
    use(s.set(state::MIPCountLOD, 4)
            .set(state::SurfaceHorizontalAlignment, 1)
            .set(state::SurfaceVerticalAlignment, 1));
    const auto at = [](unsigned x, unsigned y) { return y * 256 + x * 4; };
    const struct {
        unsigned lod, x, y, corner_x, corner_y;
    } cases[] = {{0, 19, 11, 0, 0},
                 {1, 9, 5, 0, 12},
                 {2, 4, 2, 12, 12},
                 {3, 1, 0, 12, 16},
                 {4, 0, 0, 12, 20}};
    for (const auto& c : cases) {
        write({c.x, c.y, 0, c.lod}, 100 + c.lod);
        EXPECT_EQ(dword(at(c.corner_x + c.x, c.corner_y + c.y)), 100 + c.lod);
        write({c.x + 1, c.y, 0, c.lod}, 200);
        EXPECT_EQ(b.plan.out_of_bounds, 1) << "beyond the width of the level";
        write({c.x, c.y + 1, 0, c.lod}, 200);
        EXPECT_EQ(b.plan.out_of_bounds, 1) << "beyond the height of the level";
    }
    write({0, 0, 0, 5}, 200);
    EXPECT_EQ(b.plan.out_of_bounds, 1) << "a level that is not there";
}

TEST_F(TypedLayout, MipLevelsOfOneDimensionalSurfacesFollowOneAnotherEverySixtyFourElements) {
    GEN9_COVERS("DP-061");
    SurfaceBits s = image(state::SURFTYPE_1D, 100, 1, 1, 4096);
    use(s.set(state::MIPCountLOD, 2));
    write({3, 0, 0, 2}, 7);
    EXPECT_EQ(dword((128 + 64 + 3) * 4), 7u);
}

TEST_F(TypedLayout, VolumesGetShallowerByLevelAndArraysDoNot) {
    GEN9_COVERS("DP-064 DP-095");
    SurfaceBits volume = image(state::SURFTYPE_3D, 8, 8, 4, 64);
    volume.set(state::MIPCountLOD, 1).set(state::SurfaceQPitch, 16 / 4);
    use(volume.set(state::SurfaceVerticalAlignment, 1).set(state::SurfaceHorizontalAlignment, 1));
    write({1, 1, 1, 1}, 5);
    EXPECT_EQ(dword((16 + 8 + 1) * 64 + 4), 5u);
    write({1, 1, 2, 1}, 6);
    EXPECT_EQ(b.plan.out_of_bounds, 1);
    SurfaceBits array = image(state::SURFTYPE_2D, 8, 8, 4, 64);
    array.set(state::MIPCountLOD, 1).set(state::SurfaceQPitch, 16 / 4).set(state::SurfaceArray, 1);
    use(array.set(state::SurfaceVerticalAlignment, 1).set(state::SurfaceHorizontalAlignment, 1));
    write({1, 1, 3, 1}, 8);
    EXPECT_EQ(dword((3 * 16 + 8 + 1) * 64 + 4), 8u);
    EXPECT_EQ(b.plan.out_of_bounds, 0);
}

TEST_F(TypedLayout, TheMinimumArrayElementOfTheStateIsAddedToTheMessages) {
    SurfaceBits s = image(state::SURFTYPE_2D, 8, 8, 2, 64);
    s.set(state::SurfaceArray, 1).set(state::SurfaceQPitch, 12 / 4);
    use(s.set(state::MinimumArrayElement, 3));
    write({2, 1, 1, 0}, 9);
    EXPECT_EQ(dword(((3 + 1) * 12 + 1) * 64 + 8), 9u);
    write({2, 1, 2, 0}, 9);
    EXPECT_EQ(b.plan.out_of_bounds, 1) << "the depth counts from there on";
}

TEST_F(TypedLayout, TheSurfacesOffsetsMoveItsElements) {
    SurfaceBits s = image(state::SURFTYPE_2D, 8, 8, 1, 128);
    use(s.set(state::XOffset, 1).set(state::YOffset, 2));  // in units of four pixels, four rows
    write({3, 1}, 9);
    EXPECT_EQ(dword((1 + 8) * 128 + (3 + 4) * 4), 9u);
}

TEST_F(TypedLayout, TheMinimumLevelOfTheStateIsAddedToTheMessages) {
    SurfaceBits s = image(state::SURFTYPE_2D, 16, 16, 1, 256);
    use(s.set(state::SurfaceMinLOD, 1)
            .set(state::MIPCountLOD, 1)
            .set(state::SurfaceVerticalAlignment, 1)
            .set(state::SurfaceHorizontalAlignment, 1));
    write({7, 7, 0, 0}, 9);
    EXPECT_EQ(dword((16 + 7) * 256 + 28), 9u);
}

TEST_F(TypedLayout, SamplesOfAPixelLieInPlanes) {
    GEN9_COVERS("DP-063 DP-152");
    SurfaceBits s = image(state::SURFTYPE_2D, 8, 8, 2, 64);
    s.set(state::NumberOfMultisamples, 2).set(state::SurfaceArray, 1);  // four samples
    use(s.set(state::SurfaceQPitch, 8 / 4));
    // Sample, U, V, R, LOD.
    EXPECT_EQ(write({3, 5, 6, 1, 0}, 77), MessageStatus::Ok);
    EXPECT_EQ(dword(((1 * 4 + 3) * 8 + 6) * 64 + 20), 77u);
    write({4, 5, 6, 1, 0}, 78);
    EXPECT_EQ(b.plan.out_of_bounds, 1) << "a sample the surface does not have";
    EXPECT_EQ(write({3, 5, 6}, 1), MessageStatus::GuestError) << "R and LOD are missing";
    // A pair has its sample numbers in a register before the other parameters.
    const Send& r = b.run(Send(DC1, descriptor(0x05, 0, 0, 1), 0x10)
                              .add(U32{0, 0, 0, 0, 3, 0, 0, 0})
                              .add(U32{0, 0, 0, 0, 5, 6, 1, 0}));
    EXPECT_EQ(r.dword(4), 77u);
    use(s.set(state::MultisampledSurfaceStorageFormat, 1));
    EXPECT_EQ(write({3, 5, 6, 1, 0}, 1), MessageStatus::GuestError) << "not planar";
    SurfaceBits volume = image(state::SURFTYPE_3D, 8, 8, 2, 64);
    use(volume.set(state::NumberOfMultisamples, 2).set(state::SurfaceQPitch, 8 / 4));
    EXPECT_EQ(write({3, 5, 6, 1, 0}, 1), MessageStatus::GuestError) << "not 2D";
}

TEST_F(TypedLayout, WTiledSurfacesHoldBytesAndAreR8UintOnly) {
    GEN9_COVERS("DP-057 DP-151");
    SurfaceBits s = image(state::SURFTYPE_2D, 128, 64, 1, 256, kR8Uint);
    use(s.set(state::TileMode, state::WMAJOR));
    EXPECT_EQ(write({70, 9}, 0x1A5), MessageStatus::Ok);
    EXPECT_EQ(b.memory.get<std::uint8_t>(kData + tile_offset({Tiling::W, 256}, 70, 9)), 0xA5)
        << "the low byte, not clamped";
    Send read(DC1, descriptor(0x05, 1 << 12 | 0xE << 8, 0, 1), 1);
    EXPECT_EQ(b.run(read.add(U32(8, 70)).add(U32(8, 9))).dword(0), 0xA5u);
    SurfaceBits other = image(state::SURFTYPE_2D, 128, 64, 1, 256);
    use(other.set(state::TileMode, state::WMAJOR));
    EXPECT_EQ(write({1, 1}, 1), MessageStatus::GuestError);
}

TEST_F(TypedLayout, StandardTiledSurfacesAreReadAndWritten) {
    GEN9_COVERS("DP-057 DP-181");
    SurfaceBits s = image(state::SURFTYPE_2D, 128, 64, 1, 512);
    use(s.set(state::TileMode, state::YMAJOR).set(state::TiledResourceMode, state::TRM_TILEYF));
    write({100, 50}, 0xC0FFEE);
    EXPECT_EQ(dword(tile_offset({Tiling::Yf, 512, 4}, 400, 50)), 0xC0FFEEu);
    // What the memory views volume alone says is not made up.
    use(s.set(state::MIPCountLOD, 1));
    EXPECT_EQ(write({1, 1, 0, 1}, 1), MessageStatus::NotModelled);
    Send add(DC1, descriptor(0x06, 7 << 8, 0), 1);
    for (const std::uint32_t parameter : {1u, 1u, 0u, 1u, 1u})
        add.add(U32(8, parameter));
    EXPECT_EQ(b.run(add).message.status, MessageStatus::NotModelled);
    SurfaceBits volume = image(state::SURFTYPE_3D, 16, 16, 4, 512);
    use(volume.set(state::TiledResourceMode, state::TRM_TILEYS));
    EXPECT_EQ(write({1, 1, 1}, 1), MessageStatus::NotModelled);
}

TEST_F(TypedLayout, TilesSuitTheTypeOfTheSurface) {
    GEN9_COVERS("DP-057");
    const auto status = [&](unsigned type, unsigned tile) {
        SurfaceBits s = image(type, 16, 16, 1, 512);
        use(s.set(state::TileMode, tile).set(state::SurfaceQPitch, 4));
        return write({1, 1, 0}, 1);
    };
    EXPECT_EQ(status(state::SURFTYPE_1D, state::YMAJOR), MessageStatus::GuestError);
    EXPECT_EQ(status(state::SURFTYPE_BUFFER, state::YMAJOR), MessageStatus::GuestError);
    EXPECT_EQ(status(state::SURFTYPE_3D, state::XMAJOR), MessageStatus::GuestError);
    EXPECT_EQ(status(state::SURFTYPE_CUBE, state::XMAJOR), MessageStatus::GuestError);
    EXPECT_EQ(status(state::SURFTYPE_2D, state::XMAJOR), MessageStatus::Ok);
    EXPECT_EQ(status(state::SURFTYPE_CUBE, state::YMAJOR), MessageStatus::Ok);
    EXPECT_EQ(b.reporter.guest_errors(), 4u);
}

TEST_F(TypedLayout, VerticalLineStrideAddressesAFieldOfASingleImage) {
    GEN9_COVERS("DP-065");
    SurfaceBits s = image(state::SURFTYPE_2D, 8, 8, 2, 64);
    s.set(state::VerticalLineStride, 1).set(state::VerticalLineStrideOffset, 1);
    use(s);
    write({2, 3}, 5);
    EXPECT_EQ(dword((2 * 3 + 1) * 64 + 8), 5u);
    use(s.set(state::SurfaceArray, 1));
    EXPECT_EQ(write({2, 3, 1}, 5), MessageStatus::GuestError);
}

TEST_F(TypedLayout, SizesHaveTheWidthsOfTheirFields) {
    GEN9_COVERS("DP-058 DP-064");
    SurfaceBits s;
    s.set(state::Width, 0x3FFF).set(state::Height, 0x3FFF).set(state::Depth, 0x7FF);
    s.set(state::MIPCountLOD, 14);
    const Surface surface = read_surface(s.dwords);
    EXPECT_EQ(surface.width, 16384u);
    EXPECT_EQ(surface.height, 16384u);
    EXPECT_EQ(surface.depth, 2048u);
    EXPECT_EQ(surface.levels, 15);
    // A buffer's size - 1 is {Depth[10:0], Height[13:0], Width[6:0]}.
    EXPECT_EQ(surface.entries, 1ull << 32);
    EXPECT_EQ(read_surface(SurfaceBits::buffer(0, 0x12345678).dwords).size_bytes, 0x12345678u);
}

TEST_F(TypedLayout, SurfaceInfoTellsTheSizesOfALevelAndTheInstructionBase) {
    GEN9_COVERS("DP-195");
    b.state->instruction_base = GpuAddr(0x800012345000);
    SurfaceBits s = image(state::SURFTYPE_3D, 40, 20, 8, 256);
    use(s.set(state::MIPCountLOD, 2));
    for (const unsigned type : {6u, 10u}) {
        const auto ask = [&](std::uint32_t lod) -> const Send& {
            return b.run(Send(Sfid::ConstantCache, descriptor(type, 0, 0, 1), 1)
                             .add(U32{99999, 99999, 99999, lod, 0, 0, 0, 0}));
        };
        const Send& level = ask(2);
        EXPECT_EQ(level.message.response_enable[0], ~0u);
        EXPECT_EQ(level.dword(0), 10u);
        EXPECT_EQ(level.dword(1), 5u);
        EXPECT_EQ(level.dword(2), 2u);
        EXPECT_EQ(level.dword(3) >> 29, unsigned{state::SURFTYPE_3D});
        EXPECT_EQ(level.dword(3) >> 18 & 0x1FF, kR32Uint);
        EXPECT_EQ(level.qword(2), 0xFFFF800012345000u) << "extended to 64 bits";
        const Send& missing = ask(3);
        EXPECT_EQ(missing.dword(0) | missing.dword(1) | missing.dword(2), 0u);
    }
    EXPECT_FALSE(b.reporter.failed());
}

}  // namespace
}  // namespace gen9::hdc
