// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "sampler/format/numbers.h"

namespace gen9::sampler {

/// A texel's bits are here: in its element or block, at its place in the block.
struct Source {
    const std::uint8_t* bytes;
    std::uint8_t x, y;
};
/// Decodes texels, one for each source: everything but border, compare and channel select.
using Decode = void (*)(const Source* sources, unsigned count, Texel* texels);
/// Decodes 16 elements, channel by channel; each begins `at` so many bytes from `base`.
using DecodeLanes = void (*)(const std::uint8_t* base, const std::uint32_t* at, TexelLanes& texels);
/// The same of four places of each of 16 samples, which are filtered: of two columns, the second with
/// the share `x`, in two rows, the second with the share `y`.
struct FourPlaces {
    const std::uint8_t* base;
    const std::array<std::uint32_t, 16>* at;  ///< of four: both columns of the first row, and so on
    const float *x, *y;
};
using FilterLanes = void (*)(const FourPlaces& places, TexelLanes& results);
struct Decoder {
    Decode texels;
    DecodeLanes lanes;   ///< null: there is none for the format
    FilterLanes filter;  ///< where there is one: unless the format has integers
    constexpr Decoder(Decode all, DecodeLanes by_channel = nullptr, FilterLanes filtered = nullptr)
        : texels(all), lanes(by_channel), filter(filtered) {}
    void operator()(const Source* sources, unsigned count, Texel* to) const {
        texels(sources, count, to);
    }
    explicit operator bool() const { return texels; }
};

/// A format's channels hold such values, which decide about border colours and filters.
enum class Values : std::uint8_t { Unorm, Snorm, Float, Sint, Uint };

/// The alpha of a palette's entry is the texel's.
inline constexpr std::uint32_t kPaletteAlpha = ~0u;

/// A sampleable surface format.
struct Format {
    std::uint16_t code;
    const char* name;
    std::uint8_t bytes;  ///< of an element or block
    std::uint8_t block_width, block_height;
    Values values;
    std::uint8_t present;  ///< channels that come from the surface, bit 0 = R
    bool shadow;           ///< may be compared (sampler guide 3.6)
    bool keyed;            ///< may be chroma keyed
    Decoder decode;        ///< null: not modelled
    /// Bytes of the texel that the filter works on, where those of the surface do not tell: L, LA,
    /// I and A formats are expanded to RGBA before (SMP-86).
    std::uint8_t expanded_bytes = 0;
    /// Formats with a palette have its number plus one here. The decoder gives an index as the first
    /// channel and, but for kPaletteAlpha, alpha as the last (SMP-56).
    std::uint8_t palette = 0;

    bool integer() const { return values == Values::Sint || values == Values::Uint; }
    bool mono() const { return code == 0x18E; }
    bool blocks() const { return block_width > 1 || block_height > 1; }
    /// PLANAR_420_8 and PLANAR_420_16: planes of one channel each, or of two.
    bool planar() const { return bytes == 0; }
    unsigned plane_bytes() const { return code == 0x1A6 ? 2 : 1; }
    /// The texel that the filter works on has up to 32 bits, up to 64, or 128.
    enum class Width : std::uint8_t { Bits32, Bits64, Bits128 };
    Width width() const {
        const unsigned wide = expanded_bytes ? expanded_bytes : blocks() ? 4u : bytes;
        return wide > 8 ? Width::Bits128 : wide > 4 ? Width::Bits64 : Width::Bits32;
    }
    /// A channel that is not in the surface reads as this (SMP-202).
    std::uint32_t missing(unsigned c) const { return c < 3 ? 0 : integer() ? 1 : kOne; }
};

/// The format of a code of RENDER_SURFACE_STATE, or null when it cannot be sampled.
const Format* find_format(unsigned code, bool astc);

}  // namespace gen9::sampler
