// SPDX-License-Identifier: Apache-2.0
// Coverage of triangles against a second derivation in exact arithmetic.
#include "raster/coverage.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <cstdlib>
#include <random>

#include "tests/support/covers.h"
#include "tests/unit/raster/picture.h"
#include "tests/unit/setup/scene.h"

namespace gen9::raster {
namespace {
using namespace setup::test;
using packets::Topology;
using setup::Object;
using setup::Objects;
using test::Picture;
using Exact = boost::multiprecision::cpp_rational;
using Integer = boost::multiprecision::cpp_int;

/// Rows of 16 pixels of a window: what of it a triangle covers.
using Window = std::array<std::uint32_t, 16>;

/// A place is inside if a ray from it to the left crosses the border an odd number of times. The
/// place is thought a little further right, and much less further down: then none lies on a side,
/// and left and top sides are inside.
Window crossing_number(const std::array<ScreenPoint, 3>& v, std::int32_t left, std::int32_t top,
                       SamplePlace place) {
    Window window{};
    for (unsigned r = 0; r < window.size(); ++r) {
        const std::int64_t y = (std::int64_t{top} + r) * 256 + place.y * 16;
        for (unsigned k = 0; k < 3; ++k) {
            const ScreenPoint a = v[k], b = v[(k + 1) % 3];
            if ((a.y <= y) == (b.y <= y)) continue;
            const Exact x =
                Exact(a.x) + Exact(Integer(y - a.y) * (Integer(b.x) - a.x), Integer(b.y) - a.y);
            // Pixels from the first whose place is not left of the crossing have crossed it.
            const Exact first = (x - place.x * 16) / 256 - left;
            Integer whole = numerator(first) / denominator(first);
            if (whole * denominator(first) < numerator(first)) ++whole;
            if (whole < 0) whole = 0;
            if (whole < 16) window[r] ^= 0xFFFFu << static_cast<unsigned>(whole) & 0xFFFFu;
        }
    }
    return window;
}

class RandomTriangles {
  public:
    /// A triangle of one of many kinds near a window of 16 x 16 pixels.
    std::array<ScreenPoint, 3> next(std::int32_t left, std::int32_t top) {
        const unsigned kind = random_() % 8;
        const std::int32_t sizes[] = {16 << 8, 20 << 8, 3 << 8,  40,
                                      1 << 13, 1 << 17, 1 << 23, 1 << 23};
        std::array<ScreenPoint, 3> v;
        for (ScreenPoint& p : v)
            p = {near(left, sizes[kind]), near(top, sizes[kind])};
        // Often on places that are tested, or with a side along an axis.
        const std::int32_t step = random_() % 4 == 0 ? 128 : random_() % 4 == 0 ? 16 : 1;
        for (ScreenPoint& p : v)
            p = {p.x / step * step, p.y / step * step};
        if (random_() % 5 == 0) v[1].x = v[0].x;
        if (random_() % 5 == 0) v[2].y = v[0].y;
        if (random_() % 16 == 0) v[2] = {2 * v[1].x - v[0].x, 2 * v[1].y - v[0].y};
        for (ScreenPoint& p : v)
            p = {clamp(p.x), clamp(p.y)};
        return v;
    }
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

