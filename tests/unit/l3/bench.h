// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <vector>

#include "common/bits.h"
#include "l3/front/module.h"
#include "tests/support/covers.h"
#include "tests/support/environment.h"
#include "tests/support/memory_initiator.h"
#include "tests/support/memory_target.h"

namespace gen9::l3 {

inline MemoryTransaction* in_urb(MemoryTransaction* t) {
    t->attributes.space = AddressSpace::Urb;
    t->attributes.requester = Requester::Urb;
    return t;
}

/// Clients, an L3 of four banks, and a memory of fixed latency.
struct Bench {
    test::TestEnvironment environment;
    Clock clock{1'000'000'000};
    L3 l3;
    test::MemoryTarget memory;
    test::MemoryInitiator control{"control", clock}, registers{"registers", clock},
        snooper{"snooper", clock};
    std::vector<std::unique_ptr<test::MemoryInitiator>> from;

    explicit Bench(Timing timing, unsigned clients = 1, std::vector<std::string> settings = {},
                   unsigned banks = 4, unsigned nodes = 1, unsigned savers = 0)
        : environment(timing, with_modulo(std::move(settings))),
          l3("l3", environment.environment, clock, clients, banks, nodes, {}, savers),
          memory("memory", clock, banks) {
        for (unsigned i = 0; i < clients; ++i) {
            from.push_back(std::make_unique<test::MemoryInitiator>(
                ("from" + std::to_string(i)).c_str(), clock));
            from[i]->mem_out.bind(l3.mem_in[i]);
        }
        for (unsigned b = 0; b < banks; ++b)
            l3.mem_out(b).bind(memory.mem_in[b]);
        control.mem_out.bind(l3.control_in);
        registers.mem_out.bind(l3.reg_in);
        snooper.mem_out.bind(l3.snoop_in);
        for (std::size_t i = 0; i < memory.bytes.size(); ++i)
            memory.bytes[i] = static_cast<std::uint8_t>(i / 64 + i % 64);
    }
    ~Bench() {
        for (auto& initiator : from)
            initiator->clear();
    }

    /// So that a test can see which bank a line is of; its own settings come after.
    static std::vector<std::string> with_modulo(std::vector<std::string> settings) {
        settings.insert(settings.begin(), "l3.bank_hash=modulo");
        return settings;
    }
    std::uint64_t hit_cycles() const {
        return l3.params.request_cycles + l3.params.bank_cycles + l3.params.return_cycles;
    }
    /// Of a write that its bank takes at once.
    std::uint64_t write_cycles() const {
        return l3.params.request_cycles + l3.params.return_cycles;
    }
    std::uint64_t sum(const char* counter) const {
        return environment.stats.sum(std::string("l3.bank.") + counter);
    }
    std::uint64_t apply(const CacheControl& what) {
        auto* t = from[0]->pool.get();
        t->set_command(tlm::TLM_IGNORE_COMMAND);
        t->attributes.operation = MemoryAttributes::Operation::Control;
        t->attributes.control = what;
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        control.mem_out->b_transport(*t, delay);
        t->release();
        return clock.cycles(delay).value;
    }
    static CacheControl all_read_only() {
        CacheControl what;
        what.invalidate_instruction = what.invalidate_state = true;
        what.invalidate_constant = what.invalidate_texture = true;
        return what;
    }
    void flush() {
        CacheControl what;
        what.flush_data = true;
        apply(what);
    }
    void write_register(std::uint32_t offset, std::uint32_t value) {
        auto* t = from[0]->write(offset, 4, 0);
        store(t->data, value);
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        registers.mem_out->b_transport(*t, delay);
        EXPECT_TRUE(t->is_response_ok());
        t->release();
    }
    std::uint32_t read_register(std::uint32_t offset) {
        auto* t = from[0]->read(offset, 4);
        sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
        registers.mem_out->b_transport(*t, delay);
        EXPECT_TRUE(t->is_response_ok());
        const auto value = load<std::uint32_t>(t->data);
        t->release();
        return value;
    }
    /// All cycles before this one.
    void run_to(std::uint64_t cycle) {
        sc_core::sc_start(clock.time(Cycles(cycle)) - sc_core::sc_time_stamp());
    }
    /// The cycle in which a transaction was answered.
    std::uint64_t end_of(const MemoryTransaction* t) const {
        for (const auto& initiator : from)
            for (const auto& e : initiator->ended)
                if (e.transaction == t) return e.cycle;
        return 0;
    }
    std::uint32_t word(std::uint64_t address) const {
        return load<std::uint32_t>(&memory.bytes[address]);
    }
    void run() { sc_core::sc_start(); }
};

}  // namespace gen9::l3
