// SPDX-License-Identifier: Apache-2.0
// Every module with a memory target socket, with what must stand around it.
#pragma once
#include <algorithm>
#include <cstring>
#include <numeric>

#include "icache/module.h"
#include "l3/front/module.h"
#include "line_cache/module.h"
#include "memory/gti/gti.h"
#include "platform/machine/block_models.h"
#include "tests/support/contract.h"
#include "tests/support/environment.h"
#include "tests/support/memory_initiator.h"
#include "tests/support/memory_target.h"

namespace gen9::test {

/// One module under test. Its queues are short, so that traffic fills them.
struct MemoryDevice : sc_core::sc_module {
    TestEnvironment environment;
    Clock clock{1'000'000'000};
    MemoryTraffic traffic;

    MemoryDevice(sc_core::sc_module_name name, Timing timing, std::vector<std::string> settings)
        : sc_core::sc_module(name), environment(timing, std::move(settings)) {}
    virtual void bind(std::deque<InitiatorSocket<MemoryProtocol>>& from) = 0;
    virtual bool idle() const { return true; }
    /// The memory behind, where the test can make it wait.
    virtual MemoryTarget* behind() { return nullptr; }
    /// Does it hold back END_REQ when it is full?
    virtual bool refuses() const { return true; }
};

inline void fill(MemoryTarget& memory) {
    constexpr std::size_t kPeriod = 256;
    std::iota(memory.bytes.begin(), memory.bytes.begin() + kPeriod, std::uint8_t{1});
    for (std::size_t i = kPeriod; i < memory.bytes.size(); i += kPeriod)
        std::memcpy(&memory.bytes[i], memory.bytes.data(),
                    std::min(kPeriod, memory.bytes.size() - i));
}

/// The settings of a device, and the model of a block in it.
inline std::vector<std::string> with_model(std::vector<std::string> settings,
                                           const std::string& block, const char* model) {
    settings.push_back(block + ".model=" + model);
    return settings;
}

/// An L3 of two banks of any model.
struct L3Device : MemoryDevice {
    std::deque<platform::Place<platform::BankBlock>> banks;
    l3::L3 l3;
    MemoryTarget memory{"memory", clock, 2, 1};
    MemoryInitiator control{"control", clock}, registers{"registers", clock},
        snooper{"snooper", clock};
    L3Device(sc_core::sc_module_name name, Timing timing, const char* model)
        : MemoryDevice(name, timing,
                       with_model({"l3.bank_queue=1", "l3.super_queue=2", "l3.memory_queue=2"},
                                  "l3.bank", model)),
          l3("l3", environment.environment, clock, 4, 2, 1,
             platform::banks_of(banks, std::string(this->name()) + ".l3", environment.environment,
                                clock)) {
        traffic.initiators = 4;
        for (unsigned bank = 0; bank < 2; ++bank)
            l3.mem_out(bank).bind(memory.mem_in[bank]);
        control.mem_out.bind(l3.control_in);
        registers.mem_out.bind(l3.reg_in);
        snooper.mem_out.bind(l3.snoop_in);
        fill(memory);
    }
    void bind(std::deque<InitiatorSocket<MemoryProtocol>>& from) override {
        for (unsigned i = 0; i < 4; ++i)
            from[i].bind(l3.mem_in[i]);
    }
    bool idle() const override { return l3.idle() && l3.in_flight() == 0; }
    MemoryTarget* behind() override { return &memory; }
};

/// A bank of L3 alone.
struct BankDevice : MemoryDevice {
    l3::L3Params params;
    l3::BankSetup setup{params, 1, true};
    platform::Place<platform::BankBlock> bank;
    MemoryTarget memory{"memory", clock, 1, 1};
    BankDevice(sc_core::sc_module_name name, Timing timing, const char* model)
        : MemoryDevice(name, timing,
                       with_model({"l3.bank_queue=1", "l3.super_queue=2", "l3.memory_queue=2"},
                                  "bank0", model)),
          params(environment.config, std::string(this->name()) + ".l3"),
          bank(platform::block_models().bank, this->name(),
               {"bank0", environment.environment, clock}, setup) {
        bank->sockets().mem_out.bind(memory.mem_in[0]);
        fill(memory);
    }
    void bind(std::deque<InitiatorSocket<MemoryProtocol>>& from) override {
        from[0].bind(bank->sockets().mem_in);
    }
    bool idle() const override { return bank->idle(); }
    MemoryTarget* behind() override { return &memory; }
};

struct SlmDevice : MemoryDevice {
    platform::Place<platform::SlmBlock> slm;
    SlmDevice(sc_core::sc_module_name name, Timing timing, const char* model)
        : MemoryDevice(
              name, timing,
              with_model({"slm.queue=1", "slm.tlm.queue=1", "slm.rtl.queue=1"}, "slm", model)),
          slm(platform::block_models().slm, this->name(), {"slm", environment.environment, clock}) {
        traffic.lane_accesses = true;
    }
    void bind(std::deque<InitiatorSocket<MemoryProtocol>>& from) override {
        from[0].bind(slm->sockets().mem_in);
    }
    bool idle() const override { return slm->idle(); }
};

struct GtiDevice : MemoryDevice {
    memory::PhysicalMemory tables;
    memory::Gti gti{"gti", environment.environment, clock, tables, 3};
    MemoryTarget memory{"memory", clock, 1, 1};
    MemoryInitiator control{"control", clock}, registers{"registers", clock};
    GtiDevice(sc_core::sc_module_name name, Timing timing, const char*)
        : MemoryDevice(name, timing, {"gti.queue=1", "gti.tlb_sets=1", "gti.tlb_ways=2"}) {
        traffic.initiators = 3;
        traffic.space = AddressSpace::Ggtt;
        gti.mem_out.bind(memory.mem_in[0]);
        control.mem_out.bind(gti.control_in);
        registers.mem_out.bind(gti.reg_in);
        for (std::uint32_t page = 0; page < 4; ++page)
            gti.write_gtt(page, (0x100000 + (page ^ 1) * kPageBytes) | 1);
        fill(memory);
    }
    void bind(std::deque<InitiatorSocket<MemoryProtocol>>& from) override {
        for (unsigned i = 0; i < 3; ++i)
            from[i].bind(gti.mem_in[i]);
    }
    bool idle() const override { return gti.in_flight() == 0; }
    MemoryTarget* behind() override { return &memory; }
};

struct LlcDevice : MemoryDevice {
    memory::PhysicalMemory bytes;
    platform::Place<platform::LlcBlock> llc;
    platform::Place<platform::DramBlock> dram;
    LlcDevice(sc_core::sc_module_name name, Timing timing, const char* model)
        : MemoryDevice(name, timing,
                       with_model({"llc.queue=1", "llc.misses=2", "llc.size_kb=64", "dram.queue=1",
                                   "dram.bytes_per_cycle=2"},
                                  "llc", model)),
          llc(platform::block_models().llc, this->name(), {"llc", environment.environment, clock},
              {bytes}),
          dram(platform::block_models().dram, this->name(),
               {"dram", environment.environment, clock}, {bytes}) {
        // A hit takes effect here and overtakes a miss to its line (docs/architecture.md).
        traffic.keeps_order = false;
        traffic.bytes = 96 * 1024;
        traffic.requests = 3000;
        llc->sockets().mem_out.bind(dram->sockets().mem_in);
    }
    void bind(std::deque<InitiatorSocket<MemoryProtocol>>& from) override {
        from[0].bind(llc->sockets().mem_in);
    }
    bool idle() const override { return llc->idle(); }
};

struct DramDevice : MemoryDevice {
    memory::PhysicalMemory bytes;
    platform::Place<platform::DramBlock> dram;
    DramDevice(sc_core::sc_module_name name, Timing timing, const char* model)
        : MemoryDevice(name, timing,
                       with_model({"dram.queue=1", "dram.bytes_per_cycle=2"}, "dram", model)),
          dram(platform::block_models().dram, this->name(),
               {"dram", environment.environment, clock}, {bytes}) {}
    void bind(std::deque<InitiatorSocket<MemoryProtocol>>& from) override {
        from[0].bind(dram->sockets().mem_in);
    }
    bool idle() const override { return dram->idle(); }
};

/// Four sets of two ways, of whatever model.
struct LineCacheDevice : MemoryDevice {
    platform::Place<platform::LineCacheBlock> cache;
    MemoryTarget memory{"memory", clock, 1, 1};
    MemoryInitiator control{"control", clock};
    LineCacheDevice(sc_core::sc_module_name name, Timing timing, const char* model)
        : MemoryDevice(name, timing, with_model(settings_of(model), "cache", model)),
          cache(platform::block_models().line_cache, this->name(),
                {"cache", environment.environment, clock},
                {{{"data", Requester::DataPort, 512, 2, "Test"}}, &CacheControl::flush_render}) {
        cache->sockets().mem_out.bind(memory.mem_in[0]);
        control.mem_out.bind(cache->sockets().control_in);
        fill(memory);
    }
    static std::vector<std::string> settings_of(const std::string& model) {
        if (model == "none") return {};
        return {"cache.queue=1", "cache.misses=2", "cache.waiting=2", "cache.memory_queue=2"};
    }
    void bind(std::deque<InitiatorSocket<MemoryProtocol>>& from) override {
        from[0].bind(cache->sockets().mem_in);
    }
    bool idle() const override { return cache->idle(); }
    MemoryTarget* behind() override { return &memory; }
};

struct InstructionCacheDevice : MemoryDevice {
    icache::InstructionCache cache{"icache", environment.environment, clock, 3};
    MemoryTarget memory{"memory", clock, 1, 1};
    MemoryInitiator control{"control", clock};
    InstructionCacheDevice(sc_core::sc_module_name name, Timing timing, const char*)
        : MemoryDevice(name, timing, {"icache.misses=2"}) {
        traffic.initiators = 3;
        traffic.whole_line_reads = true;
        traffic.window = 4;
        cache.mem_out.bind(memory.mem_in[0]);
        control.mem_out.bind(cache.control_in);
        fill(memory);
    }
    void bind(std::deque<InitiatorSocket<MemoryProtocol>>& from) override {
        for (unsigned i = 0; i < 3; ++i)
            from[i].bind(*cache.mem_in[i]);
    }
    bool idle() const override { return cache.idle(); }
    MemoryTarget* behind() override { return &memory; }
    // It has room for all an EU may have out: the EU's own window is the limit.
    bool refuses() const override { return false; }
};

}  // namespace gen9::test
