// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <systemc>

#include "interconnect/payload/register_file.h"
#include "platform/machine/subslice.h"
#include "platform/machine/topology.h"
#include "slm/crossbar.h"

namespace gen9::platform {

/// Slice: its subslices, what leads to shared local memory that they share, and its pixel pipe.
/// Composition only.
class Slice : public sc_core::sc_module {
  public:
    Slice(sc_core::sc_module_name name, Environment& env, const Clock& clock, SliceId slice,
          const Topology& topology, eu::Program& program);
    ~Slice() override;

    std::deque<Subslice> subslices;
    Place<RasterBlock> raster;
    Place<DepthBlock> depth;
    Place<PixelDispatchBlock> ps;
    Place<RenderTargetBlock> render_target;
    Place<LineCacheBlock> depth_cache, render_cache;
    std::unique_ptr<slm::Crossbar> slm_crossbar;  ///< where subslices share their SLM (POOL-10)

    /// The name of one of its blocks in the hierarchy.
    std::string path(const char* block) const { return std::string(name()) + "." + block; }

  private:
    void wire_memory(Environment& env, const Clock& clock, const Topology& topology);
    void wire_pixels();
};

/// All slices of a product.
struct Slices : std::deque<Slice> {
    Slices(Environment& env, const Clock& clock, const Topology& topology, eu::Program& program);
    ~Slices();
    /// Hardware threads of each EU.
    unsigned threads_per_eu() const;
    /// Registers of each EU.
    RegisterFile register_file() const;

  private:
    const eu::EuParams& of_an_eu() const;
};

}  // namespace gen9::platform
