// SPDX-License-Identifier: Apache-2.0
#include "pixel/color.h"

#include <bit>
#include <limits>

#include "common/host.h"

namespace gen9::pixel {

namespace {

using formats::Format;
using formats::Kind;
using formats::kLanes;
using formats::Lanes;

using Row = std::array<float, kLanes>;

Row row_of(const std::array<std::uint32_t, kLanes>& bits) {
    return std::bit_cast<Row>(bits);
}

/// What a factor is made of; the inverse of it has bit 4 set.
struct Inputs {
    const Lanes& source;
    const Lanes& source1;
    const Lanes& destination;
    const std::array<float, 4>& constant;
};

GEN9_INLINE Row factor_row(Factor factor, unsigned channel, const Inputs& in) {
    constexpr unsigned kAlpha = 3;
    const auto code = static_cast<unsigned>(factor);
    Row row;
    switch (static_cast<Factor>(code & 0xF)) {
        case Factor::One:
            row.fill(1);
            break;
        case Factor::SourceColor:
            row = row_of(in.source.channel[channel]);
            break;
        case Factor::SourceAlpha:
            row = row_of(in.source.channel[kAlpha]);
            break;
        case Factor::DestinationAlpha:
            row = row_of(in.destination.channel[kAlpha]);
            break;
        case Factor::DestinationColor:
            row = row_of(in.destination.channel[channel]);
            break;
        case Factor::SourceAlphaSaturate: {
            row.fill(1);
            if (channel == kAlpha) break;
            const Row s = row_of(in.source.channel[kAlpha]);
            const Row d = row_of(in.destination.channel[kAlpha]);
            for (unsigned n = 0; n < kLanes; ++n)
                row[n] = s[n] < 1 - d[n] ? s[n] : 1 - d[n];
            break;
        }
        case Factor::ConstantColor:
            row.fill(in.constant[channel]);
            break;
        case Factor::ConstantAlpha:
            row.fill(in.constant[kAlpha]);
            break;
        case Factor::Source1Color:
            row = row_of(in.source1.channel[channel]);
            break;
        case Factor::Source1Alpha:
            row = row_of(in.source1.channel[kAlpha]);
            break;
        default:
            row.fill(0);
            break;
    }
    if (code & 0x10)
        for (unsigned n = 0; n < kLanes; ++n)
            row[n] = 1 - row[n];
    return row;
}

GEN9_INLINE void blend_channel(const BlendTerms& terms, unsigned channel, const Inputs& in,
                               std::array<std::uint32_t, kLanes>& out) {
    Row source = row_of(in.source.channel[channel]);
    Row destination = row_of(in.destination.channel[channel]);
    // 0 and 1 leave out a product, and so a NaN of 0 times infinity.
    const auto scale = [&](Factor factor, Row& row) {
        if (factor == Factor::One) return;
        if (factor == Factor::Zero) return row.fill(0);
        const Row by = factor_row(factor, channel, in);
        for (unsigned n = 0; n < kLanes; ++n)
            row[n] *= by[n];
    };
    scale(terms.source, source);
    scale(terms.destination, destination);
    const auto each = [&](auto&& function) {
        Row result;
        for (unsigned n = 0; n < kLanes; ++n)
            result[n] = function(source[n], destination[n]);
        out = std::bit_cast<std::array<std::uint32_t, kLanes>>(result);
    };
    switch (terms.function) {
        case Function::Add:
            return each([](float s, float d) { return s + d; });
        case Function::Subtract:
            return each([](float s, float d) { return s - d; });
        case Function::ReverseSubtract:
            return each([](float s, float d) { return d - s; });
        case Function::Min:
            return each([](float s, float d) { return s < d ? s : d; });
        case Function::Max:
            return each([](float s, float d) { return s > d ? s : d; });
    }
}

/// The order of thresholds in a block of 4 x 4 pixels (Assumed: the seeds' figure is lost).
constexpr std::uint8_t kDither[4][4] = {
    {0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

}  // namespace

GEN9_FOR_EACH_HOST
void blend(const BlendTerms& color, const BlendTerms& alpha, Lanes& source, const Lanes& source1,
           const Lanes& destination, const std::array<float, 4>& constant) {
    Lanes result;
    const Inputs in{source, source1, destination, constant};
    for (unsigned c = 0; c < 4; ++c)
        blend_channel(c < 3 ? color : alpha, c, in, result.channel[c]);
    source = result;
}

Bounds clamp_bounds(ClampRange range, const Format& format) {
    if (format.integer()) return {};  // the conversion clamps (CC-50)
    if (range == ClampRange::Unorm) return {true, 0, 1};
    if (range == ClampRange::Snorm) return {true, -1, 1};
    switch (format.kind()) {
        case Kind::Unorm:
        case Kind::Srgb:
            return {true, 0, 1};
        case Kind::Snorm:
            return {true, -1, 1};
        default:
            return {};
    }
}

GEN9_FOR_EACH_HOST
void clamp(const Bounds& bounds, Lanes& lanes) {
    if (!bounds.on) return;
    for (auto& channel : lanes.channel) {
        Row row = row_of(channel);
        for (unsigned n = 0; n < kLanes; ++n) {
            const float number = row[n] == row[n] ? row[n] : 0;
            const float raised = number > bounds.least ? number : bounds.least;
            row[n] = raised < bounds.most ? raised : bounds.most;
        }
        channel = std::bit_cast<std::array<std::uint32_t, kLanes>>(row);
    }
}

bool takes_logic(const Format& format) {
    for (const formats::Field& field : format.channel)
        if (field.kind == Kind::Float || field.kind == Kind::Ufloat || field.kind == Kind::Shared)
            return false;
    return true;
}

void dither(unsigned width, unsigned x_offset, unsigned y_offset, const PixelPlaces& places,
            std::array<std::uint32_t, kLanes>& values) {
    const auto codes = static_cast<float>((1u << width) - 1);
    for (unsigned n = 0; n < kLanes; ++n) {
        const auto value = std::bit_cast<float>(values[n]);
        const float positive = value > 0 ? value : 0;
        const float scaled = (positive < 1 ? positive : 1) * codes;
        const float threshold = kDither[(places.y[n] + y_offset) & 3][(places.x[n] + x_offset) & 3];
        // A code stays itself also if it came as its float; the step of a threshold is 1/16.
        const auto code =
            static_cast<float>(static_cast<std::int32_t>(scaled + (threshold + 0.5f) / 16));
        values[n] = std::bit_cast<std::uint32_t>((code < codes ? code : codes) / codes);
    }
}

ColorTarget::ColorTarget(const Format& format, const formats::Selects& select,
                         const ColorState& state, unsigned index, bool dithering)
    : codec_(format, select),
      target_(state.target[index % kTargets]),
      dither_x_(state.dither_x),
      dither_y_(state.dither_y) {
    alpha_ = state.independent_alpha ? target_.alpha : target_.color;
    logic_ = target_.logic && takes_logic(format);
    // Both on is undefined (CC-14): the logic operation has come last. Integers never blend (CC-15).
    blend_ = target_.blend && !target_.logic && format.supports(formats::kBlend);
    alpha_to_one_ = state.alpha_to_one && !format.integer();

    const Bounds bounds = clamp_bounds(target_.range, format);
    if (target_.clamp_before || target_.clamp_source_only) source_clamp_ = bounds;
    if (blend_ && target_.clamp_before && !target_.clamp_source_only) other_clamp_ = bounds;
    if (blend_ && target_.clamp_after) after_clamp_ = bounds;
    constant_ = state.constant;
    if (other_clamp_.on) {
        Lanes lanes{};
        for (unsigned c = 0; c < 4; ++c)
            lanes.channel[c][0] = std::bit_cast<std::uint32_t>(constant_[c]);
        clamp(other_clamp_, lanes);
        for (unsigned c = 0; c < 4; ++c)
            constant_[c] = std::bit_cast<float>(lanes.channel[c][0]);
    }

    if (state.dither && dithering)
        for (unsigned c = 0; c < 3; ++c) {
            const auto surface = static_cast<unsigned>(select[c]) - 4;
            if (surface > 3) continue;
            const formats::Field& field = format.channel[surface];
            if (field.kind == Kind::Unorm && field.width < 8) dither_[c] = field.width;
        }
    mask_ = codec_.mask(target_.writes);
    writes_ = mask_.whole;
    for (const std::uint32_t word : mask_.word)
        writes_ |= word != 0;
}

GEN9_FOR_EACH_HOST
static void logic_words(LogicOp op, unsigned words, const formats::Elements& source,
                        formats::Elements& elements) {
    for (unsigned w = 0; w < words; ++w)
        for (unsigned n = 0; n < kLanes; ++n)
            elements.word[w][n] = logic(op, source.word[w][n], elements.word[w][n]);
}

void ColorTarget::calculate(Lanes& source, const Lanes& source1, formats::Elements& elements,
                            const PixelPlaces& places, unsigned lanes) const {
    if (alpha_to_one_) source.channel[3].fill(std::bit_cast<std::uint32_t>(1.0f));
    clamp(source_clamp_, source);
    if (blend_) {
        Lanes destination;
        codec_.decode(elements, destination, lanes);
        clamp(other_clamp_, destination);
        const auto uses_source1 = [](const BlendTerms& terms) {
            const auto is = [](Factor factor) {
                const unsigned kind = static_cast<unsigned>(factor) & 0xF;
                return kind == static_cast<unsigned>(Factor::Source1Color) ||
                       kind == static_cast<unsigned>(Factor::Source1Alpha);
            };
            return is(terms.source) || is(terms.destination);
        };
        if (source_clamp_.on && (uses_source1(target_.color) || uses_source1(alpha_))) {
            Lanes clamped = source1;
            clamp(source_clamp_, clamped);
            blend(target_.color, alpha_, source, clamped, destination, constant_);
        } else {
            blend(target_.color, alpha_, source, source1, destination, constant_);
        }
        clamp(after_clamp_, source);
    }
    for (unsigned c = 0; c < 3; ++c)
        if (dither_[c]) dither(dither_[c], dither_x_, dither_y_, places, source.channel[c]);
    if (!logic_) {
        codec_.encode(source, elements, lanes);
        return;
    }
    formats::Elements stored;
    codec_.encode(source, stored, lanes);
    logic_words(target_.logic_op, (codec_.format().bytes() + 3) / 4, stored, elements);
}

}  // namespace gen9::pixel
