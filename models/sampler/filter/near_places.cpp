// SPDX-License-Identifier: Apache-2.0
// Most messages ask for texels inside their level. What the compiler makes of the loops for all
// messages takes twice the instructions that such a one needs: it keeps each row of 16 numbers in
// memory and asks what lies outside axis by axis.
#include "sampler/filter/near_places.h"

#include <immintrin.h>

#include <bit>

#include "sampler/address/coordinate.h"
#include "surface/tiling.h"

namespace gen9::sampler {

namespace {

using surface::Tiling;

/// A part of what is compiled for hosts with AVX2.
#define GEN9_EIGHT [[gnu::target("avx2"), gnu::always_inline]] inline

/// Numbers of the first eight samples and of the others.
struct Halves {
    __m256i low, high;
};

GEN9_EIGHT __m256i all(std::uint32_t value) {
    return _mm256_set1_epi32(static_cast<int>(value));
}
GEN9_EIGHT __m256i either(const Halves& halves) {
    return _mm256_or_si256(halves.low, halves.high);
}
GEN9_EIGHT bool none(__m256i bits) {
    return _mm256_testz_si256(bits, bits) != 0;
}
GEN9_EIGHT void put(const Halves& values, UsualPlaces::PerSample<std::uint32_t>& to) {
    auto* const at = reinterpret_cast<__m256i*>(to.data());
    _mm256_storeu_si256(at, values.low);
    _mm256_storeu_si256(at + 1, values.high);
}

/// Eight coordinates in 1/256 texel. One that is too large or no number becomes the least integer.
GEN9_EIGHT __m256i fixed_point(const std::uint8_t* from, const UsualAxis& axis) {
    const auto* const at = reinterpret_cast<const float*>(from);
    const __m256d scale = _mm256_set1_pd(axis.scale), rounding = _mm256_set1_pd(axis.rounding);
    const __m256d first = _mm256_mul_pd(_mm256_cvtps_pd(_mm_loadu_ps(at)), scale);
    const __m256d second = _mm256_mul_pd(_mm256_cvtps_pd(_mm_loadu_ps(at + 4)), scale);
    return _mm256_set_m128i(_mm256_cvttpd_epi32(_mm256_floor_pd(_mm256_add_pd(second, rounding))),
                            _mm256_cvttpd_epi32(_mm256_floor_pd(_mm256_add_pd(first, rounding))));
}
/// From the first texel that counts on.
GEN9_EIGHT Halves places_of(const UsualAxis& axis, const UsualCoordinate& at) {
    const __m256i shift = all(static_cast<std::uint32_t>(axis.shift));
    return {_mm256_add_epi32(fixed_point(at.low, axis), shift),
            _mm256_add_epi32(fixed_point(at.high, axis), shift)};
}
GEN9_EIGHT Halves texels_of(const Halves& places) {
    return {_mm256_srai_epi32(places.low, kFractionBits),
            _mm256_srai_epi32(places.high, kFractionBits)};
}
GEN9_EIGHT Halves next(const Halves& texels) {
    const __m256i one = all(1);
    return {_mm256_add_epi32(texels.low, one), _mm256_add_epi32(texels.high, one)};
}

/// The shares of the second texels, and a bit for each sample that has one.
GEN9_EIGHT std::uint32_t put_shares(const Halves& places, UsualPlaces::PerSample<float>& to) {
    const __m256i fraction = all(kTexel - 1);
    const __m256 step = _mm256_set1_ps(1.0f / static_cast<float>(kTexel)),
                 zero = _mm256_setzero_ps();
    const __m256 low =
        _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_and_si256(places.low, fraction)), step);
    const __m256 high =
        _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_and_si256(places.high, fraction)), step);
    _mm256_storeu_ps(to.data(), low);
    _mm256_storeu_ps(to.data() + 8, high);
    const int some = _mm256_movemask_ps(_mm256_cmp_ps(low, zero, _CMP_GT_OQ)) |
                     _mm256_movemask_ps(_mm256_cmp_ps(high, zero, _CMP_GT_OQ)) << 8;
    return static_cast<std::uint32_t>(some);
}

