// SPDX-License-Identifier: Apache-2.0
#include "sampler/filter/load.h"

#include "sampler/filter/texel_place.h"
#include "surface/tiling.h"

namespace gen9::sampler {

namespace {

namespace state = packets::render_surface_state;

/// Depth and stencil surfaces keep the samples of a pixel side by side (sampler guide 3.8).
void interleave(unsigned samples, unsigned sample, std::uint32_t& x, std::uint32_t& y) {
    const std::uint32_t x1 = x & 1, y1 = y & 1, s = sample;
    if (samples >= 8)
        x = (x & ~1u) << 2 | (s & 4) | (s & 1) << 1 | x1;
    else if (samples >= 2)
        x = (x & ~1u) << 1 | (s & 1) << 1 | x1;
    if (samples >= 16)
        y = (y & ~1u) << 2 | (s & 8) >> 1 | (s & 2) | y1;
    else if (samples >= 4)
        y = (y & ~1u) << 1 | (s & 2) | y1;
}

/// The slice on which a sample lies, by the pixel's control value; all ones: the clear colour.
unsigned slice_of(unsigned samples, unsigned sample, std::uint64_t mcs, bool& clear) {
    const unsigned width = samples <= 4 ? 2 : 4;
    const std::uint64_t all =
        mcs_bytes(samples) == 8 ? ~0ull : (1ull << mcs_bytes(samples) * 8) - 1;
    clear = (mcs & all) == all;
    return static_cast<unsigned>(mcs >> sample * width & ((1u << width) - 1));
}

class Loads {
  public:
    explicit Loads(Request& request)
        : q_(request), s_(*request.surface), row_(*request.decoded->row), place_(request) {}
    void run() {
        const unsigned samples = q_.decoded->samples();
        for (unsigned n = 0; n < samples; ++n) {
            q_.first_tap[n] = q_.tap_count;
            if (q_.active >> n & 1) add(n);
        }
        q_.first_tap[samples] = q_.tap_count;
        q_.places = q_.points = q_.tap_count;
    }

  private:
    std::uint32_t value(Parameter which, unsigned n) const { return q_.parameters[which][n]; }
    void add(unsigned n) {
        if (!add_inside(n)) q_.add(0, 1, n, 0, 0, From::Nothing);
    }
    bool add_inside(unsigned n);
    bool add_multisample(TexelPlacer::At& at, std::uint32_t u, std::uint32_t v);

    Request& q_;
    const SampledSurface& s_;
    const MessageRow& row_;
    TexelPlacer place_;
};

bool Loads::add_inside(unsigned n) {
    const auto offset = [&](unsigned axis) {
        return static_cast<std::uint32_t>(q_.header.offset[axis]);
    };
    std::uint32_t u = value(Parameter::U, n);
    if (s_.raw.buffer()) {
        if (u >= s_.raw.entries) return false;
        const std::uint64_t address = s_.raw.base + u * (s_.raw.pitch_bytes + 0ull);
        q_.add(address & ((1ull << 48) - 1), 1, n, 0, 0, From::Surface);
        return true;
    }
    const std::uint32_t lod = row_.lod == LodSource::Parameter ? value(Parameter::Lod, n) : 0;
    if (lod > s_.last_level || lod + s_.raw.min_lod >= surface::kLevels) return false;
    const bool line = s_.type() == state::SURFTYPE_1D;
    const Level& level = s_.levels[lod + s_.raw.min_lod];
    u += offset(0);
    std::uint32_t v = line ? 0 : value(Parameter::V, n) + offset(1);
    std::uint32_t slice = value(line ? Parameter::V : Parameter::R, n);
    if (s_.volume()) slice += offset(2);
    const std::uint32_t slices = s_.volume() ? level.depth : s_.slices;
    if (!s_.raw.array && !s_.volume()) slice = 0;
    if (u >= level.width || v >= level.height || slice >= slices) return false;
    TexelPlacer::At at{n, lod + s_.raw.min_lod, slice};
    if (s_.raw.multisampled()) return add_multisample(at, u, v);
    place_.add(at, u, v, 1, From::Surface);
    if (s_.format->planar()) place_.add_chroma(at, u / 2, v / 2, 1, From::Surface);
    return true;
}

bool Loads::add_multisample(TexelPlacer::At& at, std::uint32_t u, std::uint32_t v) {
    const std::uint32_t sample = value(Parameter::Sample, at.sample);
    if (sample >= s_.raw.samples) return false;
    constexpr unsigned kSliceLoad = 0x1F, kWide = 0x1C;
    at.multisample = sample;
    if (row_.code != kSliceLoad && s_.raw.planar) {
        std::uint64_t mcs = value(Parameter::McsLow, at.sample);
        if (row_.code == kWide) mcs |= std::uint64_t{value(Parameter::McsHigh, at.sample)} << 32;
        bool clear = false;
        at.multisample = slice_of(s_.raw.samples, sample, mcs, clear);
        if (clear && s_.raw.auxiliary == state::AUX_CCS_D) {
            q_.add(0, 1, at.sample, 0, 0, From::Clear);
            return true;
        }
        if (at.multisample >= s_.raw.samples) return false;
    }
    if (!s_.raw.planar) interleave(s_.raw.samples, sample, u, v);
    place_.add(at, u, v, 1, From::Surface);
    return true;
}

}  // namespace

unsigned mcs_bytes(unsigned samples) {
    return samples <= 4 ? 1 : samples == 8 ? 4 : 8;
}

void find_loads(Request& request) {
    Loads(request).run();
}

void find_mcs(Request& q) {
    const SampledSurface& s = *q.surface;
    const unsigned samples = q.decoded->samples(), bytes = mcs_bytes(s.raw.samples);
    const bool there = s.type() == state::SURFTYPE_2D && s.raw.auxiliary == state::AUX_CCS_D &&
                       s.raw.multisampled();
    for (unsigned n = 0; n < samples; ++n) {
        q.first_tap[n] = q.tap_count;
        if (!(q.active >> n & 1)) continue;
        const std::uint32_t u = q.parameters[Parameter::U][n], v = q.parameters[Parameter::V][n];
        const std::uint32_t slice = s.raw.array ? q.parameters[Parameter::R][n] : 0;
        if (!there || u >= s.raw.width || v >= s.raw.height || slice >= s.slices) continue;
        const std::uint64_t row =
            (slice + std::uint64_t{s.raw.min_array_element}) * s.aux_qpitch + v;
        const surface::Layout layout{surface::Tiling::Y, s.aux_pitch,
                                     static_cast<std::uint8_t>(bytes)};
        q.add((s.raw.auxiliary_base + surface::tile_offset(layout, std::uint64_t{u} * bytes, row)) &
                  ((1ull << 48) - 1),
              1, n, 0, 0, From::Surface);
    }
    q.first_tap[samples] = q.tap_count;
}

}  // namespace gen9::sampler
