// SPDX-License-Identifier: Apache-2.0
// A usual message asks the control surface of its texels.
#include <algorithm>
#include <bit>

#include "sampler/core.h"
#include "sampler/filter/in_memory.h"

namespace gen9::sampler {

/// Are all texels around the places in memory?
bool Core::all_in_memory(const SampledSurface& surface, const UsualPlaces& places,
                         TexelMemory& memory) {
    struct Bounds {
        std::int32_t least, greatest;
    };
    const auto bounds = [&](const auto& indices) {
        Bounds found{indices[0][0], indices[0][0]};
        for (unsigned k = 0; k < (places.linear ? 2u : 1u); ++k)
            for (const std::int32_t index : indices[k]) {
                found.least = std::min(found.least, index);
                found.greatest = std::max(found.greatest, index);
            }
        return found;
    };
    const Bounds across = bounds(places.across), down = bounds(places.down);
    return in_memory(
        surface, places.level, places.slice,
        {static_cast<std::uint32_t>(across.least), static_cast<std::uint32_t>(down.least),
         static_cast<std::uint32_t>(across.greatest - across.least) + 1,
         static_cast<std::uint32_t>(down.greatest - down.least) + 1},
        pages_, memory);
}

/// Tells what the elements of the control surface say of all blocks that the places lie in.
Core::Blocks Core::find_blocks(const SampledSurface& surface, const UsualPlaces& places,
                               TexelMemory& memory) {
    if (all_in_memory(surface, places, memory)) return Blocks::InMemory;
    const surface::ElementSize size = surface::element_size(surface.format->bytes);
    const auto width = static_cast<unsigned>(std::countr_zero(size.width));
    const auto height = static_cast<unsigned>(std::countr_zero(size.height));
    struct Block {
        std::int32_t x, y;
        bool operator==(const Block&) const = default;
    };
    std::array<Block, UsualTexels::kTaps * UsualPlaces::kSamples> seen;
    unsigned count = 0, clear = 0, in_memory = 0;
    const auto look = [&](const Block& block) {
        for (unsigned i = count; i-- > 0;)
            if (seen[i] == block) return true;
        seen[count++] = block;
        const surface::ElementPlace element =
            surface::ccs_element(surface.control, surface.format->bytes, places.level, places.slice,
                                 static_cast<std::uint32_t>(block.x) << width,
                                 static_cast<std::uint32_t>(block.y) << height);
        const std::uint64_t address = element.address & kAddressMask;
        const std::uint8_t* const host = pages_.find(address / Pages::kBytes, memory);
        if (host == nullptr) return false;
        const unsigned value = surface::element_value(element, host[address % Pages::kBytes]);
        clear += value == surface::kClear;
        in_memory += value == surface::kPassThrough;
        return true;
    };
    const unsigned second = places.linear ? 1 : 0;
    Block before{-1, -1};
    for (unsigned n = 0; n < UsualPlaces::kSamples; ++n) {
        const Block first{places.across[0][n] >> width, places.down[0][n] >> height};
        const Block last{places.across[second][n] >> width, places.down[second][n] >> height};
        if (first == before && last == before) continue;
        before = first;
        if (!look(first)) return Blocks::Several;
        if (last == first) continue;
        if (!look({last.x, first.y}) || !look({first.x, last.y}) || !look(last))
            return Blocks::Several;
    }
    return clear == count ? Blocks::Clear : in_memory == count ? Blocks::InMemory : Blocks::Several;
}

}  // namespace gen9::sampler
