// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "common/environment.h"
#include "common/params.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/payload/work.h"
#include "memory/physical_memory.h"
#include "platform/blocks.h"
#include "platform/machine/ports.h"
#include "platform/machine/register_map.h"
#include "platform/machine/slice.h"
#include "platform/machine/topology.h"

namespace gen9::platform {

/// Gpu: the render engine of one product, assembled. Composition only: no behaviour here.
/// Role     command streamer, resource streamer, media front end, geometry stages of the 3D pipe,
///          thread dispatcher, slices of subslices with their pixel pipes, L3, GTI, LLC and DRAM,
///          and the wires between them, as docs/architecture.md
///          draws them
/// Sockets  reg_in of cs is the host's door to the registers; memory and gti->write_gtt to the rest
/// Params   topology.h
/// Order    what is asked of all blocks is asked in the order in which they were made
class Gpu : public sc_core::sc_module {
  public:
    /// `system`: a socket of the module that is under construction, by which the memory of a
    /// system is reached in place of LLC and DRAM.
    Gpu(sc_core::sc_module_name name, Environment& env, MemoryInitiator* system = nullptr);
    ~Gpu() override;

    const Topology topology;
    const Clock clock;

    memory::PhysicalMemory memory;
    const std::unique_ptr<eu::Program> program;  ///< decoded instructions, shared by all EUs
    std::unique_ptr<eu::EuEvents> eu_events;     ///< what EUs do by stage
    Slices slices;
    const std::size_t blocks_of_slices;    ///< in the environment's list: its first
    const Ports controls;                  ///< whom the streamer tells of invalidations
    std::unique_ptr<Place<AluBlock>> alu;  ///< within the streamer
    Place<CommandStreamerBlock> cs;
    Place<StreamerBlock> rs;
    Place<MediaBlock> media;
    Place<VertexFetchBlock> vf;
    Place<LineCacheBlock> vf_cache;
    Place<VertexShaderBlock> vs;
    Place<HullShaderBlock> hs;
    Place<TessellationBlock> te;
    Place<DomainShaderBlock> ds;
    Place<GeometryShaderBlock> gs;
    Place<StreamOutputBlock> sol;
    Place<ClipBlock> clip;
    Place<SetupBlock> setup;
    Place<DispatcherBlock> dispatcher;
    std::deque<Place<BankBlock>> l3_banks;  ///< within the L3
    const Ports l3_clients;                 ///< who is at mem_in of the L3
    Place<L3Block> l3;
    const Ports gti_initiators;  ///< who is at mem_in of the GTI
    Place<GtiBlock> gti;
    std::optional<Place<LlcBlock>> llc;  ///< absent in a system with a memory of its own
    std::optional<Place<DramBlock>> dram;
    InitiatorSocket<MemoryProtocol> snoop_out{"snoop_out"};  ///< the IA cores'; they share no lines
    std::vector<std::unique_ptr<Jitter>> bank_jitter;        ///< when asked for, between L3 and GTI
    RegisterMap registers;  ///< where the command streamer's register accesses go

    /// The watchdog watches this sum over all blocks.
    std::uint64_t progress() const;
    /// Instructions that the EUs have executed.
    std::uint64_t instructions() const;
    /// Work under way, with what its threads have done so far.
    std::vector<WorkRecord> unfinished() const;
    /// Brings counters of cycles up to now; call before they are read.
    void settle();
    /// Before the first cycle: the mode may change.
    void expect_changes();
    /// The environment's mode has changed, while nothing was under way: `settle` before that.
    void change_timing();
    /// Says who waits for what, one line each.
    std::string describe_waiting() const;
    void observe_work(WorkObserver* observer) { media->observer = vf->observer = observer; }
    /// Every EU, in flat order.
    std::vector<EuBlock*> eus();

  private:
    void wire(MemoryInitiator* system);
    void wire_memory(MemoryInitiator* system);
    void wire_registers();
    void wire_slices();
    void wire_draws();
    void count_performance(StatRegistry& stats);

    Environment& env_;
};

}  // namespace gen9::platform