/// Not 0 where a number without a sign is greater than `last`.
GEN9_EIGHT __m256i beyond(const Halves& texels, std::uint32_t last) {
    const __m256i limit = all(last);
    return either({_mm256_xor_si256(_mm256_max_epu32(texels.low, limit), limit),
                   _mm256_xor_si256(_mm256_max_epu32(texels.high, limit), limit)});
}
GEN9_EIGHT std::uint32_t greatest(const Halves& texels) {
    const __m256i eight = _mm256_max_epu32(texels.low, texels.high);
    __m128i most = _mm_max_epu32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
    most = _mm_max_epu32(most, _mm_shuffle_epi32(most, 0x4E));
    most = _mm_max_epu32(most, _mm_shuffle_epi32(most, 0xB1));
    return static_cast<std::uint32_t>(_mm_cvtsi128_si32(most));
}

GEN9_EIGHT Halves clamped(const Halves& texels, std::uint32_t last) {
    const __m256i zero = _mm256_setzero_si256(), limit = all(last);
    return {_mm256_min_epi32(_mm256_max_epi32(texels.low, zero), limit),
            _mm256_min_epi32(_mm256_max_epi32(texels.high, zero), limit)};
}
/// Some texels lie outside. False: that is no matter of clamping, or a coordinate is too far away.
GEN9_EIGHT bool clamp(const UsualAxis& axis, const UsualCoordinate& at, Halves& first,
                      Halves& second) {
    if (axis.mode != AddressMode::Clamp) return false;
    // Coordinates without their signs are compared as integers.
    const __m256i magnitude = all(0x7FFFFFFF), limit = all(axis.limit);
    const auto* const low = reinterpret_cast<const __m256i*>(at.low);
    const auto* const high = reinterpret_cast<const __m256i*>(at.high);
    const Halves far{
        _mm256_cmpgt_epi32(_mm256_and_si256(_mm256_loadu_si256(low), magnitude), limit),
        _mm256_cmpgt_epi32(_mm256_and_si256(_mm256_loadu_si256(high), magnitude), limit)};
    if (!none(either(far))) return false;
    first = clamped(first, axis.size - 1);
    second = clamped(second, axis.size - 1);
    return true;
}

// As column_part and row_part (surface/tile_parts.h).
template <Tiling tiling>
GEN9_EIGHT __m256i column(__m256i x_bytes) {
    if constexpr (tiling == Tiling::Linear) return x_bytes;
    const __m256i low = _mm256_and_si256(x_bytes, all(tiling == Tiling::Y ? 15 : 511));
    const __m256i above = _mm256_sub_epi32(x_bytes, low);
    return _mm256_or_si256(_mm256_slli_epi32(above, tiling == Tiling::Y ? 5 : 3), low);
}
template <Tiling tiling>
GEN9_EIGHT Halves columns(const Halves& texels, __m256i bytes, __m256i from) {
    return {column<tiling>(_mm256_add_epi32(_mm256_mullo_epi32(texels.low, bytes), from)),
            column<tiling>(_mm256_add_epi32(_mm256_mullo_epi32(texels.high, bytes), from))};
}
template <Tiling tiling>
GEN9_EIGHT __m256i row(__m256i y, __m256i tile_row_bytes) {
    if constexpr (tiling == Tiling::Linear) return _mm256_mullo_epi32(y, tile_row_bytes);
    constexpr int kRowBits = tiling == Tiling::Y ? 5 : 3, kShift = tiling == Tiling::Y ? 4 : 9;
    const __m256i in_tile = _mm256_and_si256(y, all((1u << kRowBits) - 1));
    return _mm256_or_si256(_mm256_mullo_epi32(_mm256_srli_epi32(y, kRowBits), tile_row_bytes),
                           _mm256_slli_epi32(in_tile, kShift));
}
template <Tiling tiling>
GEN9_EIGHT Halves rows(const Halves& texels, __m256i from, __m256i tile_row_bytes) {
    return {row<tiling>(_mm256_add_epi32(texels.low, from), tile_row_bytes),
            row<tiling>(_mm256_add_epi32(texels.high, from), tile_row_bytes)};
}
template <Tiling tiling>
constexpr std::uint32_t tile_row_bytes(std::uint32_t pitch) {
    if constexpr (tiling == Tiling::Linear) return pitch;
    return tiling == Tiling::Y ? pitch >> 7 << 12 : pitch >> 9 << 12;
}

