// SPDX-License-Identifier: Apache-2.0
// Pictures that are known whole: set-up and rasteriser together.
#include "tests/unit/raster/picture.h"

#include <gtest/gtest.h>

#include <random>

#include "interpolation/barycentric.h"
#include "tests/support/covers.h"
#include "tests/unit/setup/scene.h"

namespace gen9::raster {
namespace {
using namespace interpolation;
using namespace setup::test;
using packets::Topology;
using setup::Draw;
using setup::Object;
using setup::Objects;
using test::Picture;

/// Values by weights as the plane instruction makes them.
float plane(const AttributeDeltas& deltas, unsigned c, float b1, float b2) {
    const auto part = [&](unsigned k) { return std::bit_cast<float>(deltas[4 * c + k]); };
    return part(0) * b1 + part(1) * b2 + part(3);
}

// Worked example 25.1 of 3d-settled: a recorded draw of Mesa's iris driver: 64 x 64, drawn also by llvmpipe (Public: Mesa 22.3.6).
TEST(Pictures, ATriangleOfIris) {
    GEN9_COVERS("WM-25");
    Draw draw = viewport_draw(64, 64);
    draw.attributes.count = draw.attributes.read_offset = draw.attributes.read_length = 1;
    Object object =
        object_of(Topology::TriList, {{-0.9f, -0.9f, 0, 1}, {0.9f, -0.9f, 0, 1}, {0, 0.9f, 0, 1}});
    std::array<std::array<std::uint32_t, 16>, 3> entries{};
    const float s[] = {0, 1, 0.5f}, t[] = {0, 0, 1};
    for (unsigned v = 0; v < 3; ++v) {
        entries[v][8] = bits_of(s[v]);
        entries[v][9] = bits_of(t[v]);
        object.entries[v] = entries[v];
    }
    const SetUpObject made_object = made(draw, object);
    EXPECT_EQ(made_object.vertices,
              (std::array<ScreenPoint, 3>{ScreenPoint{819, 819}, {15565, 819}, {8192, 15565}}));
    EXPECT_EQ(setup::doubled_area(made_object.vertices), 217444516);
    EXPECT_FALSE(made_object.back_facing);
    EXPECT_EQ(made_object.topology, 4);

    Picture picture(64, 64);
    const State state;
    picture.draw(made_object, state);
    EXPECT_EQ(picture.covered(), 1682);
    EXPECT_EQ(picture.row(2), "none");
    EXPECT_EQ(picture.row(3), "3..60");
    EXPECT_EQ(picture.row(4), "4..59");
    EXPECT_EQ(picture.row(30), "17..46");
    EXPECT_EQ(picture.row(31), "17..46");
    EXPECT_EQ(picture.row(59), "31..32");
    EXPECT_EQ(picture.row(60), "none");
    unsigned subspans = 0;
    Coverage coverage(made_object, state);
    for (PixelBlock block; coverage.next(block);)
        for (unsigned g = 0; g < 8; ++g)
            subspans += subspan(block.lit, g) != 0;
    EXPECT_EQ(subspans, 450u);

    const Places places = block_places(32, 20, {8, 8});
    const Weights weights = weights_at(made_object.interpolation, places);
    Barycentrics b;
    perspective(made_object.interpolation, weights, b);
    EXPECT_NEAR(b.b1[0], 0.358504, 1e-6);
    EXPECT_NEAR(b.b2[0], 0.300353, 1e-6);
    EXPECT_NEAR(plane(made_object.attributes[0], 0, b.b1[0], b.b2[0]), 0.508680, 1e-6);
    EXPECT_NEAR(plane(made_object.attributes[0], 1, b.b1[0], b.b2[0]), 0.300353, 1e-6);
}

// Worked example 25.4: the same driver's clear: a rectangle whose shader reads a0 of a flat colour.
TEST(Pictures, AClearOfIris) {
    GEN9_COVERS("SF-15");
    Draw draw = pixel_draw();
    draw.attributes.count = draw.attributes.read_offset = draw.attributes.read_length = 1;
    draw.attributes.constant_interpolation = 1;
    Object object = object_of(Topology::RectList, {pixel(64, 64), pixel(0, 64), pixel(0, 0)});
    std::array<std::array<std::uint32_t, 16>, 3> entries{};
    for (unsigned c = 0; c < 4; ++c)
        entries[0][8 + c] = 0x3F000000 + c;
    object.entries = {entries[0], entries[1], entries[2]};
    const SetUpObject rectangle = made(draw, object);
    const AttributeDeltas& deltas = rectangle.attributes[0];
    EXPECT_EQ(deltas[3], 0x3F000000u);   // r2.3
    EXPECT_EQ(deltas[7], 0x3F000001u);   // r2.7
    EXPECT_EQ(deltas[11], 0x3F000002u);  // r3.3
    EXPECT_EQ(deltas[15], 0x3F000003u);  // r3.7
    EXPECT_EQ(rectangle.topology, 0x0F);
    Picture picture(64, 64);
    picture.draw(rectangle, {});
    EXPECT_EQ(picture.covered(), 64 * 64);
    EXPECT_EQ(picture.blocks, 128u);
    const State state;
    Coverage coverage(rectangle, state);
    for (PixelBlock block; coverage.next(block);)
        EXPECT_TRUE(block.full);

    // The order of the vertices does not matter, nor does a corner on a pixel's centre.
    const Object small = object_of(Topology::RectList, {pixel(2, 4), pixel(10, 20), pixel(2, 20)});
    Picture box(16, 32);
    box.draw(made(draw, small), {});
    EXPECT_EQ(box.covered(), 8 * 16);
    EXPECT_EQ(box.row(4), "2..9");
    EXPECT_EQ(box.row(19), "2..9");
    // Worked examples 25.5 and 25.6 of 3d-settled: what fast clears and a control surface's are.
    const Object fast = object_of(Topology::RectList, {pixel(2, 2), pixel(0, 2), pixel(0, 0)}),
                 zeros = object_of(Topology::RectList, {pixel(1, 4), pixel(0, 4), pixel(0, 0)});
    Picture elements(8, 8), texels(8, 8);
    elements.draw(made(draw, fast), {});
    texels.draw(made(draw, zeros), {});
    EXPECT_EQ(elements.covered(), 4);
    EXPECT_EQ(elements.row(1), "0..1");
    EXPECT_EQ(texels.covered(), 4);
    EXPECT_EQ(texels.row(3), "0..0");
    const Object centres =
        object_of(Topology::RectList, {pixel(5.5f, 5.5f), pixel(2.5f, 5.5f), pixel(2.5f, 2.5f)});
    Picture on_centres(8, 8);
    on_centres.draw(made(draw, centres), {});
    EXPECT_EQ(on_centres.covered(), 9);
    EXPECT_EQ(on_centres.row(2), "2..4");
    EXPECT_EQ(on_centres.row(5), "none");
}

TEST(Pictures, NeighboursCoverEachSampleOnce) {
    GEN9_COVERS("WM-25");
    std::mt19937 random(7);
    const Draw draw = pixel_draw();
    for (unsigned turn = 0; turn < 12; ++turn) {
        const unsigned samples = 1u << turn % 5;
        const State state = test::pattern(samples);
        // A net of 5 x 5 places over 20 x 20 pixels. Inner ones lie anywhere near, often on
        // places that are tested; every second cell is cut the other way.
        std::int32_t x[5][5], y[5][5];
        for (int r = 0; r < 5; ++r)
            for (int c = 0; c < 5; ++c) {
                const bool inner = r % 4 != 0 && c % 4 != 0;
                const auto shift = [&] {
                    const int step = turn % 3 == 0 ? 128 : turn % 3 == 1 ? 16 : 1;
                    return inner ? static_cast<int>(random() % 900 - 450) / step * step : 0;
                };
                x[r][c] = c * 5 * 256 + shift();
                y[r][c] = r * 5 * 256 + shift();
            }
        Picture picture(24, 24);
        const auto corner = [&](int r, int c) { return grid(x[r][c], y[r][c]); };
        for (int r = 0; r < 4; ++r)
            for (int c = 0; c < 4; ++c) {
                const auto a = corner(r, c), b = corner(r, c + 1), d = corner(r + 1, c),
                           e = corner(r + 1, c + 1);
                const bool other = (r + c) % 2;
                for (const auto& t : other ? std::array{std::array{a, b, d}, std::array{b, d, e}}
                                           : std::array{std::array{a, b, e}, std::array{a, e, d}})
                    if (Objects out;
                        setup::set_up(draw, object_of(Topology::TriList, {t[0], t[1], t[2]}), out)
                            .count)
                        picture.draw(out[0], state);
            }
        for (unsigned s = 0; s < samples; ++s)
            for (int py = 0; py < 24; ++py)
                for (int px = 0; px < 24; ++px)
                    ASSERT_EQ(picture.at(px, py, s), px < 20 && py < 20 ? 1 : 0)
                        << "turn " << turn << " pixel " << px << ',' << py << " sample " << s;
    }
}

TEST(Pictures, PiecesOfAClippedTriangleShowTheWhole) {
    // A triangle in perspective, cut in two at a place of its edge from vertex 0 to vertex 1.
    Draw draw = viewport_draw(64, 64);
    const std::array<setup::Position, 3> clip{
        setup::Position{-1, -1, 0, 1}, {3, -2, 1, 4}, {0, 1.5f, 0.5f, 2}};
    const float share = 0.375f;
    setup::Position cut;
    for (float setup::Position::*part :
         {&setup::Position::x, &setup::Position::y, &setup::Position::z, &setup::Position::w})
        cut.*part = clip[0].*part + share * (clip[1].*part - clip[0].*part);
    const auto object = [&](const setup::Position& a, const setup::Position& b,
                            const setup::Position& c) {
        return object_of(Topology::TriList, {setup::divide(a), setup::divide(b), setup::divide(c)});
    };
    const SetUpObject whole = made(draw, object(clip[0], clip[1], clip[2]));
    Object first = object(clip[0], cut, clip[2]), second = object(cut, clip[1], clip[2]);
    // Screen-linear: what share of 1/w of the cut comes from vertex 1.
    const float screen = share * clip[1].w / cut.w;
    first.clipped.emplace();
    first.clipped->perspective = {{0, share, 0}, {0, 0, 1}};
    first.clipped->linear = {{0, screen, 0}, {0, 0, 1}};
    second.clipped.emplace();
    second.clipped->perspective = {{share, 1, 0}, {0, 0, 1}};
    second.clipped->linear = {{screen, 1, 0}, {0, 0, 1}};
    unsigned compared = 0;
    for (const Object& piece : {first, second}) {
        const SetUpObject part = made(draw, piece);
        EXPECT_EQ(part.topology, 0x0E);
        const State state;
        Coverage coverage(part, state);
        for (PixelBlock block; coverage.next(block);) {
            const Places places = block_places(block.x, block.y, {8, 8});
            const Weights of_part = weights_at(part.interpolation, places),
                          of_whole = weights_at(whole.interpolation, places);
            Barycentrics got[2], expected[2];
            perspective(part.interpolation, of_part, got[0]);
            perspective(whole.interpolation, of_whole, expected[0]);
            linear(part.interpolation, of_part, got[1]);
            linear(whole.interpolation, of_whole, expected[1]);
            PlaceValues w, whole_w, z, whole_z;
            source_w(part.interpolation, of_part, w);
            source_w(whole.interpolation, of_whole, whole_w);
            source_depth(part.interpolation, of_part, z);
            source_depth(whole.interpolation, of_whole, whole_z);
            for (unsigned p = 0; p < 32; ++p) {
                if (!(block.lit >> p & 1)) continue;
                ++compared;
                // The cut lies on the grid: up to 1/512 pixel off its edge.
                for (unsigned set = 0; set < 2; ++set) {
                    ASSERT_NEAR(got[set].b1[p], expected[set].b1[p], 5e-4);
                    ASSERT_NEAR(got[set].b2[p], expected[set].b2[p], 5e-4);
                }
                ASSERT_NEAR(w[p], whole_w[p], 2e-3);
                ASSERT_NEAR(z[p], whole_z[p], 2e-4);
            }
        }
    }
    EXPECT_GT(compared, 400u);
}

}  // namespace
}  // namespace gen9::raster
