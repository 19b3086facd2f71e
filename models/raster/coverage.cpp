// SPDX-License-Identifier: Apache-2.0
#include "raster/coverage.h"

#include <emmintrin.h>

#include <bit>
#include <cstdlib>

namespace gen9::raster {
namespace {

constexpr int kPlaceSteps = kPixelSteps / 16;

/// Steps of the screen's grid from a pixel's corner to a place in it.
constexpr std::int64_t steps(std::uint8_t place) {
    return place * kPlaceSteps;
}

/// Bits of the pixels where `outside` is not negative.
unsigned not_negative(__m128i outside) {
    return ~static_cast<unsigned>(_mm_movemask_ps(_mm_castsi128_ps(outside))) & 15;
}

/// What a side takes on in a block, in 1/16: at the first pixel, and from pixel to pixel.
struct Steps32 {
    __m128i left, right;  ///< columns 0 to 3 and 4 to 7 of the row
    __m128i row;
};
Steps32 steps32(std::int32_t first, std::int32_t column, std::int32_t row) {
    const __m128i columns = _mm_setr_epi32(0, column, 2 * column, 3 * column);
    const __m128i left = _mm_add_epi32(_mm_set1_epi32(first), columns);
    return {left, _mm_add_epi32(left, _mm_set1_epi32(4 * column)), _mm_set1_epi32(row)};
}

}  // namespace

Coverage::Coverage(const SetUpObject& object, const State& state, std::uint32_t stipple)
    : object_(object), state_(state), stipple_(stipple) {
    const bool conservative = state.conservative && object.type == ObjectType::Triangle;
    each_sample_ = state.at_each_sample && !conservative &&
                   !(object.type == ObjectType::Line && object.line.style != LineStyle::Wide &&
                     object.line.style != LineStyle::Multisample);
    special_ = object.polygon_stipple ||
               (object.type == ObjectType::Line &&
                (object.line.stippled || object.line.style == LineStyle::Cosmetic));
    const PixelRectangle screen{0, 0, 0xFFFF, 0xFFFF};
    bounds_ = intersection(object.bounds, screen);
    set_sides();
    if (!bounds_.empty()) push_roots();
}

void Coverage::set_sides() {
    const bool conservative = state_.conservative && object_.type == ObjectType::Triangle;
    side_count_ = object_.side_count;
    for (unsigned k = 0; k < side_count_; ++k) {
        const HalfPlane& from = object_.sides[k];
        Side& side = sides_[k];
        side.a = from.a, side.b = from.b;
        side.c = from.inclusive ? from.c : from.c - 1;
        const std::int64_t slope = std::abs(from.a) + std::abs(from.b);
        // A pixel's square touches the half plane if its centre does, moved by half a pixel.
        if (conservative) side.c = from.c + slope * (kPixelSteps / 2);
        side.narrow = slope < std::int64_t{1} << 23;
    }
    if (conservative) {
        // And it touches the box around the triangle.
        const auto& v = object_.vertices;
        const auto [left, right] = std::minmax({v[0].x, v[1].x, v[2].x});
        const auto [top, bottom] = std::minmax({v[0].y, v[1].y, v[2].y});
        bounds_ = intersection(bounds_, {(left - 1) >> 8, (top - 1) >> 8, right >> 8, bottom >> 8});
    }
    const unsigned places = each_sample_ ? state_.samples : 1;
    const SamplePlace* place = each_sample_ ? state_.places.data() : &state_.pixel;
    const SamplePlace centre{8, 8};
    if (conservative) place = &centre;
    least_place_x_ = most_place_x_ = static_cast<std::int32_t>(steps(place[0].x));
    least_place_y_ = most_place_y_ = static_cast<std::int32_t>(steps(place[0].y));
    for (unsigned s = 1; s < places; ++s) {
        least_place_x_ = std::min(least_place_x_, static_cast<std::int32_t>(steps(place[s].x)));
        most_place_x_ = std::max(most_place_x_, static_cast<std::int32_t>(steps(place[s].x)));
        least_place_y_ = std::min(least_place_y_, static_cast<std::int32_t>(steps(place[s].y)));
        most_place_y_ = std::max(most_place_y_, static_cast<std::int32_t>(steps(place[s].y)));
    }
}

void Coverage::push_roots() {
    unsigned level = 0;
    const auto column = [&](std::int32_t x) { return x >> (3 + level); };
    const auto row = [&](std::int32_t y) { return y >> (2 + level); };
    while (column(bounds_.max_x) - column(bounds_.min_x) > 1 ||
           row(bounds_.max_y) - row(bounds_.min_y) > 1)
        ++level;
    const auto open = static_cast<std::uint8_t>((1u << side_count_) - 1);
    for (std::int32_t r = row(bounds_.max_y); r >= row(bounds_.min_y); --r)
        for (std::int32_t c = column(bounds_.max_x); c >= column(bounds_.min_x); --c)
            stack_[depth_++] = {c << (3 + level), r << (2 + level),
                                static_cast<std::uint8_t>(level), open};
}

bool Coverage::meets(Node& node) const {
    const std::int32_t width = kBlockWidth << node.level, height = kBlockHeight << node.level;
    if (node.x > bounds_.max_x || node.y > bounds_.max_y || node.x + width <= bounds_.min_x ||
        node.y + height <= bounds_.min_y)
        return false;
    const std::int64_t left = std::int64_t{node.x} * kPixelSteps + least_place_x_;
    const std::int64_t top = std::int64_t{node.y} * kPixelSteps + least_place_y_;
    const std::int64_t across =
        std::int64_t{width - 1} * kPixelSteps + most_place_x_ - least_place_x_;
    const std::int64_t down =
        std::int64_t{height - 1} * kPixelSteps + most_place_y_ - least_place_y_;
    for (unsigned open = node.open; open; open &= open - 1) {
        const auto k = static_cast<unsigned>(std::countr_zero(open));
        const Side& side = sides_[k];
        const std::int64_t corner = side.a * left + side.b * top + side.c;
        const std::int64_t x = side.a * across, y = side.b * down;
        if (corner + std::max<std::int64_t>(x, 0) + std::max<std::int64_t>(y, 0) < 0) return false;
        if (corner + std::min<std::int64_t>(x, 0) + std::min<std::int64_t>(y, 0) >= 0)
            node.open &= static_cast<std::uint8_t>(~(1u << k));
    }
    return true;
}

bool Coverage::next(PixelBlock& block) {
    while (depth_) {
        Node node = stack_[--depth_];
        if (!meets(node)) continue;
        if (node.level == 0) {
            if (visit_leaf(node, block)) return true;
            continue;
        }
        --node.level;
        const std::int32_t width = kBlockWidth << node.level, height = kBlockHeight << node.level;
        stack_[depth_++] = {node.x + width, node.y + height, node.level, node.open};
        stack_[depth_++] = {node.x, node.y + height, node.level, node.open};
        stack_[depth_++] = {node.x + width, node.y, node.level, node.open};
        stack_[depth_++] = node;
    }
    return false;
}

std::uint32_t Coverage::inside_bounds(const Node& node) const {
    const int left = std::clamp(bounds_.min_x - node.x, 0, kBlockWidth);
    const int right = std::clamp(bounds_.max_x - node.x + 1, 0, kBlockWidth);
    const int top = std::clamp(bounds_.min_y - node.y, 0, kBlockHeight);
    const int bottom = std::clamp(bounds_.max_y - node.y + 1, 0, kBlockHeight);
    if (left >= right || top >= bottom) return 0;
    const std::uint32_t row = ((1u << right) - 1) & ~((1u << left) - 1);
    const std::uint64_t rows = (std::uint64_t{1} << bottom * 8) - (std::uint64_t{1} << top * 8);
    return row * 0x01010101u & static_cast<std::uint32_t>(rows);
}

std::uint32_t Coverage::covered_at(const Node& node, SamplePlace place) const {
    const std::int64_t x = std::int64_t{node.x} * kPixelSteps + steps(place.x);
    const std::int64_t y = std::int64_t{node.y} * kPixelSteps + steps(place.y);
    // All places are multiples of 1/16 pixel: a sign is the same in 1/16 of the value. A side that
    // cuts the block takes on no more there than its steps across it.
    Steps32 sides[4];
    unsigned count = 0;
    std::uint32_t covered = kAllPixels;
    for (unsigned open = node.open; open; open &= open - 1) {
        const Side& side = sides_[static_cast<unsigned>(std::countr_zero(open))];
        const std::int64_t first = (side.a * x + side.b * y + side.c) >> 4;
        const std::int64_t column = side.a * 16, row = side.b * 16;
        if (side.narrow) {
            sides[count++] =
                steps32(static_cast<std::int32_t>(first), static_cast<std::int32_t>(column),
                        static_cast<std::int32_t>(row));
            continue;
        }
        for (int pixel = 0; pixel < 32; ++pixel)
            if (first + column * (pixel % 8) + row * (pixel / 8) < 0) covered &= ~(1u << pixel);
    }
    if (count == 0) return covered;
    std::uint32_t narrow = 0;
    for (int row = 0; row < kBlockHeight; ++row) {
        __m128i left = sides[0].left, right = sides[0].right;
        for (unsigned k = 1; k < count; ++k) {
            left = _mm_or_si128(left, sides[k].left);
            right = _mm_or_si128(right, sides[k].right);
        }
        narrow |= (not_negative(left) | not_negative(right) << 4) << 8 * row;
        for (unsigned k = 0; k < count; ++k) {
            sides[k].left = _mm_add_epi32(sides[k].left, sides[k].row);
            sides[k].right = _mm_add_epi32(sides[k].right, sides[k].row);
        }
    }
    return covered & narrow;
}

std::uint32_t Coverage::inner_pixels(const Node& node) const {
    std::uint32_t inner = kAllPixels;
    const std::int64_t half = kPixelSteps / 2;
    const std::int64_t x = std::int64_t{node.x} * kPixelSteps + half;
    const std::int64_t y = std::int64_t{node.y} * kPixelSteps + half;
    for (unsigned k = 0; k < object_.side_count; ++k) {
        const HalfPlane& side = object_.sides[k];
        const std::int64_t first =
            side.a * x + side.b * y + side.c - (std::abs(side.a) + std::abs(side.b)) * half;
        for (int pixel = 0; pixel < 32; ++pixel)
            if (first + (side.a * (pixel % 8) + side.b * (pixel / 8)) * kPixelSteps < 0)
                inner &= ~(1u << pixel);
    }
    return inner;
}

std::uint32_t Coverage::round_pixels(const Node& node, SamplePlace place) const {
    std::uint32_t inside = 0;
    const std::int64_t radius = object_.point_radius;
    for (int pixel = 0; pixel < 32; ++pixel) {
        const std::int64_t x =
            std::int64_t{node.x + pixel % 8} * kPixelSteps + steps(place.x) - object_.vertices[0].x;
        const std::int64_t y =
            std::int64_t{node.y + pixel / 8} * kPixelSteps + steps(place.y) - object_.vertices[0].y;
        if (x * x + y * y <= radius * radius) inside |= 1u << pixel;
    }
    return inside;
}

std::uint32_t Coverage::special_pixels(const Node& node) const {
    std::uint32_t pixels = kAllPixels;
    if (object_.polygon_stipple) {
        pixels = 0;
        // Bit 31 of a row is its leftmost pixel (WM-29).
        for (int pixel = 0; pixel < 32; ++pixel) {
            const unsigned x = static_cast<unsigned>(node.x + pixel % 8) + state_.polygon_x;
            const unsigned y = static_cast<unsigned>(node.y + pixel / 8) + state_.polygon_y;
            if (state_.polygon_pattern[y % 32] << x % 32 >> 31) pixels |= 1u << pixel;
        }
    }
    if (object_.type != ObjectType::Line) return pixels;
    const LineFacts& line = object_.line;
    const bool x_major = std::abs(line.to.x - line.from.x) >= std::abs(line.to.y - line.from.y);
    for (int pixel = 0; pixel < 32; ++pixel) {
        const std::int32_t x = node.x + pixel % 8, y = node.y + pixel / 8;
        bool lit = true;
        if (line.style == LineStyle::Cosmetic)
            lit = diamond_lit(line, x, y, state_.pixel, state_.legacy_diamonds);
        if (lit && line.stippled)
            lit = in_line_pattern(state_.line_pattern, state_.line_repeat,
                                  stipple_ + pattern_place(line, x_major ? x : y));
        if (!lit) pixels &= ~(1u << pixel);
    }
    return pixels;
}

bool Coverage::visit_leaf(const Node& node, PixelBlock& block) const {
    const std::uint32_t valid = (1u << state_.samples) - 1;
    const std::uint32_t mask = state_.sample_mask & valid;
    std::uint32_t within = inside_bounds(node);
    if (special_) within &= special_pixels(node);
    if (within == 0 || mask == 0) return false;
    block.x = node.x, block.y = node.y;
    block.samples = state_.samples;
    block.before_tests = nullptr;
    block.lit = 0;
    const bool conservative = state_.conservative && object_.type == ObjectType::Triangle;
    const bool whole = node.open == 0 && !object_.round;
    const auto covered = [&](SamplePlace place) {
        if (whole) return within;
        std::uint32_t pixels = within & covered_at(node, place);
        if (object_.round) pixels &= round_pixels(node, place);
        return pixels;
    };
    if (whole || !each_sample_) {
        const std::uint32_t pixels = covered(conservative ? SamplePlace{8, 8} : state_.pixel);
        for (unsigned s = 0; s < state_.samples; ++s)
            block.covered[s] = mask >> s & 1 ? pixels : 0;
        block.lit = pixels;
        block.full = pixels == kAllPixels && mask == valid;
    } else {
        std::uint32_t all = kAllPixels;
        for (unsigned s = 0; s < state_.samples; ++s) {
            block.covered[s] = mask >> s & 1 ? covered(state_.places[s]) : 0;
            block.lit |= block.covered[s];
            all &= block.covered[s];
        }
        block.full = all == kAllPixels;
    }
    block.inner = 0;
    if (block.lit && state_.inner && object_.type == ObjectType::Triangle)
        block.inner = block.lit & inner_pixels(node);
    return block.lit != 0;
}

}  // namespace gen9::raster
