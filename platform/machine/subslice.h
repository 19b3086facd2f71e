// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <memory>
#include <systemc>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/clock.h"
#include "platform/blocks.h"
#include "platform/machine/jitter.h"
#include "platform/machine/topology.h"

namespace gen9::platform {

/// Subslice: execution units and the shared functions they share. Composition only.
/// Role     eus, instruction cache, data port, shared local memory, gateway, URB function,
///          sampler, pixel interpolator, motion estimation; the slice binds what goes to its render
///          target
class Subslice : public sc_core::sc_module {
  public:
    Subslice(sc_core::sc_module_name name, Environment& env, const Clock& clock,
             ThreadAddress place, const Topology& topology, eu::Program& program);
    ~Subslice() override;

    std::deque<Place<EuBlock>> eus;
    Place<InstructionCacheBlock> icache;
    Place<HdcBlock> hdc;
    Place<SlmBlock> slm;
    Place<GatewayBlock> gateway;
    Place<UrbBlock> urb;
    Place<SamplerBlock> sampler;
    Place<InterpolatorBlock> interpolator;
    Place<VmeBlock> vme;
    std::unique_ptr<Jitter> slm_jitter, memory_jitter;  ///< when asked for

    /// The data port's way to shared local memory, which the slice binds.
    MemoryInitiator& slm_out() { return slm_jitter ? slm_jitter->mem_out : hdc->sockets().slm_out; }
    /// The data port's way to L3.
    MemoryInitiator& memory_out() {
        return memory_jitter ? memory_jitter->mem_out : hdc->sockets().mem_out;
    }
    /// The name of one of its blocks in the hierarchy.
    std::string path(const char* block) const { return std::string(name()) + "." + block; }
};

}  // namespace gen9::platform
