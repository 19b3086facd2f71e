// SPDX-License-Identifier: Apache-2.0
/// Which samples of which pixels an object covers.
#pragma once
#include <array>
#include <cstdint>

#include "interconnect/payload/pixel_batch.h"
#include "interconnect/payload/set_up_object.h"
#include "raster/state.h"

namespace gen9::raster {

/// Goes through an object's blocks, each once and in no order that may matter. Its work is bounded
/// by the object's rectangle, whatever the object's size.
class Coverage {
  public:
    /// `stipple`: pixels of the line pattern that came before the object. Both arguments live
    /// as long as this.
    Coverage(const SetUpObject& object, const State& state, std::uint32_t stipple = 0);
    Coverage(const SetUpObject&, State&&, std::uint32_t = 0) = delete;
    Coverage(SetUpObject&&, const State&, std::uint32_t = 0) = delete;
    /// The next block with a lit pixel; false: there is none.
    bool next(PixelBlock& block);

  private:
    static constexpr unsigned kLevels = 14;  ///< blocks of up to 2^13 times the size
    struct Node {
        std::int32_t x, y;
        std::uint8_t level;
        std::uint8_t open;  ///< sides that may cut it
    };
    struct Side {
        std::int64_t a, b, c;  ///< inside: a * x + b * y + c >= 0
        bool narrow;           ///< what it takes on within a block fits 32 bits, in 1/16 of it
    };

    void set_sides();
    void push_roots();
    /// False: it lies outside.
    bool meets(Node& node) const;
    bool visit_leaf(const Node& node, PixelBlock& block) const;
    std::uint32_t covered_at(const Node& node, SamplePlace place) const;
    std::uint32_t inside_bounds(const Node& node) const;
    std::uint32_t special_pixels(const Node& node) const;
    std::uint32_t round_pixels(const Node& node, SamplePlace place) const;
    std::uint32_t inner_pixels(const Node& node) const;

    const SetUpObject& object_;
    const State& state_;
    std::uint32_t stipple_ = 0;
    bool special_ = false;  ///< pixels are chosen by more than the sides
    bool each_sample_ = false;
    PixelRectangle bounds_;
    unsigned side_count_ = 0;
    std::array<Side, 4> sides_;
    std::int32_t least_place_x_ = 0, least_place_y_ = 0, most_place_x_ = 0, most_place_y_ = 0;
    unsigned depth_ = 0;
    std::array<Node, 3 * kLevels + 4> stack_;
};

/// Does a cosmetic line light the pixel (SF-36 to SF-39)?
bool diamond_lit(const LineFacts& line, std::int32_t x, std::int32_t y, SamplePlace place,
                 bool legacy);

/// Pixels that a line takes of its pattern: those of its major axis (WM-27).
std::uint32_t pattern_pixels(const LineFacts& line);
/// Is the pixel of that number in the pattern?
bool in_line_pattern(std::uint16_t pattern, std::uint16_t repeat, std::uint32_t pixel);
/// The number, in the pattern, of the pixel in a column (of an x-major line) or row.
std::uint32_t pattern_place(const LineFacts& line, std::int32_t column_or_row);

}  // namespace gen9::raster
