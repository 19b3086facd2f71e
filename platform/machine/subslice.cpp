// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/subslice.h"
#include "platform/machine/block_models.h"

#include <string>
#include <type_traits>
#include <utility>

#include "common/check.h"
#include "eu/params.h"

namespace gen9::platform {
namespace {

// Drivers give the save area of a context room for the machine's 64 KB of each subslice (PRE-20).
slm::SlmSetup slm_setup(const Topology& topology) {
    const std::uint32_t bytes = topology.slm_bytes();
    return {bytes, bytes <= 64 * 1024};
}

}  // namespace

Subslice::Subslice(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                   ThreadAddress place, const Topology& topology, eu::Program& program)
    : sc_module(name),
      icache(block_models().icache, this->name(), {"icache", env, clock},
             {topology.eus_per_subslice()}),
      hdc(block_models().hdc, this->name(), {"hdc", env, clock},
          {topology.eus_per_subslice(), topology.slm_bytes()}),
      slm(block_models().slm, this->name(), {"slm", env, clock}, slm_setup(topology)),
      gateway(block_models().gateway, this->name(), {"gateway", env, clock},
              {topology.eus_per_subslice()}),
      urb(block_models().urb, this->name(), {"urb", env, clock}, {topology.eus_per_subslice()}),
      sampler(block_models().sampler, this->name(), {"sampler", env, clock},
              {topology.eus_per_subslice(), true}),
      interpolator(block_models().interpolator, this->name(), {"interpolator", env, clock},
                   {topology.eus_per_subslice()}),
      vme(block_models().vme, this->name(), {"vme", env, clock}, {topology.eus_per_subslice()}) {
    const auto data_port = hdc->sockets();
    const auto messages = {
        std::pair{MessagePort::DataPort, data_port.msg_in},
        std::pair{MessagePort::Gateway, gateway->sockets().msg_in},
        std::pair{MessagePort::Sampler, sampler->sockets().msg_in},
        std::pair{MessagePort::Urb, urb->sockets().msg_in},
        std::pair{MessagePort::PixelInterpolator, interpolator->sockets().msg_in},
        std::pair{MessagePort::Vme, vme->sockets().msg_in}};
    const auto code = icache->sockets().mem_in;
    for (unsigned i = 0; i < topology.eus_per_subslice(); ++i) {
        place.eu = EuId(i);
        const unsigned number =
            (place.slice.value * static_cast<unsigned>(topology.subslices) + place.subslice.value) *
                topology.eus_per_subslice() +
            i;
        auto& eu = eus.emplace_back(block_models().eu, this->name(),
                                    BlockPlace{"eu" + std::to_string(i), env, clock},
                                    eu::EuSetup{place, number, program});
        if (eu->params().message_credits > hdc->queue_depth())
            throw UserError(eu->params().path() + ".message_credits=" +
                            std::to_string(eu->params().message_credits) + " is more than " +
                            path("hdc") + ".queue_depth=" + std::to_string(hdc->queue_depth()));
        const eu::EuSockets from = eu->sockets();
        for (const auto& [port, to] : messages)
            from.msg_out[static_cast<unsigned>(port)]->bind(*to[i]);
        from.fetch_out.bind(*code[i]);
    }
    if (topology.jitter_cycles == 0) return;
    // SLM is accessed in order (L3-61).
    slm_jitter = std::make_unique<Jitter>("slm_jitter", clock, topology.jitter_cycles,
                                          topology.jitter_seed, Jitter::Order::OfAll);
    memory_jitter = std::make_unique<Jitter>("memory_jitter", clock, topology.jitter_cycles,
                                             topology.jitter_seed, Jitter::Order::OfThreadsLine);
    data_port.slm_out.bind(slm_jitter->mem_in);
    data_port.mem_out.bind(memory_jitter->mem_in);
}

Subslice::~Subslice() = default;

}  // namespace gen9::platform
