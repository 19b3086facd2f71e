// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "common/bits.h"
#include "memory/dram/dram.h"
#include "memory/gti/gti.h"
#include "memory/llc/llc.h"
#include "tests/support/covers.h"
#include "tests/support/environment.h"
#include "tests/support/memory_initiator.h"

namespace gen9::memory {

/// Initiators, GTI, LLC and memory, wired as in the platform. The GGTT maps its pages 0..63 to
/// physical 0x100000 upwards.
struct Bench {
    test::TestEnvironment environment;
    Clock clock{1'000'000'000};
    PhysicalMemory memory;
    Gti gti;
    Llc llc;
    Dram dram;
    std::vector<std::unique_ptr<test::MemoryInitiator>> from;

    explicit Bench(Timing timing, unsigned initiators = 1, std::vector<std::string> settings = {})
        : environment(timing, std::move(settings)),
          gti("gti", environment.environment, clock, memory, initiators),
          llc("llc", environment.environment, clock, memory),
          dram("dram", environment.environment, clock, memory) {
        for (unsigned i = 0; i < initiators; ++i) {
            from.push_back(std::make_unique<test::MemoryInitiator>(
                ("from" + std::to_string(i)).c_str(), clock));
            from[i]->mem_out.bind(gti.mem_in[i]);
        }
        control.mem_out.bind(gti.control_in);
        registers.mem_out.bind(gti.reg_in);
        gti.mem_out.bind(llc.mem_in);
        llc.mem_out.bind(dram.mem_in);
        for (std::uint32_t page = 0; page < 64; ++page)
            gti.write_gtt(page, (0x100000 + page * kPageBytes) | 1);
    }
    ~Bench() {
        for (auto& initiator : from)
            initiator->clear();
    }
    static MemoryTransaction* global(MemoryTransaction* t) {
        t->attributes.space = AddressSpace::Ggtt;
        return t;
    }
    std::uint32_t read_register(std::uint32_t offset) {
        auto* t = from[0]->read(offset, 4);
        sc_core::sc_time delay;
        registers.mem_out->b_transport(*t, delay);
        const auto value = load<std::uint32_t>(t->data);
        t->release();
        return value;
    }
    tlm::tlm_response_status write_register(std::uint32_t offset, std::uint32_t value) {
        auto* t = from[0]->write(offset, 4, 0);
        store(t->data, value);
        sc_core::sc_time delay;
        registers.mem_out->b_transport(*t, delay);
        const auto status = t->get_response_status();
        t->release();
        return status;
    }

    test::MemoryInitiator control{"control", clock}, registers{"registers", clock};
};

}  // namespace gen9::memory
