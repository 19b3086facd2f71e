// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>

#include "sampler/filter/lod.h"
#include "sampler/filter/request.h"

namespace gen9::sampler {

/// A sample's place, but for its level and the filter.
struct SamplePlace {
    double at[3]{};           ///< coordinates: in the face, if the surface is a cube
    std::uint32_t slice = 0;  ///< of an array; of one of cubes, the cube
    unsigned face = 0;
};
SamplePlace place_of_sample(const Request& request, unsigned sample);

/// Finds the levels of a message's samples, by their parameters and the sampler's state.
class SampleLevels {
  public:
    explicit SampleLevels(const Request& request)
        : q_(request), s_(*request.surface), m_(*request.sampler), row_(*request.decoded->row) {}
    /// The axes of a sample's footprint, where the message has or implies derivatives.
    Axes find_axes(unsigned sample) const;
    /// `length`: Axes::lod_length. The choice stands until the next call.
    const LodChoice& choose(unsigned sample, double length);
    /// The last sample chosen for had a bias out of range.
    bool clamped_bias() const { return clamped_bias_; }

  private:
    std::int32_t of_length(double length);

    const Request& q_;
    const SampledSurface& s_;
    const SamplerState& m_;
    const MessageRow& row_;
    bool clamped_bias_ = false;
    bool chosen_ = false;  ///< the last choice is kept while its arguments are the same
    std::int32_t chosen_lod_ = 0, chosen_least_ = 0;
    LodChoice choice_;
    double length_ = std::numeric_limits<double>::quiet_NaN();  ///< the last one, and its logarithm
    std::int32_t lod_of_length_ = 0;
};

}  // namespace gen9::sampler
