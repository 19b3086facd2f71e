// SPDX-License-Identifier: Apache-2.0
#include "hdc/surface/place_lanes.h"

#include <immintrin.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/eight.h"
#include "common/host.h"
#include "surface/layout.h"
#include "surface/tile_parts.h"

namespace gen9::hdc {

namespace {

namespace state = packets::render_surface_state;
using surface::Tiling;

template <Tiling tiling>
GEN9_INLINE void put_offsets(const LanePlacer::Lanes& x_bytes, const LanePlacer::Lanes& y,
                             std::uint32_t pitch, LanePlacer::Lanes& __restrict offset) {
    for (unsigned n = 0; n < LanePlacer::kLanes; ++n)
        offset[n] =
            surface::column_part<tiling>(x_bytes[n]) + surface::row_part<tiling>(y[n], pitch);
}

}  // namespace

LanePlacer::LanePlacer(const Surface& s) {
    const bool tiles = s.tiling == Tiling::Linear || s.tiling == Tiling::X || s.tiling == Tiling::Y;
    if (s.null() || s.buffer() || s.type == state::SURFTYPE_1D || s.multisampled() || !tiles ||
        s.line_stride != 0 || !s.typed || s.levels == 0 || s.min_lod >= kLevels)
        return;
    const unsigned level = s.min_lod;
    const surface::Corner corner = level_corner(s, level);
    layered_ = s.array || s.type == state::SURFTYPE_3D || s.type == state::SURFTYPE_CUBE;
    tiling_ = s.tiling;
    width_ = minify(s.width, level);
    height_ = minify(s.height, level);
    slices_ = s.type == state::SURFTYPE_3D ? minify(s.depth, level) : s.depth;
    element_bytes_ = s.typed->bytes;
    pitch_ = s.pitch_bytes;
    slice_rows_ = layered_ ? s.qpitch_rows : 0;
    const std::uint64_t x = (corner.x + std::uint64_t{s.x_offset}) * element_bytes_,
                        y = corner.y + std::uint64_t{s.y_offset} + s.line_offset +
                            std::uint64_t{slice_rows_} * s.min_array_element,
                        rows = y + std::uint64_t{slice_rows_} * slices_ + height_;
    // A tile is at most 32 rows high and 512 bytes wide.
    if (((rows + 32) * pitch_ + x + (width_ + 1ull) * element_bytes_ + 4096) >> 32) return;
    x_bytes_ = static_cast<std::uint32_t>(x);
    y_ = static_cast<std::uint32_t>(y);
    usable_ = true;
    by_eight_ = __builtin_cpu_supports("avx2") != 0;
}

namespace {

/// A part of what is compiled for hosts with AVX2.
#define GEN9_EIGHT [[gnu::target("avx2"), gnu::always_inline]] inline

GEN9_EIGHT __m256i all(std::uint32_t value) {
    return _mm256_set1_epi32(static_cast<int>(value));
}
GEN9_EIGHT __m256i eight(const std::uint8_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
}
/// All ones where a number without a sign is not below a size.
GEN9_EIGHT __m256i beyond(__m256i number, std::uint32_t size) {
    return _mm256_cmpeq_epi32(_mm256_max_epu32(number, all(size)), number);
}

// As tile_offset: a part of the column and a part of the row.
template <Tiling tiling>
GEN9_EIGHT __m256i offsets_in(__m256i x_bytes, __m256i y, std::uint32_t pitch) {
    if constexpr (tiling == Tiling::Linear)
        return _mm256_add_epi32(x_bytes, _mm256_mullo_epi32(y, all(pitch)));
    constexpr bool kTileY = tiling == Tiling::Y;
    constexpr int kRowBits = kTileY ? 5 : 3;
    const __m256i in_row = _mm256_and_si256(x_bytes, all(kTileY ? 15 : 511)),
                  across = _mm256_slli_epi32(_mm256_sub_epi32(x_bytes, in_row), kTileY ? 5 : 3),
                  row = _mm256_and_si256(y, all((1u << kRowBits) - 1)),
                  tiles_down = _mm256_srli_epi32(y, kRowBits),
                  down = _mm256_mullo_epi32(tiles_down,
                                            all(kTileY ? pitch >> 7 << 12 : pitch >> 9 << 12));
    return _mm256_add_epi32(_mm256_add_epi32(across, down),
                            _mm256_or_si256(in_row, _mm256_slli_epi32(row, kTileY ? 4 : 9)));
}

}  // namespace

[[gnu::target("avx2")]] bool LanePlacer::find_by_eight(const Parameters& parameters,
                                                       const ElementWindow& window,
                                                       Lanes& offset) const {
    const __m256i u = eight(parameters[0]), v = eight(parameters[1]);
    // No message of a slot that has a level of its own is taken.
    __m256i wrong = _mm256_or_si256(beyond(u, width_), beyond(v, height_));
    wrong = _mm256_or_si256(wrong, eight(parameters[3]));
    __m256i y = _mm256_add_epi32(v, all(y_));
    if (layered_) {
        const __m256i r = eight(parameters[2]);
        wrong = _mm256_or_si256(wrong, beyond(r, slices_));
        y = _mm256_add_epi32(y, _mm256_mullo_epi32(r, all(slice_rows_)));
    }
    const __m256i x = _mm256_add_epi32(_mm256_mullo_epi32(u, all(element_bytes_)), all(x_bytes_));
    const __m256i at = tiling_ == Tiling::Y   ? offsets_in<Tiling::Y>(x, y, pitch_)
                       : tiling_ == Tiling::X ? offsets_in<Tiling::X>(x, y, pitch_)
                                              : offsets_in<Tiling::Linear>(x, y, pitch_);
    const __m256i behind = _mm256_sub_epi32(at, all(window.begin)), room = all(window.room);
    wrong = _mm256_or_si256(wrong, _mm256_xor_si256(_mm256_max_epu32(behind, room), room));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(offset.data()), behind);
    return _mm256_testz_si256(wrong, wrong) != 0;
}

