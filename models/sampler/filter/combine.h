// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/filter/request.h"

namespace gen9::sampler {

/// The border colour as the format's texels have it: 16 bytes, or RGBA8 (sampler guide 3.3); in the
/// format's range, with its missing channels (SMP-208).
Texel border_texel(const Format& format, const SamplerState& sampler, const std::uint8_t* bytes);

/// The clear colour in the channels that the format has.
Texel clear_texel(const SampledSurface& surface);

/// What a texel that matches the chroma key becomes where it is not killed (SMP-50).
Texel black_texel(const Format& format);

/// Makes the results of all samples of the texels' bytes: decodes, compares, filters, selects
/// channels. `where` has the bytes of each tap that has an address.
void combine(Request& request, const std::uint8_t* const* where);

/// The channels that the surface state selects (SMP-207).
Texel select_channels(const SampledSurface& surface, const Texel& texel);

/// 0 or 1: the result of a shadow comparison, in which true gives 0 (SMP-51).
float compare(Compare function, float texel, float reference);
/// The same with a sample's reference, for a texel's channel that is compared.
float compare_texel(const Request& request, unsigned sample, float texel);
/// The channel of a format that is compared.
inline unsigned compared_channel(const Format& format) {
    constexpr unsigned kAlphaOnly = 8;
    return format.present == kAlphaOnly ? 3 : 0;
}

}  // namespace gen9::sampler
