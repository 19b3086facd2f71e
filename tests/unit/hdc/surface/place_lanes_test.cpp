// SPDX-License-Identifier: Apache-2.0
// Eight elements at once lie where each lies by itself.
#include "hdc/surface/place_lanes.h"

#include <gtest/gtest.h>

#include <random>

#include "hdc/surface/place_element.h"
#include "tests/support/covers.h"
#include "tests/support/sample.h"
#include "tests/unit/hdc/decode/messages.h"

namespace gen9::hdc {
namespace {
using namespace test;
namespace state = packets::render_surface_state;

class Chance {
  public:
    explicit Chance(unsigned seed) : random_(seed) {}
    std::uint32_t below(std::uint32_t end) { return static_cast<std::uint32_t>(random_() % end); }
    bool one_of(std::uint32_t n) { return below(n) == 0; }
    template <class T, std::size_t n>
    T any(const T (&values)[n]) {
        return values[below(n)];
    }

  private:
    std::mt19937 random_;
};

Surface random_surface(Chance& chance) {
    constexpr unsigned kTypes[] = {state::SURFTYPE_2D,    state::SURFTYPE_2D,   state::SURFTYPE_2D,
                                   state::SURFTYPE_3D,    state::SURFTYPE_CUBE, state::SURFTYPE_1D,
                                   state::SURFTYPE_BUFFER};
    // R8, R16, R32, R32G32 and R32G32B32A32 UINT.
    constexpr unsigned kFormats[] = {0x143, 0x10D, 0x0D7, 0x087, 0x002};
    // Linear, W, X and Y tiles.
    constexpr unsigned kTiles[] = {0, 1, 2, 2, 3, 3, 3};
    SurfaceBits s = SurfaceBits::image(chance.any(kTypes), chance.any(kFormats), 0x40000,
                                       1 + chance.below(300), 1 + chance.below(100),
                                       1 + chance.below(6), 512 * (1 + chance.below(12)));
    s.set(state::TileMode, chance.any(kTiles)).set(state::SurfaceArray, chance.below(2));
    s.set(state::SurfaceQPitch, chance.below(64)).set(state::MinimumArrayElement, chance.below(4));
    s.set(state::MIPCountLOD, chance.below(4)).set(state::SurfaceMinLOD, chance.below(3));
    s.set(state::SurfaceHorizontalAlignment, 1).set(state::SurfaceVerticalAlignment, 1);
    if (chance.one_of(3))
        s.set(state::XOffset, chance.below(8)).set(state::YOffset, chance.below(8));
    if (chance.one_of(12)) s.set(state::NumberOfMultisamples, 2);
    return read_surface(s.dwords);
}

TEST(LanePlacer, EachElementLiesWhereItLiesByItself) {
    GEN9_COVERS("DP-061 DP-064 DP-095");
    Chance chance(9);
    const bool has_eight = __builtin_cpu_supports("avx2") != 0;
    unsigned found = 0, refused = 0, together = 0;
    for (unsigned round = 0; round < gen9::test::rounds(30000); ++round) {
        const Surface surface = random_surface(chance);
        const LanePlacer placer(surface);
        if (!placer.usable()) {
            ++refused;
            continue;
        }
        std::array<LanePlacer::Lanes, 4> parameters{};
        const bool strays = chance.one_of(2);
        for (unsigned n = 0; n < LanePlacer::kLanes; ++n) {
            parameters[0][n] = chance.below(strays ? 350 : std::max(1u, surface.width >> 2));
            parameters[1][n] = chance.below(strays ? 120 : std::max(1u, surface.height >> 2));
            parameters[2][n] = chance.below(strays ? 8 : std::max(1u, surface.depth >> 2));
            parameters[3][n] = strays && chance.one_of(40) ? 1 : 0;
        }
        // Or one slot is the first outside in one direction.
        if (!strays && chance.one_of(3)) {
            const std::uint32_t sizes[] = {minify(surface.width, surface.min_lod),
                                           minify(surface.height, surface.min_lod)};
            const std::uint32_t direction = chance.below(2);
            parameters[direction][chance.below(LanePlacer::kLanes)] = sizes[direction];
        }
        const std::uint32_t active = chance.one_of(2) ? 0xFF : 1 + chance.below(0xFF);
        LanePlacer::Places places;
        LanePlacer::Parameters registers;
        for (unsigned i = 0; i < registers.size(); ++i)
            registers[i] = reinterpret_cast<const std::uint8_t*>(parameters[i].data());
        const bool all = placer.find(registers, active, places);
        found += all;
        bool inside = true;
        for (unsigned n = 0; n < LanePlacer::kLanes; ++n) {
            if (!(active >> n & 1)) continue;
            std::uint64_t address = 0;
            const Placed placed = place_element(
                surface,
                {parameters[0][n], parameters[1][n], parameters[2][n], parameters[3][n], 0},
                address);
            inside &= placed == Placed::Inside && parameters[3][n] == 0;
            if (!all) continue;
            ASSERT_EQ(placed, Placed::Inside);
            ASSERT_EQ(surface.base + places.low + places.offset[n], address)
                << round << ", slot " << n;
            ASSERT_GE(places.farthest, places.offset[n]);
        }
        ASSERT_EQ(all, inside) << round;
        if (active != 0xFF) continue;
        // The window begins and ends before the first element and the last, at them, or behind. One of
        // all memory holds no element that lies outside of the surface.
        const std::uint32_t low = all ? places.low : 0, most = all ? places.farthest : 0;
        std::uint8_t host = 0;
        ElementWindow window{low + chance.below(3) - std::min(low, 1u),
                             most + chance.below(3) - std::min(most, 1u), &host};
        if (!all) window = {0, ~std::uint32_t{0}, &host};
        const bool holds = all && window.begin <= low &&
                           low + places.farthest <= window.begin + std::uint64_t{window.room};
        LanePlacer::Lanes offset;
        const bool held = placer.find_inside(registers, window, offset);
        ASSERT_EQ(held, holds && has_eight) << round;
        together += held;
        for (unsigned n = 0; held && n < LanePlacer::kLanes; ++n)
            ASSERT_EQ(offset[n], low + places.offset[n] - window.begin) << round;
    }
    EXPECT_TRUE(!has_eight || together > gen9::test::rounds(30000) / 50);
    EXPECT_GT(found, gen9::test::rounds(30000) / 8);
    EXPECT_GT(refused, gen9::test::rounds(30000) / 8);
}

// Offsets have 32 bits: a surface that needs more is left to place_element.
TEST(LanePlacer, LargeSurfacesAreNotForIt) {
    SurfaceBits s = SurfaceBits::image(state::SURFTYPE_2D, 0x002, 0, 16384, 16384, 1, 1 << 18);
    s.set(state::TileMode, 3);
    EXPECT_FALSE(LanePlacer(read_surface(s.dwords)).usable());
    SurfaceBits smaller = SurfaceBits::image(state::SURFTYPE_2D, 0x002, 0, 16384, 8192, 1, 1 << 18);
    EXPECT_TRUE(LanePlacer(read_surface(smaller.set(state::TileMode, 3).dwords)).usable());
}

}  // namespace
}  // namespace gen9::hdc
