// SPDX-License-Identifier: Apache-2.0
// A usual message asks the control surface of its texels.
#include <algorithm>
#include <bit>
#include <cstring>

#include "common/host.h"
#include "sampler/core.h"
#include "sampler/filter/in_memory.h"

namespace gen9::sampler {

namespace {

struct Bounds {
    std::int32_t least, greatest;
};
using Quad = std::int32_t __attribute__((vector_size(16)));

GEN9_INLINE Quad least_of(const Quad& a, const Quad& b) {
    return a < b ? a : b;
}
GEN9_INLINE Quad greatest_of(const Quad& a, const Quad& b) {
    return a > b ? a : b;
}

GEN9_FOR_EACH_HOST
Bounds bounds_of(const std::array<std::int32_t, UsualPlaces::kSamples>* indices, unsigned count) {
    Quad least, greatest;
    std::memcpy(&least, indices->data(), sizeof least);
    greatest = least;
    const std::int32_t* const end = indices[count - 1].data() + UsualPlaces::kSamples;
    for (const std::int32_t* at = indices->data(); at != end; at += 4) {
        Quad quad;
        std::memcpy(&quad, at, sizeof quad);
        least = least_of(least, quad);
        greatest = greatest_of(greatest, quad);
    }
    Bounds bounds{least[0], greatest[0]};
    for (unsigned n = 1; n < 4; ++n) {
        bounds.least = std::min<std::int32_t>(bounds.least, least[n]);
        bounds.greatest = std::max<std::int32_t>(bounds.greatest, greatest[n]);
    }
    return bounds;
}

/// The rectangle that all texels of the places lie in.
surface::PixelRectangle rectangle_around(const UsualPlaces& places) {
    const unsigned count = places.linear ? 2 : 1;
    const Bounds across = bounds_of(places.across.data(), count),
                 down = bounds_of(places.down.data(), count);
    return {static_cast<std::uint32_t>(across.least), static_cast<std::uint32_t>(down.least),
            static_cast<std::uint32_t>(across.greatest - across.least) + 1,
            static_cast<std::uint32_t>(down.greatest - down.least) + 1};
}

}  // namespace

/// Tells what the elements of the control surface say of all blocks that the places lie in.
Core::Blocks Core::find_blocks(const SampledSurface& surface, const UsualPlaces& places,
                               TexelMemory& memory) {
    const surface::ElementRange elements =
        surface::ccs_elements(surface.control, surface.format->bytes, places.level, places.slice,
                              rectangle_around(places));
    const auto host_of = control_bytes(pages_, memory);
    if (const auto value = surface::common_value(surface.control, elements, host_of))
        return *value == surface::kClear ? Blocks::Clear : Blocks::InMemory;
    if (surface::pass_through(surface.control, elements, host_of)) return Blocks::InMemory;
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
