// SPDX-License-Identifier: Apache-2.0
// Random rectangles copied and filled between all tilings and depths. Where a byte lies is worked
// out here from the PRM's drawings of tiles, by dividing a tile into smaller and smaller parts.
#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "tests/support/sample.h"
#include "tests/unit/platform/host/drm/copy_engine_bench.h"

namespace gen9::drm::random_copies {
namespace {

enum Kind : unsigned { Linear, X, Y, Yf, Ys };

/// A step of dividing a tile: the parts lie one after the other, first to the right or downwards.
struct Cut {
    bool right;
    unsigned parts;
};

/// A tile's size in bytes by rows, and how it is cut from the outside inwards, down to bytes.
struct Tile {
    unsigned width, rows;
    std::vector<Cut> cuts;
};

/// TileX: 8 rows of 512 bytes; TileY: 8 columns of 16 bytes by 32 rows. TileYF and TileYS: blocks
/// of 4 rows of 16 bytes, which are doubled downwards or to the right until there are 4 or 64 KB;
/// in which order depends on the element's size (003:5330-5340).
Tile tile_of(Kind kind, unsigned bytes) {
    if (kind == X) return {512, 8, {{false, 8}, {true, 512}}};
    if (kind == Y) return {128, 32, {{true, 8}, {false, 32}, {true, 16}}};
    Tile tile{16, 4, {{false, 4}, {true, 16}}};
    std::string order = bytes == 1 ? "DDDRDR" : bytes <= 4 ? "DRDRDR" : "RRDRDR";
    if (kind == Ys) order += "DRDR";
    for (const char direction : order) {
        const bool right = direction == 'R';
        tile.cuts.insert(tile.cuts.begin(), {right, 2});
        (right ? tile.width : tile.rows) *= 2;
    }
    return tile;
}

/// The offset of byte `x` of row `y` in a surface of that pitch.
std::size_t place(Kind kind, unsigned bytes, std::size_t pitch, std::size_t x, std::size_t y) {
    if (kind == Linear) return y * pitch + x;
    const Tile tile = tile_of(kind, bytes);
    std::size_t width = tile.width, rows = tile.rows;
    std::size_t offset = (y / rows * (pitch / width) + x / width) * width * rows;
    x %= width;
    y %= rows;
    for (const auto& [right, parts] : tile.cuts) {
        std::size_t &size = right ? width : rows, &at = right ? x : y;
        size /= parts;
        offset += at / size * width * rows;
        at %= size;
    }
    return offset;
}

constexpr std::size_t kBytes = 2 << 20;
constexpr unsigned kRows = 256;

struct Machine : CopyEngineBench {
    std::mt19937 random{9};
    std::vector<std::uint8_t> must_be;

