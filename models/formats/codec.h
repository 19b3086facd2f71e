// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "formats/conversion.h"
#include "formats/elements.h"
#include "formats/format.h"

namespace gen9::formats {

/// R, G, B and A of a row of texels as register values: float bits, or integers.
struct Lanes {
    alignas(64) std::array<std::array<std::uint32_t, kLanes>, 4> channel;
};

/// A shader channel select of RENDER_SURFACE_STATE.
enum class Select : std::uint8_t { Zero = 0, One = 1, Red = 4, Green = 5, Blue = 6, Alpha = 7 };
/// Shader R first.
using Selects = std::array<Select, 4>;
inline constexpr Selects kPlainSelects{Select::Red, Select::Green, Select::Blue, Select::Alpha};

/// All conversions of one format, chosen once: for a surface, an attachment or a vertex element. A
/// row has 16 elements; `lanes` of up to 8 make the conversions shorter.
///
/// Not here: block formats, palettes, YUV and planes, which the sampler decodes (Format::coding).
class Codec {
  public:
    explicit Codec(const Format& format, const Selects& select = kPlainSelects);

    const Format& format() const { return *format_; }
    /// Is there a conversion from memory to registers? One back, which Gen9 has for fewer formats?
    bool decodes() const { return decodes_; }
    bool encodes() const { return encodes_; }

    // Between memory and rows of elements.
    const Transfer& transfer() const { return *transfer_; }

    // Between rows of elements and registers.
    /// A channel that the format has not is 0, or 1 for alpha. `slot`: of elements that are copied,
    /// the DWords 4 * slot to 4 * slot + 3.
    void decode(const Elements& from, Lanes& to, unsigned lanes = kLanes, unsigned slot = 0) const;
    /// Bits that no channel has become ones (the X channel is written as 1.0), but zeros in a depth
    /// buffer (Assumed).
    void encode(const Lanes& from, Elements& to, unsigned lanes = kLanes) const;
    /// The bits that a write of these shader channels changes, bit 0 = R. X goes with alpha.
    WriteMask mask(unsigned channels) const;

    // Both at once.
    void read(const std::uint8_t* from, unsigned count, Lanes& to) const;
    void read(const std::uint8_t* base, const std::uint32_t* at, std::uint32_t lanes,
              Lanes& to) const;
    void read(const std::uint8_t* const* at, std::uint32_t lanes, Lanes& to) const;
    void write(const Lanes& from, unsigned channels, std::uint32_t lanes, std::uint8_t* to) const;
    void write(const Lanes& from, unsigned channels, std::uint32_t lanes, std::uint8_t* base,
               const std::uint32_t* at) const;
    void write(const Lanes& from, unsigned channels, std::uint32_t lanes,
               std::uint8_t* const* at) const;
    /// `changes`: mask() of the channels, for who writes the same ones again and again.
    void write(const Lanes& from, const WriteMask& changes, std::uint32_t lanes, std::uint8_t* base,
               const std::uint32_t* at) const;

    /// A surface channel's values in the format itself, and back: what depth is compared as and
    /// logic operations work on.
    void to_bits(unsigned channel, const std::uint32_t* values, std::uint32_t* bits) const;
    void from_bits(unsigned channel, const std::uint32_t* bits, std::uint32_t* values) const;

  private:
    struct Step {
        const Conversion* conversion = nullptr;  ///< null: the channel is a constant, or dropped
        std::uint8_t word = 0, shift = 0;
        std::uint32_t constant = 0;
    };
    const Format* format_;
    const Transfer* transfer_;
    std::array<Step, 4> read_{}, write_{};  ///< by shader channel
    std::array<std::uint32_t, 8> fixed_{};  ///< bits that are written whatever the channels hold
    std::uint8_t words_ = 0;
    bool decodes_ = false, encodes_ = false;
    bool copies_ = false;  ///< a written element is DWords of registers, as they are
    std::array<std::uint8_t, 4> copied_{};  ///< the shader channel of each
    void find_copies();
};

}  // namespace gen9::formats
