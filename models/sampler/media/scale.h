// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "sampler/media/elements.h"
#include "sampler/media/layout.h"
#include "sampler/media/scaler_state.h"
#include "surface/media_surface.h"

namespace gen9::sampler::media {

/// A message of sample_8x8 that scales (AVS): in each direction eight or four texels, weighed by the
/// fraction of the pixel's position (SMP-241..SMP-250).
/// Order    inputs, picture and state are set; refuse, plan, the elements' data come, filter
class Scaling {
  public:
    /// Sets of elements: luma, Cb and Cr of planes, or all channels together.
    static constexpr unsigned kSets = 3;

    Inputs in;
    surface::MediaSurface picture;
    ScalerState state;

    /// What is wrong with the message, the surface and the state together.
    Verdict refuse() const;
    /// Finds the elements, whose sets are the first `sets` of `elements`.
    void plan();
    std::array<Elements, kSets> elements;
    unsigned sets = 0;
    /// Makes the results of the elements' data.
    void filter(Results& results) const;

  private:
    /// A channel is bits of the elements of a set, or a number.
    struct Channel {
        bool present = false;
        bool full = false;  ///< not present: full scale, else 0
        std::uint8_t set = 0, low = 0, width = 8;
    };
    /// Elements that lie together in memory.
    struct Plane;
    /// A set's pixels in one direction: the first texel of each among `Elements`, in steps of a tap.
    struct Positions {
        unsigned first_tap = 0, taps = 0;
        std::array<std::uint8_t, 16> phase{};
    };
    using Sums = std::array<std::int64_t, Results::kPixels>;

    const char* refuse_block() const;
    const char* refuse_steps() const;
    bool swaps_axes() const { return picture.rotation % 2 != 0; }
    bool reverses(unsigned axis) const;
    std::int64_t length(unsigned axis) const;
    void add_set(const Plane& plane, unsigned channels);
    void add_positions(const Plane& plane, unsigned axis, Positions& positions, Axis& texels) const;
    std::uint64_t address(const Plane& plane, std::uint32_t x, std::uint32_t y) const;
    template <class Weights>
    void sum(const Channel& channel, Weights weights, Sums& sums) const;

    std::array<Channel, 4> channels_{};
    std::array<std::array<Positions, 2>, kSets> positions_{};
};

}  // namespace gen9::sampler::media
