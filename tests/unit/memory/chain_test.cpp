// SPDX-License-Identifier: Apache-2.0
// L3, GTI, LLC and memory together: the figures hardware gives for the whole way, and that both
// modes leave the same memory.
#include <random>

#include "l3/module.h"
#include "tests/unit/memory/bench.h"

namespace gen9::memory {
namespace {
struct Chain {
    test::TestEnvironment environment;
    Clock clock{1'150'000'000};
    PhysicalMemory memory;
    l3::L3 l3;
    Gti gti;
    Llc llc;
    Dram dram;
    test::MemoryInitiator control{"control", clock}, registers{"registers", clock},
        gti_control{"gti_control", clock}, gti_registers{"gti_registers", clock},
        snooper{"snooper", clock};
    std::deque<test::MemoryInitiator> from;

    explicit Chain(Timing timing, unsigned clients = 3)
        : environment(timing),
          l3("l3", environment.environment, clock, clients, 4),
          gti("gti", environment.environment, clock, memory, 4),
          llc("llc", environment.environment, clock, memory),
          dram("dram", environment.environment, clock, memory) {
        for (unsigned i = 0; i < clients; ++i)
            from.emplace_back(("from" + std::to_string(i)).c_str(), clock)
                .mem_out.bind(l3.mem_in[i]);
        for (unsigned b = 0; b < 4; ++b)
            l3.mem_out(b).bind(gti.mem_in[b]);
        gti.mem_out.bind(llc.mem_in);
        llc.mem_out.bind(dram.mem_in);
        control.mem_out.bind(l3.control_in);
        registers.mem_out.bind(l3.reg_in);
        snooper.mem_out.bind(l3.snoop_in);
        gti_control.mem_out.bind(gti.control_in);
        gti_registers.mem_out.bind(gti.reg_in);
        map();
    }
    ~Chain() {
        for (auto& f : from)
            f.clear();
    }
    /// 4 MB of PPGTT from 0, in pages whose frames are out of order.
    void map() {
        const auto entry = [this](std::uint64_t at, std::uint64_t value) {
            ASSERT_TRUE(
                memory.write(PhysAddr(at), {reinterpret_cast<const std::uint8_t*>(&value), 8}));
        };
        entry(0x1000, 0x2000 | 3);
        entry(0x2000, 0x3000 | 3);
        entry(0x3000, 0x4000 | 3);
        entry(0x3008, 0x5000 | 3);
        for (std::uint64_t page = 0; page < 1024; ++page)
            entry(0x4000 + 8 * page, (0x1000000 + (page ^ 0x155) * kPageBytes) | 3);
        gti.set_page_directories({true, {0x1000, 0, 0, 0}});
    }
    void flush() {
        auto* t = from[0].pool.get();
        t->attributes.operation = MemoryAttributes::Operation::Control;
        t->attributes.control.flush_data = true;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        control.mem_out->b_transport(*t, delay);
        t->release();
    }
    /// A hash over the mapped memory.
    std::uint64_t memory_hash() const {
        std::uint64_t hash = 14695981039346656037ull;
        std::vector<std::uint8_t> bytes(4 << 20);
        EXPECT_TRUE(memory.read(PhysAddr(0x1000000), bytes));
        for (const std::uint8_t byte : bytes)
            hash = (hash ^ byte) * 1099511628211ull;
        return hash;
    }
};

TEST(MemoryChain, APointerChaseWithinTheLlcTakesHardwares242Cycles) {
    Chain chain(Timing::Timed);
    auto& from = chain.from[0];
    // Line by line through 1 MB twice: beyond the L3's 384 KB, within the LLC, translations warm.
    std::uint64_t at = 0;
    for (unsigned pass = 0; pass < 2; ++pass)
        for (unsigned line = 0; line < 16384; line += 4)
            from.send(from.read(line * 64), at += 700);
    sc_core::sc_start();
    const auto& last = from.ended.back();
    const double l3_to_data = static_cast<double>(last.cycle - at);
    // Besides L3: the data port's 16, the 16 of notice, some 6 in the EU.
    EXPECT_NEAR(l3_to_data + 38, 242, 242 * 0.2);
}

TEST(MemoryChain, TheLlcHasWhatFunctionalModeHasReadWhenTheModeMayChange) {
    Chain chain(Timing::Timed);
    auto& from = chain.from[0];
    chain.llc.expect_changes();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    chain.environment.environment.timing = Timing::Functional;
    // A line of one page, and a page that is accessed directly from then on.
    auto* line = from.read(0x1040);
    sc_core::sc_time delay;
    from.mem_out->b_transport(*line, delay);
    line->release();
    auto* page = from.read(0x2008);
    tlm::tlm_dmi dmi;
    EXPECT_TRUE(from.mem_out->get_direct_mem_ptr(*page, dmi));
    EXPECT_EQ(dmi.get_start_address(), 0x2000u);
    page->release();
    EXPECT_EQ(chain.llc.stats.read_hits.value() + chain.llc.stats.read_misses.value(), 0u);
    chain.environment.environment.timing = Timing::Timed;
    std::uint64_t at = 0;
    for (const std::uint64_t address : {0x1040u, 0x1080u, 0x2000u, 0x2FC0u})
        from.send(from.read(address), at += 1000);
    sc_core::sc_start();
    EXPECT_EQ(chain.llc.stats.read_hits.value(), 3u);
    EXPECT_EQ(chain.llc.stats.read_misses.value(), 1u) << "0x1080";
}

TEST(MemoryChain, AWalkFindsTheLinesOfTablesThatFunctionalModeHasRead) {
    Chain chain(Timing::Timed);
    auto& from = chain.from[0];
    chain.llc.expect_changes();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    chain.environment.environment.timing = Timing::Functional;
    auto* line = from.read(0x1040);
    sc_core::sc_time delay;
    from.mem_out->b_transport(*line, delay);
    line->release();
    auto* page = from.read(0x8040);  // another line of entries
    tlm::tlm_dmi dmi;
    EXPECT_TRUE(from.mem_out->get_direct_mem_ptr(*page, dmi));
    page->release();
    chain.environment.environment.timing = Timing::Timed;
    const auto walks = [&](std::uint64_t address) {
        const std::uint64_t before = chain.gti.stats.walk_fetches.value();
        from.send(from.read(address));
        sc_core::sc_start();
        return chain.gti.stats.walk_fetches.value() - before;
    };
    // Translations are not known, the lines of their entries are.
    EXPECT_EQ(walks(0x2040), 0u);
    EXPECT_EQ(walks(0x9040), 0u);
    EXPECT_EQ(walks(0x1'0040), 1u);
    // Forgotten here, all four are in the LLC; the line itself is not.
    chain.gti.invalidate_tlb();
    const std::uint64_t hits = chain.llc.stats.read_hits.value();
    EXPECT_EQ(walks(0x3040), 4u);
    EXPECT_EQ(chain.llc.stats.read_hits.value() - hits, 4u);
}

TEST(MemoryChain, StreamingReadsReachWhatHardwareMeasured) {
    Chain chain(Timing::Timed);
    for (unsigned i = 0; i < 3; ++i)
        for (unsigned line = 0; line < 3000; ++line)
            chain.from[i].send(chain.from[i].read((line * 3 + i) * 64));
    sc_core::sc_start();
    std::uint64_t last = 0;
    for (auto& f : chain.from)
        last = std::max(last, f.ended.back().cycle);
    const double bytes_per_cycle = 9000 * 64.0 / static_cast<double>(last);
    EXPECT_GT(bytes_per_cycle, 15.0);
    EXPECT_LT(bytes_per_cycle, 26.0);
}

/// Race-free traffic: each client owns a third of every line's words.
std::uint64_t run_traffic(Timing timing) {
    Chain chain(timing);
    std::mt19937 random(7);
    for (unsigned i = 0; i < 4000; ++i)
        for (unsigned c = 0; c < 3; ++c) {
            auto& f = chain.from[c];
            const std::uint64_t address = std::uint64_t{random() % 16384} * 64 + c * 16;
            const auto kind = random() % 4;
            MemoryTransaction* t;
            if (kind == 0) {
                t = f.read(address, 16);
            } else if (kind == 1) {
                t = f.atomic(address, AtomicOp::Add, 4, 4, 5);
            } else {
                const auto size = static_cast<unsigned>(1 + random() % 16);
                t = f.write(address, size, static_cast<std::uint8_t>(random()));
            }
            t->attributes.uncached = kind == 3 && random() % 8 == 0;
            if (timing == Timing::Timed)
                f.send(t);
            else
                f.block(t);
        }
    if (timing == Timing::Timed) {
        sc_core::sc_start();
        for (auto& f : chain.from)
            EXPECT_EQ(f.ended.size(), 4000u);
        EXPECT_TRUE(chain.l3.idle());
        EXPECT_EQ(chain.l3.in_flight() + chain.gti.in_flight() + chain.llc.in_flight(), 0u);
    }
    chain.flush();
    EXPECT_EQ(chain.environment.reporter.guest_errors(), 0u);
    return chain.memory_hash();
}

// One elaboration per process, so both modes are compared with the same plain sequence of effects.
std::uint64_t expected_hash() {
    std::mt19937 random(7);
    std::vector<std::uint8_t> bytes(4 << 20);
    const auto at = [](std::uint64_t address) {
        return (address / kPageBytes ^ 0x155) * kPageBytes + address % kPageBytes;
    };
    for (unsigned i = 0; i < 4000; ++i)
        for (unsigned c = 0; c < 3; ++c) {
            const std::uint64_t place = at(std::uint64_t{random() % 16384} * 64 + c * 16);
            const auto kind = random() % 4;
            if (kind == 1) {
                for (unsigned lane = 0; lane < 4; ++lane)
                    store(&bytes[place + lane * 4],
                          load<std::uint32_t>(&bytes[place + lane * 4]) + 5);
            } else if (kind >= 2) {
                const auto size = 1 + random() % 16;
                std::fill_n(&bytes[place], size, static_cast<std::uint8_t>(random()));
            }
            if (kind == 3) random();
        }
    std::uint64_t hash = 14695981039346656037ull;
    for (const std::uint8_t byte : bytes)
        hash = (hash ^ byte) * 1099511628211ull;
    return hash;
}

TEST(MemoryChain, FunctionalModeLeavesWhatThePlainSequenceLeaves) {
    EXPECT_EQ(run_traffic(Timing::Functional), expected_hash());
}
TEST(MemoryChain, TimedModeLeavesWhatThePlainSequenceLeaves) {
    EXPECT_EQ(run_traffic(Timing::Timed), expected_hash());
}

TEST(MemoryChain, WildTablesAndAddressesNeitherCrashNorHang) {
    Chain chain(Timing::Timed);
    std::mt19937_64 random(11);
    std::vector<std::uint8_t> noise(4 * kPageBytes);
    for (auto& byte : noise)
        byte = static_cast<std::uint8_t>(random());
    ASSERT_TRUE(chain.memory.write(PhysAddr(0x1000), noise));
    for (std::uint32_t i = 0; i < 64; ++i)
        chain.gti.write_gtt(static_cast<std::uint32_t>(random()), random());
    for (unsigned i = 0; i < 3000; ++i) {
        auto& f = chain.from[i % 3];
        const unsigned size = 1u << random() % 7;
        const std::uint64_t address = (random() >> random() % 64) / size * size;
        auto* t = random() % 2 ? f.read(address, size) : f.write(address, size, 1);
        t->attributes.space = static_cast<AddressSpace>(random() % 3);
        t->attributes.uncached = random() % 4 == 0;
        f.send(t);
    }
    sc_core::sc_start();
    for (auto& f : chain.from)
        EXPECT_EQ(f.ended.size(), 1000u);
    chain.flush();
}

}  // namespace
}  // namespace gen9::memory
