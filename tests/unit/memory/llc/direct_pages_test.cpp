// SPDX-License-Identifier: Apache-2.0
// Lines of pages that are accessed by host pointer.
#include "memory/llc/direct_pages.h"

#include <gtest/gtest.h>

#include <tuple>

namespace gen9::memory {
namespace direct_pages_test {
namespace {

using Taken = std::vector<std::tuple<std::uint64_t, LlcPolicy, bool>>;
constexpr LlcPolicy kBack = LlcPolicy::WriteBack, kNone = LlcPolicy::Uncached;

struct Pages {
    DirectPages pages;
    Taken taken;
    auto taker() {
        return [this](std::uint64_t line, LlcPolicy policy, bool write) {
            taken.emplace_back(line, policy, write);
        };
    }
    DirectLines& give(std::uint64_t page, LlcPolicy policy) {
        return pages.give(page, policy, taker());
    }
    Taken take() {
        pages.take(taker());
        return std::exchange(taken, {});
    }
};

TEST(DirectLines, EachLineThatAnAccessTouchesIsMarked) {
    const auto read = [](std::uint64_t at, std::uint64_t bytes) {
        DirectLines lines;
        lines.mark(at, bytes, true);
        EXPECT_EQ(lines.written, 0u);
        return lines.read;
    };
    EXPECT_EQ(read(0, 1), 1u);
    EXPECT_EQ(read(63, 1), 1u);
    EXPECT_EQ(read(63, 2), 3u);
    EXPECT_EQ(read(64, 64), 2u);
    EXPECT_EQ(read(130, 256), 0x7Cu);
    EXPECT_EQ(read(4095, 1), std::uint64_t{1} << 63);
    EXPECT_EQ(read(0, 4096), ~std::uint64_t{0});
    DirectLines lines;
    lines.mark(64, 4, false);
    EXPECT_EQ(lines.read, 0u);
    EXPECT_EQ(lines.written, 2u);
}

TEST(DirectPages, MarksAreTakenOnceThePageFirstThatWasGivenLongestAgo) {
    Pages p;
    DirectLines& high = p.give(0x9000, kBack);
    DirectLines& low = p.give(0x3000, kBack);
    low.mark(0x80, 4, true);
    low.mark(0x40, 4, false);
    high.mark(0xFC0, 64, true);
    EXPECT_EQ(p.take(),
              (Taken{{0x9FC0, kBack, false}, {0x3040, kBack, true}, {0x3080, kBack, false}}));
    EXPECT_EQ(p.take(), Taken());
    low.mark(0, 4, true);
    high.mark(0, 4, true);
    EXPECT_EQ(&p.give(0x9000, kBack), &high) << "a record is good for as long as the pages are";
    EXPECT_EQ(p.take(), (Taken{{0x3000, kBack, false}, {0x9000, kBack, false}}));
}

TEST(DirectPages, AccessesThatAreCachedInAnotherWayComeAfterThoseBefore) {
    Pages p;
    p.give(0x3000, kBack).mark(0, 4, true);
    p.give(0x4000, kBack).mark(0, 4, true);
    DirectLines& past = p.give(0x3000, kNone);
    EXPECT_EQ(std::exchange(p.taken, {}), (Taken{{0x3000, kBack, false}})) << "of this page alone";
    past.mark(0, 4, false);
    p.give(0x3000, kBack).mark(64, 4, true);
    EXPECT_EQ(std::exchange(p.taken, {}), (Taken{{0x3000, kNone, true}}));
    EXPECT_EQ(p.take(), (Taken{{0x4000, kBack, false}, {0x3040, kBack, false}}));
}

}  // namespace
}  // namespace direct_pages_test
}  // namespace gen9::memory
