// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "interconnect/payload/sampler_tables.h"
#include "sampler/media/request.h"
#include "sampler/message/message.h"
#include "sampler/state/sampled_surface.h"
#include "sampler/state/sampler_state.h"

namespace gen9::sampler {

/// A tap's texel comes from one of these.
enum class From : std::uint8_t {
    Surface,
    Border,
    HalfBorder,     ///< the mean of the surface's texel and the border: outside along one axis
    QuarterBorder,  ///< outside along two: the mean of that mean and the border
    EighthBorder,   ///< along three
    Nothing,        ///< out of bounds: zeros
    Clear,          ///< the clear colour
};
/// The tap has an address.
constexpr bool of_surface(From from) {
    return from == From::Surface || (from >= From::HalfBorder && from <= From::EighthBorder);
}
/// A tap gives these channels of a planar format.
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

/// The texels of a usual message lie here, for all samples at once: one texel, or with `linear` two
/// columns and two rows. A usual message samples a single 2D surface in linear, X or Y tiles,
/// nearest or linear, and all of its samples take one level.
struct UsualPlaces {
    static constexpr unsigned kSamples = 16;
    template <class T>
    using PerSample = std::array<T, kSamples>;
    bool linear = false;
    /// Offsets in bytes from the surface's base; a texel lies at the sum of two.
    alignas(64) std::array<PerSample<std::uint32_t>, 2> column, row;
    alignas(64) PerSample<float> x, y;  ///< shares of the second column and row
    std::array<std::uint32_t, 2> outside_column, outside_row;  ///< samples that have the border
    std::uint32_t end;  ///< bytes from the surface's base, behind all texels
    bool border;        ///< one that is executed has it
    unsigned texels;    ///< that are read where none has it: those with a share of 0 are not
    /// Columns and rows of the level's texels, first and second; of a surface with clear blocks only.
    std::array<PerSample<std::int32_t>, 2> across, down;
    std::uint32_t slice;
    std::uint8_t level;
};
/// The texels themselves: of each place of the filter, all samples'. Without `linear` only the
/// first place counts.
struct UsualTexels {
    static constexpr unsigned kTaps = 4;
    const std::uint8_t* base;                                                 ///< of host memory
    alignas(64) std::array<UsualPlaces::PerSample<std::uint32_t>, kTaps> at;  ///< bytes from there
    /// Copies of texels that lie too far from each other: then `base` is here.
    std::array<std::array<std::uint8_t, 16>, kTaps * UsualPlaces::kSamples> copies;
};

/// Places for what a message needs, without values. They are kept for the next message, so that
/// nothing is allocated once the largest has been.
template <class T>
class Room {
  public:
    std::size_t size() const { return size_; }
    T& operator[](std::size_t index) { return places_[index]; }
    const T& operator[](std::size_t index) const { return places_[index]; }
    T* data() { return places_.get(); }
    const T* data() const { return places_.get(); }
    /// `count` at least; what was there may be lost.
    void fit(std::size_t count) {
        if (count > size_) [[unlikely]]
            make(count);
    }
    /// One more than `count`, which are kept.
    void keep_and_add(std::size_t count) {
        if (count < size_) [[likely]]
            return;
        const std::unique_ptr<T[]> kept = std::move(places_);
        make(std::max<std::size_t>(2 * count, 16));
        std::copy_n(kept.get(), count, places_.get());
    }

  private:
    void make(std::size_t count) {
        places_ = std::make_unique_for_overwrite<T[]>(count);
        size_ = count;
    }
    std::unique_ptr<T[]> places_;
    std::size_t size_ = 0;
};

/// Tells which texels have the clear colour in place of what memory holds.
class ClearBlocks {
  public:
    virtual ~ClearBlocks() = default;
    virtual bool is_clear(const SampledSurface& surface, unsigned level, std::uint32_t slice,
                          std::uint32_t x, std::uint32_t y) = 0;
};

/// One message on its way through the sampler: what it asks for, and the texels that it needs.
/// Used again and again; `taps` are grouped by sample, in order of the samples.
struct Request {
    static constexpr unsigned kSamples = UsualPlaces::kSamples;
    static constexpr unsigned kGroup = 4;  ///< samples whose lines are looked up once
    static constexpr unsigned kLine = 64;
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
    std::uint8_t mocs = 0;     ///< of the surface
    std::uint32_t active = 0;  ///< samples that are executed
    bool for_target = false;   ///< its results go to the render target (SMP-122)
    std::uint32_t killed = 0;  ///< samples with a texel that matches the key
    std::uint64_t border_address = 0;
    bool needs_border = false;
    ClearBlocks* clear_blocks = nullptr;  ///< of a surface that has some
    const char* guest_error = nullptr;
    const char* not_modelled = nullptr;

    std::uint16_t tap_count = 0;
    /// Places that the filter works on, of up to four texels each: a bilinear unit's operations.
    std::uint16_t places = 0;
    std::uint16_t points = 0;     ///< of these, those of one texel, which the filter passes on
    std::uint16_t between = 0;    ///< of these, bilinear ones of samples between two levels
    bool anisotropic = false;     ///< a sample has several places in a level
    unsigned texels = 0;          ///< that are read
    unsigned clamped_biases = 0;  ///< samples with a bias out of range
    std::array<std::uint16_t, kSamples + 1> first_tap;  ///< of each sample
    Room<Tap> taps;
    std::array<Texel, kSamples> results;

    bool usual = false;  ///< it has no taps but `usual_places` (filter/usual.h)
    UsualPlaces usual_places;
    UsualTexels usual_texels;

    std::unique_ptr<media::MediaRequest> media;  ///< of the last message of the media sampler

    // Texels that are fetched line by line need these.
    std::uint16_t line_count = 0, group_line = 0;
    /// Numbers of lines of 64 bytes, in the order of the address generators; the border's is last.
    Room<std::uint64_t> lines;
    struct alignas(kLine) Line : std::array<std::uint8_t, kLine> {};
    Room<Line> line_bytes;
    Room<std::array<std::uint16_t, 2>> tap_lines;  ///< those of a tap's first and last byte
    Room<std::array<std::uint8_t, 16>> bytes;      ///< of taps that no one place holds
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
    void clear_places() {
        places = points = between = 0;
        anisotropic = false;
    }
    void clear() {
        tap_count = line_count = 0;
        clear_places();
        texels = clamped_biases = 0;
        killed = 0;
        tables = nullptr;
        key = nullptr;
        needs_border = usual = for_target = false;
        surface = nullptr;
        sampler = nullptr;
        guest_error = not_modelled = nullptr;
    }
    /// A group of samples begins: it looks up each of its lines once.
    void begin_lines() { group_line = line_count; }
    /// The index of the group's line.
    std::uint16_t add_line(std::uint64_t line) {
        for (std::uint16_t i = line_count; i > group_line; --i)
            if (lines[i - 1u] == line) return static_cast<std::uint16_t>(i - 1);
        lines.keep_and_add(line_count);
        lines[line_count] = line;
        return line_count++;
    }
    void add(std::uint64_t address, float weight, unsigned sample, unsigned x, unsigned y,
             From from, Plane plane = Plane::Whole) {
        taps.keep_and_add(tap_count);
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
