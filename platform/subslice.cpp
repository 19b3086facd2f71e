// SPDX-License-Identifier: Apache-2.0
#include "platform/subslice.h"

#include <string>

#include "common/check.h"

namespace gen9::platform {
namespace {

// Drivers give the save area of a context room for the machine's 64 KB of each subslice (PRE-20).
BlockPlace slm_place(Environment& env, const Clock& clock, const Topology& topology) {
    const std::uint32_t bytes = topology.slm_bytes();
    return {"slm", env, clock, 0, nullptr, nullptr, bytes, bytes <= 64 * 1024};
}

}  // namespace

Subslice::Subslice(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                   ThreadAddress place, const Topology& topology, eu::Program& program)
    : sc_module(name),
      icache("icache", env, clock, topology.eus_per_subslice()),
      hdc("hdc", env, clock, topology.eus_per_subslice(), topology.slm_bytes()),
      slm(BlockModels::all().slm, this->name(), slm_place(env, clock, topology)),
      gateway(BlockModels::all().gateway, this->name(),
              {"gateway", env, clock, topology.eus_per_subslice()}),
      urb("urb", env, clock, topology.eus_per_subslice()),
      sampler("sampler", env, clock, topology.eus_per_subslice()),
      render_cache("render_cache", env, clock, topology.eus_per_subslice(), "RT-01",
                   "render target data port"),
      vme("vme", env, clock, topology.eus_per_subslice(), "VME-01", "video motion estimation"),
      pixel_interpolator("pixel_interpolator", env, clock, topology.eus_per_subslice(), "PI-01",
                         "pixel interpolator") {
    for (unsigned i = 0; i < topology.eus_per_subslice(); ++i) {
        place.eu = EuId(i);
        const unsigned number =
            (place.slice.value * static_cast<unsigned>(topology.subslices) + place.subslice.value) *
                topology.eus_per_subslice() +
            i;
        auto& eu = eus.emplace_back(("eu" + std::to_string(i)).c_str(), env, clock, place, number,
                                    program);
        const auto port = [&](MessagePort which) -> auto& {
            return *eu.msg_out[static_cast<unsigned>(which)];
        };
        if (eu.params().message_credits > hdc.params.queue_depth)
            throw UserError(std::string(eu.name()) + ".message_credits=" +
                            std::to_string(eu.params().message_credits) + " is more than " +
                            hdc.name() + ".queue_depth=" + std::to_string(hdc.params.queue_depth));
        port(MessagePort::DataPort).bind(hdc.msg_in[i]);
        port(MessagePort::Gateway).bind(gateway->msg_in(i));
        port(MessagePort::Sampler).bind(sampler.msg_in[i]);
        port(MessagePort::Urb).bind(urb.msg_in[i]);
        port(MessagePort::RenderCache).bind(render_cache.msg_in[i]);
        port(MessagePort::Vme).bind(vme.msg_in[i]);
        port(MessagePort::PixelInterpolator).bind(pixel_interpolator.msg_in[i]);
        eu.fetch_out.bind(*icache.mem_in[i]);
    }
    if (topology.jitter_cycles == 0) return;
    // SLM is accessed in order (L3-61).
    slm_jitter = std::make_unique<Jitter>("slm_jitter", clock, topology.jitter_cycles,
                                          topology.jitter_seed, Jitter::Order::OfAll);
    memory_jitter = std::make_unique<Jitter>("memory_jitter", clock, topology.jitter_cycles,
                                             topology.jitter_seed, Jitter::Order::OfThreadsLine);
    hdc.slm_out.bind(slm_jitter->mem_in);
    hdc.mem_out.bind(memory_jitter->mem_in);
}

Subslice::~Subslice() = default;

}  // namespace gen9::platform
