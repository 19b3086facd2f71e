// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/block_models.h"

#include "clip/module.h"
#include "cs/module.h"
#include "dispatcher/module.h"
#include "eu/module.h"
#include "gateway/module.h"
#include "geometry/domain_shader.h"
#include "geometry/geometry_shader.h"
#include "geometry/hull_shader.h"
#include "geometry/stream_output.h"
#include "geometry/tessellation_engine.h"
#include "geometry/vertex_fetch.h"
#include "geometry/vertex_shader.h"
#include "hdc/module.h"
#include "icache/module.h"
#include "interpolator/module.h"
#include "l3/front/module.h"
#include "line_cache/module.h"
#include "media/module.h"
#include "memory/dram/dram.h"
#include "memory/gti/gti.h"
#include "memory/llc/llc.h"
#include "pixel/depth_module.h"
#include "pixel/dispatch_module.h"
#include "pixel/render_target_module.h"
#include "platform/cosim/rtl_models.h"
#include "platform/machine/passage.h"
#include "raster/module.h"
#include "rs/module.h"
#include "sampler/module.h"
#include "setup/module.h"
#include "slm/module.h"
#include "urb/module.h"
#include "vme/module.h"

namespace gen9::platform {
namespace {

/// A block that keeps nothing makes a machine without this cache.
template <class Interface>
struct None : Interface {
    explicit None(const BlockPlace& at)
        : Interface(at.env), passage(at.name.c_str(), at.env, at.clock) {}
    typename Interface::Sockets sockets() override { return {passage.mem_in, passage.mem_out}; }
    bool idle() const override { return passage.idle(); }
    Passage passage;
};

/// The same, with the socket of what is asked of a cache.
struct NoLineCache : LineCacheBlock {
    explicit NoLineCache(const BlockPlace& at)
        : LineCacheBlock(at.env),
          passage(at.name.c_str(), at.env, at.clock),
          control_in((at.name + "_control_in").c_str()) {
        control_in.on_blocking = [](tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
            payload.set_response_status(tlm::TLM_OK_RESPONSE);
        };
    }
    line_cache::LineCacheSockets sockets() override {
        return {passage.mem_in, control_in, passage.mem_out};
    }
    bool idle() const override { return passage.idle(); }
    Passage passage;
    TargetSocket<MemoryProtocol> control_in;
};

/// A module in a place, with what its constructor takes after name, environment and clock.
template <class Module, class... Facts>
std::unique_ptr<Module> make(const BlockPlace& at, Facts&&... facts) {
    return std::make_unique<Module>(at.name.c_str(), at.env, at.clock,
                                    std::forward<Facts>(facts)...);
}

// The transaction-level models.

void add_subslice_models(BlockModels& models) {
    models.eu.add("tlm", [](const BlockPlace& at, const eu::EuSetup& setup) {
        return make<eu::Eu>(at, setup.place, setup.number, setup.program);
    });
    models.icache.add("tlm", [](const BlockPlace& at, const icache::InstructionCacheSetup& setup) {
        return make<icache::InstructionCache>(at, setup.eus);
    });
    models.hdc.add("tlm", [](const BlockPlace& at, const hdc::HdcSetup& setup) {
        return make<hdc::Hdc>(at, setup.eus, setup.slm_bytes);
    });
    models.slm.add("tlm", [](const BlockPlace& at, const slm::SlmSetup& setup) {
        return make<slm::Slm>(at, setup.saves, setup.bytes);
    });
    models.gateway.add("tlm", [](const BlockPlace& at, const gateway::GatewaySetup& setup) {
        return make<gateway::Gateway>(at, setup.eus);
    });
    models.urb.add("tlm", [](const BlockPlace& at, const urb::UrbSetup& setup) {
        return make<urb::Urb>(at, setup.eus);
    });
    models.sampler.add("tlm", [](const BlockPlace& at, const sampler::SamplerSetup& setup) {
        return make<sampler::Sampler>(at, setup.eus, setup.with_target);
    });
    models.interpolator.add("tlm",
                            [](const BlockPlace& at, const interpolator::InterpolatorSetup& setup) {
                                return make<interpolator::Interpolator>(at, setup.eus);
                            });
    models.vme.add("tlm", [](const BlockPlace& at, const vme::VmeSetup& setup) {
        return make<vme::Vme>(at, setup.eus);
    });
}

void add_front_end_models(BlockModels& models) {
    models.alu.add("tlm",
                   [](const BlockPlace& at, const NoSetup&) { return make<cs::AluModule>(at); });
    models.cs.add("tlm", [](const BlockPlace& at, const cs::CommandStreamerSetup& setup) {
        return make<cs::CommandStreamer>(at, setup);
    });
    models.streamer.add(
        "tlm", [](const BlockPlace& at, const NoSetup&) { return make<rs::ResourceStreamer>(at); });
    models.media.add("tlm", [](const BlockPlace& at, const media::MediaSetup& setup) {
        return make<media::Media>(at, setup);
    });
    models.dispatcher.add("tlm",
                          [](const BlockPlace& at, const dispatcher::DispatcherSetup& setup) {
                              return make<dispatcher::Dispatcher>(at, setup);
                          });
}

void add_draw_models(BlockModels& models) {
    models.vf.add("tlm", [](const BlockPlace& at, const NoSetup&) {
        return make<geometry::VertexFetch>(at);
    });
    models.vs.add("tlm", [](const BlockPlace& at, const geometry::ShaderSetup& setup) {
        return make<geometry::VertexShader>(at, setup);
    });
    models.gs.add("tlm", [](const BlockPlace& at, const geometry::ShaderSetup& setup) {
        return make<geometry::GeometryShader>(at, setup);
    });
    models.hs.add("tlm", [](const BlockPlace& at, const geometry::ShaderSetup& setup) {
        return make<geometry::HullShader>(at, setup);
    });
    models.te.add("tlm", [](const BlockPlace& at, const NoSetup&) {
        return make<geometry::TessellationEngine>(at);
    });
    models.ds.add("tlm", [](const BlockPlace& at, const geometry::ShaderSetup& setup) {
        return make<geometry::DomainShader>(at, setup);
    });
    models.sol.add("tlm", [](const BlockPlace& at, const NoSetup&) {
        return make<geometry::StreamOutput>(at);
    });
    models.clip.add("tlm",
                    [](const BlockPlace& at, const NoSetup&) { return make<clip::Clip>(at); });
    models.setup.add("tlm", [](const BlockPlace& at, const setup::SetupSetup& setup) {
        return make<setup::Setup>(at, setup);
    });
    models.raster.add("tlm", [](const BlockPlace& at, const raster::RasterSetup& setup) {
        return make<raster::Raster>(at, setup);
    });
    models.depth.add(
        "tlm", [](const BlockPlace& at, const NoSetup&) { return make<pixel::DepthUnit>(at); });
    models.ps.add("tlm", [](const BlockPlace& at, const pixel::PixelDispatchSetup& setup) {
        return make<pixel::PixelDispatch>(at, setup);
    });
    models.render_target.add("tlm",
                             [](const BlockPlace& at, const pixel::RenderTargetSetup& setup) {
                                 return make<pixel::RenderTarget>(at, setup);
                             });
    models.line_cache.add("tlm", [](const BlockPlace& at, const line_cache::LineCacheSetup& setup) {
        return make<line_cache::LineCache>(at, setup);
    });
    models.line_cache.add("none", [](const BlockPlace& at, const line_cache::LineCacheSetup&) {
        return std::make_unique<NoLineCache>(at);
    });
}

void add_memory_models(BlockModels& models) {
    models.bank.add("tlm", [](const BlockPlace& at, const l3::BankSetup& setup) {
        return make<l3::Bank>(at, setup);
    });
    models.bank.add("none", [](const BlockPlace& at, const l3::BankSetup&) {
        return std::make_unique<None<BankBlock>>(at);
    });
    models.l3.add("tlm", [](const BlockPlace& at, const l3::L3Setup& setup) {
        return make<l3::L3>(at, setup.clients, setup.banks, setup.nodes, setup.make_bank,
                            setup.savers);
    });
    models.gti.add("tlm", [](const BlockPlace& at, const memory::GtiSetup& setup) {
        return make<memory::Gti>(at, setup.memory, setup.initiators);
    });
    models.llc.add("tlm", [](const BlockPlace& at, const memory::MemorySetup& setup) {
        return make<memory::Llc>(at, setup.memory);
    });
    models.llc.add("none", [](const BlockPlace& at, const memory::MemorySetup&) {
        return std::make_unique<None<LlcBlock>>(at);
    });
    models.dram.add("tlm", [](const BlockPlace& at, const memory::MemorySetup& setup) {
        return make<memory::Dram>(at, setup.memory);
    });
}

}  // namespace

BlockModels& block_models() {
    static BlockModels models = [] {
        BlockModels built_in;
        add_subslice_models(built_in);
        add_front_end_models(built_in);
        add_draw_models(built_in);
        add_memory_models(built_in);
        add_rtl_models(built_in);
        return built_in;
    }();
    return models;
}

l3::MakeBank banks_of(std::deque<Place<BankBlock>>& banks, const std::string& parent,
                      Environment& env, const Clock& clock) {
    return [&banks, parent, &env, &clock](const char* name, const l3::BankSetup& setup) {
        auto& bank =
            banks.emplace_back(block_models().bank, parent, BlockPlace{name, env, clock}, setup);
        const l3::BankSockets at = bank->sockets();
        return l3::BankPorts{at.mem_in, at.mem_out, bank->own()};
    };
}

}  // namespace gen9::platform