GEN9_FOR_EACH_HOST
bool LanePlacer::find(const Parameters& parameters, std::uint32_t active, Places& places) const {
    alignas(32) Lanes u, v, r, lod;
    copy_eight(parameters[0], u.data());
    copy_eight(parameters[1], v.data());
    copy_eight(parameters[2], r.data());
    copy_eight(parameters[3], lod.data());
    if (active != (1u << kLanes) - 1) {
        const auto other = static_cast<unsigned>(std::countr_zero(active)) % kLanes;
        for (unsigned n = 0; n < kLanes; ++n) {
            if (active >> n & 1) continue;
            u[n] = u[other], v[n] = v[other], r[n] = r[other], lod[n] = lod[other];
        }
    }
    const std::uint32_t slices = layered_ ? slices_ : ~std::uint32_t{0};
    std::uint32_t outside = 0;
    for (unsigned n = 0; n < kLanes; ++n)
        outside |= (u[n] >= width_ ? 1u : 0u) | (v[n] >= height_ ? 1u : 0u) |
                   (layered_ && r[n] >= slices ? 1u : 0u) | lod[n];
    if (outside != 0) return false;
    alignas(32) Lanes x_bytes, y;
    for (unsigned n = 0; n < kLanes; ++n) {
        x_bytes[n] = x_bytes_ + u[n] * element_bytes_;
        y[n] = y_ + v[n] + r[n] * slice_rows_;
    }
    if (tiling_ == Tiling::Y)
        put_offsets<Tiling::Y>(x_bytes, y, pitch_, places.offset);
    else if (tiling_ == Tiling::X)
        put_offsets<Tiling::X>(x_bytes, y, pitch_, places.offset);
    else
        put_offsets<Tiling::Linear>(x_bytes, y, pitch_, places.offset);
    std::uint32_t low = ~std::uint32_t{0}, high = 0;
    for (const std::uint32_t offset : places.offset) {
        low = low < offset ? low : offset;
        high = high > offset ? high : offset;
    }
    for (std::uint32_t& offset : places.offset)
        offset -= low;
    places.low = low;
    places.farthest = high - low;
    return true;
}

}  // namespace gen9::hdc
