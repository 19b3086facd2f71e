// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/filter/pages.h"
#include "sampler/state/sampled_surface.h"

namespace gen9::sampler {

/// Finds the host's byte at an address of a control surface, or null.
inline auto control_bytes(Pages& pages, TexelMemory& memory) {
    return [&](std::uint64_t address) {
        address &= kAddressMask;
        const std::uint8_t* const host = pages.find(address / Pages::kBytes, memory);
        return host == nullptr ? nullptr : host + address % Pages::kBytes;
    };
}

/// Does the control surface of a surface with clear blocks tell of nothing else than memory around
/// some texels of a level and slice? It tells it of most surfaces, and of whole words of elements at
/// once.
inline bool in_memory(const SampledSurface& surface, unsigned level, std::uint32_t slice,
                      const surface::PixelRectangle& texels, Pages& pages, TexelMemory& memory) {
    const surface::ElementRange elements =
        surface::ccs_elements(surface.control, surface.format->bytes, level, slice, texels);
    return surface::pass_through(surface.control, elements, control_bytes(pages, memory));
}

}  // namespace gen9::sampler
