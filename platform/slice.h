// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <string>
#include <systemc>

#include "platform/subslice.h"
#include "platform/topology.h"

namespace gen9::platform {

/// Slice: its subslices. Composition only.
class Slice : public sc_core::sc_module {
  public:
    Slice(sc_core::sc_module_name name, Environment& env, const Clock& clock, SliceId slice,
          const Topology& topology, eu::Program& program)
        : sc_module(name) {
        for (unsigned i = 0; i < topology.subslices; ++i)
            subslices.emplace_back(("subslice" + std::to_string(i)).c_str(), env, clock,
                                   ThreadAddress{slice, SubsliceId(i), {}, {}}, topology, program);
    }
    std::deque<Subslice> subslices;
};

/// All slices of a product.
struct Slices : std::deque<Slice> {
    Slices(Environment& env, const Clock& clock, const Topology& topology, eu::Program& program) {
        for (unsigned i = 0; i < topology.slices; ++i)
            emplace_back(("slice" + std::to_string(i)).c_str(), env, clock, SliceId(i), topology,
                         program);
    }
    /// Hardware threads of each EU.
    unsigned threads_per_eu() const {
        return static_cast<unsigned>(front().subslices.front().eus.front().params().threads);
    }
};

}  // namespace gen9::platform
