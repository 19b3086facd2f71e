// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

/// The surface formats of Gen9 and their conversions, for all who read or write typed memory: data
/// port, sampler, render target, depth and vertex fetch.
namespace gen9::formats {

/// What the bits of a channel mean.
enum class Kind : std::uint8_t {
    None,
    Unorm,  ///< 0 to 1
    Snorm,  ///< -1 to 1
    Uint,
    Sint,
    Float,    ///< 16, 32 or 64 bits, with a sign
    Ufloat,   ///< 10 or 11 bits, without a sign
    Shared,   ///< a mantissa of R9G9B9E5, whose exponent is in bits 31:27
    Srgb,     ///< 0 to 1 by the sRGB curve
    Uscaled,  ///< an integer read as a float
    Sscaled,
    Sfixed,  ///< 16.16
    Raw,     ///< DWords, copied
};

/// Where the bits of a channel are in an element. Of block formats only the kind is told.
struct Field {
    Kind kind = Kind::None;
    std::uint8_t low = 0, width = 0;
};

/// How an element or block is read.
enum class Coding : std::uint8_t {
    Plain,      ///< fields of an element
    Packed422,  ///< two pixels in four bytes that share Cr and Cb
    Palette,    ///< an index, which is the first field, and alpha or none
    Bits,       ///< a bit per texel
    Planar,
    Untyped,  ///< bytes: RAW
    Dxt1,
    Bc1,
    Bc2,
    Bc3,
    Bc4,
    Bc5,
    Bc6,
    Bc7,
    Fxt1,
    Etc1,
    Etc2,
    Etc2Punch,
    Etc2Eac,
    Eac,
    Astc,
};

/// What Gen9 does with a format, as bits.
enum Use : std::uint16_t {
    kSample = 1 << 0,
    kFilter = 1 << 1,
    kShadow = 1 << 2,  ///< sample_c compares
    kChromaKey = 1 << 3,
    kRenderTarget = 1 << 4,
    kBlend = 1 << 5,
    kVertexFetch = 1 << 6,
    kStreamOut = 1 << 7,
    kVideo = 1 << 8,  ///< colour processing of the render target
    kTypedWrite = 1 << 9,
    kTypedRead = 1 << 10,  ///< with conversion; others are read as integers of their size (DP-070)
    kCompress = 1 << 11,   ///< CCS_E
    kDepth = 1 << 12,      ///< a format of 3DSTATE_DEPTH_BUFFER
};

/// One row of the table.
struct Format {
    std::uint16_t code = 0;
    const char* name = "";
    std::uint16_t bits = 0;  ///< of an element or block; 0 for planes and RAW
    std::uint8_t block_width = 1, block_height = 1;
    Coding coding = Coding::Plain;
    std::uint16_t uses = 0;
    /// R, G, B, A. Luminance stands in R, G and B, intensity in all four.
    std::array<Field, 4> channel{};
    /// Bits that no channel has, where they follow the others: X.
    Field unused{};

    /// `layout`: channels and kinds from the lowest bit on, as "B un5 G un6 R un5".
    constexpr Format(std::uint16_t code, const char* name, std::uint16_t bits,
                     std::string_view layout, unsigned uses, Coding coding = Coding::Plain,
                     std::uint8_t block_width = 1, std::uint8_t block_height = 1);

    constexpr unsigned bytes() const { return bits / 8; }
    constexpr bool supports(unsigned use) const { return (uses & use) == use; }
    /// The kind of the first channel that is there.
    constexpr Kind kind() const {
        for (const Field& field : channel)
            if (field.kind != Kind::None) return field.kind;
        return Kind::None;
    }
    constexpr bool integer() const { return kind() == Kind::Uint || kind() == Kind::Sint; }
    constexpr bool srgb() const { return kind() == Kind::Srgb; }
    /// Channels that are in the surface, bit 0 = R.
    constexpr unsigned present() const {
        unsigned mask = 0;
        for (unsigned c = 0; c < 4; ++c)
            mask |= (channel[c].kind != Kind::None) << c;
        return mask;
    }
    /// What a channel that is not in the surface reads as (SMP-202, DP-071).
    constexpr std::uint32_t missing(unsigned c) const {
        return c < 3 ? 0u : integer() ? 1u : 0x3F800000u;
    }
    /// Slots of 16 bytes that a vertex element takes: two for DWords copied from more than 128 bits.
    constexpr unsigned slots() const { return kind() == Kind::Raw && bits > 128 ? 2 : 1; }
};

/// The format of a code of RENDER_SURFACE_STATE or VERTEX_ELEMENT_STATE; null: there is none.
/// `astc`: the state's ASTC bit, which gives the codes another meaning (SMP-91).
const Format* find_format(unsigned code, bool astc = false);
/// The format of a code of 3DSTATE_DEPTH_BUFFER: D32_FLOAT, D24_UNORM_X8_UINT, D16_UNORM.
const Format* find_depth_format(unsigned code);
/// Of a stencil buffer: one byte.
const Format& stencil_format();
/// All rows in the order of their codes.
std::span<const Format> formats();
std::span<const Format> astc_formats();
std::span<const Format> depth_formats();

}  // namespace gen9::formats
