// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <systemc>

#include "common/environment.h"
#include "eu/module.h"
#include "gateway/module.h"
#include "hdc/module.h"
#include "icache/module.h"
#include "interconnect/clock.h"
#include "platform/unmodelled.h"
#include "slm/module.h"

namespace gen9::platform {

/// Subslice: execution units and the shared functions they share. Composition only.
/// Role     eus, instruction cache, data port, shared local memory, gateway, and in the place of
///          sampler, URB, render cache, VME and pixel interpolator what says that they are missing
class Subslice : public sc_core::sc_module {
  public:
    Subslice(sc_core::sc_module_name name, Environment& env, const Clock& clock,
             ThreadAddress place, unsigned eus, eu::Program& program);

    std::deque<eu::Eu> eus;
    icache::InstructionCache icache;
    hdc::Hdc hdc;
    slm::Slm slm;
    gateway::Gateway gateway;
    Unmodelled sampler, urb, render_cache, vme, pixel_interpolator;
};

}  // namespace gen9::platform
