// SPDX-License-Identifier: Apache-2.0
// Any surface state: an element that is inside lies where no other element of its level, slice and
// sample lies, and below the end that pitch, height and slices give; media reads always find a
// pixel of the surface.
#include <map>

#include "hdc/plan/window.h"
#include "hdc/surface/media_surface.h"
#include "hdc/surface/place_element.h"
#include "tests/fuzz/hdc/random_message.h"

namespace {

using namespace gen9;
using namespace gen9::hdc;
using namespace gen9::hdc::fuzz_test;

std::uint64_t align_up(std::uint64_t value, std::uint64_t to) {
    return (value + to - 1) / to * to;
}

/// Do the elements of a level find room in the pitch? Only then are their places their own.
bool roomy(const Surface& s) {
    const std::uint64_t row = (std::uint64_t{s.width} + s.x_offset) * s.typed->bytes;
    const std::uint64_t pitch = s.tiling == Tiling::W ? s.pitch_bytes / 2 : s.pitch_bytes;
    const std::uint64_t tile = s.tiling == Tiling::Linear ? 1
                               : s.tiling == Tiling::X    ? 512
                               : s.tiling == Tiling::Ys   ? 1024
                               : s.tiling == Tiling::Yf   ? 256
                                                          : 128;
    return pitch % tile == 0 && align_up(row, tile) <= pitch && s.levels == 1 && s.min_lod == 0;
}

void typed(std::uint64_t seed, const Surface& s, Random& random) {
    if (s.null() || refuse_typed(s, 5, false)) return;
    const bool own_place = roomy(s);
    std::map<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> places;
    Coordinates at;
    at.r = random.below(4);
    if (own_place && s.type == packets::render_surface_state::SURFTYPE_1D) at.v = at.r;
    at.sample = random.below(2);
    for (unsigned n = 0; n < 300; ++n) {
        at.u = random.one_in(20) ? static_cast<std::uint32_t>(random.bits())
                                 : random.below(s.width + 2ull);
        if (s.type != packets::render_surface_state::SURFTYPE_1D && !s.buffer())
            at.v = random.one_in(20) ? static_cast<std::uint32_t>(random.bits())
                                     : random.below(s.height + 2ull);
        if (!own_place) at.lod = random.below(17);
        std::uint64_t address = 0;
        if (place_element(s, at, address) != Placed::Inside) continue;
        if (!s.buffer() && at.u >= s.width) fuzz::broken(seed, "an element beyond the width");
        if (s.buffer() && at.u >= s.entries) fuzz::broken(seed, "an element beyond the buffer");
        if (!own_place) continue;
        const auto [place, is_new] = places.try_emplace(address, at.u, at.v);
        if (!is_new && place->second != std::pair{at.u, at.v})
            fuzz::broken(seed, "two elements in one place");
        if (address - s.base >= std::uint64_t{1} << 48)
            fuzz::broken(seed, "an element below the base");
    }
}

void media(std::uint64_t seed, const Surface& s, Random& random) {
    Decoded d;
    d.line_override = random.one_in(3);
    d.line_stride = static_cast<std::uint8_t>(random.below(2));
    d.line_offset = static_cast<std::uint8_t>(random.below(2));
    const MediaSurface surface(d, s);
    if (s.null() || surface.refuse()) return;
    std::map<std::uint64_t, bool> inside;
    const std::int64_t width = std::int64_t{s.width} * 4, height = s.height;
    const bool small =
        width * height <= 4096 && width >= surface.pixel_bytes() && s.boundary_mode == 0;
    if (small)
        for (std::int64_t y = 0; y < height; ++y)
            for (std::int64_t x = 0; x < width; ++x)
                inside[surface.address(x, y)] = true;
    for (unsigned n = 0; n < 300; ++n) {
        const auto x =
            static_cast<std::int32_t>(random.one_in(4) ? random.bits() : random.below(600) - 200u);
        const auto y =
            static_cast<std::int32_t>(random.one_in(4) ? random.bits() : random.below(200) - 60u);
        const std::uint64_t found = surface.nearest(x, y);
        if (surface.inside(x, y) && found != surface.address(x, y))
            fuzz::broken(seed, "a byte inside the surface is read elsewhere");
        if (small && !inside.count(found)) fuzz::broken(seed, "a byte from outside the surface");
    }
}

void one_case(std::uint64_t seed) {
    Random random(seed);
    const SurfaceBits bits = random_surface(random);
    const Surface surface = read_surface(bits.dwords);
    typed(seed, surface, random);
    media(seed, surface, random);
}

}  // namespace

int main(int argc, char** argv) {
    return fuzz::run("surface states", fuzz::options(argc, argv, 3000), one_case);
}
