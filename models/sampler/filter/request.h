// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "interconnect/sampler_tables.h"
#include "sampler/message/message.h"
#include "sampler/state/sampled_surface.h"
#include "sampler/state/sampler_state.h"

namespace gen9::sampler {

/// Where a tap's texel comes from.
enum class From : std::uint8_t {
    Surface,
    Border,
    HalfBorder,  ///< the mean of the surface's texel and the border
    Nothing,     ///< out of bounds: zeros
    Clear,       ///< the clear colour
};
/// Which channels of a planar format a tap gives.
enum class Plane : std::uint8_t { Whole, Luma, Chroma, U, V };

/// One texel that a sample needs.
struct Tap {
    std::uint64_t address;
    float weight;
    std::uint8_t sample;
    std::uint8_t x, y;  ///< in the block
    From from;
    Plane plane;
};

/// A 64-byte line that is to be read, and the taps among which those are that lie in it; none: it
/// holds the border colour.
struct LineRead {
    std::uint64_t line;
    std::uint16_t first_tap, last_tap;
};

/// One message on its way through the sampler: what it asks for, and the texels that it needs.
/// Large and used again and again; `taps` are grouped by sample, in order of the samples.
struct Request {
    static constexpr unsigned kSamples = 16;
    /// Two levels of 16 places of four texels, of which one may be a cube's corner.
    static constexpr unsigned kMostPerSample = 2 * 16 * 6;
    static constexpr unsigned kMaxTaps = kSamples * kMostPerSample;

    const Decoded* decoded = nullptr;
    const SampledSurface* surface = nullptr;
    const SamplerState* sampler = nullptr;
    const SamplerTables* tables = nullptr;
    const SamplerTables::ChromaKey* key = nullptr;  ///< null: texels are not held against one
    Header header;
    Parameters parameters;
    std::uint32_t active = 0;  ///< samples that are executed
    std::uint32_t killed = 0;  ///< samples with a texel that matches the key
    std::uint64_t border_address = 0;
    bool needs_border = false;
    const char* guest_error = nullptr;
    const char* not_modelled = nullptr;

    std::uint16_t tap_count = 0;
    /// Places that the filter works on, of up to four texels each: a bilinear unit's operations.
    std::uint16_t places = 0;
    unsigned texels = 0;                                ///< that are read
    std::array<std::uint16_t, kSamples + 1> first_tap;  ///< of each sample
    std::array<Tap, kMaxTaps> taps;
    std::array<Texel, kSamples> results;

    // Filled by list_lines, for texels that are fetched line by line.
    std::uint16_t line_count = 0;
    std::array<LineRead, 2 * kMaxTaps + 1> lines;  ///< in the order of the address generators
    std::array<std::array<std::uint8_t, 16>, kMaxTaps> bytes;  ///< of each tap
    Texel border;

    /// Copies of the states, see keep_states.
    struct Kept {
        Decoded decoded;
        SampledSurface surface;
        SamplerState sampler;
    };
    Kept kept;

    /// Copies what `decoded`, `surface` and `sampler` point to. The core's caches may replace it
    /// while other messages are prepared, so a request that is not finished at once calls this.
    void keep_states() {
        kept.decoded = *decoded;
        decoded = &kept.decoded;
        if (surface) surface = &(kept.surface = *surface);
        if (sampler) sampler = &(kept.sampler = *sampler);
    }
    void clear() {
        tap_count = places = line_count = 0;
        texels = 0;
        killed = 0;
        tables = nullptr;
        key = nullptr;
        needs_border = false;
        surface = nullptr;
        sampler = nullptr;
        guest_error = not_modelled = nullptr;
    }
    void add(std::uint64_t address, float weight, unsigned sample, unsigned x, unsigned y,
             From from, Plane plane = Plane::Whole) {
        taps[tap_count++] = {address,
                             weight,
                             static_cast<std::uint8_t>(sample),
                             static_cast<std::uint8_t>(x),
                             static_cast<std::uint8_t>(y),
                             from,
                             plane};
    }
};

}  // namespace gen9::sampler
