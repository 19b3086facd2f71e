// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <vector>

#include "line_cache/module.h"
#include "tests/support/environment.h"
#include "tests/support/memory_initiator.h"
#include "tests/support/memory_target.h"

namespace gen9::line_cache {

/// A cache of two parts between a unit and a memory that the test plays. The first part has four
/// sets of two ways.
struct Bench : sc_core::sc_module {
    test::TestEnvironment test;
    Clock clock{1'000'000'000};
    LineCache cache;
    test::MemoryInitiator unit{"unit", clock}, streamer{"streamer", clock};
    test::MemoryTarget memory{"memory", clock, 1};

    explicit Bench(Timing timing = Timing::Timed, std::vector<std::string> settings = {})
        : sc_module(sc_core::sc_module_name("bench")),
          test(timing, std::move(settings)),
          cache("cache", test.environment, clock,
                {{{"color", Requester::RenderTarget, 512, 2, "Test"},
                  {"control", Requester::RenderControl, 512, 2, "Test"}},
                 &CacheControl::flush_render}) {
        unit.mem_out.bind(cache.mem_in);
        streamer.mem_out.bind(cache.control_in);
        cache.mem_out.bind(memory.mem_in[0]);
        std::iota(memory.bytes.begin(), memory.bytes.end(), std::uint8_t{1});
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    static constexpr std::uint64_t kNextInSet = 256;

    MemoryTransaction* of(MemoryTransaction* transaction, Requester who = Requester::RenderTarget,
                          std::uint8_t stream = 0) {
        transaction->attributes.requester = who;
        transaction->attributes.stream = stream;
        return transaction;
    }
    MemoryTransaction* read(std::uint64_t address, unsigned size = 64) {
        return of(unit.read(address, size));
    }
    MemoryTransaction* write(std::uint64_t address, unsigned size, std::uint8_t value) {
        return of(unit.write(address, size, value));
    }
    void run(std::uint64_t cycles) { sc_core::sc_start(clock.time(Cycles(cycles))); }
    /// Cycles that it takes.
    std::uint64_t flush(bool CacheControl::*which = &CacheControl::flush_render) {
        MemoryTransaction* const order = streamer.pool.get();
        order->set_command(tlm::TLM_IGNORE_COMMAND);
        order->attributes.operation = MemoryAttributes::Operation::Control;
        order->attributes.control.*which = true;
        std::uint64_t cycles = 0;
        streamer.block(order, &cycles);
        return cycles;
    }
    /// When the answer was there.
    std::uint64_t answered(const MemoryTransaction* transaction) const {
        for (const auto& ended : unit.ended)
            if (ended.transaction == transaction) return ended.cycle;
        return 0;
    }
    const PartStats& colors() const { return cache.stats(0); }
    std::uint64_t cycles_of(Activity activity) {
        cache.settle();  // counts the cycles of the activity that lasts
        return cache.stats().cycles[static_cast<std::size_t>(activity)].value();
    }
    void expect_consistent() {
        cache.settle();
        for (unsigned part = 0; part < 2; ++part) {
            const PartStats& s = cache.stats(part);
            EXPECT_EQ(s.reads.value() + s.writes.value(),
                      s.hits.value() + s.places.value() + s.misses.value() + s.merges.value());
        }
        std::uint64_t cycles = 0;
        for (const Counter& counter : cache.stats().cycles)
            cycles += counter.value();
        EXPECT_EQ(cycles, clock.now().value);
        EXPECT_TRUE(cache.idle()) << cache.describe_waiting();
        EXPECT_EQ(cache.transactions(), 0u);
    }
};

}  // namespace gen9::line_cache