template <Tiling tiling, bool linear>
GEN9_EIGHT bool find_in(const Request& q, const UsualForm& form, const UsualCoordinates& at,
                        std::uint32_t slice_row, UsualPlaces& places) {
    constexpr std::uint32_t kMore = linear ? 1 : 0;
    const UsualAxis &across = form.axes[0], &down = form.axes[1];
    if (across.size <= kMore || down.size <= kMore) return false;
    const Halves x = places_of(across, at.u), y = places_of(down, at.v);
    Halves i = texels_of(x), j = texels_of(y), next_i = next(i), next_j = next(j);
    std::uint32_t farthest = greatest(j) + kMore;
    const __m256i outside_x = beyond(i, across.size - 1 - kMore),
                  outside_y = beyond(j, down.size - 1 - kMore);
    if (!none(_mm256_or_si256(outside_x, outside_y))) [[unlikely]] {
        if (!none(outside_x) && !clamp(across, at.u, i, next_i)) return false;
        if (!none(outside_y)) {
            if (!clamp(down, at.v, j, next_j)) return false;
            farthest = down.size - 1;
        }
    }
    const std::uint32_t second_column = put_shares(x, places.x) & q.active,
                        second_row = put_shares(y, places.y) & q.active;
    places.texels = static_cast<unsigned>(std::popcount(q.active));
    if constexpr (linear)
        places.texels +=
            static_cast<unsigned>(std::popcount(second_column) + std::popcount(second_row) +
                                  std::popcount(second_column & second_row));
    const std::uint32_t first_row = form.y + slice_row;
    places.outside_column = places.outside_row = {};
    places.border = false;
    places.end = form.end_of_row(first_row + farthest);
    const __m256i bytes = all(q.surface->format->bytes), x_bytes = all(form.x_bytes),
                  from = all(first_row),
                  tile_row = all(tile_row_bytes<tiling>(q.surface->raw.pitch_bytes));
    put(columns<tiling>(i, bytes, x_bytes), places.column[0]);
    put(rows<tiling>(j, from, tile_row), places.row[0]);
    if constexpr (linear) {
        put(columns<tiling>(next_i, bytes, x_bytes), places.column[1]);
        put(rows<tiling>(next_j, from, tile_row), places.row[1]);
    }
    return true;
}

template <Tiling tiling>
[[gnu::target("avx2")]] bool find(const Request& q, const UsualForm& form,
                                  const UsualCoordinates& at, std::uint32_t slice_row,
                                  UsualPlaces& places) {
    return form.linear ? find_in<tiling, true>(q, form, at, slice_row, places)
                       : find_in<tiling, false>(q, form, at, slice_row, places);
}
bool find_by_tiling(const Request& q, const UsualForm& form, const UsualCoordinates& at,
                    std::uint32_t slice_row, UsualPlaces& places) {
    if (q.surface->raw.tiling == Tiling::Y) return find<Tiling::Y>(q, form, at, slice_row, places);
    return q.surface->raw.tiling == Tiling::X
               ? find<Tiling::X>(q, form, at, slice_row, places)
               : find<Tiling::Linear>(q, form, at, slice_row, places);
}

}  // namespace

const FindNearPlaces find_near_places = __builtin_cpu_supports("avx2") ? find_by_tiling : nullptr;

}  // namespace gen9::sampler
