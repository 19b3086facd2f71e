// SPDX-License-Identifier: Apache-2.0
#include "pixel/alpha.h"

#include <bit>

#include "formats/lane.h"

namespace gen9::pixel {

std::uint16_t alpha_coverage(float alpha, unsigned samples) {
    if (samples <= 1) return 1;
    const float positive = alpha > 0 ? alpha : 0;  // 0 for a NaN
    const auto m = static_cast<std::uint32_t>(16 * (positive < 1 ? positive : 1));
    // Quarters of the samples, then one more of each group of four.
    const std::uint32_t quarters = 0x1111u * (0xFEA80u >> (m & ~3u) & 15);
    const std::uint32_t mask = quarters | 0x0808u * (m & 2) | 0x0100u * (m & 1);
    return static_cast<std::uint16_t>(mask & ((1u << samples) - 1));
}

void alpha_to_coverage(const AlphaRow& alpha, unsigned samples, SampleMasks& masks) {
    for (unsigned n = 0; n < formats::kLanes; ++n)
        masks[n] &= alpha_coverage(std::bit_cast<float>(alpha[n]), samples);
}

std::uint32_t alpha_test(const ColorState& state, const AlphaRow& alpha) {
    if (!state.alpha_test) return formats::kAllLanes;
    const auto reference = std::bit_cast<float>(state.alpha_reference);
    std::uint32_t passed = 0;
    for (unsigned n = 0; n < formats::kLanes; ++n) {
        const bool pass =
            state.alpha_unorm8
                ? compare(state.alpha_function,
                          formats::encode_lane<formats::Kind::Unorm, 8>(alpha[n]),
                          state.alpha_reference)
                : compare(state.alpha_function, std::bit_cast<float>(alpha[n]), reference);
        passed |= static_cast<std::uint32_t>(pass) << n;
    }
    return passed;
}

}  // namespace gen9::pixel
