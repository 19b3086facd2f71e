// SPDX-License-Identifier: Apache-2.0
/// Colour calculator: makes what is stored of what the shader sends and what was stored before.
///
/// Its work is by rows of up to 16 pixels, or samples of pixels; all choices that the state makes
/// are made once per target.
///
/// Spec  CC-02, CC-10 to CC-28
#pragma once
#include <array>
#include <cstdint>

#include "formats/codec.h"
#include "pixel/color_state.h"

namespace gen9::pixel {

/// The pixels of a row on the screen; dithering depends on them.
struct PixelPlaces {
    std::array<std::uint16_t, formats::kLanes> x{}, y{};
};

/// Source, source 1, destination and constant in float32, R first, become the source (CC-16 to
/// CC-23). Nothing is clamped.
void blend(const BlendTerms& color, const BlendTerms& alpha, formats::Lanes& source,
           const formats::Lanes& source1, const formats::Lanes& destination,
           const std::array<float, 4>& constant);

/// The bounds of a clamp. A NaN becomes 0.
struct Bounds {
    bool on = false;
    float least = 0, most = 0;
};
/// The bounds that a range has for a format (CC-10, CC-12); off if there are none.
Bounds clamp_bounds(ClampRange range, const formats::Format& format);
void clamp(const Bounds& bounds, formats::Lanes& lanes);

/// The logic operation on a DWord of stored bits (CC-26).
constexpr std::uint32_t logic(LogicOp op, std::uint32_t source, std::uint32_t destination) {
    const auto code = static_cast<unsigned>(op);
    const auto term = [&](unsigned bit, std::uint32_t bits) { return code >> bit & 1 ? bits : 0; };
    return term(3, source & destination) | term(2, source & ~destination) |
           term(1, ~source & destination) | term(0, ~source & ~destination);
}
/// Do logic operations act on it? Not on floats.
bool takes_logic(const formats::Format& format);

/// Makes UNORM channels of so many bits the value of a code, the greater the threshold of the
/// pixel's place in the matrix (CC-25).
void dither(unsigned width, unsigned x_offset, unsigned y_offset, const PixelPlaces& places,
            std::array<std::uint32_t, formats::kLanes>& values);

/// The conversion and state of one target.
class ColorTarget {
  public:
    /// `select`: the channel selects of the surface. `dithering`: a parameter of the machine; what
    /// GL asks for by default is allowed to do nothing.
    ColorTarget(const formats::Format& format, const formats::Selects& select,
                const ColorState& state, unsigned index, bool dithering = true);

    const formats::Codec& codec() const { return codec_; }
    /// Must the destination's elements be known, for all bits that are written?
    bool reads_destination() const { return blend_ || logic_; }
    /// Which bits of an element are written.
    const formats::WriteMask& mask() const { return mask_; }
    bool writes() const { return writes_; }
    /// Do the pixels' places count?
    bool dithers() const { return dither_[0] || dither_[1] || dither_[2]; }

    /// `elements`: the destination's if they are read; what is to be stored under `mask()`.
    void calculate(formats::Lanes& source, const formats::Lanes& source1,
                   formats::Elements& elements, const PixelPlaces& places,
                   unsigned lanes = formats::kLanes) const;

  private:
    const formats::Codec codec_;
    const TargetState target_;
    BlendTerms alpha_;
    bool blend_ = false, logic_ = false, writes_ = false;
    bool alpha_to_one_ = false;
    std::uint8_t dither_x_ = 0, dither_y_ = 0;
    std::array<std::uint8_t, 3> dither_{};  ///< bits of a shader channel that is dithered, or 0
    Bounds source_clamp_, other_clamp_, after_clamp_;
    std::array<float, 4> constant_{};
    formats::WriteMask mask_;
};

}  // namespace gen9::pixel
