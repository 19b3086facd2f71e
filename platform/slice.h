// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <systemc>

#include "platform/subslice.h"
#include "platform/topology.h"

namespace gen9::platform {

/// Slice: its subslices. Composition only.
class Slice : public sc_core::sc_module {
  public:
    Slice(sc_core::sc_module_name name, Environment& env, const Clock& clock, SliceId slice, const Topology& topology,
          eu::Program& program)
        : sc_module(name) {
        for (unsigned i = 0; i < topology.subslices; ++i)
            subslices.emplace_back(("subslice" + std::to_string(i)).c_str(), env, clock,
                                   ThreadAddress{slice, SubsliceId(i), {}, {}},
                                   static_cast<unsigned>(topology.eus), program);
    }
    std::deque<Subslice> subslices;
};

}  // namespace gen9::platform
