// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <memory>
#include <systemc>

#include "common/environment.h"
#include "eu/module.h"
#include "hdc/module.h"
#include "icache/module.h"
#include "interconnect/clock.h"
#include "platform/blocks.h"
#include "platform/jitter.h"
#include "platform/topology.h"
#include "platform/unmodelled.h"
#include "sampler/module.h"
#include "urb/module.h"

namespace gen9::platform {

/// Subslice: execution units and the shared functions they share. Composition only.
/// Role     eus, instruction cache, data port, shared local memory, gateway, URB function,
///          sampler, and in the place of render cache, VME and pixel interpolator what says that
///          they are missing
class Subslice : public sc_core::sc_module {
  public:
    Subslice(sc_core::sc_module_name name, Environment& env, const Clock& clock,
             ThreadAddress place, const Topology& topology, eu::Program& program);
    ~Subslice() override;

    std::deque<eu::Eu> eus;
    icache::InstructionCache icache;
    hdc::Hdc hdc;
    Place<SlmBlock> slm;
    Place<GatewayBlock> gateway;
    urb::Urb urb;
    sampler::Sampler sampler;
    Unmodelled render_cache, vme, pixel_interpolator;
    std::unique_ptr<Jitter> slm_jitter, memory_jitter;  ///< when asked for

    /// The data port's way to shared local memory, which the slice binds.
    InitiatorSocket<MemoryProtocol>& slm_out() {
        return slm_jitter ? slm_jitter->mem_out : hdc.slm_out;
    }
    /// The data port's way to L3.
    InitiatorSocket<MemoryProtocol>& memory_out() {
        return memory_jitter ? memory_jitter->mem_out : hdc.mem_out;
    }
};

}  // namespace gen9::platform
