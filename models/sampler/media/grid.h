// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "interconnect/payload/sampler_tables.h"
#include "sampler/media/elements.h"
#include "sampler/media/layout.h"
#include "sampler/state/sampled_surface.h"
#include "sampler/state/sampler_state.h"

namespace gen9::sampler::media {

/// A message of sample_unorm: a block of 8 by 4 pixels out of a 2D surface, nearest or linear, with
/// eight bits a channel (SMP-231..SMP-234).
/// Order    inputs are set; refuse, plan, the elements' data come, filter
class Grid {
  public:
    Inputs in;
    Elements elements;

    static Verdict refuse(const Inputs& in, const SampledSurface& surface,
                          const SamplerState& sampler);
    /// Finds the elements, of which there are none before.
    void plan(const SampledSurface& surface, const SamplerState& sampler);
    bool linear() const { return linear_; }
    /// Makes the results of the elements' data. `key`: null, or what texels are held against.
    /// Returns the pixels that it kills.
    std::uint32_t filter(const SampledSurface& surface, const SamplerState& sampler,
                         const SamplerTables::ChromaKey* key, Results& results) const;

  private:
    static constexpr unsigned kColumns = 8, kRows = 4;
    using Shares = std::array<std::uint32_t, kColumns>;
    void add_positions(unsigned axis, std::int64_t size, bool round, Axis& texels, Shares& shares);

    bool linear_ = false;
    /// Shares of the second texel in 256ths.
    Shares x_share_{}, y_share_{};
    Axis x_, y_;  ///< texels, of which several may lie in an element
};

}  // namespace gen9::sampler::media
