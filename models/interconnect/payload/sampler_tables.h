// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

namespace gen9 {

/// The sampler's own state commands set these for all its messages: 3DSTATE_CHROMA_KEY,
/// 3DSTATE_SAMPLER_PALETTE_LOAD0 and 1, 3DSTATE_MONOFILTER_SIZE. Colours are A8R8G8B8.
struct SamplerTables {
    struct ChromaKey {
        std::uint32_t low = 0, high = 0;  ///< inclusive, channel by channel
        bool operator==(const ChromaKey&) const = default;
    };
    std::array<ChromaKey, 4> keys;
    std::array<std::array<std::uint32_t, 256>, 2> palettes{};
    /// Texels of the monochrome filter, 1 to 7.
    std::uint8_t filter_width = 1, filter_height = 1;
    bool operator==(const SamplerTables&) const = default;
};

}  // namespace gen9
