// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clip/interface.h"
#include "common/check.h"
#include "common/environment.h"
#include "common/params.h"
#include "cs/interface.h"
#include "dispatcher/interface.h"
#include "eu/interface.h"
#include "gateway/interface.h"
#include "geometry/interface.h"
#include "hdc/interface.h"
#include "icache/interface.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/sockets.h"
#include "interpolator/interface.h"
#include "l3/interface.h"
#include "line_cache/interface.h"
#include "media/interface.h"
#include "memory/interface.h"
#include "pixel/interface.h"
#include "raster/interface.h"
#include "rs/interface.h"
#include "sampler/interface.h"
#include "setup/interface.h"
#include "slm/interface.h"
#include "urb/interface.h"
#include "vme/interface.h"

namespace gen9::platform {

// Sockets as the platform binds them.
using MemoryTarget = AnyTarget<MemoryProtocol>;
using MemoryInitiator = AnyInitiator<MemoryProtocol>;
using MessageTarget = AnyTarget<MessageProtocol>;

// The kinds of blocks that models are chosen for by name.
using clip::ClipBlock;
using cs::AluBlock;
using cs::CommandStreamerBlock;
using dispatcher::DispatcherBlock;
using eu::EuBlock;
using gateway::GatewayBlock;
using geometry::DomainShaderBlock;
using geometry::GeometryShaderBlock;
using geometry::HullShaderBlock;
using geometry::StreamOutputBlock;
using geometry::TessellationBlock;
using geometry::VertexFetchBlock;
using geometry::VertexShaderBlock;
using hdc::HdcBlock;
using icache::InstructionCacheBlock;
using interpolator::InterpolatorBlock;
using l3::BankBlock;
using l3::L3Block;
using line_cache::LineCacheBlock;
using media::MediaBlock;
using memory::DramBlock;
using memory::GtiBlock;
using memory::LlcBlock;
using pixel::DepthBlock;
using pixel::PixelDispatchBlock;
using pixel::RenderTargetBlock;
using raster::RasterBlock;
using rs::StreamerBlock;
using sampler::SamplerBlock;
using setup::SetupBlock;
using slm::SlmBlock;
using urb::UrbBlock;
using vme::VmeBlock;

/// Every block is given this when it is made. What its kind needs besides is the kind's Setup.
struct BlockPlace {
    std::string name;  ///< within the module that is under construction
    Environment& env;
    const Clock& clock;
};

/// The models there are of one kind of block, by name.
template <class Interface>
class Models {
  public:
    using Setup = typename Interface::Setup;
    using Make = std::function<std::unique_ptr<Interface>(const BlockPlace&, const Setup&)>;

    explicit Models(const char* kind) : kind_(kind) {}
    /// Throws UserError when the name is taken.
    void add(const std::string& name, Make make) {
        for (const auto& [taken, _] : models_)
            if (taken == name)
                throw UserError("there is a model '" + name + "' of " + kind_ + " already");
        models_.emplace_back(name, std::move(make));
    }
    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const auto& [name, _] : models_)
            all.push_back(name);
        return all;
    }
    /// `name` is one of names().
    std::unique_ptr<Interface> make(const std::string& name, const BlockPlace& place,
                                    const Setup& setup) const {
        for (const auto& [known, make] : models_)
            if (known == name) return make(place, setup);
        throw UserError("there is no model '" + name + "' of " + kind_);
    }

  private:
    const char* kind_;
    std::vector<std::pair<std::string, Make>> models_;
};

/// Every model of every kind: those of gen9sim ("tlm", and with Verilator "rtl" and "both"), and
/// those that plugins add before a machine is built.
struct BlockModels {
    Models<EuBlock> eu{"eu"};
    Models<InstructionCacheBlock> icache{"icache"};
    Models<HdcBlock> hdc{"hdc"};
    Models<SlmBlock> slm{"slm"};
    Models<GatewayBlock> gateway{"gateway"};
    Models<UrbBlock> urb{"urb"};
    Models<SamplerBlock> sampler{"sampler"};
    Models<InterpolatorBlock> interpolator{"interpolator"};
    Models<VmeBlock> vme{"vme"};
    Models<AluBlock> alu{"cs.alu"};
    Models<CommandStreamerBlock> cs{"cs"};
    Models<StreamerBlock> streamer{"rs"};
    Models<MediaBlock> media{"media"};
    Models<DispatcherBlock> dispatcher{"dispatcher"};
    Models<VertexFetchBlock> vf{"vf"};
    Models<VertexShaderBlock> vs{"vs"};
    Models<HullShaderBlock> hs{"hs"};
    Models<TessellationBlock> te{"te"};
    Models<DomainShaderBlock> ds{"ds"};
    Models<GeometryShaderBlock> gs{"gs"};
    Models<StreamOutputBlock> sol{"sol"};
    Models<ClipBlock> clip{"clip"};
    Models<SetupBlock> setup{"setup"};
    Models<RasterBlock> raster{"raster"};
    Models<DepthBlock> depth{"depth"};
    Models<PixelDispatchBlock> ps{"ps"};
    Models<RenderTargetBlock> render_target{"render_target"};
    Models<LineCacheBlock> line_cache{"line_cache"};
    Models<BankBlock> bank{"l3.bank"};
    Models<L3Block> l3{"l3"};
    Models<GtiBlock> gti{"gti"};
    Models<LlcBlock> llc{"llc"};
    Models<DramBlock> dram{"dram"};
};

/// The parameter `model` of a block's own path says which model stands there.
struct ModelChoice : ParamSet {
    ModelChoice(const Config& config, const std::string& path, std::vector<std::string> names)
        : ParamSet(config, path),
          model{*this,
                {"model", "", "Which model of the block stands here.", "Model: co-simulation"},
                "tlm",
                std::move(names)} {}
    ChoiceParam model;
};

/// A place of the machine and the block in it.
template <class Interface>
class Place {
  public:
    /// `parent` is the hierarchical name of the module that is under construction.
    Place(const Models<Interface>& models, const std::string& parent, const BlockPlace& place,
          const typename Interface::Setup& setup = {})
        : choice_(place.env.config, parent + "." + place.name, models.names()) {
        place.env.params.push_back(&choice_);
        block_ = models.make(choice_.model.get(), place, setup);
    }
    Interface* operator->() { return block_.get(); }
    const Interface* operator->() const { return block_.get(); }
    Interface& operator*() { return *block_; }

  private:
    ModelChoice choice_;
    std::unique_ptr<Interface> block_;
};

}  // namespace gen9::platform
