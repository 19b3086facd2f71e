// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/filter/request.h"

namespace gen9::sampler {

/// Adds taps for texels of a surface: where a texel's element or block lies, by level and slice.
class TexelPlacer {
  public:
    explicit TexelPlacer(Request& request)
        : request_(request),
          surface_(*request.surface),
          format_(*request.surface->format),
          bytes_(format_.planar() ? format_.plane_bytes() : format_.bytes) {}

    struct At {
        unsigned sample;
        unsigned level;
        std::uint32_t slice;  ///< array slice or face from the surface's first, or depth
        unsigned multisample = 0;
    };
    void add(const At& at, std::uint32_t i, std::uint32_t j, float weight, From from) {
        if (from == From::Border || from == From::Nothing || from == From::Clear)
            return request_.add(0, weight, at.sample, 0, 0, from);
        if (format_.planar()) return add_luma(at, i, j, weight, from);
        if (surface_.has_clear_blocks && from == From::Surface &&
            request_.clear_blocks->is_clear(surface_, at.level,
                                            at.slice + surface_.raw.min_array_element, i, j))
            return request_.add(0, weight, at.sample, 0, 0, From::Clear);
        const unsigned width = format_.block_width, height = format_.block_height;
        std::uint32_t x = i, y = j, in_x = 0, in_y = 0;
        if (format_.blocks()) {
            x = i / width, in_x = i % width;
            y = j / height, in_y = j % height;
        }
        request_.add(address(at, std::uint64_t{x} * bytes_, y), weight, at.sample, in_x, in_y,
                     from);
    }
    /// A texel of the planes of half size (SMP-212); `i` and `j` count theirs.
    void add_chroma(const At& at, std::uint32_t i, std::uint32_t j, float weight, From from);

  private:
    std::uint64_t address(const At& at, std::uint64_t x_bytes, std::uint64_t y) const {
        // Volumes too: so a driver makes a picture of a slice of one.
        const std::uint64_t slice = std::uint64_t{at.slice} + surface_.raw.min_array_element;
        return surface::element_address(surface_.raw, surface_.levels[at.level].place, bytes_,
                                        x_bytes, y, slice, at.multisample) &
               ((1ull << 48) - 1);
    }
    void add_luma(const At& at, std::uint32_t i, std::uint32_t j, float weight, From from) {
        request_.add(address(at, std::uint64_t{i} * bytes_, j), weight, at.sample, 0, 0, from,
                     Plane::Luma);
    }

    Request& request_;
    const SampledSurface& surface_;
    const Format& format_;
    unsigned bytes_;
};

}  // namespace gen9::sampler
