// SPDX-License-Identifier: Apache-2.0
#include "slm/crossbar.h"

#include <algorithm>
#include <memory>

#include "slm/module.h"
#include "tests/support/contract.h"
#include "tests/support/covers.h"
#include "tests/support/environment.h"
#include "tests/support/memory_initiator.h"
#include "tests/support/signal_log.h"

namespace gen9::slm {
namespace {

using sc_core::sc_start;
constexpr unsigned kSubslices = 3;
constexpr std::uint64_t kSlm = SlmCore::kBytes;

/// Three shared local memories behind a crossbar, and what stands in the data ports' places.
struct SharedBench {
    test::TestEnvironment environment;
    Clock clock{1'000'000'000};
    Crossbar crossbar;
    std::deque<Slm> slm;
    std::deque<test::MemoryInitiator> from;

    explicit SharedBench(Timing timing, std::vector<std::string> settings = {},
                         bool initiators = true, std::uint32_t slm_bytes = SlmCore::kBytes)
        : environment(timing, std::move(settings)),
          crossbar("crossbar", environment.environment, clock, kSubslices) {
        for (unsigned s = 0; s < kSubslices; ++s) {
            slm.emplace_back(("slm" + std::to_string(s)).c_str(), environment.environment, clock,
                             false, slm_bytes);
            crossbar.mem_out[s].bind(slm[s].mem_in);
            if (!initiators) continue;
            from.emplace_back(("from" + std::to_string(s)).c_str(), clock);
            from[s].mem_out.bind(crossbar.mem_in[s]);
        }
    }
    /// Reads past the crossbar's time, from a data port's view.
    std::uint8_t byte(unsigned s, std::uint64_t address) {
        return from[s].block(from[s].read(address, 4))->data[0];
    }
};

// Assumed: an address above 64 KB counts subslices from the own one on.
void each_reaches_each(Timing timing) {
    SharedBench bench(timing);
    for (unsigned s = 0; s < kSubslices; ++s)
        for (unsigned step = 0; step < kSubslices; ++step)
            bench.from[s].block(bench.from[s].write(step * kSlm + 64 * s, 4,
                                                    static_cast<std::uint8_t>(16 * s + step + 1)));
    for (unsigned owner = 0; owner < kSubslices; ++owner)
        for (unsigned writer = 0; writer < kSubslices; ++writer) {
            const unsigned step = (owner + kSubslices - writer) % kSubslices;
            // Whoever reads it finds the same.
            for (unsigned reader = 0; reader < kSubslices; ++reader)
                EXPECT_EQ(bench.byte(reader, (owner + kSubslices - reader) % kSubslices * kSlm +
                                                 64 * writer),
                          16 * writer + step + 1);
        }
}

TEST(Crossbar, AnSlmIsOneMemoryForAllDataPorts) {
    GEN9_COVERS("POOL-10 SLM-15");
    each_reaches_each(Timing::Timed);
}
TEST(Crossbar, AnSlmIsOneMemoryForAllDataPortsInFunctionalMode) {
    GEN9_COVERS("POOL-10");
    each_reaches_each(Timing::Functional);
}

TEST(Crossbar, APointerIntoAnSlmIsThatOfItsOwner) {
    SharedBench bench(Timing::Functional);
    const auto pointer = [&](unsigned s, std::uint64_t address) -> std::uint8_t* {
        MemoryTransaction* t = bench.from[s].read(address, 4);
        tlm::tlm_dmi dmi;
        const bool granted = bench.from[s].mem_out->get_direct_mem_ptr(*t, dmi);
        EXPECT_EQ(t->get_address(), address);
        t->release();
        if (!granted) return nullptr;
        EXPECT_EQ(dmi.get_start_address(), address / kSlm * kSlm);
        EXPECT_EQ(dmi.get_end_address(), address / kSlm * kSlm + kSlm - 1);
        return dmi.get_dmi_ptr();
    };
    ASSERT_NE(pointer(1, 0), nullptr);
    EXPECT_EQ(pointer(0, kSlm), pointer(1, 0));
    EXPECT_EQ(pointer(2, 2 * kSlm), pointer(1, 0));
    EXPECT_NE(pointer(2, 0), pointer(1, 0));
    pointer(1, 0)[8] = 77;
    EXPECT_EQ(bench.byte(2, 2 * kSlm + 8), 77);
}

TEST(Crossbar, AnotherSubslicesSlmIsALinkFurtherEachWay) {
    SharedBench bench(Timing::Timed, {"crossbar.link_cycles=7"});
    bench.from[0].send(bench.from[0].read(0), 10);
    bench.from[1].send(bench.from[1].read(kSlm), 10);
    sc_start();
    const std::uint64_t latency = bench.slm[0].params.latency;
    ASSERT_EQ(bench.from[0].ended.size(), 1u);
    ASSERT_EQ(bench.from[1].ended.size(), 1u);
    EXPECT_EQ(bench.from[0].ended[0].cycle, 10 + 1 + latency);
    EXPECT_EQ(bench.from[1].ended[0].cycle, 10 + 1 + 2 * 7 + latency);
    EXPECT_EQ(bench.from[1].ended[0].transaction->get_address(), kSlm) << "as it was asked";
    EXPECT_EQ(bench.crossbar.stats.local.value(), 1u);
    EXPECT_EQ(bench.crossbar.stats.remote.value(), 1u);
    std::uint64_t blocking = 0, own = 0;
    bench.from[1].block(bench.from[1].read(kSlm), &blocking);
    bench.from[1].block(bench.from[1].read(0), &own);
    EXPECT_EQ(own, 1 + latency);
    EXPECT_EQ(blocking, own + 2 * 7);
    EXPECT_EQ(bench.crossbar.stats.local.value(), 2u);
    EXPECT_EQ(bench.crossbar.stats.remote.value(), 2u);
}

TEST(Crossbar, RequestsOfOneDataPortKeepTheirOrderAndAnSlmTakesOneACycle) {
    SharedBench bench(Timing::Timed);
    // All three ask for the SLM of subslice 2.
    for (int i = 0; i < 50; ++i)
        for (unsigned s = 0; s < kSubslices; ++s)
            bench.from[s].send(bench.from[s].write((2 + kSubslices - s) % kSubslices * kSlm, 4,
                                                   static_cast<std::uint8_t>(i)));
    sc_start();
    std::uint64_t first = ~0ull, last = 0;
    for (unsigned s = 0; s < kSubslices; ++s) {
        ASSERT_EQ(bench.from[s].ended.size(), 50u);
        for (int i = 0; i < 50; ++i)
            EXPECT_EQ(bench.from[s].ended[static_cast<std::size_t>(i)].transaction->data[0], i);
        first = std::min(first, bench.from[s].ended.front().cycle);
        last = std::max(last, bench.from[s].ended.back().cycle);
    }
    EXPECT_GE(last - first, 149u);
    EXPECT_EQ(bench.slm[2].stats.writes.value(), 150u);
    EXPECT_EQ(bench.crossbar.stats.local.value(), 50u);
    EXPECT_EQ(bench.crossbar.stats.remote.value(), 100u);
    EXPECT_GT(bench.crossbar.stats.wait_cycles.value(), 0u);
}

TEST(Crossbar, TheWaveformShowsWhatTheCountersCount) {
    SharedBench bench(Timing::Timed);
    test::SignalLog log(bench.environment.environment.signals);
    for (unsigned i = 0; i < 20; ++i)
        for (unsigned s = 0; s < kSubslices; ++s)
            bench.from[s].send(bench.from[s].read(i % 3 * kSlm));
    sc_start();
    std::uint64_t sent = 0, remote = 0, waiting = 0;
    for (std::uint64_t cycle = 0; cycle < 2000; ++cycle) {
        for (const char* s : {"0", "1", "2"}) {
            sent += log.value(std::string("crossbar.sent_subslice") + s, cycle);
            waiting += log.value(std::string("crossbar.waiting_subslice") + s, cycle);
        }
        remote += log.value("crossbar.remote", cycle);
    }
    EXPECT_EQ(sent, 60u);
    EXPECT_EQ(remote, bench.crossbar.stats.remote.value());
    EXPECT_EQ(sent - remote, bench.crossbar.stats.local.value());
    EXPECT_GE(waiting, bench.crossbar.stats.wait_cycles.value());
}

// Sums over a run of so many cycles, by CrossbarUse.
std::array<std::uint64_t, kCrossbarUses> account_of(SharedBench& bench, std::uint64_t cycles) {
    sc_start(bench.clock.time(Cycles(cycles)));
    bench.crossbar.settle();
    std::array<std::uint64_t, kCrossbarUses> uses{};
    std::ranges::transform(bench.crossbar.stats.cycles, uses.begin(), &Counter::value);
    return uses;
}

TEST(Crossbar, EachCycleHasOneReason) {
    SharedBench bench(Timing::Timed, {"crossbar.link_cycles=7"});
    const std::uint64_t latency = bench.slm[0].params.latency;
    // Arrives at 10, is on its way until 17, sent at 18, answered `latency` later, and on its way
    // for 7 more. The first cycle on the way is that of its arrival.
    test::SignalLog log(bench.environment.environment.signals);
    bench.from[1].send(bench.from[1].read(kSlm), 10);
    const auto [busy, stalled, memory, passing, idle] = account_of(bench, 1000);
    for (std::uint64_t cycle = 0; cycle < 40; ++cycle)
        EXPECT_EQ(log.value("crossbar.waiting_subslice1", cycle), cycle >= 10 && cycle < 18)
            << cycle;
    EXPECT_EQ(busy, 1u);
    EXPECT_EQ(stalled, 0u);
    EXPECT_EQ(memory, latency - 1);
    EXPECT_EQ(passing, 8u + 7u);
    EXPECT_EQ(idle, 1000 - 1 - (latency - 1) - 15);
}

TEST(Crossbar, ARequestOfItsOwnSubsliceDoesNotPass) {
    SharedBench bench(Timing::Timed, {"crossbar.link_cycles=7"});
    const std::uint64_t latency = bench.slm[0].params.latency;
    bench.from[0].send(bench.from[0].read(0), 10);
    const auto [busy, stalled, memory, passing, idle] = account_of(bench, 1000);
    EXPECT_EQ(busy, 1u);
    EXPECT_EQ(memory, latency - 1);
    EXPECT_EQ(stalled + passing, 0u);
    EXPECT_EQ(idle, 1000 - latency) << "that of its arrival among them";
}

TEST(Crossbar, IsStalledWhileAnSlmTakesNone) {
    SharedBench bench(Timing::Timed, {"crossbar.link_cycles=0", "slm0.queue=1", "slm0.banks=1"});
    for (unsigned i = 0; i < 8; ++i)
        bench.from[0].send(bench.from[0].read(64 * i), 10);
    const auto [busy, stalled, memory, passing, idle] = account_of(bench, 4000);
    EXPECT_EQ(busy, 8u);
    // The memory serves a request in 16 cycles and has room for one and the one beyond it: the first
    // three go at once, each other one when one has been served.
    EXPECT_EQ(stalled, 5u * 15);
    EXPECT_EQ(bench.crossbar.stats.wait_cycles.value(), 15u * (1 + 2 + 3 + 4 + 5));
    EXPECT_GT(memory, 0u);
    EXPECT_EQ(passing, 0u);
    EXPECT_EQ(busy + stalled + memory + idle, 4000u);
}

// What a debugger asks of a data port, it asks of that one's owner.
TEST(Crossbar, ADebugAccessReachesTheOwnerAndLeavesItsAddress) {
    SharedBench bench(Timing::Timed);
    auto* written = bench.from[1].write(kSlm + 0x40, 8, 0x5A);
    EXPECT_EQ(bench.from[1].mem_out->transport_dbg(*written), 8u);
    EXPECT_EQ(written->get_address(), kSlm + 0x40);
    EXPECT_EQ(bench.byte(2, 0x40), 0x5A);
    EXPECT_EQ(bench.byte(1, 0x40), 0);
    written->release();
}

// One request a cycle for each SLM; of two data ports that ask for one, whoever came first is first.
TEST(Crossbar, TheOldestRequestIsServedFirst) {
    SharedBench bench(Timing::Timed, {"crossbar.link_cycles=0"});
    bench.from[0].send(bench.from[0].read(0), 10);
    for (unsigned i = 0; i < 4; ++i)
        bench.from[1].send(bench.from[1].read(2 * kSlm), 10);
    bench.from[2].send(bench.from[2].read(kSlm), 11);
    sc_start();
    const auto ended = [&](unsigned s, std::size_t n) { return bench.from[s].ended.at(n).cycle; };
    const std::uint64_t first = ended(0, 0);
    EXPECT_EQ(ended(1, 0), first + 1);
    EXPECT_LE(ended(2, 0), first + 3) << "not behind what came after it";
    EXPECT_EQ(ended(1, 3), first + 5);
}

// Also where both have waited for the memory to take one.
TEST(Crossbar, OfThoseThatWaitTheOldestGoesFirst) {
    SharedBench bench(Timing::Timed, {"crossbar.link_cycles=0", "slm0.queue=1", "slm0.banks=1",
                                      "slm1.queue=1", "slm1.banks=1"});
    for (unsigned i = 0; i < 4; ++i) {
        bench.from[0].send(bench.from[0].read(0), 10);
        bench.from[1].send(bench.from[1].read(0), 10);
    }
    bench.from[2].send(bench.from[2].read(kSlm), 20);  // of subslice 0
    bench.from[1].send(bench.from[1].read(2 * kSlm), 21);
    bench.from[2].send(bench.from[2].read(2 * kSlm), 100);  // of subslice 1
    bench.from[0].send(bench.from[0].read(kSlm), 99);
    sc_start();
    EXPECT_LT(bench.from[2].ended.at(0).cycle, bench.from[1].ended.at(4).cycle);
    EXPECT_LT(bench.from[0].ended.at(4).cycle, bench.from[2].ended.at(1).cycle);
}

TEST(Crossbar, ARoundServesEachDataPort) {
    SharedBench bench(Timing::Timed,
                      {"crossbar.link_cycles=0", "crossbar.arbitration=round_robin"});
    // All three ask for the SLM of subslice 0.
    for (unsigned i = 0; i < 4; ++i)
        for (unsigned s = 0; s < kSubslices; ++s)
            bench.from[s].send(bench.from[s].read((kSubslices - s) % kSubslices * kSlm), 10);
    sc_start();
    for (unsigned s = 1; s < kSubslices; ++s)
        for (std::size_t i = 0; i < 4; ++i) {
            const auto other = static_cast<std::int64_t>(bench.from[0].ended.at(i).cycle);
            EXPECT_NEAR(static_cast<double>(
                            static_cast<std::int64_t>(bench.from[s].ended.at(i).cycle) - other),
                        0, 2);
        }
}

// Also where its next request goes to another memory, which is asked later in the same cycle.
void sends_one_a_cycle(unsigned sender) {
    SharedBench bench(Timing::Timed, {"crossbar.link_cycles=0"});
    // Older requests of the others for the first memory: all three wait until they are served.
    for (unsigned other = 1; other < kSubslices; ++other)
        for (unsigned i = 0; i < 6; ++i) {
            const unsigned s = (sender + other) % kSubslices;
            bench.from[s].send(bench.from[s].read((kSubslices - s) % kSubslices * kSlm), 5);
        }
    for (unsigned i = 0; i < kSubslices; ++i) {
        const unsigned step = (kSubslices - sender + i) % kSubslices;  // to memories 0, 1, 2
        bench.from[sender].send(bench.from[sender].read(step * kSlm), 10);
    }
    sc_start();
    const auto& ended = bench.from[sender].ended;
    for (unsigned i = 1; i < kSubslices; ++i)
        EXPECT_EQ(ended.at(i).cycle, ended.at(0).cycle + i);
    EXPECT_EQ(bench.environment.stats.sum("crossbar.remote"), sender == 0 ? 2u + 2 * 6 : 2u + 6)
        << "its counters are in the list";
}
TEST(Crossbar, TheFirstDataPortSendsOneRequestACycle) {
    sends_one_a_cycle(0);
}
TEST(Crossbar, TheSecondDataPortSendsOneRequestACycle) {
    sends_one_a_cycle(1);
}
TEST(Crossbar, TheThirdDataPortSendsOneRequestACycle) {
    sends_one_a_cycle(2);
}

// Of a memory larger than the machine's the crossbar reaches 64 KB.
TEST(Crossbar, APointerReachesToTheEndOfItsPartAndIsTakenBackFromAll) {
    SharedBench bench(Timing::Functional, {}, true, 2 * SlmCore::kBytes);
    MemoryTransaction* const t = bench.from[0].read(kSlm + 4, 4);
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(bench.from[0].mem_out->get_direct_mem_ptr(*t, dmi));
    EXPECT_EQ(dmi.get_start_address(), kSlm);
    EXPECT_EQ(dmi.get_end_address(), 2 * kSlm - 1);
    EXPECT_TRUE(dmi.is_read_write_allowed());
    t->release();
    bench.slm[1].mem_in->invalidate_direct_mem_ptr(0, 63);
    for (const auto& from : bench.from) {
        ASSERT_EQ(from.invalidated.size(), 1u);
        EXPECT_EQ(from.invalidated[0], std::pair(std::uint64_t{0}, ~std::uint64_t{0}));
    }
}

TEST(Crossbar, ItsSettingsHaveEnds) {
    SharedBench(Timing::Timed, {"crossbar.queue=1024", "crossbar.link_cycles=1000"});
    for (const char* setting :
         {"crossbar.queue=0", "crossbar.queue=1025", "crossbar.link_cycles=1001"})
        EXPECT_THROW(SharedBench(Timing::Timed, {setting}), UserError) << setting;
}

TEST(Crossbar, KeepsTheContractOfMemoryTargets) {
    SharedBench bench(Timing::Timed, {"crossbar.queue=2", "slm0.queue=1"}, false);
    test::MemoryTraffic traffic;
    traffic.space = AddressSpace::Ppgtt;
    traffic.lane_accesses = true;
    std::deque<test::MemoryContract> senders;
    for (unsigned s = 0; s < kSubslices; ++s) {
        // Two of them have the SLM of subslice 1, in halves, the third its own.
        traffic.base = s == 0 ? kSlm : s == 1 ? kSlm / 2 : 0;
        traffic.bytes = kSlm / 2;
        senders.emplace_back(("senders" + std::to_string(s)).c_str(), bench.clock, traffic, 7 + s);
        senders[s].mem_out[0].bind(bench.crossbar.mem_in[s]);
    }
    sc_start(sc_core::SC_ZERO_TIME);
    for (auto& sender : senders)
        sender.begin();
    for (auto& sender : senders)
        sender.run_timed();
    sc_start(10, sc_core::SC_MS);
    for (auto& sender : senders) {
        sender.end();
        EXPECT_TRUE(sender.finished());
        EXPECT_TRUE(sender.findings.sentences.empty()) << sender.findings.text();
    }
}

}  // namespace
}  // namespace gen9::slm
