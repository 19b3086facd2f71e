// SPDX-License-Identifier: Apache-2.0
// The quick way of the usual messages is the general one: same results, same lines.
#include <gtest/gtest.h>

#include <random>

#include "tests/support/covers.h"
#include "tests/unit/sampler/bench.h"

namespace gen9::sampler {
namespace {
using namespace test;

TEST(Usual, TapsAreThoseOfTheGeneralWay) {
    std::mt19937 random(9);
    unsigned quick = 0;
    for (unsigned trial = 0; trial < 600; ++trial) {
        Bench b;
        const unsigned formats[] = {0x0C7, 0x0D8, 0x140, 0x106, 0x000, 0x0CB};
        const unsigned tiles[] = {surface_state::LINEAR, surface_state::XMAJOR,
                                  surface_state::YMAJOR};
        const unsigned width = 1 + random() % 60, height = 1 + random() % 60;
        b.shape(surface_state::SURFTYPE_2D, formats[random() % 6], width, height, 1, 1024);
        b.set(surface_state::TileMode, tiles[random() % 3]);
        b.set(surface_state::MIPCountLOD, random() % 3);
        b.set(surface_state::SurfaceMinLOD, random() % 2);
        const unsigned modes[] = {0, 1, 2, 4, 5, 6};
        b.modes(modes[random() % 6], modes[random() % 6], 2);
        b.filters(random() % 2, random() % 2, random() % 2);
        b.set_sampler(sampler_state::NonnormalizedCoordinateEnable, random() % 2);
        b.set_sampler(sampler_state::UAddressMinFilterRoundingEnable, random() % 2);
        b.set_sampler(sampler_state::VAddressMagFilterRoundingEnable, random() % 2);
        b.border({f(0.5f), f(0.25f), f(1), f(0)});
        for (unsigned i = 0; i < 0x20000; i += 4)
            b.put(i, static_cast<std::uint32_t>(random()) & 0x3FFFFFFF);
        std::vector<std::uint32_t> u(16), v(16);
        for (unsigned n = 0; n < 16; ++n) {
            u[n] = f(std::uniform_real_distribution<float>(-2, 3)(random));
            v[n] = f(std::uniform_real_distribution<float>(-70, 70)(random));
        }
        Bench::Options o;
        o.simd = 2;
        o.mask = static_cast<std::uint32_t>(random()) & 0xFFFF;
        o.header2 = random() % 2 ? 0 : 0x3E << 4;
        const Answer one = b.send(kSampleLz, {u, v}, o);
        const unsigned taps = b.request->tap_count, places = b.request->places;
        // With a level of its own, though 0, the message goes the general way.
        const Answer other = b.send(kSampleL, {all(0), u, v}, o);
        ASSERT_EQ(one.status, MessageStatus::Ok);
        ASSERT_EQ(taps, b.request->tap_count);
        ASSERT_EQ(places, b.request->places);
        for (unsigned c = 0; c < 4; ++c)
            for (unsigned n = 0; n < 16; ++n)
                if (o.mask >> n & 1) {
                    ASSERT_EQ(one.bits[c][n], other.bits[c][n]) << trial;
                }
        quick += taps != 0;
    }
    EXPECT_GT(quick, 500u);
}

}  // namespace
}  // namespace gen9::sampler
