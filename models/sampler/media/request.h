// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "sampler/media/grid.h"
#include "sampler/media/memory_block.h"
#include "sampler/media/scale.h"

namespace gen9::sampler::media {

/// A message of the media sampler on its way.
struct MediaRequest {
    Grid grid;
    Scaling scaling;
    Results results;
    bool scales = false;
    bool to_memory = false;  ///< the results are those of `block`
    MemoryBlock block;

    const Inputs& in() const { return scales ? scaling.in : grid.in; }
    bool shuffled() const { return scales && scaling.state.shuffled; }
    std::span<Elements> elements() {
        return scales ? std::span(scaling.elements).first(scaling.sets)
                      : std::span(&grid.elements, 1);
    }
    /// Calls `part(address, bytes, size)` for what each element has in each line.
    template <class Part>
    void for_each_part(Part part) {
        constexpr std::uint64_t kLine = 64;
        for (Elements& set : elements())
            for (std::size_t i = 0; i < set.addresses.size(); ++i) {
                const std::uint64_t address = set.addresses[i];
                std::uint8_t* const bytes = set.data.data() + i * set.bytes;
                const auto first = static_cast<unsigned>(
                    std::min<std::uint64_t>(set.bytes, kLine - address % kLine));
                part(address, bytes, first);
                if (first < set.bytes) part(address + first, bytes + first, set.bytes - first);
            }
    }
};

}  // namespace gen9::sampler::media
