// SPDX-License-Identifier: Apache-2.0
#include "sampler/media/scale.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/bits.h"
#include "packets/media_surface_state.h"
#include "sampler/media/choices.h"

namespace gen9::sampler::media {

namespace {

namespace surface_state = packets::media_surface_state;
using enum packets::MEDIA_SAMPLER_PAYLOAD::Sequence;
using enum packets::MEDIA_SAMPLER_HEADER::OutputFormatControlMode;

constexpr unsigned kReds = 1u << kRed, kGreens = 1u << kGreen, kBlues = 1u << kBlue,
                   kAlphas = 1u << kAlpha;

/// What pixels of a format consist of (SMP-204, SMP-211, SMP-212).
struct Form {
    std::uint8_t bytes = 0;  ///< of an element of the first plane; 0: the scaler has no such format
    /// First bit of R, G, B, A in an element and bits of each, of formats with one plane; no bits:
    /// the format lacks the channel.
    std::array<std::uint8_t, 4> low{}, width{};
    bool chroma = false;  ///< Cr is R, Y is G, Cb is B, at half of the width or of both sizes
    bool half_height = false;
    bool packed = false;  ///< Y, Cb and Cr alternate
    /// Of packed ones: bytes of the first Y, of Cb and of Cr in four, which are two pixels.
    std::uint8_t y = 0, cb = 0, cr = 0;
};

Form form_of(std::uint32_t format) {
    switch (format) {
        case surface_state::YCRCB_NORMAL:
            return {.bytes = 2, .chroma = true, .packed = true, .y = 0, .cb = 1, .cr = 3};
        case surface_state::YCRCB_SWAPUVY:
            return {.bytes = 2, .chroma = true, .packed = true, .y = 1, .cb = 2, .cr = 0};
        case surface_state::YCRCB_SWAPUV:
            return {.bytes = 2, .chroma = true, .packed = true, .y = 0, .cb = 3, .cr = 1};
        case surface_state::YCRCB_SWAPY:
            return {.bytes = 2, .chroma = true, .packed = true, .y = 1, .cb = 0, .cr = 2};
        case surface_state::PLANAR_420_8:
            return {.bytes = 1, .chroma = true, .half_height = true};
        case surface_state::PLANAR_422_8:
            return {.bytes = 1, .chroma = true};
        case surface_state::Y8_UNORM:
        case surface_state::Y8_UNORM_VA:
            return {.bytes = 1, .width = {0, 8, 0, 0}};
        case surface_state::R8_UNORM_CRCB:
            return {.bytes = 1, .width = {8, 0, 0, 0}};
        case surface_state::R8B8_UNORM_CRCB:
            return {.bytes = 2, .low = {0, 0, 8, 0}, .width = {8, 0, 8, 0}};
        case surface_state::R8G8B8A8_UNORM:
            return {.bytes = 4, .low = {0, 8, 16, 24}, .width = {8, 8, 8, 8}};
        case surface_state::B8G8R8A8_UNORM:
            return {.bytes = 4, .low = {16, 8, 0, 24}, .width = {8, 8, 8, 8}};
        // A is the highest byte and V the lowest, as programs of DirectX have AYUV (Public: the iHD
        // driver uses the format for it).
        case surface_state::A8Y8U8V8_UNORM:
            return {.bytes = 4, .low = {0, 16, 8, 24}, .width = {8, 8, 8, 8}};
        case surface_state::R10G10B10A2_UNORM:
            return {.bytes = 4, .low = {0, 10, 20, 30}, .width = {10, 10, 10, 2}};
        default:
            return {};
    }
}

/// A position in pixels with kPositionBits of fraction. NaN is 0; what is far away keeps its side.
std::int64_t fixed(double pixels) {
    constexpr double kFar = 1ll << 40;
    constexpr std::int64_t kPixel = 1 << kPositionBits;
    if (std::isnan(pixels)) return 0;
    return static_cast<std::int64_t>(std::floor(std::clamp(pixels, -kFar, kFar) * kPixel + 0.5));
}

/// `sum` out of `whole`, as a result of full scale: rounded half up, clamped.
std::uint16_t to_result(std::int64_t sum, std::int64_t whole, std::int64_t full) {
    if (sum <= 0) return 0;
    return static_cast<std::uint16_t>(std::min((2 * sum * full + whole) / (2 * whole), full));
}

}  // namespace

struct Scaling::Plane {
    unsigned bytes = 1;                ///< of an element
    std::uint8_t step = 1, first = 0;  ///< bytes from one to the next, and of the first
    std::int8_t chroma = -1;           ///< 0, 1: the plane of Cb, of Cr
    bool half_width = false, half_height = false;

