// SPDX-License-Identifier: Apache-2.0
// Commands that wait for what the resource streamer makes.
#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "tests/unit/cs/context/contexts.h"

namespace gen9 {
namespace {

using namespace test;

/// A resource streamer played by the test; both streamers together are tested in tests/unit/rs.
struct StreamedEngine : Engine {
    std::deque<bool> there;  ///< what it answers to Consume
    bool limited = false;    ///< it stopped as far ahead as it may go
    std::vector<ResourceRequest> starts;
    bool has_streamer() const override { return true; }
    void start_streamer(const ResourceRequest& request) override {
        starts.push_back(request);
        limited &= !request.resumes;
    }
    std::optional<GpuAddr> streamer_limit() override {
        return limited ? std::optional(GpuAddr(~0ull >> 16)) : std::nullopt;
    }
    ResourceRequest streamer_stopped() override {
        ResourceRequest request;
        request.stopped_at = GpuAddr(0x1234);
        return request;
    }
    bool consume(ResourceProduct) override {
        if (there.empty()) return false;
        const bool answer = there.front();
        there.pop_front();
        return answer;
    }
};

TEST(ResourceProducts, AreWaitedForAsLongAsTheStreamerMayStillMakeThem) {
    struct Case {
        const char* name;
        std::deque<bool> there;
        bool limited;
        unsigned starts, errors;
    };
    for (const Case& c :
         {Case{"there", {true}, false, 1, 0}, Case{"limit", {false, true}, true, 2, 0},
          Case{"never", {false}, false, 1, 1}, Case{"none", {}, true, 2, 1}}) {
        SCOPED_TRACE(c.name);
        StreamedEngine e;
        e.there = c.there;
        e.limited = c.limited;
        e.ppgtt.put(kBatch, Words{0x79190002, low(kData) | 0x800, high(kData), 4 << 12} +
                                Words{0x78260000, 0} + kEnd);
        e.run_ring(start(kBatch, 0x500));
        ASSERT_EQ(e.starts.size(), c.starts);
        EXPECT_FALSE(e.starts[0].resumes);
        if (c.starts > 1) {
            EXPECT_TRUE(e.starts[1].resumes);
            EXPECT_EQ(e.starts[1].address.value, 0x1234u);
        }
        ASSERT_EQ(e.environment.reporter.guest_errors(), c.errors);
        if (c.errors) {
            EXPECT_NE(e.environment.log.at(0).find("stopped without making"), std::string::npos);
        }
    }
}

// A draw finds its tables and gathered constants in the pools, where there are some.
TEST(ResourcePools, ADrawHasTheBasesOfThoseThatAreOn) {
    StreamedEngine e;
    e.with_draws = true;
    const Words draw = {0x7B000005, 4, 3, 0, 1, 0, 0};
    const auto pool = [](std::uint32_t header, std::uint32_t base, bool on) {
        return Words{header, base | (on ? 0x800u : 0u), 0x12, 4 << 12};
    };
    constexpr std::uint32_t kTables = 0x79190002, kGathers = 0x791A0002;
    e.run_ring(draw + pool(kTables, 0x5000, true) + draw + pool(kGathers, 0x7000, true) + draw +
               pool(kTables, 0x9000, false) + draw + pool(kGathers, 0x7000, false) + draw);
    using Base = std::optional<GpuAddr>;
    const Base tables(GpuAddr(0x12'0000'5000)), gathers(GpuAddr(0x12'0000'7000));
    const std::pair<Base, Base> expected[] = {
        {{}, {}}, {tables, {}}, {tables, gathers}, {{}, gathers}, {{}, {}}};
    ASSERT_EQ(e.draws.size(), std::size(expected));
    for (std::size_t i = 0; i < e.draws.size(); ++i) {
        EXPECT_EQ(e.draws[i].state->table_pool, expected[i].first) << i;
        EXPECT_EQ(e.draws[i].state->gather_pool, expected[i].second) << i;
    }
}

}  // namespace
}  // namespace gen9
