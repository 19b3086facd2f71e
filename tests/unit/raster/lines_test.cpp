// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <boost/rational.hpp>
#include <cmath>
#include <optional>
#include <random>

#include "interpolation/smooth_line.h"
#include "setup/shape.h"
#include "tests/support/covers.h"
#include "tests/unit/raster/picture.h"
#include "tests/unit/setup/scene.h"

namespace gen9::raster {
namespace {
using namespace setup::test;
using interpolation::smooth_coverage;
using packets::Topology;
using setup::Draw;
using setup::Object;
using test::Picture;

Object line_of(float x0, float y0, float x1, float y1) {
    return object_of(Topology::LineList, {pixel(x0, y0), pixel(x1, y1)});
}
Picture drawn(const Draw& draw, const Object& object, const State& state = {},
              std::uint32_t stipple = 0) {
    Picture picture(48, 48);
    picture.draw(made(draw, object), state, stipple);
    return picture;
}

TEST(WideLine, LightsOnePixelOfEachColumn) {
    GEN9_COVERS("SF-40");
    std::mt19937 random(5);
    const Draw draw = pixel_draw();
    for (unsigned turn = 0; turn < 200; ++turn) {
        // On half pixels, then anywhere: ends and sides meet centres.
        const unsigned step = turn % 2 ? 128 : 1;
        std::int32_t at[4];
        for (std::int32_t& value : at)
            value = 1024 + static_cast<std::int32_t>(random() % (40 * 256) / step * step);
        const bool x_major = std::abs(at[2] - at[0]) >= std::abs(at[3] - at[1]);
        if (at[0] == at[2] && at[1] == at[3]) continue;
        Picture picture =
            drawn(draw, object_of(Topology::LineList, {grid(at[0], at[1]), grid(at[2], at[3])}));
        const std::int32_t from = x_major ? at[0] : at[1], to = x_major ? at[2] : at[3];
        for (int major = 0; major < 48; ++major) {
            const std::int32_t centre = major * 256 + 128;
            const bool within = std::min(from, to) <= centre && centre < std::max(from, to);
            int lit = 0;
            for (int minor = 0; minor < 48; ++minor) {
                const int count = x_major ? picture.at(major, minor) : picture.at(minor, major);
                lit += count;
                if (!count) continue;
                // It is no more than half a pixel from the line.
                const double share = static_cast<double>(centre - from) / (to - from);
                const double place =
                    x_major ? at[1] + share * (at[3] - at[1]) : at[0] + share * (at[2] - at[0]);
                ASSERT_LE(std::abs(place - (minor * 256 + 128)), 128.0001);
            }
            ASSERT_EQ(lit, within ? 1 : 0) << "line " << turn << " major " << major;
        }
    }
}

TEST(WideLine, IsAParallelogramWithCapsAlongAnAxis) {
    GEN9_COVERS("SF-40");
    Draw draw = pixel_draw();
    draw.state.line_width = 3 * 128;
    Picture flat = drawn(draw, line_of(4, 10.5f, 12, 10.5f));
    EXPECT_EQ(flat.covered(), 24);
    EXPECT_EQ(flat.row(9), "4..11");
    EXPECT_EQ(flat.row(11), "4..11");
    // A diagonal counts as x-major: three pixels in each column.
    Picture diagonal = drawn(draw, line_of(4, 4, 12, 12));
    EXPECT_EQ(diagonal.covered(), 24);
    EXPECT_EQ(diagonal.at(4, 4) + diagonal.at(4, 5) + diagonal.at(4, 3), 3);
    Picture upright = drawn(draw, line_of(10.5f, 12, 10.5f, 4));
    EXPECT_EQ(upright.covered(), 24);
    EXPECT_EQ(upright.row(4), "9..11");
    EXPECT_EQ(upright.row(12), "none");
}

TEST(MultisampleLine, IsARectangleAcrossTheLine) {
    Draw draw = pixel_draw();
    draw.state.multisample = MultisampleMode::OnPattern;
    draw.state.line_width = 4 * 128;
    State state = test::pattern(16);
    // Of slope 3/4, 30 long and 4 wide: samples at these places, by their distances from it.
    Picture picture = drawn(draw, line_of(10, 10, 34, 28), state);
    unsigned inside = 0;
    for (int x = 0; x < 48; ++x)
        for (int y = 0; y < 48; ++y)
            for (unsigned s = 0; s < 16; ++s) {
                const double px = x + state.places[s].x / 16.0 - 10,
                             py = y + state.places[s].y / 16.0 - 10;
                const double along = (px * 4 + py * 3) / 5, across = std::abs(px * 3 - py * 4) / 5;
                const double margin = std::min({along, 30 - along, 2 - across});
                inside += picture.at(x, y, s);
                if (std::abs(margin) > 1.0 / 200) {
                    ASSERT_EQ(picture.at(x, y, s), margin > 0);
                }
            }
    EXPECT_NEAR(inside / 16.0, 120, 3);
}

TEST(SmoothLine, HasAShareOfEachPixel) {
    GEN9_COVERS("SF-41 SF-42");
    Draw draw = pixel_draw();
    draw.state.smooth_lines = true;
    draw.state.line_width = 4 * 128;
    draw.state.line_region = 2;  // 2 pixels: rises over one
    draw.state.cap_region = 1;   // 1 pixel
    const SetUpObject line = made(draw, line_of(10, 20, 30, 20));
    const auto share = [&](float x, float y) {
        const int px = static_cast<int>(x), py = static_cast<int>(y);
        return smooth_coverage(line, px, py,
                               {static_cast<std::uint8_t>((x - static_cast<float>(px)) * 16),
                                static_cast<std::uint8_t>((y - static_cast<float>(py)) * 16)});
    };
    EXPECT_EQ(share(20, 20), 1);
    EXPECT_EQ(share(20, 21), 1);
    EXPECT_FLOAT_EQ(share(20, 21.5f), 0.5f);
    EXPECT_EQ(share(20, 22), 0);
    EXPECT_FLOAT_EQ(share(20, 18.25f), 0.25f);
    EXPECT_EQ(share(10, 20), 1);
    EXPECT_FLOAT_EQ(share(9.75f, 20), 0.75f);
    EXPECT_FLOAT_EQ(share(30.5f, 20), 0.5f);
    EXPECT_FLOAT_EQ(share(30.5f, 21.5f), 0.25f);  // a corner: both
    EXPECT_EQ(share(31, 20), 0);
    // Its pixels are those of the rectangle with the caps.
    Picture picture(48, 48);
    picture.draw(line, {});
    EXPECT_EQ(picture.covered(), 22 * 4);
    EXPECT_EQ(picture.row(18), "9..30");
    EXPECT_EQ(picture.row(21), "9..30");
    // No pixel reaches 1 if the sides rise over more than the half of the width.
    draw.state.line_width = 128;
    const SetUpObject thin = made(draw, line_of(10, 20, 30, 20));
    EXPECT_FLOAT_EQ(smooth_coverage(thin, 20, 20, {0, 0}), 0.5f);
    EXPECT_EQ(smooth_coverage(made(pixel_draw(), line_of(1, 1, 9, 1)), 4, 40, {}), 1);
}

/// By clipping the line to the diamond's four sides, in exact arithmetic.
class ExactDiamond {
    using Exact = boost::rational<std::int64_t>;

