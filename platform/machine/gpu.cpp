// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/gpu.h"
#include "platform/machine/block_models.h"

#include <bit>
#include <cstddef>

#include "eu/events.h"
#include "eu/fetch/program.h"
#include "eu/issue/policy_issue.h"

namespace gen9::platform {
namespace {

unsigned banks(const Topology& topology) {
    return static_cast<unsigned>(topology.slices * topology.l3_banks);
}

/// Calls `each(subslice, index)` for all subslices, in flat order.
template <class Each>
void for_each_subslice(Slices& slices, Each&& each) {
    unsigned index = 0;
    for (Slice& slice : slices)
        for (Subslice& subslice : slice.subslices)
            each(subslice, index++);
}

/// A bit for each subslice whose shared local memory can be saved.
std::uint32_t saved_slm(Slices& slices) {
    std::uint32_t saved = 0;
    for_each_subslice(slices, [&](Subslice& subslice, unsigned index) {
        if (subslice.slm->sockets().save) saved |= std::uint32_t{1} << index;
    });
    return saved;
}

// The order in which clients are added is the order in which an arbiter sees them.

Ports controls_of(Slices& slices) {
    Ports ports;
    ports.add("l3");
    ports.add("gti");
    for_each_subslice(slices, [&](Subslice& subslice, unsigned) {
        ports.add(subslice.path("icache"));
        ports.add(subslice.path("hdc"));
    });
    for (const char* function : {"sampler", "vme"})
        for_each_subslice(
            slices, [&](Subslice& subslice, unsigned) { ports.add(subslice.path(function)); });
    for (Slice& slice : slices)
        for (const char* unit : {"depth", "render_target"})
            ports.add(slice.path(unit));
    // Behind the units, which may owe them something when they are asked to settle.
    ports.add("vf_cache");
    for (Slice& slice : slices)
        for (const char* cache : {"depth_cache", "render_cache"})
            ports.add(slice.path(cache));
    return ports;
}
Ports clients_of_l3(Slices& slices) {
    Ports ports;
    ports.add("media");
    for_each_subslice(slices, [&](Subslice& subslice, unsigned) {
        ports.add(subslice.path("hdc"));
        ports.add(subslice.path("icache"));
    });
    for (const char* function : {"urb", "sampler", "vme"})
        for_each_subslice(
            slices, [&](Subslice& subslice, unsigned) { ports.add(subslice.path(function)); });
    for (const char* stage : {"vf_cache", "vs", "hs", "te", "ds", "gs", "sol", "clip", "setup"})
        ports.add(stage);
    for (Slice& slice : slices)
        for (const char* unit : {"depth_cache", "ps", "render_cache"})
            ports.add(slice.path(unit));
    // Engines that save SLM are the last ones (L3Setup::savers).
    for_each_subslice(slices, [&](Subslice& subslice, unsigned) {
        if (subslice.slm->sockets().save) ports.add(subslice.path("slm"));
    });
    return ports;
}
Ports initiators_of_gti(unsigned banks) {
    Ports ports;
    ports.add("cs");
    for (unsigned bank = 0; bank < banks; ++bank)
        ports.add("l3.bank" + std::to_string(bank));
    ports.add("rs commands");
    ports.add("rs");
    return ports;
}

// Clients of the thread dispatcher, and their sockets. The media front end's child threads go before
// its others. Behind those of geometry's stages come those of the slices' pixel shaders.
constexpr unsigned kMediaClient = 0, kVertexClient = 1, kHullClient = 2, kDomainClient = 3,
                   kGeometryClient = 4, kFirstPixelClient = 5;
constexpr unsigned kMediaChildren = 0, kMediaThreads = 1, kVertexThreads = 2, kHullThreads = 3,
                   kDomainThreads = 4, kGeometryThreads = 5, kFirstPixelThreads = 6;

std::vector<unsigned> thread_clients(const Slices& slices) {
    std::vector<unsigned> clients{kMediaClient, kMediaClient,  kVertexClient,
                                  kHullClient,  kDomainClient, kGeometryClient};
    for (unsigned slice = 0; slice < slices.size(); ++slice)
        clients.push_back(kFirstPixelClient + slice);
    return clients;
}

ThreadTopology thread_topology(const Topology& topology, const Slices& slices) {
    return topology.thread_topology(slices.threads_per_eu());
}
media::MediaSetup media_setup(const Topology& topology, Slices& slices, const std::string& unit) {
    return {thread_topology(topology, slices), banks(topology),
            static_cast<unsigned>(topology.slm_kb), slices.register_file(), unit};
}
dispatcher::DispatcherSetup dispatcher_setup(const Topology& topology, Slices& slices,
                                             const std::string& unit) {
    return {thread_topology(topology, slices),
            thread_clients(slices),
            banks(topology),
            saved_slm(slices),
            static_cast<unsigned>(topology.slm_kb),
            slices.register_file().registers,
            unit};
}

line_cache::LineCacheSetup vertex_cache_setup() {
    return {{{"vertices", Requester::VertexFetch, 16 << 10, 8, "Assumed: no document says"}},
            &CacheControl::invalidate_vertex};
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
      program(std::make_unique<eu::Program>()),
      slices(prepared(env, topology), clock, topology, *program),
      blocks_of_slices(env.blocks.size()),
      controls(controls_of(slices)),
      cs(block_models().cs, this->name(), BlockPlace{"cs", env, clock},
         {controls.count(),
          [this, &env](const char* alu_name) -> MemoryTarget& {
              alu = std::make_unique<Place<AluBlock>>(block_models().alu,
                                                      std::string(this->name()) + ".cs",
                                                      BlockPlace{alu_name, env, clock});
              return (*alu)->sockets().op_in;
          },
          true, true}),
      rs(block_models().streamer, this->name(), BlockPlace{"rs", env, clock}),
      media(block_models().media, this->name(), BlockPlace{"media", env, clock},
            media_setup(topology, slices, std::string(this->name()) + ".spawner")),
      vf(block_models().vf, this->name(), BlockPlace{"vf", env, clock}),
      vf_cache(block_models().line_cache, this->name(), BlockPlace{"vf_cache", env, clock},
               vertex_cache_setup()),
      vs(block_models().vs, this->name(), BlockPlace{"vs", env, clock},
         {thread_topology(topology, slices)}),
      hs(block_models().hs, this->name(), BlockPlace{"hs", env, clock},
         {thread_topology(topology, slices)}),
      te(block_models().te, this->name(), BlockPlace{"te", env, clock}),
      ds(block_models().ds, this->name(), BlockPlace{"ds", env, clock},
         {thread_topology(topology, slices)}),
      gs(block_models().gs, this->name(), BlockPlace{"gs", env, clock},
         {thread_topology(topology, slices)}),
      sol(block_models().sol, this->name(), BlockPlace{"sol", env, clock}),
      clip(block_models().clip, this->name(), BlockPlace{"clip", env, clock}),
      setup(block_models().setup, this->name(), BlockPlace{"setup", env, clock},
            {static_cast<unsigned>(topology.slices)}),
      dispatcher(block_models().dispatcher, this->name(), BlockPlace{"dispatcher", env, clock},
                 dispatcher_setup(topology, slices, std::string(this->name()) + ".spawner")),
      l3_clients(clients_of_l3(slices)),
      l3(block_models().l3, this->name(), BlockPlace{"l3", env, clock},
         {l3_clients.count(), banks(topology), static_cast<unsigned>(topology.slices),
          banks_of(l3_banks, std::string(this->name()) + ".l3", env, clock),
          static_cast<unsigned>(std::popcount(saved_slm(slices)))}),
      gti_initiators(initiators_of_gti(banks(topology))),
      gti(block_models().gti, this->name(), BlockPlace{"gti", env, clock},
          {memory, gti_initiators.count()}),
      registers("registers", env),
      env_(env) {
    if (system == nullptr) {
        llc.emplace(block_models().llc, this->name(), BlockPlace{"llc", env, clock},
                    memory::MemorySetup{memory});
        dram.emplace(block_models().dram, this->name(), BlockPlace{"dram", env, clock},
                     memory::MemorySetup{memory});
    }
    wire(system);
    count_performance(env.stats);
}

Gpu::~Gpu() = default;

void Gpu::wire(MemoryInitiator* system) {
    const auto from = cs->sockets();
    from.reg_out.bind(registers.reg_in);
    from.command_out.bind(media->sockets().command_in);
    const auto to = dispatcher->sockets();
    media->sockets().child_out.bind(*to.request_in[kMediaChildren]);
    media->sockets().request_out.bind(*to.request_in[kMediaThreads]);
    from.streamer_out->bind(rs->sockets().request_in);
    from.control_out[controls["l3"]]->bind(l3->sockets().control_in);
    from.control_out[controls["gti"]]->bind(gti->sockets().control_in);
    wire_registers();
    wire_memory(system);
    wire_slices();
    wire_draws();
}

void Gpu::wire_registers() {
    registers
        .owner({{0x2270, 0x228F},
                {0x229C, 0x229F},
                {0x4000, 0x42FF},
                {0x4B10, 0x4B17},
                {0xC800, 0xC8FF},
                {0x101008, 0x10100B}})
        .bind(gti->sockets().reg_in);
    registers.owner({{0x7034, 0x7037}, {0x7300, 0x7303}, {0xB000, 0xB4FF}})
        .bind(l3->sockets().reg_in);
}

void Gpu::wire_memory(MemoryInitiator* system) {
    const auto cache = l3->sockets();
    const auto to = gti->sockets();
    cs->sockets().mem_out.bind(*to.mem_in[gti_initiators["cs"]]);
    rs->sockets().fetch_out.bind(*to.mem_in[gti_initiators["rs commands"]]);
    rs->sockets().mem_out.bind(*to.mem_in[gti_initiators["rs"]]);
    media->sockets().mem_out.bind(*cache.mem_in[l3_clients["media"]]);
    snoop_out.bind(cache.snoop_in);
    for (unsigned bank = 0; bank < banks(topology); ++bank) {
        const std::string index = std::to_string(bank);
        MemoryInitiator* out = cache.mem_out[bank];
        if (topology.jitter_cycles != 0) {
            bank_jitter.push_back(std::make_unique<Jitter>(
                ("bank_jitter" + index).c_str(), clock, topology.jitter_cycles,
                topology.jitter_seed, Jitter::Order::OfLine));
            out->bind(bank_jitter.back()->mem_in);
            out = &bank_jitter.back()->mem_out;
        }
        out->bind(*to.mem_in[gti_initiators["l3.bank" + index]]);
    }
    if (system != nullptr) {
        to.mem_out.bind(*system);
    } else {
        to.mem_out.bind((*llc)->sockets().mem_in);
        (*llc)->sockets().mem_out.bind((*dram)->sockets().mem_in);
    }
}

void Gpu::wire_slices() {
    const auto streamer = cs->sockets();
    const auto dispatch = dispatcher->sockets();
    const auto messages = media->sockets().msg_in;
    const auto cache = l3->sockets();
    unsigned eu_index = 0;
    for_each_subslice(slices, [&](Subslice& subslice, unsigned index) {
        const auto to_l3 = [&](MemoryInitiator& from, const char* who) {
            from.bind(*cache.mem_in[l3_clients[subslice.path(who)]]);
        };
        const auto control = [&](MemoryTarget& to, const char* who) {
            streamer.control_out[controls[subslice.path(who)]]->bind(to);
        };
        const auto data_port = subslice.hdc->sockets();
        to_l3(subslice.memory_out(), "hdc");
        to_l3(subslice.icache->sockets().mem_out, "icache");
        to_l3(subslice.urb->sockets().mem_out, "urb");
        to_l3(subslice.sampler->sockets().mem_out, "sampler");
        to_l3(subslice.vme->sockets().mem_out, "vme");
        control(subslice.icache->sockets().control_in, "icache");
        control(data_port.control_in, "hdc");
        control(subslice.sampler->sockets().control_in, "sampler");
        control(subslice.vme->sockets().control_in, "vme");
        registers.listener({{0x7034, 0x7037}}).bind(data_port.reg_in);
        dispatch.barrier_out[index]->bind(subslice.gateway->sockets().reg_in);
        if (const auto save = subslice.slm->sockets().save) {
            dispatch.slm_out[index]->bind(save->control_in);
            to_l3(save->mem_out, "slm");
        }
        for (auto& place : subslice.eus) {
            const eu::EuSockets eu = place->sockets();
            dispatch.thread_out[eu_index]->bind(eu.dispatch_in);
            // TD_CTL2: each EU has one; reads are answered by the first.
            const RegisterMap::Range range{eu::kThreadControl2, eu::kThreadControl2 + 3};
            (eu_index == 0 ? registers.owner({range}) : registers.listener({range}))
                .bind(eu.reg_in);
            eu.msg_out[static_cast<unsigned>(MessagePort::Spawner)]->bind(*messages[eu_index]);
            ++eu_index;
        }
    });
}

void Gpu::wire_draws() {
    const auto threads = dispatcher->sockets().request_in;
    const auto memory_of = [cache = l3->sockets(), this](MemoryInitiator& from,
                                                         const std::string& who) {
        from.bind(*cache.mem_in[l3_clients[who]]);
    };
    const auto control = [from = cs->sockets(), this](MemoryTarget& to, const std::string& who) {
        from.control_out[controls[who]]->bind(to);
    };
    const auto fetch = vf->sockets();
    const auto shader = vs->sockets();
    const auto hull = hs->sockets();
    const auto tessellation = te->sockets();
    const auto domain = ds->sockets();
    const auto geometry = gs->sockets();
    const auto streams = sol->sockets();
    const auto clipper = clip->sockets();
    const auto strips = setup->sockets();
    cs->sockets().draw_out->bind(fetch.command_in);
    fetch.batch_out.bind(shader.batch_in);
    shader.batch_out.bind(hull.batch_in);
    hull.batch_out.bind(tessellation.batch_in);
    tessellation.batch_out.bind(domain.batch_in);
    domain.batch_out.bind(geometry.batch_in);
    geometry.batch_out.bind(streams.batch_in);
    streams.batch_out.bind(clipper.batch_in);
    clipper.batch_out.bind(strips.batch_in);
    shader.request_out.bind(*threads[kVertexThreads]);
    const auto vertices = vf_cache->sockets();
    fetch.mem_out.bind(vertices.mem_in);
    memory_of(vertices.mem_out, "vf_cache");
    control(vertices.control_in, "vf_cache");
    memory_of(shader.mem_out, "vs");
    hull.request_out.bind(*threads[kHullThreads]);
    geometry.request_out.bind(*threads[kGeometryThreads]);
    domain.request_out.bind(*threads[kDomainThreads]);
    memory_of(hull.mem_out, "hs");
    memory_of(tessellation.mem_out, "te");
    memory_of(domain.mem_out, "ds");
    memory_of(geometry.mem_out, "gs");
    memory_of(streams.mem_out, "sol");
    memory_of(clipper.mem_out, "clip");
    memory_of(strips.mem_out, "setup");
    for (unsigned i = 0; i < slices.size(); ++i) {
        Slice& slice = slices[i];
        const auto depth = slice.depth->sockets();
        const auto target = slice.render_target->sockets();
        const auto pixels = slice.ps->sockets();
        strips.object_out[i]->bind(slice.raster->sockets().object_in);
        pixels.request_out.bind(*threads[kFirstPixelThreads + i]);
        const auto depths = slice.depth_cache->sockets();
        const auto colors = slice.render_cache->sockets();
        memory_of(depths.mem_out, slice.path("depth_cache"));
        memory_of(pixels.mem_out, slice.path("ps"));
        memory_of(colors.mem_out, slice.path("render_cache"));
        control(depth.control_in, slice.path("depth"));
        control(target.control_in, slice.path("render_target"));
        control(depths.control_in, slice.path("depth_cache"));
        control(colors.control_in, slice.path("render_cache"));
    }
}

std::uint64_t Gpu::progress() const {
    std::uint64_t sum = 0;
    for (const Block* block : env_.blocks)
        sum += block->progress();
    return sum;
}

std::uint64_t Gpu::instructions() const {
    std::uint64_t sum = 0;
    for (const Slice& slice : slices)
        for (const Subslice& subslice : slice.subslices)
            for (const auto& eu : subslice.eus)
                sum += eu->instructions();
    return sum;
}

void Gpu::settle() {
    for (Block* block : env_.blocks)
        block->settle();
}

void Gpu::expect_changes() {
    for (Block* block : env_.blocks)
        block->expect_changes();
}

void Gpu::change_timing() {
    for (Block* block : env_.blocks)
        block->change_timing();
}

std::vector<WorkRecord> Gpu::unfinished() const {
    std::vector<WorkRecord> records = media->unfinished();
    for (const WorkRecord& draw : vf->unfinished())
        records.push_back(draw);
    for (const Slice& slice : slices)
        for (const Subslice& subslice : slice.subslices)
            for (const auto& eu : subslice.eus)
                for (const eu::LoadedThread& thread : eu->loaded_threads())
                    for (WorkRecord& work : records) {
                        if (work.number != thread.work) continue;
                        work.instructions += thread.instructions;
                        work.messages += thread.messages;
                    }
    return records;
}

// The report begins where work comes from: with those that are made after the slices.
std::string Gpu::describe_waiting() const {
    std::string text;
    const auto add = [&](auto first, auto last) {
        for (; first != last; ++first) {
            const std::string part = (*first)->describe_waiting();
            if (part.empty()) continue;
            if (!text.empty() && text.back() != '\n') text += '\n';
            text += part;
        }
    };
    const auto end_of_slices = env_.blocks.begin() + static_cast<std::ptrdiff_t>(blocks_of_slices);
    add(end_of_slices, env_.blocks.end());
    add(env_.blocks.begin(), end_of_slices);
    return text;
}

std::vector<EuBlock*> Gpu::eus() {
    std::vector<EuBlock*> all;
    for_each_subslice(slices, [&](Subslice& subslice, unsigned) {
        for (auto& eu : subslice.eus)
            all.push_back(&*eu);
    });
    return all;
}

}  // namespace gen9::platform
