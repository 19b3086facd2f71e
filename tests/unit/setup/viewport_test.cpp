// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "setup/viewport.h"
#include "tests/support/covers.h"
#include "tests/unit/setup/scene.h"

namespace gen9::setup {
namespace {

using test::kInfinity;
using test::kNan;

TEST(Viewport, DividesByW) {
    GEN9_COVERS("FF-116 CL-10");
    const Position ndc = divide({3, -6, 9, 12});
    EXPECT_EQ(ndc.x, 0.25f);
    EXPECT_EQ(ndc.y, -0.5f);
    EXPECT_EQ(ndc.z, 0.75f);
    EXPECT_EQ(ndc.w, 1.0f / 12);
    // A division, not a multiplication by the rounded reciprocal.
    EXPECT_EQ(divide({5, 0, 0, 49}).x, 5.0f / 49.0f);
}

TEST(Viewport, TransformsAndAddsTheDrawingRectanglesOrigin) {
    GEN9_COVERS("SF-18 SF-22");
    const Viewport viewport{.m00 = 32, .m11 = -16, .m22 = 0.5f, .m30 = 40, .m31 = 20, .m32 = 0.25f};
    DrawingRectangle drawing{.origin_x = 100, .origin_y = -7};
    Position at = to_screen({0.5f, 0.25f, -0.5f, 3}, &viewport, drawing);
    EXPECT_EQ(at.x, 156.0f);
    EXPECT_EQ(at.y, 9.0f);
    EXPECT_EQ(at.z, 0.0f);
    EXPECT_EQ(at.w, 3.0f);
    at = to_screen({0.5f, 0.25f, -0.5f, 3}, nullptr, drawing);
    EXPECT_EQ(at.x, 100.5f);
    EXPECT_EQ(at.y, -6.75f);
    EXPECT_EQ(at.z, -0.5f);
}

TEST(Viewport, OnlyWhatIsNotANumberIsInvalid) {
    for (float Position::*part : {&Position::x, &Position::y, &Position::z, &Position::w}) {
        Position position;
        position.*part = kInfinity;
        EXPECT_FALSE(invalid(position));
        position.*part = kNan;
        EXPECT_TRUE(invalid(position));
    }
}

TEST(Snap, IsToTheNearestStepTiesToEven) {
    GEN9_COVERS("SF-24");
    EXPECT_EQ(snap(513.0 / 512, false), 256);  // 256.5 steps
    EXPECT_EQ(snap(515.0 / 512, false), 258);  // 257.5
    EXPECT_EQ(snap(-513.0 / 512, false), -256);
    EXPECT_EQ(snap(3.2, false), 819);
    EXPECT_EQ(snap(60.8, false), 15565);
    EXPECT_EQ(snap(1.0 + 1.0 / 32, true), 256);  // 16.5 of 16 steps
    EXPECT_EQ(snap(1.0 + 3.0 / 32, true), 256 + 32);
    EXPECT_EQ(snap(1.0 + 1.0 / 256, true), 256);
}

TEST(Snap, ClampsToTheGrid) {
    GEN9_COVERS("SF-25");
    EXPECT_EQ(snap(32767, false), 32767 * 256);
    EXPECT_EQ(snap(32768, false), 32767 * 256);
    EXPECT_EQ(snap(1e30, false), 32767 * 256);
    EXPECT_EQ(snap(-32768, false), -32768 * 256);
    EXPECT_EQ(snap(-kInfinity, false), -32768 * 256);
    EXPECT_EQ(snap(kInfinity, true), 32767 * 256);
}

TEST(Clip, ExtentsTakeThePixelsWhoseCentresLieWithin) {
    GEN9_COVERS("SF-33");
    const auto columns = [](float least, float most) {
        const PixelRectangle pixels =
            extent_pixels({.min_x = least, .max_x = most, .min_y = 0, .max_y = 0});
        return std::pair(pixels.min_x, pixels.max_x);
    };
    EXPECT_EQ(columns(10.5f, 19.5f), std::pair(10, 19));
    EXPECT_EQ(columns(10.75f, 19.75f), std::pair(11, 20));
    EXPECT_EQ(columns(0, 63), std::pair(0, 63));
    EXPECT_EQ(columns(10.25f, 19.25f), std::pair(10, 19));
    EXPECT_EQ(extent_pixels({.min_y = 10.75f, .max_y = 19.75f}).min_y, 11);
    EXPECT_EQ(extent_pixels({.min_y = 10.75f, .max_y = 19.75f}).max_y, 20);
    EXPECT_GE(columns(-kInfinity, kInfinity).second, 65535);
    EXPECT_LE(columns(-kInfinity, kInfinity).first, 0);
    EXPECT_TRUE(extent_pixels({.min_x = kNan, .max_x = 9, .min_y = 0, .max_y = 9}).empty());
}

TEST(Clip, IsTheIntersectionOfDrawingRectangleScissorAndExtents) {
    GEN9_COVERS("SF-31 SF-34 WM-24");
    const DrawingRectangle drawing{.max_x = 1279, .max_y = 1023};
    EXPECT_EQ(clip_rectangle(drawing, nullptr, nullptr), (PixelRectangle{0, 0, 1279, 1023}));
    const Scissor scissor{10, 20, 30, 2000};
    EXPECT_EQ(clip_rectangle(drawing, &scissor, nullptr), (PixelRectangle{10, 20, 30, 1023}));
    const Viewport viewport{.min_x = 0, .max_x = 19, .min_y = 25, .max_y = 50};
    EXPECT_EQ(clip_rectangle(drawing, nullptr, &viewport), (PixelRectangle{0, 25, 19, 50}));
    EXPECT_EQ(clip_rectangle(drawing, &scissor, &viewport), (PixelRectangle{10, 25, 19, 50}));
    // A scissor rectangle is relative to the drawing rectangle's origin, the drawing rectangle not.
    DrawingRectangle moved = drawing;
    moved.origin_x = 5;
    moved.origin_y = -25;
    EXPECT_EQ(clip_rectangle(moved, &scissor, nullptr), (PixelRectangle{15, 0, 35, 1023}));
}

TEST(Clip, ANullScissorTakesNothing) {
    GEN9_COVERS("SF-32");
    const DrawingRectangle drawing{.max_x = 99, .max_y = 99};
    const Scissor narrow{11, 0, 10, 50}, flat{0, 11, 50, 10}, one{10, 10, 10, 10};
    EXPECT_TRUE(clip_rectangle(drawing, &narrow, nullptr).empty());
    EXPECT_TRUE(clip_rectangle(drawing, &flat, nullptr).empty());
    EXPECT_FALSE(clip_rectangle(drawing, &one, nullptr).empty());
}

}  // namespace
}  // namespace gen9::setup
