// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

namespace gen9::vme {

/// A motion vector or a cost centre, in quarter pixels.
struct Vector {
    std::int16_t x = 0, y = 0;
    bool operator==(const Vector&) const = default;
};
constexpr Vector vector_of(std::uint32_t dword) {
    return {static_cast<std::int16_t>(dword), static_cast<std::int16_t>(dword >> 16)};
}
constexpr std::uint32_t to_dword(Vector v) {
    return static_cast<std::uint16_t>(v.x) | std::uint32_t{static_cast<std::uint16_t>(v.y)} << 16;
}

/// The two directions, each with a reference of its own: forward is reference 0.
enum Direction : std::uint8_t { kForward = 0, kBackward = 1, kBoth = 2 };

/// W0.0 InterMbMode and M2.5 MbMode; SrcSize differs.
enum class MajorMode : std::uint8_t { M16x16 = 0, M16x8 = 1, M8x16 = 2, M8x8 = 3 };
/// How an 8x8 block is divided: W0.6 and M2.5 SubMbShape.
enum class MinorMode : std::uint8_t { M8x8 = 0, M8x4 = 1, M4x8 = 2, M4x4 = 3 };
/// Bits of SubMbPartMask (VME-19).
enum class ShapeBit : std::uint8_t { S16x16, S16x8, S8x16, S8x8, S8x4, S4x8, S4x4 };

/// A part of a macroblock that has vectors of its own. Places and sizes are in 4x4 blocks.
struct Shape {
    std::uint8_t x, y, width, height;
    ShapeBit kind;
    std::uint8_t first;   ///< its first 4x4 block in Z order
    std::uint8_t centre;  ///< cost centre and RefID: the 8x8 block in which it begins (VME-34)
};

/// Column and row of a 4x4 block in Z order, and back (VME-25).
constexpr std::uint8_t block_x(unsigned z) {
    return static_cast<std::uint8_t>((z & 1) | (z >> 1 & 2));
}
constexpr std::uint8_t block_y(unsigned z) {
    return static_cast<std::uint8_t>((z >> 1 & 1) | (z >> 2 & 2));
}
constexpr std::uint8_t block_at(unsigned x, unsigned y) {
    return static_cast<std::uint8_t>((x & 1) | (y & 1) << 1 | (x & 2) << 1 | (y & 2) << 2);
}

/// Where the shapes of a kind begin in kShapes.
inline constexpr unsigned k16x16 = 0, k16x8 = 1, k8x16 = 3, k8x8 = 5, k8x4 = 9, k4x8 = 17,
                          k4x4 = 25, kShapeCount = 41;
/// Those that streams hold: the major shapes.
inline constexpr unsigned kMajorShapes = k8x4;

namespace detail {
constexpr Shape make_shape(unsigned x, unsigned y, unsigned width, unsigned height, ShapeBit kind) {
    return {static_cast<std::uint8_t>(x),
            static_cast<std::uint8_t>(y),
            static_cast<std::uint8_t>(width),
            static_cast<std::uint8_t>(height),
            kind,
            block_at(x, y),
            static_cast<std::uint8_t>(x / 2 + y / 2 * 2)};
}
constexpr std::array<Shape, kShapeCount> make_shapes() {
    std::array<Shape, kShapeCount> shapes{};
    shapes[k16x16] = make_shape(0, 0, 4, 4, ShapeBit::S16x16);
    for (unsigned i = 0; i < 2; ++i) {
        shapes[k16x8 + i] = make_shape(0, 2 * i, 4, 2, ShapeBit::S16x8);
        shapes[k8x16 + i] = make_shape(2 * i, 0, 2, 4, ShapeBit::S8x16);
    }
    for (unsigned q = 0; q < 4; ++q) {
        const unsigned x = q % 2 * 2, y = q / 2 * 2;
        shapes[k8x8 + q] = make_shape(x, y, 2, 2, ShapeBit::S8x8);
        for (unsigned i = 0; i < 2; ++i) {
            shapes[k8x4 + 2 * q + i] = make_shape(x, y + i, 2, 1, ShapeBit::S8x4);
            shapes[k4x8 + 2 * q + i] = make_shape(x + i, y, 1, 2, ShapeBit::S4x8);
        }
    }
    for (unsigned z = 0; z < 16; ++z)
        shapes[k4x4 + z] = make_shape(block_x(z), block_y(z), 1, 1, ShapeBit::S4x4);
    return shapes;
}
}  // namespace detail
/// All shapes: those of a kind one after the other, of minor shapes by 8x8 block.
inline constexpr std::array<Shape, kShapeCount> kShapes = detail::make_shapes();

/// The shapes of 8x8 block `q` in a minor mode: the first of them, and how many.
struct ShapeRange {
    unsigned first, count;
};
constexpr ShapeRange minor_shapes(MinorMode mode, unsigned q) {
    switch (mode) {
        case MinorMode::M8x4:
            return {k8x4 + 2 * q, 2};
        case MinorMode::M4x8:
            return {k4x8 + 2 * q, 2};
        case MinorMode::M4x4:
            return {k4x4 + 4 * q, 4};
        default:
            return {k8x8 + q, 1};
    }
}
/// The shapes of a major mode but 8x8.
constexpr ShapeRange major_shapes(MajorMode mode) {
    switch (mode) {
        case MajorMode::M16x8:
            return {k16x8, 2};
        case MajorMode::M8x16:
            return {k8x16, 2};
        default:
            return {k16x16, 1};
    }
}

}  // namespace gen9::vme