    Machine() : CopyEngineBench(kBytes) {
        for (auto* bytes : {&from, &to})
            for (auto& byte : *bytes)
                byte = static_cast<std::uint8_t>(random());
        must_be = to;
    }
    unsigned below(unsigned end) { return static_cast<unsigned>(random() % end); }
    /// Of bits that no field has: any, in each other command.
    std::uint32_t any_of(std::uint32_t bits) {
        return below(2) ? static_cast<std::uint32_t>(random()) & bits : 0;
    }
};

/// A surface of at least `width` bytes and kRows rows, of whole tiles.
struct Surface {
    Kind kind = Linear;
    unsigned bytes = 1;
    std::uint32_t pitch = 0;
    Surface(Machine& m, Kind of, unsigned element) : kind(of), bytes(element) {
        const unsigned unit = of == Linear ? 64 : std::max(512u, tile_of(of, element).width);
        pitch = unit * (1 + m.below(4096 / unit));
    }
    std::uint32_t field() const { return kind == Linear ? pitch : pitch / 4; }
    std::size_t at(unsigned x, unsigned y, unsigned byte) const {
        return place(kind, bytes, pitch, std::size_t{x} * bytes + byte, y);
    }
};

struct Rectangle {
    unsigned left, top, right, bottom;
    Rectangle(Machine& m, unsigned columns)
        : left(m.below(columns)),
          top(m.below(kRows)),
          right(left + 1 + m.below(columns - left)),
          bottom(top + 1 + m.below(std::min(40u, kRows - top))) {}
};

constexpr std::uint32_t point(unsigned x, unsigned y) {
    return y << 16 | x;
}
std::uint32_t log2_of(unsigned bytes) {
    return static_cast<std::uint32_t>(std::countr_zero(bytes));
}

TEST(DrmCopyEngineRandom, AFastCopyMovesRectanglesBetweenAllTilings) {
    Machine m;
    constexpr std::uint32_t kNumber[] = {0, 1, 2, 3, 3};  // TileYF and TileYS share one
    constexpr std::uint32_t kDepth[] = {0, 1, 3, 4, 5};
    for (unsigned round = 0; round < gen9::test::rounds(500); ++round) {
        const unsigned bytes = 1u << m.below(5);
        const Surface from(m, static_cast<Kind>(round % 5), bytes),
            to(m, static_cast<Kind>(round / 5 % 5), bytes);
        const unsigned columns = std::min(from.pitch, to.pitch) / bytes;
        const Rectangle r(m, columns);
        const unsigned x = m.below(columns - (r.right - r.left) + 1),
                       y = m.below(kRows - (r.bottom - r.top) + 1);
        ASSERT_TRUE(m.run({0x5080'0008 | kNumber[from.kind] << 20 | kNumber[to.kind] << 13 |
                               m.any_of(0x000F'9F00),
                           (from.kind == Yf ? 1u << 31 : 0) | (to.kind == Yf ? 1u << 30 : 0) |
                               kDepth[log2_of(bytes)] << 24 | to.field() | m.any_of(0x38FF'0000),
                           point(r.left, r.top), point(r.right, r.bottom), kTo, 0, point(x, y),
                           from.field() | m.any_of(0xFFFF'0000), kFrom, 0}));
        for (unsigned j = r.top; j < r.bottom; ++j)
            for (unsigned i = r.left; i < r.right; ++i)
                for (unsigned b = 0; b < bytes; ++b)
                    m.must_be[to.at(i, j, b)] = m.from[from.at(i - r.left + x, j - r.top + y, b)];
        ASSERT_TRUE(m.to == m.must_be) << "round " << round << ": " << from.kind << " to "
                                       << to.kind << ", " << bytes << " bytes";
    }
    EXPECT_TRUE(m.said.empty());
}

TEST(DrmCopyEngineRandom, CopiesAndFillsTakeTheirTilesFromTheControlRegister) {
    Machine m;
    for (unsigned round = 0; round < gen9::test::rounds(500); ++round) {
        const unsigned depth = m.below(4), bytes = depth == 0 ? 1 : depth == 3 ? 4 : 2;
        const Surface from(m, static_cast<Kind>(m.below(3)), bytes),
            to(m, static_cast<Kind>(m.below(3)), bytes);
        const bool fills = round & 1;
        const unsigned columns = std::min(from.pitch, to.pitch) / bytes, written = 1 + m.below(3);
        const Rectangle r(m, columns);
        const unsigned x = m.below(columns - (r.right - r.left) + 1),
                       y = m.below(kRows - (r.bottom - r.top) + 1);
        const std::uint32_t colour = static_cast<std::uint32_t>(m.random());
        std::vector<std::uint32_t> commands{
            0x1100'0001, 0x22200, 3u << 16 | (from.kind == Y ? 1u : 0) | (to.kind == Y ? 2u : 0)};
        const std::uint32_t masks = written << 20, tiled_to = to.kind ? 1u << 11 : 0;
        if (fills)
            commands.insert(commands.end(),
                            {0x5400'0005 | masks | tiled_to | m.any_of(0x000F'F700),
                             depth << 24 | 0xF0u << 16 | to.field() | m.any_of(0xBC00'0000),
                             point(r.left, r.top), point(r.right, r.bottom), kTo, 0, colour});
        else
            commands.insert(commands.end(),
                            {0x54C0'0008 | masks | tiled_to | (from.kind ? 1u << 15 : 0) |
                                 m.any_of(0x000F'7700),
                             depth << 24 | 0xCCu << 16 | to.field() | m.any_of(0xBC00'0000),
                             point(r.left, r.top), point(r.right, r.bottom), kTo, 0, point(x, y),
                             from.field() | m.any_of(0xFFFF'0000), kFrom, 0});
        ASSERT_TRUE(m.run(commands));
        // Masks are of 32 bits a pixel only: bit 21 alpha, bit 20 the three others.
        for (unsigned j = r.top; j < r.bottom; ++j)
            for (unsigned i = r.left; i < r.right; ++i)
                for (unsigned b = 0; b < bytes; ++b)
                    if (bytes != 4 || written >> (b == 3) & 1)
                        m.must_be[to.at(i, j, b)] =
                            fills ? static_cast<std::uint8_t>(colour >> 8 * b)
                                  : m.from[from.at(i - r.left + x, j - r.top + y, b)];
        ASSERT_TRUE(m.to == m.must_be) << "round " << round << ": " << from.kind << " to "
                                       << to.kind << ", " << bytes << " bytes";
    }
    EXPECT_TRUE(m.said.empty());
}

}  // namespace
}  // namespace gen9::drm::random_copies