  public:
    ExactDiamond(const LineFacts& line, bool legacy) : line_(line), legacy_(legacy) {}
    bool lit(std::int32_t x, std::int32_t y) const {
        const std::int64_t fx = line_.from.x - (x * 256 + 128), fy = line_.from.y - (y * 256 + 128);
        const std::int64_t dx = line_.to.x - line_.from.x, dy = line_.to.y - line_.from.y;
        Exact first(0), last(1);
        for (const auto& [sx, sy] : {std::pair(1, 1), {1, -1}, {-1, 1}, {-1, -1}}) {
            const std::int64_t at = sx * fx + sy * fy, by = sx * dx + sy * dy;
            if (by == 0 && at > 128) return false;
            if (by == 0) continue;
            const Exact t(128 - at, by);
            if (by > 0)
                last = std::min(last, t);
            else
                first = std::max(first, t);
        }
        if (first > last) return false;
        // The line meets the closed diamond from `first` to `last`. A convex set's inner places or
        // border: the middle tells which, the ends are tested alone.
        const Exact middle = (first + last) / 2;
        bool meets = false;
        for (const Exact& t : {first, middle, last})
            meets = meets || inside(Exact(fx) + t * dx, Exact(fy) + t * dy);
        return meets && (line_.last_pixel || !inside(Exact(fx + dx), Exact(fy + dy)));
    }

