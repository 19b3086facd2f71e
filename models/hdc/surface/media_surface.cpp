// SPDX-License-Identifier: Apache-2.0
#include "hdc/surface/media_surface.h"

#include <algorithm>

#include "hdc/plan/window.h"

namespace gen9::hdc {

namespace {

namespace state = packets::render_surface_state;

/// Packed YUV 4:2:2 formats: a DWord is two pixels, which share U and V (003:5365-5419).
constexpr unsigned kYcrcbNormal = 0x182, kYcrcbSwapUvy = 0x183, kYcrcbSwapUv = 0x18F,
                   kYcrcbSwapY = 0x190;
constexpr unsigned kPairBytes = 4;

bool packed_yuv(unsigned format) {
    return format == kYcrcbNormal || format == kYcrcbSwapUvy || format == kYcrcbSwapUv ||
           format == kYcrcbSwapY;
}
/// The byte of a pair in which the first pixel's Y is; the second's is two further on.
unsigned first_luma(unsigned format) {
    return format == kYcrcbNormal || format == kYcrcbSwapUv ? 0 : 1;
}

/// The bytes of what is repeated outside; 0 for a format media messages cannot repeat.
unsigned repeated_bytes(const Surface& s) {
    constexpr unsigned kA16Unorm = 0x113;
    if (packed_yuv(s.format)) return kPairBytes;
    if (s.format == kA16Unorm) return 2;
    return s.typed ? s.typed->bytes : 0;
}

}  // namespace

MediaSurface::MediaSurface(const Decoded& d, const Surface& s)
    : s_(s),
      pixel_(repeated_bytes(s)),
      // The width of a surface used by media messages counts DWords (003:5302-5326: U is 4 times
      // X; Public: compute-runtime programs it so for images read in blocks).
      width_(std::int64_t{s.width} * 4),
      height_(s.height),
      stride_(d.line_override ? d.line_stride : s.line_stride),
      first_line_(d.line_override ? d.line_offset : s.line_offset) {}

const char* MediaSurface::refuse() const {
    if (s_.null()) return nullptr;
    if (s_.type != state::SURFTYPE_2D || s_.array)
        return "media block on a surface that is not a single 2D one (DP-055)";
    if (s_.compressed && s_.coherent)
        return "compressed media surface that is IA coherent (DP-184)";
    if (s_.tiling == Tiling::W) return "media block on a TileW surface (DP-181)";
    constexpr unsigned kBaseAlign = 32, kLinearPitch = 64;
    if (s_.base % kBaseAlign) return "media surface not aligned to 32 bytes (DP-182)";
    if (s_.tiling == Tiling::Linear && s_.pitch_bytes % kLinearPitch)
        return "pitch of a linear media surface no multiple of 64 bytes (DP-182)";
    if (pixel_ == 0) return "surface format without media access (DP-183)";
    return nullptr;
}

std::uint64_t MediaSurface::address_of_line(std::int64_t x, std::int64_t line) const {
    const unsigned element = packed_yuv(s_.format) ? 2 : pixel_;
    const std::uint64_t column =
        static_cast<std::uint64_t>(x) + s_.x_offset * std::uint64_t{element};
    const std::uint64_t row = s_.y_offset + static_cast<std::uint64_t>(line);
    return (s_.base + tile_offset(s_.layout(element), column, row)) & kAddressMask;
}

std::uint64_t MediaSurface::address(std::int64_t x, std::int64_t y) const {
    return address_of_line(x, first_line_ + (stride_ + std::int64_t{1}) * y);
}

std::uint64_t MediaSurface::nearest(std::int64_t x, std::int64_t y) const {
    return address_of_line(nearest_column(x), nearest_line(y));
}

std::int64_t MediaSurface::nearest_column(std::int64_t x) const {
    if (x >= 0 && x < width_) return x;
    // The byte of the same place in the nearest pixel.
    const std::int64_t pixel = pixel_;
    std::int64_t part = ((x % pixel) + pixel) % pixel;
    if (packed_yuv(s_.format) && (part & 1) == first_luma(s_.format)) {
        // Both pixels of the pair repeat the one at the edge: the first left, the second right.
        part = first_luma(s_.format) + (x < 0 ? 0 : 2);
    }
    return std::max<std::int64_t>((x < 0 ? 0 : width_ - pixel) + part, 0);
}

/// Which line stands for a row, by the media boundary pixel mode when it is outside.
std::int64_t MediaSurface::nearest_line(std::int64_t y) const {
    const bool field = stride_ != 0;
    const std::int64_t inside = std::clamp<std::int64_t>(y, 0, height_ - 1);
    if (inside != y && s_.boundary_mode == state::PROGRESSIVE_FRAME && field)
        return y < 0 ? 0 : 2 * height_ - 1;  // of the frame, whichever field it belongs to
    if (inside != y && s_.boundary_mode == state::INTERLACED_FRAME && !field) {
        // The nearest row of the field that the row asked for belongs to.
        const bool same = ((inside ^ y) & 1) == 0;
        const std::int64_t other = y < 0 ? inside + 1 : inside - 1;
        return first_line_ + (same ? inside : std::clamp<std::int64_t>(other, 0, height_ - 1));
    }
    return first_line_ + (stride_ + std::int64_t{1}) * inside;
}

}  // namespace gen9::hdc
