// SPDX-License-Identifier: Apache-2.0
// The filter of usual messages.
#include "sampler/filter/usual.h"

#include <bit>

#include "common/host.h"
#include "sampler/filter/combine.h"

namespace gen9::sampler {

namespace {

namespace state = packets::render_surface_state;

constexpr unsigned kSamples = Request::kSamples;

/// Sums up the shares of four texels that have the same value in a channel, as if each were read.
/// A texel with the whole share is the result itself; shares of 0 do not touch an infinity.
GEN9_INLINE void mix(const UsualPlaces& places, std::uint32_t value,
                     std::array<std::uint32_t, kSamples>& __restrict results) {
    for (unsigned n = 0; n < kSamples; ++n) {
        const float x = places.x[n], y = places.y[n];
        const auto add = [&](float sum, float share) __attribute__((always_inline)) {
            return share > 0 ? sum + share * std::bit_cast<float>(value) : sum;
        };
        const float first = (1 - y) * (1 - x);
        const float sum = add(add(add(add(0, first), (1 - y) * x), y * (1 - x)), y * x);
        results[n] = first == 1 ? value : std::bit_cast<std::uint32_t>(sum);
    }
}

}  // namespace

void select_lanes(const SampledSurface& surface, TexelLanes& texels) {
    const TexelLanes from = texels;
    for (unsigned c = 0; c < 4; ++c) {
        const unsigned select = surface.select[c];
        if (select >= state::SCS_RED)
            texels.channel[c] = from.channel[select - state::SCS_RED];
        else
            texels.channel[c].fill(select != state::SCS_ONE    ? 0
                                   : surface.format->integer() ? 1
                                                               : kOne);
    }
}

GEN9_FOR_EACH_HOST
void filter_clear(const SampledSurface& surface, const UsualPlaces& places, TexelLanes& results) {
    const Texel clear = clear_texel(surface);
    for (unsigned c = 0; c < 4; ++c)
        if (places.linear)
            mix(places, clear.channel[c], results.channel[c]);
        else
            results.channel[c].fill(clear.channel[c]);
    if (!surface.identity) [[unlikely]]
        select_lanes(surface, results);
}

}  // namespace gen9::sampler
