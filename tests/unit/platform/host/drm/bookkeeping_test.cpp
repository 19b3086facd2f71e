// SPDX-License-Identifier: Apache-2.0
// Who is where: ranges that are handed out, places of buffers in an address space.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <vector>

#include "platform/host/drm/bindings.h"
#include "platform/host/drm/ranges.h"

namespace gen9::drm {
namespace {

TEST(DrmRanges, TheLowestAlignedPlaceThatFitsIsGiven) {
    Ranges ranges(0x1000, 0x9000);
    EXPECT_EQ(ranges.take(0x1000, 0x1000), 0x1000u);
    EXPECT_EQ(ranges.take(0x2000, 0x4000), 0x4000u);
    EXPECT_EQ(ranges.take(0x2000, 0x1000), 0x2000u);
    EXPECT_EQ(ranges.take(0x4000, 0x1000), std::nullopt);
    EXPECT_EQ(ranges.take(0x3000, 0x1000), 0x6000u);
    EXPECT_EQ(ranges.take(0x1000, 0x1000), std::nullopt);
}

TEST(DrmRanges, WhatIsGivenBackGrowsTogether) {
    Ranges ranges(0, 0x4000);
    for (std::uint64_t page = 0; page < 4; ++page)
        ASSERT_EQ(ranges.take(0x1000, 0x1000), page * 0x1000);
    for (const std::uint64_t page : {1, 3, 2, 0})
        ranges.give_back(page * 0x1000, 0x1000);
    EXPECT_EQ(ranges.take(0x4000, 0x1000), 0u);
}

// Against a list of units that are free, which is searched from its beginning.
TEST(DrmRanges, GiveWhatAPlainListSays) {
    constexpr std::uint64_t kFirst = 5, kEnd = 70;
    std::mt19937 random(1);
    const auto below = [&](std::uint64_t end) { return random() % end; };
    Ranges ranges(kFirst, kEnd);
    std::vector<bool> taken(kEnd + 40, true);
    for (std::uint64_t at = kFirst; at < kEnd; ++at)
        taken[at] = false;
    std::map<std::uint64_t, std::uint64_t> given;
    for (unsigned round = 0; round < 5000; ++round) {
        if (!given.empty() && below(2)) {
            auto gone = given.begin();
            std::advance(gone, below(given.size()));
            ranges.give_back(gone->first, gone->second);
            for (std::uint64_t at = gone->first; at < gone->first + gone->second; ++at)
                taken[at] = false;
            given.erase(gone);
            continue;
        }
        const std::uint64_t size = 1 + below(below(4) ? 6 : 40), alignment = 1u << below(5);
        std::optional<std::uint64_t> expected;
        for (std::uint64_t at = 0; at < kEnd && !expected; at += alignment) {
            bool free = true;
            for (std::uint64_t unit = at; unit < at + size; ++unit)
                free = free && !taken[unit];
            if (free) expected = at;
        }
        const auto found = ranges.take(size, alignment);
        ASSERT_EQ(found, expected) << round;
        if (!found) continue;
        given[*found] = size;
        for (std::uint64_t at = *found; at < *found + size; ++at)
            taken[at] = true;
    }
}

using Evicted = std::vector<std::uint64_t>;

Evicted bind(Bindings& bindings, std::uint32_t id, std::uint64_t address, std::uint64_t size) {
    Evicted evicted;
    bindings.bind(id, address, size,
                  [&](std::uint64_t at, const Bindings::Place&) { evicted.push_back(at); });
    return evicted;
}

TEST(DrmBindings, ABufferIsAtOnePlace) {
    Bindings bindings;
    EXPECT_EQ(bind(bindings, 1, 0x10000, 0x2000), Evicted{});
    EXPECT_EQ(bind(bindings, 1, 0x50000, 0x2000), Evicted{0x10000});
    ASSERT_NE(bindings.find(1), nullptr);
    EXPECT_EQ(*bindings.find(1), 0x50000u);
}

TEST(DrmBindings, EveryBufferThatOverlapsGoes) {
    Bindings bindings;
    bind(bindings, 1, 0x10000, 0x2000);
    bind(bindings, 2, 0x12000, 0x1000);
    bind(bindings, 3, 0x13000, 0x1000);
    bind(bindings, 4, 0x14000, 0x1000);
    EXPECT_EQ(bind(bindings, 5, 0x11000, 0x3000), (Evicted{0x10000, 0x12000, 0x13000}));
    EXPECT_EQ(bindings.find(1), nullptr);
    EXPECT_EQ(bindings.find(3), nullptr);
    EXPECT_NE(bindings.find(4), nullptr);
    EXPECT_NE(bindings.find(5), nullptr);
}

// Against a list of all places that is searched whole.
TEST(DrmBindings, AreWhereAPlainListSays) {
    std::mt19937 random(2);
    const auto below = [&](std::uint64_t end) { return random() % end; };
    Bindings bindings;
    struct Place {
        std::uint64_t address, size;
    };
    std::map<std::uint32_t, Place> plain;
    for (unsigned round = 0; round < 4000; ++round) {
        const auto id = static_cast<std::uint32_t>(below(12));
        const std::uint64_t address = below(100), size = 1 + below(15);
        Evicted evicted, expected;
        if (below(4) == 0) {
            bindings.remove(id, [&](std::uint64_t at, const Bindings::Place& place) {
                evicted.push_back(at);
                EXPECT_EQ(place.id, id);
                EXPECT_EQ(place.size, plain.at(id).size);
            });
            if (plain.contains(id)) expected.push_back(plain.at(id).address);
            plain.erase(id);
        } else {
            evicted = bind(bindings, id, address, size);
            std::erase_if(plain, [&](const auto& each) {
                const auto& [other, place] = each;
                const bool goes = other == id || (place.address < address + size &&
                                                  address < place.address + place.size);
                if (goes) expected.push_back(place.address);
                return goes;
            });
            plain[id] = {address, size};
        }
        std::ranges::sort(evicted);
        std::ranges::sort(expected);
        ASSERT_EQ(evicted, expected) << round;
        for (std::uint32_t each = 0; each < 12; ++each) {
            const auto* found = bindings.find(each);
            ASSERT_EQ(found != nullptr, plain.contains(each));
            if (found) {
                ASSERT_EQ(*found, plain.at(each).address);
            }
        }
        for (std::uint64_t at = 0; at < 120; ++at) {
            const auto* found = bindings.at(at);
            const auto here = std::ranges::find_if(plain, [at](const auto& each) {
                return at >= each.second.address && at < each.second.address + each.second.size;
            });
            ASSERT_EQ(found != nullptr, here != plain.end()) << at;
            if (found) {
                ASSERT_EQ(found->second.id, here->first);
            }
        }
    }
}

TEST(DrmBindings, AHoleIsTheLowestAlignedPlaceThatIsLargeEnough) {
    Bindings bindings;
    bind(bindings, 1, 0x10000, 0x2000);
    bind(bindings, 2, 0x13000, 0x1000);
    const auto hole = [&](std::uint64_t begin, std::uint64_t size, std::uint64_t alignment = 1) {
        return bindings.hole(begin, 0x20000, size, alignment,
                             [](std::uint32_t id) { return id != 3; });
    };
    EXPECT_EQ(hole(0xF000, 0x1000, 0x1000), 0xF000u) << "as it is, it is aligned";
    EXPECT_EQ(hole(0xF001, 0x1000, 0x1000), 0x12000u);
    EXPECT_EQ(hole(0x10000, 0x1001), 0x14000u);
    EXPECT_EQ(hole(0x12000, 0x1000, 0x8000), 0x18000u);
    EXPECT_EQ(hole(0x10000, 0xC000), 0x14000u);
    EXPECT_EQ(hole(0x10000, 0xC001), 0x20000u) << "there is none";
    bind(bindings, 3, 0x14000, 0x2000);
    EXPECT_EQ(hole(0x14000, 0x1000), 0x14000u) << "what is not there any more is in nobody's way";
}

}  // namespace
}  // namespace gen9::drm
