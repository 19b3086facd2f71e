// SPDX-License-Identifier: Apache-2.0
#include "interconnect/payload/memory_request.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>

namespace gen9 {
namespace {

constexpr bool CacheControl::*kAll[] = {&CacheControl::flush_data,
                                        &CacheControl::invalidate_data,
                                        &CacheControl::invalidate_state,
                                        &CacheControl::invalidate_instruction,
                                        &CacheControl::invalidate_texture,
                                        &CacheControl::invalidate_constant,
                                        &CacheControl::invalidate_tlb,
                                        &CacheControl::invalidate_vertex,
                                        &CacheControl::flush_render,
                                        &CacheControl::flush_depth,
                                        &CacheControl::settle};
static_assert(sizeof(CacheControl) == std::size(kAll), "each has its bit");

TEST(CacheControl, EachThingItAsksForHasABitOfItsOwn) {
    unsigned all = 0;
    for (bool CacheControl::*const each : kAll) {
        CacheControl control;
        control.*each = true;
        EXPECT_TRUE(std::has_single_bit(control.bits()));
        all |= control.bits();
        EXPECT_EQ(control.any(), each != &CacheControl::settle);
    }
    EXPECT_EQ(std::popcount(all), int{std::size(kAll)});
    EXPECT_EQ(CacheControl{}.bits(), 0);
}

TEST(CacheControl, ItsBitsAreThoseOfAllItAsksFor) {
    std::mt19937 random(1);
    for (unsigned i = 0; i < 2000; ++i) {
        CacheControl control;
        unsigned bits = 0;
        for (bool CacheControl::*const each : kAll)
            if (random() % 2) {
                CacheControl one;
                one.*each = control.*each = true;
                bits |= one.bits();
            }
        EXPECT_EQ(control.bits(), bits);
    }
}

}  // namespace
}  // namespace gen9
