// SPDX-License-Identifier: Apache-2.0
#include "interconnect/payload/stretch.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

namespace gen9::hdc {
namespace {
namespace stretch_test {

/// Pages of the machine by number, and the host pages behind them.
struct Pages {
    std::vector<std::uint8_t> host = std::vector<std::uint8_t>(64 * kPageBytes);
    std::map<std::uint64_t, DirectPage> pages;
    Stretch stretch;

    void map(std::uint64_t page, unsigned host_page, bool writable = true) {
        pages[page] = {host.data() + host_page * kPageBytes, writable};
    }
    void add(std::uint64_t page) {
        stretch.add(page * kPageBytes, pages[page],
                    [this](std::uint64_t address) { return pages[address / kPageBytes]; });
    }
    /// Where an access is found, in bytes of host memory; -1: it is not.
    std::ptrdiff_t find(std::uint64_t address, unsigned bytes = 4, bool reads = true) const {
        const std::uint8_t* const at = stretch.find(address, bytes, reads);
        return at ? at - host.data() : -1;
    }
};

constexpr std::uint64_t kFirst = 1000;
constexpr std::uint64_t kStart = kFirst * kPageBytes;
constexpr auto kPage = static_cast<std::ptrdiff_t>(kPageBytes);

TEST(Stretch, HoldsNothingAtFirst) {
    Pages pages;
    EXPECT_EQ(pages.find(0), -1);
    EXPECT_EQ(pages.find(~0ull), -1);
}

TEST(Stretch, HoldsItsPageAndNoByteBesides) {
    Pages pages;
    pages.map(kFirst, 5);
    pages.add(kFirst);
    EXPECT_EQ(pages.find(kStart), 5 * kPage);
    EXPECT_EQ(pages.find(kStart + kPageBytes - 4), 6 * kPage - 4);
    EXPECT_EQ(pages.find(kStart + kPageBytes - 3), -1);
    EXPECT_EQ(pages.find(kStart + kPageBytes), -1);
    EXPECT_EQ(pages.find(kStart - 1), -1);
    EXPECT_EQ(pages.find(kStart - 4), -1);
}

TEST(Stretch, GrowsToBothSides) {
    Pages pages;
    for (unsigned n = 0; n < 3; ++n)
        pages.map(kFirst + n, 10 + n);
    pages.add(kFirst + 1);
    pages.add(kFirst + 2);
    pages.add(kFirst);
    for (unsigned n = 0; n < 3; ++n)
        EXPECT_EQ(pages.find(kStart + n * kPageBytes + 8), (10 + n) * kPage + 8);
    EXPECT_EQ(pages.find(kStart + kPageBytes - 4, 8), 11 * kPage - 4) << "over a page's end";
    EXPECT_EQ(pages.find(kStart + 3 * kPageBytes), -1);
}

TEST(Stretch, TakesThePagesBetweenWhenTheyGoOnToo) {
    for (const std::uint64_t first : {kFirst, kFirst + 5}) {
        Pages pages;
        for (unsigned n = 0; n < 6; ++n)
            pages.map(kFirst + n, 10 + n);
        pages.add(first);
        pages.add(2 * kFirst + 5 - first);
        EXPECT_EQ(pages.find(kStart + 3 * kPageBytes), 13 * kPage);
    }
}

TEST(Stretch, BeginsAnewBehindAHole) {
    for (const std::uint64_t first : {kFirst, kFirst + 5}) {
        Pages pages;
        for (const unsigned n : {0u, 1u, 2u, 4u, 5u})
            pages.map(kFirst + n, 10 + n);
        const std::uint64_t second = 2 * kFirst + 5 - first;
        pages.add(first);
        pages.add(second);
        EXPECT_EQ(pages.find(kStart + 3 * kPageBytes), -1);
        EXPECT_EQ(pages.find(first * kPageBytes), -1);
        EXPECT_NE(pages.find(second * kPageBytes), -1);
    }
}

TEST(Stretch, BeginsAnewWhereHostMemoryOrPermissionDoes) {
    Pages pages;
    pages.map(kFirst, 10);
    pages.map(kFirst + 1, 12);
    pages.map(kFirst + 2, 13, false);
    pages.add(kFirst);
    pages.add(kFirst + 1);
    EXPECT_EQ(pages.find(kStart), -1);
    EXPECT_EQ(pages.find(kStart + kPageBytes, 4, false), 12 * kPage);
    pages.add(kFirst + 2);
    EXPECT_EQ(pages.find(kStart + kPageBytes), -1);
    EXPECT_EQ(pages.find(kStart + 2 * kPageBytes), 13 * kPage);
    EXPECT_EQ(pages.find(kStart + 2 * kPageBytes, 4, false), -1) << "it may not be written";
}

// A page that is granted with those around it brings them along.
TEST(Stretch, TakesAllThatIsGrantedWithAPage) {
    std::vector<std::uint8_t> host(64 * kPageBytes);
    // Pages kFirst + 2 to kFirst + 9 are granted together, and those from kFirst + 12 to + 15.
    const auto page = [&](std::uint64_t address) {
        const std::uint64_t n = (address - kStart) / kPageBytes;
        const auto in = [&](std::uint64_t first, std::uint64_t last) {
            return DirectPage{host.data() + n * kPageBytes, true, nullptr, (n - first) * kPageBytes,
                              (last - n) * kPageBytes};
        };
        if (n >= 2 && n <= 9) return in(2, 9);
        if (n >= 12 && n <= 15) return in(12, 15);
        return n < 30 ? DirectPage{host.data() + n * kPageBytes, true} : DirectPage{};
    };
    const auto holds = [&](const Stretch& stretch, std::uint64_t first, std::uint64_t last) {
        const std::uint64_t bytes = (last + 1 - first) * kPageBytes;
        EXPECT_EQ(stretch.begin(), kStart + first * kPageBytes);
        EXPECT_EQ(stretch.bytes(), bytes);
        EXPECT_EQ(stretch.find(stretch.begin(), bytes, false), host.data() + first * kPageBytes);
    };
    for (const unsigned n : {2u, 5u, 9u}) {
        Stretch stretch;
        const auto add = [&](std::uint64_t number) {
            const std::uint64_t address = kStart + number * kPageBytes;
            stretch.add(address, page(address), page);
        };
        add(n);
        holds(stretch, 2, 9);
        add(10);
        holds(stretch, 2, 10);
        add(13);
        holds(stretch, 2, 15);
        add(0);
        holds(stretch, 0, 15);
    }
    // From a page of its own to those behind a hole in what is granted.
    Stretch stretch;
    stretch.add(kStart + 16 * kPageBytes, page(kStart + 16 * kPageBytes), page);
    stretch.add(kStart + 3 * kPageBytes, page(kStart + 3 * kPageBytes), page);
    holds(stretch, 2, 16);
}

// As a gather from a large table goes through it.
TEST(Stretch, AccessesAnywhereInABufferSoonFindAllOfIt) {
    constexpr std::uint64_t kPages = 4096;
    std::vector<std::uint8_t> host(kPages * kPageBytes);
    Stretch stretch;
    std::uint64_t asked = 0, missed = 0;
    const auto page = [&](std::uint64_t address) {
        ++asked;
        return DirectPage{host.data() + (address - kStart), true, nullptr};
    };
    std::mt19937 random(1);
    for (unsigned n = 0; n < 1000; ++n) {
        const std::uint64_t at = kStart + random() % kPages * kPageBytes;
        if (stretch.find(at, 4, true)) continue;
        ++missed;
        stretch.add(at, page(at), page);
    }
    EXPECT_EQ(stretch.find(kStart + 100 * kPageBytes, (kPages - 200) * kPageBytes, true),
              host.data() + 100 * kPageBytes);
    EXPECT_LT(missed, 200u);
    EXPECT_LT(asked, 2 * kPages);
}

// Or each access of the one would give up what is known of the other.
TEST(Stretch, StaysWhileFewerAccessesMissItThanItHasPages) {
    Pages pages;
    for (unsigned n = 0; n < 4; ++n)
        pages.map(kFirst + n, 10 + n);
    pages.map(9 * kFirst, 30);
    for (unsigned n = 0; n < 4; ++n)
        pages.add(kFirst + n);
    for (unsigned n = 0; n < 3; ++n) {
        pages.add(9 * kFirst);
        EXPECT_EQ(pages.find(kStart), 10 * kPage);
        EXPECT_EQ(pages.find(9 * kStart), -1);
    }
    pages.add(9 * kFirst);
    EXPECT_EQ(pages.find(9 * kStart), 30 * kPage);
}

// Two buffers with a hole between them, by turns.
TEST(Stretch, DoesNotLookAtThePagesBeforeAHoleAgainAndAgain) {
    std::vector<std::uint8_t> host(600 * kPageBytes);
    Stretch stretch;
    unsigned asked = 0;
    const auto page = [&](std::uint64_t address) {
        ++asked;
        const std::uint64_t at = address - kStart;
        const bool hole = at / kPageBytes == 500;
        return DirectPage{hole ? nullptr : host.data() + at, true, nullptr};
    };
    for (unsigned n = 0; n < 10000; ++n) {
        const std::uint64_t at = kStart + (n % 2 * 550) * kPageBytes;
        stretch.add(at, DirectPage{host.data() + (at - kStart), true, nullptr}, page);
    }
    EXPECT_LT(asked, 3000u);
}

}  // namespace stretch_test
}  // namespace
}  // namespace gen9::hdc
