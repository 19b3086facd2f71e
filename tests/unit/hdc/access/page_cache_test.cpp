// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "hdc/access/functional.h"

namespace gen9::hdc {
namespace {

/// Pages that lie elsewhere in the host each time they are asked for.
struct MovingPages final : FunctionalMemory {
    std::uint8_t bytes[4096];
    unsigned asked = 0;
    DirectPage direct(std::uint64_t) override { return {bytes + asked++, true}; }
    std::uint8_t* slm(unsigned) override { return nullptr; }
    void by_requests(const Access&, Message&) override {}
};

void expect_forgotten(const std::vector<std::uint64_t>& pages) {
    MovingPages memory;
    PageCache cache;
    for (const std::uint64_t page : pages)
        cache.find(page * kPageBytes, memory);
    EXPECT_EQ(memory.asked, pages.size());
    cache.invalidate();
    const unsigned before = memory.asked;
    for (const std::uint64_t page : pages)
        EXPECT_GE(cache.find(page * kPageBytes, memory).host, memory.bytes + before)
            << "page " << page;
}

TEST(PageCache, AnInvalidationForgetsTheOnePageThatWasUsed) {
    for (const std::uint64_t page : {0ull, 5ull, 2047ull, 2048ull, (1ull << 36) - 1})
        expect_forgotten({page});
}

TEST(PageCache, AnInvalidationForgetsMorePagesThanItHasPlaces) {
    std::vector<std::uint64_t> pages;
    for (std::uint64_t page = 0; page < 4000; ++page)
        pages.push_back(page);
    expect_forgotten(pages);
}

TEST(PageCache, APageIsAskedForOnceBetweenInvalidations) {
    MovingPages memory;
    PageCache cache;
    for (int i = 0; i < 3; ++i) {
        cache.find(0x5000, memory);
        cache.find(0x5008, memory);
        EXPECT_EQ(memory.asked, i + 1u);
        cache.invalidate();
        cache.invalidate();
    }
}

// Drivers align large buffers, and a program goes through several at the same time.
TEST(PageCache, PagesAMultipleOfItsReachApartDoNotDisplaceEachOther) {
    MovingPages memory;
    PageCache cache;
    for (int i = 0; i < 10; ++i)
        for (std::uint64_t buffer = 0; buffer < 3; ++buffer)
            cache.find((buffer * 2048 + 7) * kPageBytes, memory);
    EXPECT_EQ(memory.asked, 3u);
}

}  // namespace
}  // namespace gen9::hdc