  private:
    bool inside(const Exact& x, const Exact& y) const {
        const std::int64_t dx = line_.to.x - line_.from.x, dy = line_.to.y - line_.from.y;
        const bool x_major = std::abs(dx) >= std::abs(dy);
        const Exact distance = abs(x) + abs(y);
        if (distance != Exact(128)) return distance < Exact(128);
        const bool right = x > 0, bottom = y > 0;
        if (x == 0) return bottom;
        if (y == 0) {
            if (legacy_) return right == (dx != dy);
            return right && !x_major;
        }
        if (!bottom) return false;
        return !legacy_ || (right ? dx == -dy : dx == dy);
    }
    const LineFacts& line_;
    bool legacy_;
};

TEST(CosmeticLine, LightsThePixelsWhoseDiamondsItLeaves) {
    GEN9_COVERS("SF-36 SF-37 SF-38");
    std::mt19937 random(9);
    unsigned pixels = 0;
    for (unsigned turn = 0; turn < 240; ++turn) {
        Draw draw = pixel_draw();
        draw.state.line_width = 0;
        draw.state.last_pixel = turn % 4 == 0;
        State state;
        state.legacy_diamonds = turn % 8 < 4;
        const unsigned step = turn % 3 == 0 ? 1 : turn % 3 == 1 ? 128 : 64;
        std::int32_t at[4];
        for (std::int32_t& value : at)
            value = 1024 + static_cast<std::int32_t>(random() % (7 * 256) / step * step);
        if (random() % 3 == 0) at[3] = at[1] + (random() % 2 ? 1 : -1) * (at[2] - at[0]);
        if (random() % 6 == 0) at[3] = at[1];
        if (at[0] == at[2] && at[1] == at[3]) continue;
        const SetUpObject object =
            made(draw, object_of(Topology::LineList, {grid(at[0], at[1]), grid(at[2], at[3])}));
        ASSERT_EQ(object.line.style, LineStyle::Cosmetic);
        Picture picture(24, 24);
        picture.draw(object, state);
        const ExactDiamond exact(object.line, state.legacy_diamonds);
        for (int y = 0; y < 24; ++y)
            for (int x = 0; x < 24; ++x) {
                const bool expected = exact.lit(x, y);
                pixels += expected;
                ASSERT_EQ(picture.at(x, y), expected)
                    << "line " << at[0] << ',' << at[1] << " to " << at[2] << ',' << at[3]
                    << " pixel " << x << ',' << y << (state.legacy_diamonds ? " legacy" : "");
            }
    }
    EXPECT_GT(pixels, 400u);
}

TEST(CosmeticLine, LastPixel) {
    GEN9_COVERS("SF-39");
    Draw draw = pixel_draw();
    draw.state.line_width = 0;
    const Object line = line_of(0.5f, 0.5f, 3.5f, 0.5f);
    EXPECT_EQ(drawn(draw, line).row(0), "0..2");
    draw.state.last_pixel = true;
    EXPECT_EQ(drawn(draw, line).row(0), "0..3");
    EXPECT_EQ(drawn(draw, line).covered(), 4);
    Object inner = line;
    inner.topology = Topology::LineStrip;
    inner.last_of_strip = false;
    EXPECT_EQ(drawn(draw, inner).row(0), "0..2");
}

TEST(LineStipple, GoesThroughThePatternAlongTheMajorAxis) {
    GEN9_COVERS("WM-27");
    Draw draw = pixel_draw();
    draw.state.line_stipple = true;
    State state;
    state.line_pattern = 0x00FF;
    state.line_repeat = 2;
    EXPECT_EQ(drawn(draw, line_of(4, 5.5f, 40, 5.5f), state).row(5), "gaps");
    Picture picture = drawn(draw, line_of(4, 5.5f, 36, 5.5f), state);
    EXPECT_EQ(picture.row(5), "4..19");
    // In the direction of drawing.
    EXPECT_EQ(drawn(draw, line_of(36, 5.5f, 4, 5.5f), state).row(5), "20..35");
    Picture upwards = drawn(draw, line_of(7.5f, 40, 7.5f, 8), state);
    EXPECT_EQ(upwards.at(7, 39), 1);
    EXPECT_EQ(upwards.at(7, 24), 1);
    EXPECT_EQ(upwards.at(7, 23), 0);
    // A line that goes on with the pattern.
    Picture further = drawn(draw, line_of(4, 5.5f, 36, 5.5f), state, 12);
    EXPECT_EQ(further.row(5), "gaps");
    EXPECT_EQ(further.at(7, 5), 1);
    EXPECT_EQ(further.at(8, 5), 0);
    EXPECT_EQ(further.at(23, 5), 0);
    EXPECT_EQ(further.at(24, 5), 1);
    EXPECT_EQ(pattern_pixels(made(draw, line_of(4, 5.5f, 36, 9)).line), 32u);
    EXPECT_EQ(pattern_pixels(made(draw, line_of(4.25f, 9, 4.5f, 9)).line), 0u);
    // Bits 0 to 15, each for `repeat` pixels.
    for (unsigned bit = 0; bit < 16; ++bit)
        for (unsigned pixel = 0; pixel < 96; ++pixel)
            ASSERT_EQ(in_line_pattern(static_cast<std::uint16_t>(1u << bit), 3, pixel),
                      pixel / 3 % 16 == bit);
    draw.state.smooth_lines = true;  // smooth lines have none
    EXPECT_FALSE(made(draw, line_of(4, 5.5f, 36, 5.5f)).line.stippled);
    draw.state.smooth_lines = draw.state.line_stipple = false;
    EXPECT_EQ(drawn(draw, line_of(4, 5.5f, 36, 5.5f), state).row(5), "4..35");
}

}  // namespace
}  // namespace gen9::raster
