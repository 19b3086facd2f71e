// SPDX-License-Identifier: Apache-2.0
#include "platform/subslice.h"

#include <string>

namespace gen9::platform {

Subslice::Subslice(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                   ThreadAddress place, unsigned eu_count, eu::Program& program)
    : sc_module(name),
      icache("icache", env, clock, eu_count),
      hdc("hdc", env, clock, eu_count),
      slm("slm", env, clock),
      gateway("gateway", env, clock, eu_count),
      sampler("sampler", env, clock, eu_count, "SMP-01", "sampler"),
      urb("urb", env, clock, eu_count, "URB-01", "URB shared function"),
      render_cache("render_cache", env, clock, eu_count, "RT-01", "render target data port"),
      vme("vme", env, clock, eu_count, "VME-01", "video motion estimation"),
      pixel_interpolator("pixel_interpolator", env, clock, eu_count, "PI-01",
                         "pixel interpolator") {
    for (unsigned i = 0; i < eu_count; ++i) {
        place.eu = EuId(i);
        auto& eu = eus.emplace_back(("eu" + std::to_string(i)).c_str(), env, clock, place, program);
        const auto port = [&](MessagePort which) -> auto& {
            return *eu.msg_out[static_cast<unsigned>(which)];
        };
        port(MessagePort::DataPort).bind(hdc.msg_in[i]);
        port(MessagePort::Gateway).bind(*gateway.msg_in[i]);
        port(MessagePort::Sampler).bind(sampler.msg_in[i]);
        port(MessagePort::Urb).bind(urb.msg_in[i]);
        port(MessagePort::RenderCache).bind(render_cache.msg_in[i]);
        port(MessagePort::Vme).bind(vme.msg_in[i]);
        port(MessagePort::PixelInterpolator).bind(pixel_interpolator.msg_in[i]);
        eu.fetch_out.bind(*icache.mem_in[i]);
    }
    hdc.slm_out.bind(slm.mem_in);
}

}  // namespace gen9::platform
