// SPDX-License-Identifier: Apache-2.0
// The filter of usual messages.
#include "sampler/filter/usual.h"

#include <bit>

#include "common/host.h"
#include "sampler/filter/combine.h"
#include "sampler/filter/each_place.h"

namespace gen9::sampler {

namespace {

namespace state = packets::render_surface_state;

constexpr unsigned kSamples = Request::kSamples, kTaps = UsualTexels::kTaps;

using Shares = std::array<UsualPlaces::PerSample<float>, kTaps>;
using Texels = std::array<TexelLanes, kTaps>;

/// Sums up the texels' shares of a channel; where one texel has the whole share, it is the result
/// itself. Floats may be infinite, and shares of 0 must not touch them.
template <bool finite>
GEN9_INLINE void mix(const Texels& texels, const Shares& shares, unsigned c,
                     TexelLanes& __restrict results) {
    for (unsigned n = 0; n < kSamples; ++n) {
        const auto add = [&](float sum, unsigned k) __attribute__((always_inline)) {
            const float value = sum + shares[k][n] * std::bit_cast<float>(texels[k].channel[c][n]);
            if constexpr (finite) return value;
            const std::uint32_t used = 0u - static_cast<std::uint32_t>(shares[k][n] > 0);
            return std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) & used) |
                                        (std::bit_cast<std::uint32_t>(sum) & ~used));
        };
        const auto sum = std::bit_cast<std::uint32_t>(add(add(add(add(0, 0), 1), 2), 3));
        const std::uint32_t whole = 0u - static_cast<std::uint32_t>(shares[0][n] == 1);
        results.channel[c][n] = (texels[0].channel[c][n] & whole) | (sum & ~whole);
    }
}
template <bool finite>
GEN9_INLINE void mix(const Texels& texels, const Shares& shares, TexelLanes& __restrict results) {
    mix<finite>(texels, shares, 0, results);
    mix<finite>(texels, shares, 1, results);
    mix<finite>(texels, shares, 2, results);
    mix<finite>(texels, shares, 3, results);
}

GEN9_INLINE void mix(const Format& format, const UsualPlaces& places, const Texels& texels,
                     TexelLanes& __restrict results) {
    alignas(64) Shares shares;
    for (unsigned n = 0; n < kSamples; ++n) {
        const float x = places.x[n], y = places.y[n];
        shares[0][n] = (1 - y) * (1 - x);
        shares[1][n] = (1 - y) * x;
        shares[2][n] = y * (1 - x);
        shares[3][n] = y * x;
    }
    format.values == Values::Float ? mix<false>(texels, shares, results)
                                   : mix<true>(texels, shares, results);
}

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

}  // namespace

void filter_usual(const Request& q, const UsualPlaces& places, const UsualTexels& source,
                  TexelLanes& results) {
    const Decoder& decode = q.surface->format->decode;
    if (places.linear)
        decode.filter({source.base, source.at.data(), places.x.data(), places.y.data()}, results);
    else
        decode.lanes(source.base, source.at[0].data(), results);
    if (!q.surface->identity) [[unlikely]]
        select_lanes(*q.surface, results);
}

GEN9_FOR_EACH_HOST
void filter_clear(const Request& q, const UsualPlaces& places, TexelLanes& results) {
    const Texel clear = clear_texel(*q.surface);
    Texels texels;
    for (unsigned c = 0; c < 4; ++c)
        texels[0].channel[c].fill(clear.channel[c]);
    if (places.linear) {
        texels[1] = texels[2] = texels[3] = texels[0];
        mix(*q.surface->format, places, texels, results);
    } else {
        results = texels[0];
    }
    if (!q.surface->identity) [[unlikely]]
        select_lanes(*q.surface, results);
}

}  // namespace gen9::sampler
