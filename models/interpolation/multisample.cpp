// SPDX-License-Identifier: Apache-2.0
#include "interpolation/multisample.h"

#include <bit>

#include "common/bits.h"

namespace gen9::interpolation {

MultisampleMode multisample_mode(const MultisampleFields& f) {
    using enum MultisampleMode;
    if (f.forced) return f.field;
    if (f.hz_op) return f.samples > 1 ? OnPattern : OnPixel;
    const bool dx10 = f.api >= 1, dx101 = f.api >= 2;
    if (f.forced_samples) {
        if (f.forced_samples == 1) return f.dx_enable ? OnPixel : OffPixel;
        return f.dx_enable ? OnPattern : OffPattern;
    }
    if (f.samples == 1) return f.dx_enable && dx10 ? OnPixel : OffPixel;
    if (f.dx_enable) return OnPattern;
    return dx101 ? OffPattern : OffPixel;
}

std::uint16_t sample_mask(unsigned samples, std::uint16_t mask) {
    return static_cast<std::uint16_t>(mask & ((1u << samples) - 1));
}

SamplePlace centroid(const Samples& samples, std::uint32_t covered, SamplePlace whole) {
    const std::uint32_t all = (1u << samples.samples) - 1;
    if (covered == 0 || covered == all) return whole;
    return samples.places[static_cast<unsigned>(std::countr_zero(covered))];
}

SamplePlace pixel_place(bool upper_left, bool offset_enable, unsigned samples) {
    const bool centre = !upper_left || (offset_enable && samples > 1);
    return centre ? SamplePlace{8, 8} : SamplePlace{0, 0};
}

std::array<SamplePlace, kMaxSamples> sample_places(const std::array<std::uint32_t, 8>& dwords,
                                                   unsigned samples) {
    std::array<SamplePlace, kMaxSamples> places{};
    for (unsigned s = 0; s < samples; ++s) {
        // Eight samples lie with the upper half first.
        const unsigned byte = samples == 16  ? s
                              : samples == 8 ? 16 + (s ^ 4)
                              : samples == 4 ? 24 + s
                              : samples == 2 ? 28 + s
                                             : 30;
        const std::uint32_t bits8 = dwords[byte / 4] >> byte % 4 * 8;
        places[s] = {static_cast<std::uint8_t>(bits<std::uint32_t>(bits8, 7, 4)),
                     static_cast<std::uint8_t>(bits<std::uint32_t>(bits8, 3, 0))};
    }
    return places;
}

}  // namespace gen9::interpolation
