// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/slice.h"

#include <algorithm>

#include "eu/params.h"
#include "platform/machine/block_models.h"

namespace gen9::platform {

namespace {

std::deque<Subslice> subslices_of(Environment& env, const Clock& clock, SliceId slice,
                                  const Topology& topology, eu::Program& program) {
    std::deque<Subslice> subslices;
    for (unsigned i = 0; i < topology.subslices; ++i)
        subslices.emplace_back(("subslice" + std::to_string(i)).c_str(), env, clock,
                               ThreadAddress{slice, SubsliceId(i), {}, {}}, topology, program);
    return subslices;
}

/// Those of the slice, by flat number.
std::uint32_t subslice_mask(SliceId slice, const Topology& topology) {
    const auto each = static_cast<unsigned>(topology.subslices);
    return ((std::uint32_t{1} << each) - 1) << slice.value * each;
}

constexpr const char* kSizes = "Skylake PRM vol. 4, product configuration";

line_cache::LineCacheSetup depth_cache_setup() {
    return {{{"depth", Requester::Depth, 32 << 10, 8, kSizes},
             {"stencil", Requester::Stencil, 8 << 10, 8, kSizes}},
            &CacheControl::flush_depth};
}
line_cache::LineCacheSetup render_cache_setup() {
    return {{{"color", Requester::RenderTarget, 24 << 10, 8, kSizes},
             {"control", Requester::RenderControl, 16 << 10, 8, kSizes}},
            &CacheControl::flush_render};
}

/// Samplers of other models may have no way to the render target.
pixel::RenderTargetSetup render_target_setup(const Topology& topology,
                                             std::deque<Subslice>& subslices) {
    const auto samplers = std::ranges::count_if(subslices, [](Subslice& subslice) {
        return subslice.sampler->sockets().target_out != nullptr;
    });
    return {static_cast<unsigned>(topology.subslices) * topology.eus_per_subslice(),
            static_cast<unsigned>(samplers)};
}

}  // namespace

Slice::Slice(sc_core::sc_module_name name, Environment& env, const Clock& clock, SliceId slice,
             const Topology& topology, eu::Program& program)
    : sc_module(name),
      subslices(subslices_of(env, clock, slice, topology, program)),
      raster(block_models().raster, this->name(), {"raster", env, clock},
             {slice.value, static_cast<unsigned>(topology.slices)}),
      depth(block_models().depth, this->name(), {"depth", env, clock}),
      ps(block_models().ps, this->name(), {"ps", env, clock},
         {topology.thread_topology(
              static_cast<unsigned>(subslices.front().eus.front()->params().threads)),
          slice.value, subslice_mask(slice, topology)}),
      render_target(block_models().render_target, this->name(), {"render_target", env, clock},
                    render_target_setup(topology, subslices)),
      depth_cache(block_models().line_cache, this->name(), {"depth_cache", env, clock},
                  depth_cache_setup()),
      render_cache(block_models().line_cache, this->name(), {"render_cache", env, clock},
                   render_cache_setup()) {
    wire_memory(env, clock, topology);
    wire_pixels();
}

void Slice::wire_memory(Environment& env, const Clock& clock, const Topology& topology) {
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

void Slice::wire_pixels() {
    raster->sockets().pixel_out.bind(depth->sockets().pixel_in);
    depth->sockets().mem_out.bind(depth_cache->sockets().mem_in);
    render_target->sockets().mem_out.bind(render_cache->sockets().mem_in);
    depth->sockets().pixel_out.bind(ps->sockets().pixel_in);
    const pixel::RenderTargetSockets target = render_target->sockets();
    target.late_out.bind(depth->sockets().late_in);
    unsigned sender = 0;
    for (Subslice& subslice : subslices)
        for (auto& place : subslice.eus)
            place->sockets().msg_out[static_cast<unsigned>(MessagePort::RenderCache)]->bind(
                *target.msg_in[sender++]);
    for (Subslice& subslice : subslices)
        if (auto* const from = subslice.sampler->sockets().target_out)
            from->bind(*target.msg_in[sender++]);
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
