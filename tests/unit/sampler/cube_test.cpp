// SPDX-License-Identifier: Apache-2.0
// Cubes: faces, taps beyond edges and corners, disabled faces.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "sampler/address/cube.h"
#include "tests/support/covers.h"
#include "tests/unit/sampler/bench.h"

namespace gen9::sampler {
namespace {
using namespace test;

constexpr unsigned kSize = 4, kFacePitch = 64;

/// A cube of R32_FLOAT faces of 4 x 4; texel (i, j) of face n is 100 n + 10 j + i.
struct Cube : Bench {
    Cube() {
        shape(surface_state::SURFTYPE_CUBE, 0x0D8, kSize, kSize, 1, 16);
        set(surface_state::SurfaceQPitch, 1);
        for (unsigned face = 0; face < 12; ++face)
            for (unsigned j = 0; j < kSize; ++j)
                for (unsigned i = 0; i < kSize; ++i)
                    put(face * kFacePitch + j * 16 + i * 4, value(face, i, j));
        set_sampler(sampler_state::CubeSurfaceControlMode, 1);
    }
    static float value(unsigned face, unsigned i, unsigned j) {
        return static_cast<float>(100 * face + 10 * j + i);
    }
    float at(float x, float y, float z) {
        return send(kSampleLz, {all(x), all(y), all(z)}).number(0, 0);
    }
};

TEST(Cube, SixDirectionsAreSixFaces) {
    GEN9_COVERS("SMP-07");
    Cube c;
    // Just off the middle, to the right and down in each face by the table of OpenGL.
    const float e = 0.1f;
    EXPECT_EQ(c.at(1, -e, -e), Cube::value(0, 2, 2));
    EXPECT_EQ(c.at(-1, -e, e), Cube::value(1, 2, 2));
    EXPECT_EQ(c.at(e, 1, e), Cube::value(2, 2, 2));
    EXPECT_EQ(c.at(e, -1, -e), Cube::value(3, 2, 2));
    EXPECT_EQ(c.at(e, -e, 1), Cube::value(4, 2, 2));
    EXPECT_EQ(c.at(-e, -e, -1), Cube::value(5, 2, 2));
    EXPECT_EQ(c.at(1, -0.9f, -0.6f), Cube::value(0, 3, 3));
}

TEST(Cube, ArraysHaveSixFacesEach) {
    Cube c;
    c.set(surface_state::SurfaceArray, 1);
    c.set(surface_state::Depth, 1);
    EXPECT_EQ(c.send(kSampleLz, {all(1), all(-0.1f), all(-0.1f), all(1)}).number(0, 0),
              Cube::value(6, 2, 2));
}

/// Which texel's square on the cube's surface is next to an edge texel of a face, beyond the edge:
/// the one whose middle is nearest to this one's, of all texels of other faces.
TEST(Cube, TexelsBeyondAnEdgeAreTheNearestOfTheNextFace) {
    GEN9_COVERS("SMP-42");
    const auto middle = [](unsigned face, double i, double j) {
        const double s = (2 * i + 1) / kSize - 1, t = (2 * j + 1) / kSize - 1;
        switch (face) {
            case 0:
                return std::array<double, 3>{1, -t, -s};
            case 1:
                return std::array<double, 3>{-1, -t, s};
            case 2:
                return std::array<double, 3>{s, 1, t};
            case 3:
                return std::array<double, 3>{s, -1, -t};
            case 4:
                return std::array<double, 3>{s, -t, 1};
            default:
                return std::array<double, 3>{-s, -t, -1};
        }
    };
    for (unsigned face = 0; face < 6; ++face)
        for (unsigned edge = 0; edge < 4; ++edge)
            for (int along = 0; along < static_cast<int>(kSize); ++along) {
                const int out = edge & 1 ? static_cast<int>(kSize) : -1, in = edge & 1 ? 3 : 0;
                const int i = edge & 2 ? along : out, j = edge & 2 ? out : along;
                const auto from = middle(face, edge & 2 ? along : in, edge & 2 ? in : along);
                double nearest = 1e9;
                CubeTexel wanted;
                for (unsigned other = 0; other < 6; ++other)
                    for (int y = 0; y < 4 && other != face; ++y)
                        for (int x = 0; x < 4; ++x) {
                            const auto to = middle(other, x, y);
                            const double d =
                                std::hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
                            if (d < nearest - 1e-9) {
                                nearest = d;
                                wanted = {static_cast<std::uint8_t>(other), x, y};
                            }
                        }
                const CubeTexel got = across_edge(face, i, j, kSize);
                if (along == 0 || along == 3) {  // in corners two faces are equally near
                    const CubeTexel beside =
                        across_edge(face, edge & 2 ? 1 : i, edge & 2 ? j : 1, kSize);
                    EXPECT_EQ(got.face, beside.face) << face << " edge " << edge;
                    EXPECT_EQ(std::abs(got.i - beside.i) + std::abs(got.j - beside.j),
                              along == 0 ? 1 : 2);
                    continue;
                }
                EXPECT_EQ(got.face, wanted.face) << face << " edge " << edge << " at " << along;
                EXPECT_EQ(got.i, wanted.i) << face << " edge " << edge << " at " << along;
                EXPECT_EQ(got.j, wanted.j) << face << " edge " << edge << " at " << along;
            }
}

TEST(Cube, LinearSamplesReachAcrossEdgesAndCornersAreMeans) {
    GEN9_COVERS("SMP-43");
    Cube c;
    c.filters(1, 1);
    // The middle of the edge between +X and +Z: half a texel of each.
    EXPECT_EQ(c.at(1, -0.25f, 1), (Cube::value(0, 0, 2) + Cube::value(4, 3, 2)) / 2);
    // The corner of +X, +Y and +Z: the mean of three texels, the fourth their mean.
    const double three = (Cube::value(0, 0, 0) + Cube::value(2, 3, 3) + Cube::value(4, 3, 0)) / 3.0;
    EXPECT_NEAR(c.at(1, 1, 1), three, 1e-3);
    // Without the override the programmed modes clamp to the face.
    c.set_sampler(sampler_state::CubeSurfaceControlMode, 0);
    EXPECT_EQ(c.at(1, -0.25f, 1), Cube::value(0, 0, 2));
    c.modes(3, 3, 3);
    EXPECT_EQ(c.at(1, -0.25f, 1), (Cube::value(0, 0, 2) + Cube::value(4, 3, 2)) / 2);
}

TEST(Cube, DisabledFacesHaveTheBorderColour) {
    Cube c;
    c.border({f(5), 0, 0, 0});
    c.set(surface_state::CubeFaceEnables, 0x3F & ~(1u << 4));  // +X
    EXPECT_EQ(c.at(1, -0.1f, -0.1f), 5);
    EXPECT_EQ(c.at(-1, -0.1f, 0.1f), Cube::value(1, 2, 2));
}

/// A control surface whose tiles lie below one another: slice s, 256 rows of pixels or 64 of elements,
/// begins in the lower half of tile s / 2 where s is odd. Public: mesa isl (ccs.rst).
constexpr std::uint64_t control_of_slice(unsigned slice) {
    return 0x10000 + slice / 2 * 4096 + slice % 2 * 256;
}
void clear_slice(Bench& b, unsigned slice, float color) {
    b.set(surface_state::AuxiliarySurfaceMode, surface_state::AUX_CCS_E);
    b.set(surface_state::AuxiliarySurfaceBaseAddress, Bench::kTexels + 0x10000);
    b.set(surface_state::AuxiliarySurfaceQPitch, 256 / 4);
    b.set(surface_state::RedClearColor, std::bit_cast<std::uint32_t>(color));
    b.put<std::uint8_t>(control_of_slice(slice), 0xFF);
}

// CC-40; Public: mesa iris_clear.c: drivers clear faces and slices, and read them without a resolve.
TEST(Cube, AFaceMayBeClear) {
    Cube c;
    clear_slice(c, 3, 7.5f);
    constexpr float e = 0.1f;
    EXPECT_EQ(c.at(e, -1, -e), 7.5f);
    EXPECT_EQ(c.at(e, 1, e), Cube::value(2, 2, 2));
    EXPECT_EQ(c.at(e, -e, 1), Cube::value(4, 2, 2));
}

TEST(Cube, ASliceOfAVolumeMayBeClear) {
    Cube c;
    c.shape(surface_state::SURFTYPE_3D, 0x0D8, kSize, kSize, 4, 16);
    clear_slice(c, 2, 7.5f);
    for (unsigned slice = 0; slice < 4; ++slice)
        EXPECT_EQ(c.at(0.6f, 0.6f, (static_cast<float>(slice) + 0.5f) / 4),
                  slice == 2 ? 7.5f : Cube::value(slice, 2, 2));
}

// Public: piglit's test of cube maps of odd sizes passes on Kaby Lake in Mesa's continuous
// integration: a face of 3 x 3 pixels is drawn with its level of 3 x 3 texels, also in the pixel at
// a corner whose subspan it has for itself.
TEST(Cube, ThePixelsOfACornerHaveTheLevelOfTheirOwnFace) {
    Cube c;
    c.shape(surface_state::SURFTYPE_CUBE, 0x0D8, 48, 48, 1, 256);
    c.set(surface_state::MIPCountLOD, 5);
    std::vector<std::uint32_t> x(8), y(8), z(8);
    for (unsigned n = 0; n < 8; ++n) {
        // The three pixels beside the corner (1, 1, 1) lie beyond it on the plane of +X.
        const float across = n & 1 ? 2.0f / 3 : 4.0f / 3, down = n & 2 ? 2.0f / 3 : 4.0f / 3;
        const float largest = std::max({1.0f, across, down});
        x[n] = f(1 / largest);
        y[n] = f(down / largest);
        z[n] = f(across / largest);
    }
    Bench::Options o;
    o.mask = 0x08;
    // Two thirds of -1 to 1 are a third of 48 texels.
    EXPECT_NEAR(c.send(kLod, {x, y, z}, o).number(1, 3), 4, 0.01);
}

}  // namespace
}  // namespace gen9::sampler
