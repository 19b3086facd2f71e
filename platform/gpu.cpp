// SPDX-License-Identifier: Apache-2.0
#include "platform/gpu.h"

#include <bit>

#include "common/counter_sum.h"

namespace gen9::platform {
namespace {

// Initiators of the GTI: the command streamer, then one per L3 bank, then the resource streamer's
// commands and its other accesses.
constexpr unsigned kGtiCommandStreamer = 0, kGtiFirstBank = 1, kGtiResourceStreamers = 2;

unsigned banks(const Topology& topology) {
    return static_cast<unsigned>(topology.slices * topology.l3_banks);
}
// Clients of L3: the spawner, then data port and instruction cache of each subslice, then the URB
// function of each, then the sampler of each, then the engines that save SLM.
unsigned first_urb_client(const Topology& topology) {
    return 1 + 2 * topology.subslice_count();
}
unsigned first_sampler_client(const Topology& topology) {
    return 1 + 3 * topology.subslice_count();
}
unsigned first_saver(const Topology& topology) {
    return 1 + 4 * topology.subslice_count();
}
/// A bit for each subslice whose shared local memory can be saved.
std::uint32_t saved_slm(Slices& slices) {
    std::uint32_t saved = 0, bit = 1;
    for (Slice& slice : slices)
        for (Subslice& subslice : slice.subslices) {
            if (subslice.slm->save()) saved |= bit;
            bit <<= 1;
        }
    return saved;
}
unsigned savers(Slices& slices) {
    return static_cast<unsigned>(std::popcount(saved_slm(slices)));
}

/// The environment as the blocks must see it, before the first of them is made.
Environment& prepared(Environment& env, const Topology& topology) {
    env.notice_cycles = static_cast<unsigned>(topology.notice_cycles);
    env.params.push_back(&topology);
    return env;
}

}  // namespace

Gpu::Gpu(sc_core::sc_module_name name, Environment& env, MemoryInitiator* system)
    : sc_module(name),
      topology(env.config, this->name()),
      clock(topology.clock_hz),
      slices(prepared(env, topology), clock, topology, program),
      cs(
          "cs", env, clock, 2 + 3 * topology.subslice_count(),
          [this, &env](const char* alu_name) -> MemoryTarget& {
              alu = std::make_unique<Place<AluBlock>>(BlockModels::all().alu,
                                                      std::string(this->name()) + ".cs",
                                                      BlockPlace{alu_name, env, clock});
              return (*alu)->op_in();
          },
          true),
      rs(BlockModels::all().streamer, this->name(), BlockPlace{"rs", env, clock}),
      spawner("spawner", env, clock, static_cast<unsigned>(topology.slices),
              static_cast<unsigned>(topology.subslices), static_cast<unsigned>(topology.eus),
              slices.threads_per_eu(), banks(topology), saved_slm(slices),
              static_cast<unsigned>(topology.slm_banks), static_cast<unsigned>(topology.slm_kb),
              slices.register_file()),
      l3("l3", env, clock, first_saver(topology) + savers(slices), banks(topology),
         static_cast<unsigned>(topology.slices),
         banks_of(l3_banks, std::string(this->name()) + ".l3", env, clock), savers(slices)),
      gti("gti", env, clock, memory, kGtiFirstBank + banks(topology) + kGtiResourceStreamers),
      registers("registers", env) {
    if (system == nullptr) {
        llc.emplace(BlockModels::all().llc, this->name(),
                    BlockPlace{"llc", env, clock, 0, &memory});
        dram.emplace(BlockModels::all().dram, this->name(),
                     BlockPlace{"dram", env, clock, 0, &memory});
    }
    wire(system);
    count_performance(env.stats);
}

Gpu::~Gpu() = default;

void Gpu::wire(MemoryInitiator* system) {
    cs.reg_out.bind(registers.reg_in);
    registers
        .owner({{0x2270, 0x228F},
                {0x229C, 0x229F},
                {0x4000, 0x42FF},
                {0x4B10, 0x4B17},
                {0xC800, 0xC8FF},
                {0x101008, 0x10100B}})
        .bind(gti.reg_in);
    registers.owner({{0x7034, 0x7037}, {0x7300, 0x7303}, {0xB000, 0xB4FF}}).bind(l3.reg_in);
    cs.mem_out.bind(gti.mem_in[kGtiCommandStreamer]);
    cs.command_out.bind(spawner.command_in);
    cs.streamer_out->bind(rs->request_in());
    rs->fetch_out().bind(gti.mem_in[kGtiFirstBank + banks(topology)]);
    rs->mem_out().bind(gti.mem_in[kGtiFirstBank + banks(topology) + 1]);
    cs.control_out[0]->bind(l3.control_in);
    cs.control_out[1]->bind(gti.control_in);
    spawner.mem_out.bind(l3.mem_in[0]);
    snoop_out.bind(l3.snoop_in);
    for (unsigned bank = 0; bank < banks(topology); ++bank) {
        MemoryInitiator* out = &l3.mem_out(bank);
        if (topology.jitter_cycles != 0) {
            const std::string jitter = "bank_jitter" + std::to_string(bank);
            bank_jitter.push_back(
                std::make_unique<Jitter>(jitter.c_str(), clock, topology.jitter_cycles,
                                         topology.jitter_seed, Jitter::Order::OfLine));
            out->bind(bank_jitter.back()->mem_in);
            out = &bank_jitter.back()->mem_out;
        }
        out->bind(gti.mem_in[kGtiFirstBank + bank]);
    }
    if (system != nullptr) {
        gti.mem_out.bind(*system);
    } else {
        gti.mem_out.bind((*llc)->mem_in());
        (*llc)->mem_out().bind((*dram)->mem_in());
    }

    unsigned subslice_index = 0, eu_index = 0, saver = first_saver(topology);
    for (Slice& slice : slices)
        for (Subslice& subslice : slice.subslices) {
            subslice.memory_out().bind(l3.mem_in[1 + 2 * subslice_index]);
            subslice.icache.mem_out.bind(l3.mem_in[2 + 2 * subslice_index]);
            subslice.urb.mem_out.bind(l3.mem_in[first_urb_client(topology) + subslice_index]);
            subslice.sampler.mem_out.bind(
                l3.mem_in[first_sampler_client(topology) + subslice_index]);
            cs.control_out[2 + 2 * subslice_index]->bind(subslice.icache.control_in);
            cs.control_out[3 + 2 * subslice_index]->bind(subslice.hdc.control_in);
            cs.control_out[2 + 2 * topology.subslice_count() + subslice_index]->bind(
                subslice.sampler.control_in);
            registers.listener({{0x7034, 0x7037}}).bind(subslice.hdc.reg_in);
            spawner.barrier_out[subslice_index]->bind(subslice.gateway->reg_in());
            if (const auto save = subslice.slm->save()) {
                spawner.slm_out[subslice_index]->bind(save->control_in);
                save->mem_out.bind(l3.mem_in[saver++]);
            }
            for (eu::Eu& eu : subslice.eus) {
                spawner.thread_out[eu_index]->bind(eu.dispatch_in);
                // TD_CTL2: each EU has one; reads are answered by the first.
                const RegisterMap::Range control{eu::kThreadControl2, eu::kThreadControl2 + 3};
                (eu_index == 0 ? registers.owner({control}) : registers.listener({control}))
                    .bind(eu.reg_in);
                eu.msg_out[static_cast<unsigned>(MessagePort::Spawner)]->bind(
                    *spawner.msg_in[eu_index]);
                ++eu_index;
            }
            ++subslice_index;
        }
}

// What A4 and following count (Public: Mesa's oa-sklgt2.xml); the others are of 3D, or counted
// nowhere. An EU that waits has not accounted for that yet: software flushes before it reads.
void Gpu::count_performance(const StatRegistry& stats) {
    struct Source {
        unsigned counter, divisor;
        const char* pattern;
    };
    static constexpr Source kSources[] = {
        {4, 1, "spawner.threads"},           {7, 1, "eu.busy"},    {9, 1, "eu.coissue_cycles"},
        {28, 4, "sampler.pixels"},           {32, 1, "hdc.lines"}, {34, 1, "hdc.atomics"},
        {35, 1, "gateway.barrier_arrivals"},
    };
    cs.on_performance =
        [&stats, sums = std::vector<CounterSum>()](cs::PerformanceCounters& counters) mutable {
            if (sums.empty()) {
                for (const Source& source : kSources)
                    sums.emplace_back(stats, source.pattern);
                sums.emplace_back(stats, "eu.cycles");
                sums.emplace_back(stats, "eu.idle");
            }
            for (std::size_t i = 0; i < std::size(kSources); ++i)
                counters.a[kSources[i].counter] = sums[i].value() / kSources[i].divisor;
            constexpr std::size_t kAll = std::size(kSources), kIdle = kAll + 1;
            counters.a[8] = sums[kAll].value() - sums[kIdle].value() - counters.a[7];
        };
}

std::uint64_t Gpu::progress() const {
    return cs.progress() + spawner.stats().threads.value() +
           spawner.stats().threads_retired.value() + instructions();
}

std::uint64_t Gpu::instructions() const {
    std::uint64_t sum = 0;
    for (const Slice& slice : slices)
        for (const Subslice& subslice : slice.subslices)
            for (const eu::Eu& eu : subslice.eus)
                sum += eu.instructions();
    return sum;
}

void Gpu::settle() {
    rs->settle();
    spawner.settle();
    l3.settle();
    for (auto& bank : l3_banks)
        bank->settle();
    gti.settle();
    if (llc) (*llc)->settle();
    if (dram) (*dram)->settle();
    for (Slice& slice : slices) {
        if (slice.slm_crossbar) slice.slm_crossbar->settle();
        for (Subslice& subslice : slice.subslices) {
            subslice.icache.settle();
            subslice.hdc.settle();
            subslice.slm->settle();
            subslice.gateway->settle();
            subslice.urb.settle();
            subslice.sampler.settle();
        }
    }
    for (eu::Eu* eu : eus())
        eu->settle();
}

void Gpu::expect_changes() {
    if (llc) (*llc)->expect_changes();
    for (Slice& slice : slices)
        for (Subslice& subslice : slice.subslices)
            subslice.sampler.expect_changes();
    for (eu::Eu* eu : eus())
        eu->expect_changes();
}

void Gpu::change_timing() {
    l3.change_timing();
    if (llc) (*llc)->change_timing();
    for (eu::Eu* eu : eus())
        eu->change_timing();
    spawner.change_timing();
}

std::vector<WalkerRecord> Gpu::unfinished() const {
    std::vector<WalkerRecord> walkers = spawner.unfinished();
    for (const Slice& slice : slices)
        for (const Subslice& subslice : slice.subslices)
            for (const eu::Eu& eu : subslice.eus)
                for (const eu::LoadedThread& thread : eu.loaded_threads())
                    for (WalkerRecord& walker : walkers) {
                        if (walker.number != thread.walker) continue;
                        walker.instructions += thread.instructions;
                        walker.messages += thread.messages;
                    }
    return walkers;
}

std::string Gpu::describe_waiting() const {
    std::string text = cs.describe_waiting();
    const auto add = [&text](const std::string& part) {
        if (part.empty()) return;
        if (!text.empty() && text.back() != '\n') text += '\n';
        text += part;
    };
    add(rs->describe_waiting());
    add(spawner.describe_waiting());
    for (const auto& bank : l3_banks)
        add(bank->describe_waiting());
    for (const Slice& slice : slices)
        for (const Subslice& subslice : slice.subslices) {
            add(subslice.gateway->describe_waiting());
            for (const eu::Eu& eu : subslice.eus)
                add(eu.describe_waiting());
        }
    return text;
}

std::vector<eu::Eu*> Gpu::eus() {
    std::vector<eu::Eu*> all;
    for (Slice& slice : slices)
        for (Subslice& subslice : slice.subslices)
            for (eu::Eu& eu : subslice.eus)
                all.push_back(&eu);
    return all;
}

}  // namespace gen9::platform