    std::int64_t length(const surface::MediaSurface& picture, unsigned axis) const {
        const std::int64_t luma = std::max(axis == 0 ? picture.width : picture.height, 1u);
        return halves(axis) ? (luma + 1) / 2 : luma;
    }
    bool halves(unsigned axis) const { return axis == 0 ? half_width : half_height; }
};

// --- Legal messages

Verdict Scaling::refuse() const {
    const Form form = form_of(picture.format);
    if (const char* const wrong = refuse_block()) return {wrong};
    if (form.bytes == 0) return {"surface that is not UNORM of up to ten bits a channel (SMP-241)"};
    constexpr std::uint32_t kLeastWidth = 4;
    if (picture.width < kLeastWidth) return {"surface less than 4 pixels wide (SMP-241)"};
    if (const char* const wrong = refuse_steps()) return {wrong};
    if (picture.unmodelled) return {nullptr, "SMP-249"};
    // Neither the edge filter nor the adaptive one is public. Without green there is no edge filter.
    const bool filters_edges = !in.bypasses_edge_filter && (in.channels & kGreens);
    if (filters_edges || state.adaptive) return {nullptr, "SMP-250"};
    return {};
}

const char* Scaling::refuse_block() const {
    if (!state.shuffled && (in.sequence == SEQ_8x4 || in.sequence == SEQ_4x4))
        return "8x4 or 4x4 without Shuffle_OutputWriteback (SMP-242)";
    if (swaps_axes() && in.vertical_block && in.sequence != SEQ_4x4)
        return "vertical block number with a rotation of 90 or 270 degrees (SMP-245)";
    if (in.sequence != SEQ_16x8) return nullptr;
    const bool all_but_alpha = in.channels == (kReds | kGreens | kBlues);
    const bool one_kind = in.channels == kGreens || !(in.channels & (kGreens | kAlphas));
    const bool legal = in.form == FULL_16                      ? one_kind
                       : in.form == CHROMINANCE_DOWNSAMPLED_16 ? one_kind || all_but_alpha
                                                               : true;
    return legal ? nullptr : "16x8 with too many channels for its output format (SMP-246)";
}

const char* Scaling::refuse_steps() const {
    const double du = double{in.du} * static_cast<double>(length(0)),
                 dv = double{in.dv} * static_cast<double>(length(1)),
                 ddu = double{in.ddu} * static_cast<double>(length(0));
    constexpr double kMost = 16;
    if (!(du < kMost) || !(dv < kMost) || !(in.du < 1) || !(in.dv < 1))
        return "step of 16 pixels or more (SMP-241, SMP-243)";
    if (!(ddu >= -du / 18) || !(ddu <= (64 - 2 * du) / 35) || !(2 * ddu <= du))
        return "second derivative out of range (SMP-243)";
    return nullptr;
}

// --- Which texels

/// The picture is turned before it is sampled: an axis of the message is the same one of memory or
/// the other, and runs with it or against it.
bool Scaling::reverses(unsigned axis) const {
    constexpr unsigned kHalfTurn = 2;
    if (!swaps_axes()) return picture.rotation == kHalfTurn;
    return (picture.rotation == 1) == (kClockwise ? axis == 0 : axis == 1);
}

std::int64_t Scaling::length(unsigned axis) const {
    return Plane{}.length(picture, swaps_axes() ? 1 - axis : axis);
}

std::uint64_t Scaling::address(const Plane& plane, std::uint32_t x, std::uint32_t y) const {
    const std::array<std::uint32_t, 2> turned{x, y};
    std::array<std::uint32_t, 2> at;
    for (unsigned axis = 0; axis < 2; ++axis) {
        const unsigned own = swaps_axes() ? 1 - axis : axis;
        const auto last = static_cast<std::uint32_t>(plane.length(picture, own) - 1);
        at[own] = reverses(axis) ? last - turned[axis] : turned[axis];
    }
    const std::uint32_t row = picture.state_field ? picture.first_line + 2 * at[1] : at[1];
    if (plane.chroma >= 0) return picture.chroma_address(plane.chroma == 1, at[0], row);
    return picture.luma_address(at[0] * plane.step + plane.first, row);
}

/// Finds phase and texels of each pixel of the block in a direction.
void Scaling::add_positions(const Plane& plane, unsigned axis, Positions& positions,
                            Axis& texels) const {
    const unsigned own = swaps_axes() ? 1 - axis : axis;
    const std::int64_t luma = length(axis), size = plane.length(picture, own);
    const double first = axis == 0 ? in.u : in.v, step = axis == 0 ? in.du : in.dv,
                 second = axis == 0 ? in.ddu : in.ddv;
    // The n-th chroma lies at 2n + offset of luma.
    double offset = picture.chroma_offset[own] / 4.0;
    if (reverses(axis)) offset = 1 - offset - static_cast<double>(2 * size - luma);
    const unsigned count = axis == 0 ? in.width() : in.height();
    for (unsigned i = 0; i < count; ++i) {
        const double n = i + (axis == 0 ? 0 : in.first_row());
        double at = (first + step * n + second * (n * (n - 1) / 2)) * static_cast<double>(luma);
        if (plane.halves(own)) at = (at - offset) / 2;
        const std::int64_t place = fixed(at);
        positions.phase[i] = static_cast<std::uint8_t>(
            bits(static_cast<std::uint64_t>(place), kPositionBits - 1, kPositionBits - kPhaseBits));
        for (unsigned tap = 0; tap < positions.taps; ++tap)
            texels.add((place >> kPositionBits) - kIntegerTap + positions.first_tap + tap, size,
                       picture.mirror);
    }
}

/// A set of elements that these of the channels come from.
void Scaling::add_set(const Plane& plane, unsigned channels) {
    if (!(channels & in.channels)) return;
    bool eight = false;
    for (unsigned c = 0; c < 4; ++c) {
        if (!(channels & in.channels & 1u << c)) continue;
        channels_[c].present = true;
        channels_[c].set = static_cast<std::uint8_t>(sets);
        eight = eight || state.eight_taps(c);
    }
    Elements& set = elements[sets];
    set.clear();
    for (unsigned axis = 0; axis < 2; ++axis) {
        Positions& positions = positions_[sets][axis];
        positions.first_tap = eight ? 0 : 2;
        positions.taps = eight ? kTaps : kTaps / 2;
        add_positions(plane, axis, positions, axis == 0 ? set.x : set.y);
    }
    set.place(plane.bytes, [&](std::uint32_t x, std::uint32_t y) { return address(plane, x, y); });
    ++sets;
}

void Scaling::plan() {
    const Form form = form_of(picture.format);
    picture.layout.element_bytes = form.bytes;
    sets = 0;
    channels_ = {};
    channels_[kAlpha].full = true;
    if (!form.chroma) {
        unsigned present = 0;
        for (unsigned c = 0; c < 4; ++c) {
            channels_[c].low = form.low[c];
            channels_[c].width = form.width[c];
            if (form.width[c]) present |= 1u << c;
        }
        return add_set({.bytes = form.bytes, .step = form.bytes}, present);
    }
    add_set({.step = form.bytes, .first = form.y}, kGreens);
    for (const unsigned cr : {0u, 1u}) {
        Plane plane{.half_width = true, .half_height = form.half_height};
        if (form.packed) {
            plane.step = 4;
            plane.first = cr ? form.cr : form.cb;
        } else {
            plane.chroma = static_cast<std::int8_t>(cr);
        }
        add_set(plane, cr ? kReds : kBlues);
    }
}

// --- The filter

/// Sums of a channel's texels, each weighed by its row's and its column's of `weights`, in 4096ths.
template <class Weights>
void Scaling::sum(const Channel& channel, Weights weights, Sums& sums) const {
    const Elements& set = elements[channel.set];
    const auto& [across, down] = positions_[channel.set];
    const unsigned rows = static_cast<unsigned>(set.y.places().size());
    const unsigned width = in.width();
    std::array<std::array<std::int32_t, 16>, 8 * kTaps> of_row;
    for (unsigned row = 0; row < rows; ++row)
        for (unsigned x = 0; x < width; ++x) {
            const Taps& taps = weights(0, across.phase[x]);
            std::int32_t total = 0;
            for (unsigned tap = 0; tap < across.taps; ++tap) {
                const std::uint8_t* const at = set.at(set.x.at(x * across.taps + tap), row);
                std::uint32_t element = 0;
                std::memcpy(&element, at, set.bytes);
                const unsigned last = channel.low + channel.width - 1u;
                total += taps[across.first_tap + tap] *
                         static_cast<std::int32_t>(bits(element, last, channel.low));
            }
            of_row[row][x] = total;
        }
    for (unsigned y = 0; y < in.height(); ++y) {
        const Taps& taps = weights(1, down.phase[y]);
        for (unsigned x = 0; x < width; ++x) {
            std::int64_t total = 0;
            for (unsigned tap = 0; tap < down.taps; ++tap)
                total += std::int64_t{taps[down.first_tap + tap]} *
                         of_row[set.y.at(y * down.taps + tap)][x];
            sums[y * width + x] = total;
        }
    }
}

void Scaling::filter(Results& results) const {
    constexpr std::int64_t kOne = packets::sampler_state_8x8_avs_coefficients::kOne;
    const bool wide = in.form == FULL_16 || in.form == CHROMINANCE_DOWNSAMPLED_16;
    const std::int64_t full_scale = wide ? kFullScale16 : kFullScale8;
    const unsigned pixels = in.width() * in.height();
    const auto smooth_taps = [](unsigned, unsigned phase) {
        constexpr unsigned kShare = 64 >> kPhaseBits;
        Taps taps{};
        taps[kIntegerTap] = static_cast<std::int8_t>(kOne - kShare * phase);
        taps[kIntegerTap + 1] = static_cast<std::int8_t>(kShare * phase);
        return taps;
    };
    const std::int64_t sharpness = state.sharpness;
    Sums sharp{}, smooth{};
    for (unsigned c = 0; c < 4; ++c) {
        if (!(in.channels >> c & 1)) continue;
        const Channel& channel = channels_[c];
        if (!channel.present) {
            std::fill_n(results.channel[c].begin(), pixels,
                        static_cast<std::uint16_t>(channel.full ? full_scale : 0));
            continue;
        }
        const ScalerState::Table& table = state.table(c);
        if (sharpness > 0)
            sum(
                channel,
                [&](unsigned axis, unsigned phase) -> const Taps& { return table[axis][phase]; },
                sharp);
        if (sharpness < kAllSharp) sum(channel, smooth_taps, smooth);
        const std::int64_t whole = kOne * kOne * ((1 << channel.width) - 1) * kAllSharp;
        for (unsigned p = 0; p < pixels; ++p)
            results.channel[c][p] = to_result(
                sharpness * sharp[p] + (kAllSharp - sharpness) * smooth[p], whole, full_scale);
    }
}

}  // namespace gen9::sampler::media
