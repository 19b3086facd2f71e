// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>

#include "l3/front/module.h"
#include "tests/unit/memory/bench.h"

namespace gen9::memory {

/// L3, GTI, LLC and memory, wired as in the platform.
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

}  // namespace gen9::memory
