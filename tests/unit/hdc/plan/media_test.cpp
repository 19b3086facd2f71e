// SPDX-License-Identifier: Apache-2.0
// Media blocks and transposed reads.
#include <gtest/gtest.h>

#include "common/register_bytes.h"
#include "tests/support/covers.h"
#include "tests/unit/hdc/decode/messages.h"

namespace gen9::hdc {
namespace {
using namespace test;
namespace state = packets::render_surface_state;

struct Media : ::testing::Test {
    Bench b;
    Media() {
        // 16 rows of 16 bytes holding row * 16 + column. Widths of media surfaces count DWords.
        SurfaceBits s = SurfaceBits::image(state::SURFTYPE_2D, 0x140, kData, 4, 16, 1, 64);
        b.bind(0, s);
        for (unsigned y = 0; y < 16; ++y)
            for (unsigned x = 0; x < 16; ++x)
                b.memory.put<std::uint8_t>(kData + y * 64 + x,
                                           static_cast<std::uint8_t>(y * 16 + x));
    }
    static constexpr std::uint32_t size(unsigned width, unsigned height) {
        return (width - 1) | (height - 1) << 16;
    }
};

TEST_F(Media, ReadReplicatesTheEdge) {
    GEN9_COVERS("DP-076 DP-096 DP-180 DP-185");
    const Send& r = b.run(Send(DC1, 0x02190000)
                              .header({{0, static_cast<std::uint32_t>(-2)},
                                       {1, static_cast<std::uint32_t>(-1)},
                                       {2, size(8, 2)}}));
    const std::uint8_t row[8] = {0, 0, 0, 1, 2, 3, 4, 5};
    for (unsigned y = 0; y < 2; ++y)
        for (unsigned x = 0; x < 8; ++x)
            EXPECT_EQ(r.message.response[0].bytes[y * 8 + x], row[x]) << x << ',' << y;
    const Send& right = b.run(Send(DC1, 0x02190000).header({{0, 12}, {1, 14}, {2, size(8, 4)}}));
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 8; ++x)
            EXPECT_EQ(right.message.response[0].bytes[y * 8 + x],
                      std::min(14 + y, 15u) * 16 + std::min(12 + x, 15u))
                << x << ',' << y;
}

TEST_F(Media, RowsAreAPowerOfTwoApartInTheRegisters) {
    GEN9_COVERS("DP-185");
    const Send& r = b.run(Send(DC1, 0x02190000).header({{2, size(5, 4)}}));
    for (unsigned y = 0; y < 4; ++y)
        for (unsigned x = 0; x < 5; ++x)
            EXPECT_EQ(r.message.response[0].bytes[y * 8 + x], y * 16 + x);
}

TEST_F(Media, WriteDropsWhatLiesOutside) {
    GEN9_COVERS("DP-096 DP-186");
    b.run(Send(DC1, 0x020A8000 | 2 << 25)
              .header({{0, 12}, {2, size(8, 1)}})
              .add(ramp<std::uint8_t>(8, 0xA0, 1)));
    for (unsigned x = 0; x < 16; ++x)
        EXPECT_EQ(b.memory.get<std::uint8_t>(kData + x), x < 12 ? x : 0xA0 + x - 12);
    EXPECT_EQ(b.memory.get<std::uint8_t>(kData + 16), 0);
    EXPECT_EQ(b.statistics.out_of_bounds.value(), 4u);
}

TEST_F(Media, ABlockLargerThanItsRegistersIsReported) {
    // One register is announced.
    for (const auto& [width, height] : {std::pair{32u, 8u}, {8u, 8u}, {8u, 5u}})
        EXPECT_EQ(b.run(Send(DC1, 0x02190000).header({{2, size(width, height)}})).message.status,
                  MessageStatus::GuestError);
    EXPECT_EQ(b.run(Send(DC1, 0x02190000).header({{2, size(8, 4)}})).message.status,
              MessageStatus::Ok);
}

TEST_F(Media, EveryRowOfABlockIsOnePieceOfMemory) {
    b.run(Send(DC1, 0x02190000).header({{2, size(8, 4)}}));
    EXPECT_EQ(b.plan.piece_count, 4);
    EXPECT_EQ(b.plan.pieces[3].bytes, 8);
    EXPECT_EQ(b.statistics.accesses.value(), 4u);
}

TEST_F(Media, OnlyASingleTwoDimensionalSurfaceIsABlocksSurface) {
    GEN9_COVERS("DP-055");
    for (const unsigned type : {state::SURFTYPE_1D, state::SURFTYPE_3D, state::SURFTYPE_CUBE}) {
        b.bind(0, SurfaceBits::image(type, 0x140, kData, 4, 16, 1, 64));
        EXPECT_EQ(b.run(Send(DC1, 0x02190000).header({{2, size(8, 1)}})).message.status,
                  MessageStatus::GuestError);
    }
    SurfaceBits array = SurfaceBits::image(state::SURFTYPE_2D, 0x140, kData, 4, 16, 1, 64);
    b.bind(0, array.set(state::SurfaceArray, 1));
    EXPECT_EQ(b.run(Send(DC1, 0x02190000).header({{2, size(8, 1)}})).message.status,
              MessageStatus::GuestError);
}

TEST_F(Media, ABlockReadIsAtMost32BytesWideAnd256BytesLarge) {
    GEN9_COVERS("DP-185");
    constexpr unsigned kRegisters = 16;  // room for more
    const auto status = [&](unsigned width, unsigned height) {
        return b
            .run(Send(DC1, descriptor(0x04, 0, 0, kRegisters, true))
                     .header({{2, size(width, height)}}))
            .message.status;
    };
    for (const auto& [width, height] : {std::pair{4u, 64u}, {8u, 32u}, {16u, 16u}, {32u, 8u}}) {
        EXPECT_EQ(status(width, height), MessageStatus::Ok) << width;
        if (height == 64) continue;  // the field holds no more
        EXPECT_EQ(status(width, height + 1), MessageStatus::GuestError) << width;
    }
    EXPECT_EQ(status(33, 1), MessageStatus::GuestError);
}

TEST_F(Media, AFormatThatCannotBeRepeatedIsRefused) {
    constexpr unsigned kBc1Unorm = 0x186;
    b.bind(0, SurfaceBits::image(state::SURFTYPE_2D, kBc1Unorm, kData, 4, 16, 1, 64));
    EXPECT_EQ(b.run(Send(DC1, 0x02190000).header({{2, size(8, 1)}})).message.status,
              MessageStatus::GuestError);
}

TEST_F(Media, NullSurfacesReadZero) {
    GEN9_COVERS("DP-187");
    SurfaceBits s = SurfaceBits::image(state::SURFTYPE_NULL, 0x140, kData, 4, 16, 1, 64);
    b.bind(0, s);
    const Send& r = b.run(Send(DC1, 0x02190000).header({{2, size(8, 2)}}));
    EXPECT_EQ(r.dword(0), 0u);
    EXPECT_EQ(r.message.status, MessageStatus::Ok);
}

/// Header of a block with a mode (DWord 2 bits 31:30) and its mask.
std::uint32_t masked(unsigned width, unsigned height, unsigned mode) {
    return (width - 1) | (height - 1) << 16 | mode << 30;
}
constexpr unsigned kPixelMask = 1, kByteMask = 2;
constexpr std::uint32_t kMediaWrite = descriptor(0x0A, 0, 0, 0, true);

std::uint32_t media_read(unsigned registers) {
    return descriptor(0x04, 0, 0, registers, true);
}

/// A surface of 64 rows of 64 bytes whose byte is row + 3 * column.
struct Picture : ::testing::Test {
    Bench b;
    Picture() { use(SurfaceBits::image(state::SURFTYPE_2D, 0x140, kData, 16, 64, 1, 64)); }
    void use(const SurfaceBits& surface) {
        b.bind(0, surface);
        for (unsigned y = 0; y < 64; ++y)
            for (unsigned x = 0; x < 64; ++x)
                b.memory.put(kData + y * 64 + x, at(x, y));
    }
    static std::uint8_t at(unsigned x, unsigned y) { return static_cast<std::uint8_t>(y + 3 * x); }
    const Send& read(std::int32_t x, std::int32_t y, std::uint32_t size, unsigned registers,
                     std::uint32_t control = 0) {
        return b.run(Send(DC1, media_read(registers) | control)
                         .header({{0, static_cast<std::uint32_t>(x)},
                                  {1, static_cast<std::uint32_t>(y)},
                                  {2, size}}));
    }
    std::uint8_t byte(std::uint64_t x, std::uint64_t y) {
        return b.memory.get<std::uint8_t>(kData + y * 64 + x);
    }
};

TEST_F(Picture, PixelMaskBitsAreTwoByTwoOfTwoByTwo) {
    GEN9_COVERS("DP-188");
    // 003:6800-6823: the mask bits of each DWord of the four rows, from DWord 0 up.
    const unsigned layout[4][8] = {{0, 1, 4, 5, 16, 17, 20, 21},
                                   {2, 3, 6, 7, 18, 19, 22, 23},
                                   {8, 9, 12, 13, 24, 25, 28, 29},
                                   {10, 11, 14, 15, 26, 27, 30, 31}};
    for (const std::uint32_t mask : {0x00000001u, 0x80000000u, 0x0F3A5C21u}) {
        std::ranges::fill(b.memory.bytes, std::uint8_t{0});
        use(SurfaceBits::image(state::SURFTYPE_2D, 0x0D7, kData, 16, 64, 1, 64));
        b.run(Send(DC1, kMediaWrite)
                  .header({{0, 8}, {1, 2}, {2, masked(32, 4, kPixelMask)}, {3, mask}})
                  .add(std::vector<std::uint8_t>(128, 0xEE)));
        for (unsigned y = 0; y < 4; ++y)
            for (unsigned x = 0; x < 8; ++x)
                EXPECT_EQ(byte(8 + x * 4, 2 + y) == 0xEE, (mask >> layout[y][x] & 1) != 0)
                    << x << ',' << y;
    }
    const Send& wrong = b.run(Send(DC1, kMediaWrite)
                                  .header({{2, masked(16, 4, kPixelMask)}, {3, ~0u}})
                                  .add(std::vector<std::uint8_t>(128, 0xEE)));
    EXPECT_EQ(wrong.message.status, MessageStatus::GuestError);
}

TEST_F(Picture, ByteMaskIsTheSameInEveryRow) {
    GEN9_COVERS("DP-189");
    b.run(Send(DC1, kMediaWrite)
              .header({{2, masked(8, 4, kByteMask)}, {3, 0xA1}})
              .add(std::vector<std::uint8_t>(32, 0xEE)));
    for (unsigned y = 0; y < 5; ++y)
        for (unsigned x = 0; x < 9; ++x)
            EXPECT_EQ(byte(x, y), y < 4 && x < 8 && (0xA1 >> x & 1) ? 0xEE : at(x, y));
}

TEST_F(Picture, MergedReadsSpreadTheirRowsAndLeaveTheRest) {
    GEN9_COVERS("DP-190");
    // 003:6895-6921: width, register pitch, sub-register offset, rows.
    const unsigned legal[][4] = {{4, 1, 28, 1},   {4, 2, 4, 64},   {4, 2, 20, 2}, {4, 4, 12, 62},
                                 {8, 1, 24, 1},   {8, 2, 8, 32},   {8, 4, 8, 31}, {16, 1, 16, 1},
                                 {16, 2, 16, 16}, {16, 4, 16, 15}, {32, 2, 0, 8}, {32, 4, 0, 8}};
    for (const auto& [width, pitch, first, rows] : legal) {
        SCOPED_TRACE(testing::Message() << width << " " << pitch << " " << first << " " << rows);
        const std::uint32_t size = masked(width, rows, 0) | (pitch - 1) << 8 | first << 24;
        const Send& r = read(0, 0, size, 31);
        ASSERT_EQ(r.message.status, MessageStatus::Ok);
        unsigned written = 0;
        for (unsigned i = 0; i < 31 * kGrfBytes; ++i)
            written += r.message.response_enable[i / kGrfBytes] >> i % kGrfBytes & 1;
        EXPECT_EQ(written, width * rows);
        for (unsigned y = 0; y < rows; ++y)
            for (unsigned x = 0; x < width; ++x) {
                const unsigned place = first + y * width * pitch + x;
                ASSERT_EQ(bytes_from(r.message.response[0])[place], at(x, y));
                ASSERT_TRUE(r.message.response_enable[place / kGrfBytes] >> place % kGrfBytes & 1);
            }
    }
}

TEST_F(Picture, BitsThatTheHeaderDoesNotUseChangeNothing) {
    constexpr std::uint32_t kUnused = 0x3u << 6 | 0x3Fu << 10 | 0x3u << 22 | 1u << 29;
    const Send& r = read(0, 0, masked(8, 4, 0) | kUnused, 1);
    ASSERT_EQ(r.message.status, MessageStatus::Ok);
    EXPECT_EQ(r.message.response_enable[0], ~0u);
    EXPECT_EQ(r.message.response[0].bytes[31], at(7, 3));
}

TEST_F(Picture, MergedReadsRefuseWhatTheTableDoesNotHave) {
    GEN9_COVERS("DP-190");
    const auto status = [&](unsigned width, unsigned pitch, unsigned first, unsigned rows) {
        return read(0, 0, masked(width, rows, 0) | (pitch - 1) << 8 | first << 24, 31)
            .message.status;
    };
    EXPECT_EQ(status(4, 3, 0, 1), MessageStatus::GuestError) << "a pitch of three";
    EXPECT_EQ(status(4, 1, 4, 2), MessageStatus::GuestError) << "two rows without a pitch";
    EXPECT_EQ(status(8, 2, 4, 2), MessageStatus::GuestError) << "an offset within a row";
    EXPECT_EQ(status(4, 2, 16, 3), MessageStatus::GuestError) << "beyond the first register";
    EXPECT_EQ(status(4, 4, 0, 63), MessageStatus::GuestError) << "more than 31 registers";
}

TEST_F(Picture, WritesObeyTheRulesOfAlignmentAndSize) {
    GEN9_COVERS("DP-182 DP-186");
    const auto write = [&](std::uint32_t x, unsigned width, unsigned height) {
        return b
            .run(Send(DC1, kMediaWrite)
                     .header({{0, x}, {2, masked(width, height, 0)}})
                     .add(std::vector<std::uint8_t>(256, 0x55)))
            .message.status;
    };
    EXPECT_EQ(write(2, 8, 1), MessageStatus::GuestError) << "X not a multiple of 4";
    EXPECT_EQ(write(0, 6, 1), MessageStatus::GuestError) << "width not a multiple of 4";
    EXPECT_EQ(write(0, 4, 17), MessageStatus::GuestError) << "17 rows on a linear surface";
    EXPECT_EQ(write(0, 64, 4), MessageStatus::Ok) << "64 bytes wide on a linear surface";
    EXPECT_EQ(byte(63, 3), 0x55);
    SurfaceBits tiled = SurfaceBits::image(state::SURFTYPE_2D, 0x140, kData, 32, 64, 1, 128);
    tiled.set(state::TileMode, state::YMAJOR);
    use(tiled);
    EXPECT_EQ(write(0, 4, 17), MessageStatus::Ok) << "17 rows on a TileY surface";
    EXPECT_EQ(write(0, 64, 4), MessageStatus::GuestError) << "64 bytes wide on a TileY surface";
}

TEST_F(Picture, SurfacesMustBeAligned) {
    GEN9_COVERS("DP-182");
    use(SurfaceBits::image(state::SURFTYPE_2D, 0x140, kData + 16, 16, 64, 1, 64));
    EXPECT_EQ(read(0, 0, masked(4, 1, 0), 1).message.status, MessageStatus::GuestError);
    use(SurfaceBits::image(state::SURFTYPE_2D, 0x140, kData, 16, 64, 1, 96));
    EXPECT_EQ(read(0, 0, masked(4, 1, 0), 1).message.status, MessageStatus::GuestError);
    use(SurfaceBits::image(state::SURFTYPE_2D, 0x106, kData, 16, 64, 1, 64));
    EXPECT_EQ(read(1, 0, masked(4, 1, 0), 1).message.status, MessageStatus::GuestError)
        << "a byte column of a surface of words";
    EXPECT_EQ(read(2, 0, masked(4, 1, 0), 1).message.status, MessageStatus::Ok);
}

TEST_F(Picture, PackedYuvRepeatsThePixelAtTheEdgeNotThePair) {
    GEN9_COVERS("DP-183");
    // The two Y of a pair stand in bytes 0 and 2, or 1 and 3; U and V are shared.
    for (const auto& [format, luma] :
         {std::pair{0x182u, 0u}, {0x18Fu, 0u}, {0x183u, 1u}, {0x190u, 1u}}) {
        use(SurfaceBits::image(state::SURFTYPE_2D, format, kData, 4, 64, 1, 64));
        const Send& left = read(-4, 0, masked(8, 1, 0), 1);
        const Send& right = read(12, 0, masked(8, 1, 0), 1);
        for (unsigned i = 0; i < 4; ++i) {
            const bool is_luma = i % 2 == luma;
            EXPECT_EQ(left.message.response[0].bytes[i], at(is_luma ? luma : i, 0)) << format;
            EXPECT_EQ(left.message.response[0].bytes[4 + i], at(i, 0));
            EXPECT_EQ(right.message.response[0].bytes[i], at(12 + i, 0));
            EXPECT_EQ(right.message.response[0].bytes[4 + i], at(12 + (is_luma ? luma + 2 : i), 0));
        }
    }
}

TEST_F(Picture, LinesOfAFieldAndTheOverrideOfTheDescriptor) {
    GEN9_COVERS("DP-180 DP-192");
    SurfaceBits s = SurfaceBits::image(state::SURFTYPE_2D, 0x140, kData, 16, 16, 1, 64);
    s.set(state::VerticalLineStride, 1).set(state::VerticalLineStrideOffset, 1);
    use(s);
    EXPECT_EQ(read(0, 3, masked(4, 1, 0), 1).message.response[0].bytes[0], at(0, 7));
    // Top field: 110b in bits 10:8; bottom: 111b; frame: 100b.
    EXPECT_EQ(read(0, 3, masked(4, 1, 0), 1, 6 << 8).message.response[0].bytes[0], at(0, 6));
    EXPECT_EQ(read(0, 3, masked(4, 1, 0), 1, 7 << 8).message.response[0].bytes[0], at(0, 7));
    EXPECT_EQ(read(0, 3, masked(4, 1, 0), 1, 4 << 8).message.response[0].bytes[0], at(0, 3));
    // Transposed reads are told in the same way.
    SurfaceBits dwords = SurfaceBits::image(state::SURFTYPE_2D, 0x0D7, kData, 16, 16, 1, 64);
    use(dwords);
    const auto transposed = [&](std::uint32_t control) {
        return +b.run(Send(DC1, descriptor(0x00, control, 0, 1, true)).header({{1, 3}, {2, 0}}))
                    .message.response[0]
                    .bytes[0];
    };
    EXPECT_EQ(transposed(0), at(0, 3));
    EXPECT_EQ(transposed(6 << 8), at(0, 6));
    EXPECT_EQ(transposed(7 << 8), at(0, 7));
}

TEST_F(Picture, TheSurfacesOffsetsMoveTheBlock) {
    GEN9_COVERS("DP-180");
    SurfaceBits s = SurfaceBits::image(state::SURFTYPE_2D, 0x140, kData, 8, 16, 1, 64);
    use(s.set(state::XOffset, 2).set(state::YOffset, 3));  // in units of four pixels, four rows
    EXPECT_EQ(read(1, 2, masked(4, 1, 0), 1).message.response[0].bytes[0], at(1 + 8, 2 + 12));
}

TEST_F(Picture, BoundaryModesChooseTheRowThatStandsInForRowsOutside) {
    GEN9_COVERS("DP-180");
    const auto row = [&](unsigned mode, unsigned stride, unsigned offset, std::int32_t y) {
        SurfaceBits s = SurfaceBits::image(state::SURFTYPE_2D, 0x140, kData, 16, 8, 1, 64);
        s.set(state::MediaBoundaryPixelMode, mode).set(state::VerticalLineStride, stride);
        s.set(state::VerticalLineStrideOffset, offset);
        use(s);
        return +read(0, y, masked(4, 1, 0), 1).message.response[0].bytes[0];
    };
    // Normal: the nearest row of what is addressed; of a field, never the other field's.
    EXPECT_EQ(row(0, 0, 0, -3), 0);
    EXPECT_EQ(row(0, 1, 1, -3), 1);
    EXPECT_EQ(row(0, 1, 0, 9), 14);
    // Progressive frame: the nearest of the frame, though a field is addressed.
    EXPECT_EQ(row(state::PROGRESSIVE_FRAME, 1, 1, -3), 0);
    EXPECT_EQ(row(state::PROGRESSIVE_FRAME, 1, 0, 9), 15);
    // Interlaced frame: rows outside keep their parity, though the frame is addressed.
    EXPECT_EQ(row(state::INTERLACED_FRAME, 0, 0, -1), 1);
    EXPECT_EQ(row(state::INTERLACED_FRAME, 0, 0, -2), 0);
    EXPECT_EQ(row(state::INTERLACED_FRAME, 0, 0, 8), 6);
    EXPECT_EQ(row(state::INTERLACED_FRAME, 0, 0, 9), 7);
    EXPECT_EQ(row(state::INTERLACED_FRAME, 1, 1, 9), 15);
}

TEST_F(Picture, CompressedSurfacesAreNeverWrittenAndNotIaCoherent) {
    SurfaceBits s = SurfaceBits::image(state::SURFTYPE_2D, 0x140, kData, 16, 64, 1, 64);
    s.set(state::MemoryCompressionEnable, 1);
    use(s);
    EXPECT_EQ(read(0, 0, masked(4, 1, 0), 1).message.status, MessageStatus::NotModelled);
    const Send& write = b.run(Send(DC1, kMediaWrite)
                                  .header({{2, masked(4, 1, 0)}})
                                  .add(std::vector<std::uint8_t>(32, 0x55)));
    EXPECT_EQ(write.message.status, MessageStatus::GuestError);
    EXPECT_EQ(byte(0, 0), at(0, 0));
    s.set(state::CoherencyType, 1);
    use(s);
    EXPECT_EQ(read(0, 0, masked(4, 1, 0), 1).message.status, MessageStatus::GuestError);
}

TEST_F(Picture, SamplerCacheFormReadsTheSame) {
    GEN9_COVERS("DP-208");
    for (const unsigned type : {5u, 9u}) {
        const Send& r = b.run(Send(Sfid::ConstantCache, descriptor(type, 0, 0, 1, true))
                                  .header({{0, 4}, {1, 1}, {2, masked(8, 1, 0)}}));
        EXPECT_EQ(r.message.response[0].bytes[7], at(11, 1));
    }
}

TEST_F(Picture, TransposedReadsPutEachColumnInARegister) {
    GEN9_COVERS("DP-191");
    use(SurfaceBits::image(state::SURFTYPE_2D, 0x0D7, kData, 16, 64, 1, 64));
    for (const unsigned width : {1u, 2u, 4u, 8u})
        for (const unsigned height : {1u, 2u, 4u, 8u}) {
            const Send& r = b.run(
                Send(DC1, descriptor(0x00, 0, 0, width, true))
                    .header({{0, width * 4}, {1, height}, {2, (width - 1) | (height - 1) << 16}}));
            ASSERT_EQ(r.message.status, MessageStatus::Ok);
            for (unsigned x = 0; x < width; ++x)
                for (unsigned y = 0; y < 8; ++y) {
                    EXPECT_EQ(r.written(x * 8 + y), y < height) << "unused DWords stay";
                    if (y >= height) continue;
                    EXPECT_EQ(r.dword(x * 8 + y), b.memory.get<std::uint32_t>(
                                                      kData + (height + y) * 64 + (width + x) * 4));
                }
        }
}

TEST_F(Picture, TransposedReadsLeaveTheRegistersBeyondTheirColumns) {
    GEN9_COVERS("DP-191");
    use(SurfaceBits::image(state::SURFTYPE_2D, 0x0D7, kData, 16, 64, 1, 64));
    const Message& m =
        b.run(Send(DC1, descriptor(0x00, 0, 0, 4, true)).header({{2, 1 | 7 << 16}})).message;
    ASSERT_EQ(m.status, MessageStatus::Ok);
    for (unsigned r = 0; r < 4; ++r)
        EXPECT_EQ(m.response_enable[r], r < 2 ? ~0u : 0) << r;
}

TEST_F(Picture, ReadsDoNotUseTheMask) {
    GEN9_COVERS("DP-185");
    use(SurfaceBits::image(state::SURFTYPE_2D, 0x0D7, kData, 16, 64, 1, 64));
    // A DWord by eight rows: the plain message counts bytes, the transposed one DWords.
    for (const auto& [type, width] : {std::pair{0x04u, 4u}, {0x00u, 1u}}) {
        const Message& m =
            b.run(
                 Send(DC1, descriptor(type, 0, 0, 1, true), 1).header({{2, (width - 1) | 7 << 16}}))
                .message;
        ASSERT_EQ(m.status, MessageStatus::Ok);
        EXPECT_EQ(m.response_enable[0], ~0u) << type;
    }
}

TEST_F(Picture, TransposedReadsRefuseOtherSizesFormatsAndPlaces) {
    GEN9_COVERS("DP-191");
    const auto status = [&](std::uint32_t x, std::uint32_t y, unsigned width, unsigned height) {
        return b
            .run(Send(DC1, descriptor(0x00, 0, 0, 8, true))
                     .header({{0, x}, {1, y}, {2, (width - 1) | (height - 1) << 16}}))
            .message.status;
    };
    EXPECT_EQ(status(0, 0, 2, 2), MessageStatus::GuestError) << "a surface of bytes";
    SurfaceBits s = SurfaceBits::image(state::SURFTYPE_2D, 0x0D7, kData, 16, 64, 1, 64);
    use(s);
    EXPECT_EQ(status(0, 0, 3, 2), MessageStatus::GuestError);
    EXPECT_EQ(status(4, 0, 2, 2), MessageStatus::GuestError);
    EXPECT_EQ(status(0, 1, 2, 2), MessageStatus::GuestError);
    EXPECT_EQ(status(8, 2, 2, 2), MessageStatus::Ok);
    EXPECT_EQ(b.run(Send(DC1, descriptor(0x00, 0, 0, 4, true)).header({{2, 7}})).message.status,
              MessageStatus::GuestError)
        << "eight columns in four registers";
    use(s.set(state::TileMode, state::XMAJOR));
    EXPECT_EQ(status(8, 2, 2, 2), MessageStatus::GuestError);
}

}  // namespace
}  // namespace gen9::hdc
