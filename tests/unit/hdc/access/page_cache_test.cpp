// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <vector>

#include "tests/unit/hdc/bench.h"

namespace gen9::hdc {
namespace {

/// Pages that lie elsewhere in the host each time they are asked for.
struct MovingPages final : FunctionalMemory {
    std::uint8_t bytes[8192];  ///< a place for each time
    unsigned asked = 0;
    DirectPage direct(std::uint64_t, const MemoryFacts&) override {
        return {bytes + asked++, true};
    }
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

/// Grants pages 8 to 15 together, 16 by itself, and 17 for marked accesses.
struct GrantedPages final : FunctionalMemory {
    std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(32 * kPageBytes);
    std::vector<std::uint64_t> asked;
    DirectLines lines;
    DirectPage direct(std::uint64_t address, const MemoryFacts&) override {
        const std::uint64_t page = address / kPageBytes;
        asked.push_back(page);
        DirectPage granted{bytes.data() + address, page != 12, page == 17 ? &lines : nullptr};
        if (page < 8 || page > 15) return granted;
        granted.before = (page - 8) * kPageBytes;
        granted.behind = (15 - page) * kPageBytes;
        return granted;
    }
    std::uint8_t* slm(unsigned) override { return nullptr; }
    void by_requests(const Access&, Message&) override {}
};

TEST(PageCache, AGrantOfSeveralPagesIsAskedForOnce) {
    GrantedPages memory;
    PageCache cache;
    for (int round = 0; round < 2; ++round) {
        memory.asked.clear();
        for (const std::uint64_t page : {10u, 8u, 15u, 11u, 7u, 16u, 17u, 17u}) {
            const DirectPage& found = cache.find(page * kPageBytes + 4, memory);
            EXPECT_EQ(found.host, memory.bytes.data() + page * kPageBytes) << page;
            EXPECT_TRUE(found.writable) << page;
            if (page < 8 || page > 15) continue;
            EXPECT_EQ(found.before, (page - 8) * kPageBytes) << page;
            EXPECT_EQ(found.behind, (15 - page) * kPageBytes) << page;
        }
        EXPECT_EQ(memory.asked, (std::vector<std::uint64_t>{10, 7, 16, 17}));
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

using test::Bench;
using test::Send;
using test::SurfaceBits;

/// A read or write of 8 DWords of a buffer by surface `index`.
Send untyped(bool reads, unsigned index, std::uint32_t first, std::uint32_t step) {
    constexpr unsigned kSimd8 = 2u << 12, kOneChannel = 0xEu << 8;
    Send send(Sfid::DataPort1,
              test::descriptor(reads ? 1 : 9, kSimd8 | kOneChannel, index, reads ? 1 : 0), 0xFF);
    send.add(test::ramp<std::uint32_t>(8, first, step));
    if (!reads) send.add(test::ramp<std::uint32_t>(8, 7, 1));
    return send;
}

TEST(PageCache, AccessesByPointerAreMarkedByLine) {
    Bench bench;
    DirectLines lines;
    bench.memory.lines = &lines;
    bench.bind(0, SurfaceBits::buffer(Bench::kData, 8192));
    // In a stretch, as a usual access, and apart, by a plan.
    bench.run(untyped(true, 0, 48, 4));
    EXPECT_EQ(lines.read, 3u);
    bench.run(untyped(true, 0, 512, 128));
    EXPECT_EQ(lines.read, 3u | 0x555500u);
    EXPECT_EQ(lines.written, 0u);
    bench.run(untyped(false, 0, 256, 4));
    bench.run(untyped(false, 0, 1024 + 128, 64));
    EXPECT_EQ(lines.read, 3u | 0x555500u);
    EXPECT_EQ(lines.written, 0x10u | 0x3FC0000u);
    // An access that the pages refuse goes by the bus, which sees it itself.
    lines = {};
    bench.run(untyped(true, 0, 8192, 4));
    EXPECT_EQ(lines.read | lines.written, 0u);
}

TEST(PageCache, AnAtomicMarksWhatItWrites) {
    Bench bench;
    DirectLines lines;
    bench.memory.lines = &lines;
    bench.bind(0, SurfaceBits::buffer(Bench::kData, 4096));
    // Type 2, SIMD8: increment.
    bench.run(Send(Sfid::DataPort1, test::descriptor(2, 1u << 12 | 5u << 8, 0), 0xFF)
                  .add(test::ramp<std::uint32_t>(8, 0, 64)));
    EXPECT_EQ(lines.written, 0xFFu);
    EXPECT_EQ(bench.memory.get<std::uint32_t>(Bench::kData + 64), 1u);
}

// How an access is cached behind follows from its surface: a page is asked for again.
TEST(PageCache, APageThatIsMarkedIsAskedForBySurface) {
    namespace state = packets::render_surface_state;
    Bench bench;
    DirectLines lines;
    for (const unsigned index : {0u, 1u}) {
        auto surface = SurfaceBits::buffer(Bench::kData, 4096);
        surface.set(state::MemoryObjectControlState, index ? 4 : 0);
        bench.bind(index, surface);
    }
    for (const unsigned index : {0u, 1u, 1u, 0u})
        bench.run(untyped(true, index, 0, 4));
    EXPECT_EQ(bench.memory.pages_asked, 1u) << "nobody wants to know";
    bench.driver.invalidate();
    bench.memory.lines = &lines;
    bench.memory.pages_asked = 0;
    const unsigned asked[] = {1, 2, 2, 3}, mocs[] = {0, 4, 4, 0}, surface[] = {0, 1, 1, 0};
    for (unsigned i = 0; i < 4; ++i) {
        bench.run(untyped(true, surface[i], 0, 4));
        EXPECT_EQ(bench.memory.pages_asked, asked[i]) << i;
        EXPECT_EQ(bench.memory.asked_by.mocs, mocs[i]) << i;
        EXPECT_EQ(bench.memory.asked_by.requester, Requester::DataPort);
    }
}

}  // namespace
}  // namespace gen9::hdc