  private:
    static std::int32_t clamp(std::int32_t step) {
        return std::clamp(step, -32768 * 256, 32767 * 256);
    }
    std::int32_t near(std::int32_t pixel, std::int32_t size) {
        const auto away =
            static_cast<std::int32_t>(random_() % static_cast<unsigned>(2 * size)) - size;
        return clamp(pixel * 256 + 8 * 256 + away);
    }
    std::mt19937 random_{11};
};

Object triangle_of(const std::array<ScreenPoint, 3>& v) {
    return object_of(Topology::TriList,
                     {grid(v[0].x, v[0].y), grid(v[1].x, v[1].y), grid(v[2].x, v[2].y)});
}

// GEN9_TRIANGLES=100000 makes a long run of it.
TEST(TriangleCoverage, IsExact) {
    GEN9_COVERS("WM-25 SF-26");
    const char* wanted = std::getenv("GEN9_TRIANGLES");
    const unsigned triangles = wanted ? static_cast<unsigned>(std::atoi(wanted)) : 700;
    RandomTriangles random;
    unsigned covered = 0, discarded = 0, full = 0;
    for (unsigned t = 0; t < triangles; ++t) {
        const auto left = static_cast<std::int32_t>(random.below(t % 3 ? 64 : 16384));
        const auto top = static_cast<std::int32_t>(random.below(t % 3 ? 64 : 16384));
        const auto v = random.next(left, top);
        setup::Draw draw = pixel_draw();
        draw.drawing = {static_cast<std::uint16_t>(left), static_cast<std::uint16_t>(top),
                        static_cast<std::uint16_t>(left + 15),
                        static_cast<std::uint16_t>(top + 15)};
        const unsigned samples = 1u << random.below(5);
        State state = test::pattern(samples);
        Objects out;
        const setup::Result result = setup::set_up(draw, triangle_of(v), out);
        discarded += result.count == 0;
        Picture picture(16, 16);
        if (result.count) {
            // The picture begins at the window.
            Coverage coverage(out[0], state);
            for (PixelBlock block; coverage.next(block);) {
                full += block.full;
                for (unsigned s = 0; s < samples; ++s)
                    for (int p = 0; p < 32; ++p)
                        if (block.covered[s] >> p & 1)
                            ++picture.at(block.x + p % 8 - left, block.y + p / 8 - top, s);
            }
        }
        // All samples of small patterns, some of large ones.
        for (unsigned s = random.below(4); s < samples || s < 4; s += 4) {
            const unsigned sample = s % samples;
            const SamplePlace place = samples > 1 ? state.places[sample] : state.pixel;
            const Window expected = crossing_number(v, left, top, place);
            for (unsigned r = 0; r < 16; ++r) {
                std::uint32_t row = 0;
                for (unsigned c = 0; c < 16; ++c) {
                    const int count = picture.at(static_cast<int>(c), static_cast<int>(r), sample);
                    ASSERT_LE(count, 1);
                    row |= static_cast<std::uint32_t>(count) << c;
                }
                covered += static_cast<unsigned>(std::popcount(row));
                ASSERT_EQ(row, expected[r])
                    << "triangle " << t << ": " << v[0].x << ',' << v[0].y << ' ' << v[1].x << ','
                    << v[1].y << ' ' << v[2].x << ',' << v[2].y << ", row " << r << " of window "
                    << left << ',' << top << ", sample " << sample << " of " << samples;
            }
        }
    }
    // The kinds of triangles have all been met.
    EXPECT_GT(covered, triangles * 20);
    EXPECT_GT(discarded, triangles / 20);
    EXPECT_GT(full, triangles / 20);
}

TEST(TriangleCoverage, IsBoundedByTheClipRectangle) {
    GEN9_COVERS("SF-26");
    setup::Draw draw = pixel_draw();
    draw.drawing = {1000, 1000, 1099, 1063};
    const Object huge = object_of(
        Topology::TriList, {pixel(kInfinity, -1e30f), pixel(1e9f, kInfinity), pixel(-4e9f, 1e30f)});
    const SetUpObject object = made(draw, huge);
    const State state;
    Coverage coverage(object, state);
    unsigned blocks = 0, pixels = 0;
    for (PixelBlock block; coverage.next(block); ++blocks)
        pixels += static_cast<unsigned>(std::popcount(block.lit));
    EXPECT_LE(blocks, 14u * 17u);
    EXPECT_EQ(pixels, 6400u);
    // A target of any size is gone through from side to side.
    draw.drawing = {0, 32766, 65535, 32767};
    const Object strip =
        object_of(Topology::RectList, {pixel(32767, 32767), pixel(0, 32767), pixel(0, 32766)});
    const SetUpObject wide = made(draw, strip);
    Coverage across(wide, state);
    unsigned columns = 0;
    for (PixelBlock block; across.next(block);)
        columns += static_cast<unsigned>(std::popcount(block.lit));
    EXPECT_EQ(columns, 32767u);
}

TEST(TriangleCoverage, OnePlaceOrAll) {
    const setup::Draw draw = pixel_draw();
    // Covers the left 0.6 of column 2: centres and some samples.
    const SetUpObject part =
        made(draw, object_of(Topology::RectList, {pixel(2.6f, 4), pixel(0, 4), pixel(0, 0)}));
    State state = test::pattern(4);
    Picture picture(8, 4);
    picture.draw(part, state);
    EXPECT_EQ(picture.at(2, 0, 0), 1);
    EXPECT_EQ(picture.at(2, 0, 1), 0);
    EXPECT_EQ(picture.at(2, 0, 2), 1);
    EXPECT_EQ(picture.at(2, 0, 3), 0);
    state.at_each_sample = false;
    Picture replicated(8, 4);
    replicated.draw(part, state);
    for (unsigned s = 0; s < 4; ++s) {
        EXPECT_EQ(replicated.at(2, 0, s), 1);
        EXPECT_EQ(replicated.covered(s), 12);
    }
    state.pixel = {0, 0};  // the upper left corner
    state.samples = 1;
    const SetUpObject corner = made(
        draw, object_of(Topology::RectList, {pixel(3.25f, 2.25f), pixel(1, 2.25f), pixel(1, 1)}));
    Picture corners(8, 4);
    corners.draw(corner, state);
    EXPECT_EQ(corners.row(1), "1..3");
    EXPECT_EQ(corners.row(2), "1..3");
    EXPECT_EQ(corners.covered(), 6);
}

TEST(TriangleCoverage, SampleMask) {
    const SetUpObject object =
        made(pixel_draw(), object_of(Topology::RectList, {pixel(8, 4), pixel(0, 4), pixel(0, 0)}));
    for (const bool each : {false, true}) {
        State state = test::pattern(4);
        state.at_each_sample = each;
        state.sample_mask = 0xFFFA;
        Coverage coverage(object, state);
        PixelBlock block;
        ASSERT_TRUE(coverage.next(block));
        EXPECT_EQ(block.covered[0], 0u);
        EXPECT_EQ(block.covered[1], kAllPixels);
        EXPECT_EQ(block.covered[2], 0u);
        EXPECT_EQ(block.covered[3], kAllPixels);
        EXPECT_EQ(block.lit, kAllPixels);
        EXPECT_FALSE(block.full);
        // No sample: no pixel is lit.
        state.sample_mask = 0xFFF0;
        Coverage nothing(object, state);
        EXPECT_FALSE(nothing.next(block));
    }
    // A pixel none of whose samples is left is not lit, though others are.
    State state = test::pattern(4);
    state.sample_mask = 2;
    const SetUpObject part = made(
        pixel_draw(), object_of(Topology::RectList, {pixel(2.6f, 4), pixel(0, 4), pixel(0, 0)}));
    Coverage coverage(part, state);
    PixelBlock block;
    ASSERT_TRUE(coverage.next(block));
    EXPECT_EQ(block.lit, 0x03030303u);
}

TEST(TriangleCoverage, Subspans) {
    GEN9_COVERS("WM-23");
    for (unsigned g = 0; g < 8; ++g)
        for (unsigned slot = 0; slot < 4; ++slot) {
            const unsigned x = g % 4 * 2 + slot % 2, y = g / 4 * 2 + slot / 2;
            for (unsigned other = 0; other < 8; ++other)
                EXPECT_EQ(subspan(1u << (8 * y + x), other), other == g ? 1u << slot : 0);
        }
}

TEST(PointCoverage, TakesTheEdgesOfItsRule) {
    GEN9_COVERS("SF-21");
    setup::Draw draw = pixel_draw();
    draw.state.point_width = 16;  // 2 pixels; all its corners lie on centres
    const auto picture = [&] {
        Picture result(16, 16);
        result.draw(made(draw, object_of(Topology::PointList, {pixel(5.5f, 7.5f)})), {});
        return result;
    };
    Picture left = picture();
    EXPECT_EQ(left.covered(), 4);
    EXPECT_EQ(left.row(6), "4..5");
    EXPECT_EQ(left.row(7), "4..5");
    draw.state.points_upper_right = true;
    Picture right = picture();
    EXPECT_EQ(right.covered(), 4);
    EXPECT_EQ(right.row(6), "5..6");
    EXPECT_EQ(right.row(7), "5..6");
}

TEST(PointCoverage, ARoundPointIsACircle) {
    setup::Draw draw = pixel_draw();
    draw.state.point_width = 64;
    draw.state.round_points = true;
    Picture picture(16, 16);
    picture.draw(made(draw, object_of(Topology::PointList, {pixel(8, 8)})), {});
    // Centres within 4 pixels of the middle.
    unsigned expected = 0;
    for (int x = 0; x < 16; ++x)
        for (int y = 0; y < 16; ++y) {
            const bool inside = (2 * x - 15) * (2 * x - 15) + (2 * y - 15) * (2 * y - 15) <= 64;
            EXPECT_EQ(picture.at(x, y), inside ? 1 : 0);
            expected += inside;
        }
    EXPECT_EQ(expected, 52u);
}

TEST(PolygonStipple, StartsAtTheShiftedOrigin) {
    GEN9_COVERS("WM-29");
    setup::Draw draw = pixel_draw();
    draw.state.polygon_stipple = true;
    std::mt19937 random(3);
    State state;
    for (std::uint32_t& row : state.polygon_pattern)
        row = static_cast<std::uint32_t>(random());
    state.polygon_x = 5, state.polygon_y = 29;
    const Object cover =
        object_of(Topology::TriFan, {pixel(-100, -10), pixel(200, -10), pixel(0, 300)});
    draw.drawing = {0, 0, 39, 39};
    Picture picture(40, 40);
    picture.draw(made(draw, cover), state);
    for (unsigned y = 0; y < 40; ++y)
        for (unsigned x = 0; x < 40; ++x)
            ASSERT_EQ(
                picture.at(static_cast<int>(x), static_cast<int>(y)),
                static_cast<int>(state.polygon_pattern[(y + 29) % 32] >> (31 - (x + 5) % 32) & 1));
    Object no_stipple = cover;
    no_stipple.topology = Topology::TriFanNoStipple;
    Picture whole(40, 40);
    whole.draw(made(draw, no_stipple), state);
    EXPECT_EQ(whole.covered(), 1600);
}

/// Sign of the turn from a over b to c.
int turn(ScreenPoint a, ScreenPoint b, ScreenPoint c) {
    const std::int64_t cross = (std::int64_t{b.x} - a.x) * (std::int64_t{c.y} - a.y) -
                               (std::int64_t{b.y} - a.y) * (std::int64_t{c.x} - a.x);
    return (cross > 0) - (cross < 0);
}
bool in_closed(const std::array<ScreenPoint, 3>& v, ScreenPoint p) {
    const int way = turn(v[0], v[1], v[2]);
    for (unsigned k = 0; k < 3; ++k)
        if (turn(v[k], v[(k + 1) % 3], p) * way < 0) return false;
    return true;
}
bool between(ScreenPoint a, ScreenPoint b, ScreenPoint p) {
    return turn(a, b, p) == 0 && std::min(a.x, b.x) <= p.x && p.x <= std::max(a.x, b.x) &&
           std::min(a.y, b.y) <= p.y && p.y <= std::max(a.y, b.y);
}
bool cross(ScreenPoint a, ScreenPoint b, ScreenPoint c, ScreenPoint d) {
    if (between(a, b, c) || between(a, b, d) || between(c, d, a) || between(c, d, b)) return true;
    return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

TEST(ConservativeCoverage, TakesEveryPixelThatIsTouched) {
    RandomTriangles random;
    setup::Draw draw = pixel_draw();
    draw.state.conservative = true;
    draw.drawing = {0, 0, 15, 15};
    unsigned touched = 0, within = 0;
    for (unsigned t = 0; t < 150; ++t) {
        const auto v = random.next(0, 0);
        Objects out;
        const bool drawn = setup::set_up(draw, triangle_of(v), out).count;
        State state;
        state.conservative = state.inner = true;
        state.samples = 2;
        Picture lit(16, 16), inner(16, 16);
        if (drawn) {
            Coverage coverage(out[0], state);
            for (PixelBlock block; coverage.next(block);)
                for (int p = 0; p < 32; ++p) {
                    ASSERT_EQ(block.covered[0], block.covered[1]);
                    if (block.lit >> p & 1) ++lit.at(block.x + p % 8, block.y + p / 8);
                    if (block.inner >> p & 1) ++inner.at(block.x + p % 8, block.y + p / 8);
                }
        }
        if (turn(v[0], v[1], v[2]) == 0) {
            EXPECT_FALSE(drawn);
            continue;
        }
        for (std::int32_t y = 0; y < 16; ++y)
            for (std::int32_t x = 0; x < 16; ++x) {
                const std::array<ScreenPoint, 4> square{ScreenPoint{x * 256, y * 256},
                                                        {x * 256 + 256, y * 256},
                                                        {x * 256 + 256, y * 256 + 256},
                                                        {x * 256, y * 256 + 256}};
                bool meets = false, all = true;
                for (unsigned c = 0; c < 4; ++c) {
                    const bool inside = in_closed(v, square[c]);
                    meets |= inside;
                    all &= inside;
                    for (unsigned k = 0; k < 3; ++k)
                        meets |= cross(square[c], square[(c + 1) % 4], v[k], v[(k + 1) % 3]);
                }
                const ScreenPoint p = v[0];
                meets |= p.x >= x * 256 && p.x <= x * 256 + 256 && p.y >= y * 256 &&
                         p.y <= y * 256 + 256;
                ASSERT_EQ(lit.at(x, y), meets ? 1 : 0)
                    << "triangle " << t << " at " << x << ',' << y;
                ASSERT_EQ(inner.at(x, y), all ? 1 : 0)
                    << "triangle " << t << " at " << x << ',' << y;
                touched += meets;
                within += all;
            }
    }
    EXPECT_GT(touched, 2500u);
    EXPECT_GT(within, 500u);
}

}  // namespace
}  // namespace gen9::raster
