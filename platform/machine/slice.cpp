// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/slice.h"

#include "eu/params.h"

namespace gen9::platform {

Slice::Slice(sc_core::sc_module_name name, Environment& env, const Clock& clock, SliceId slice,
             const Topology& topology, eu::Program& program)
    : sc_module(name) {
    for (unsigned i = 0; i < topology.subslices; ++i)
        subslices.emplace_back(("subslice" + std::to_string(i)).c_str(), env, clock,
                               ThreadAddress{slice, SubsliceId(i), {}, {}}, topology, program);
    if (topology.slm_banks > topology.subslices)
        throw UserError("gpu.slm_banks=" + std::to_string(topology.slm_banks) +
                        " is more than gpu.subslices=" + std::to_string(topology.subslices));
    if (topology.slm_banks != 0 && topology.slm_kb > 64)
        throw UserError("gpu.slm_kb=" + std::to_string(topology.slm_kb) +
                        " is more than 64, and subslices share their memory (gpu.slm_banks)");
    if (topology.slm_banks != 0)
        slm_crossbar = std::make_unique<slm::Crossbar>("slm_crossbar", env, clock,
                                                       static_cast<unsigned>(topology.subslices));
    for (unsigned i = 0; i < topology.subslices; ++i) {
        Subslice& subslice = subslices[i];
        if (!slm_crossbar) {
            subslice.slm_out().bind(subslice.slm->sockets().mem_in);
            continue;
        }
        subslice.slm_out().bind(slm_crossbar->mem_in[i]);
        slm_crossbar->mem_out[i].bind(subslice.slm->sockets().mem_in);
    }
}

Slice::~Slice() = default;

Slices::Slices(Environment& env, const Clock& clock, const Topology& topology,
               eu::Program& program) {
    for (unsigned i = 0; i < topology.slices; ++i)
        emplace_back(("slice" + std::to_string(i)).c_str(), env, clock, SliceId(i), topology,
                     program);
}

Slices::~Slices() = default;

const eu::EuParams& Slices::of_an_eu() const {
    return front().subslices.front().eus.front()->params();
}

unsigned Slices::threads_per_eu() const {
    return static_cast<unsigned>(of_an_eu().threads);
}

RegisterFile Slices::register_file() const {
    const eu::EuParams& p = of_an_eu();
    const RegisterFile file{static_cast<unsigned>(p.registers), p.register_allocation == "used",
                            static_cast<unsigned>(p.register_granule)};
    if (file.registers != 0 && file.registers < file.taken(0))
        throw UserError("eu.registers=" + std::to_string(file.registers) + " is fewer than the " +
                        std::to_string(file.taken(0)) +
                        " that a thread takes at least (eu.register_allocation=" +
                        p.register_allocation.get() + ")");
    return file;
}

}  // namespace gen9::platform
