// SPDX-License-Identifier: Apache-2.0
#include "sampler/format/gather.h"

#include <immintrin.h>

#include <cstring>
#include <limits>

namespace gen9::sampler {

namespace {

constexpr unsigned kPlaces = 4, kLanes = 16;

__attribute__((target("avx2"))) void gather_by_eight(const std::uint8_t* base,
                                                     const std::array<std::uint32_t, kLanes>* at,
                                                     std::array<std::uint32_t, kLanes>* to) {
    // Its offsets have a sign.
    constexpr auto kHalf = std::uintptr_t{1} << 31;
    const auto* const middle =
        reinterpret_cast<const int*>(reinterpret_cast<std::uintptr_t>(base) + kHalf);
    const __m256i sign = _mm256_set1_epi32(std::numeric_limits<int>::min());
    const auto* const from = reinterpret_cast<const __m256i*>(at);
    auto* const values = reinterpret_cast<__m256i*>(to);
#pragma GCC unroll 8
    for (unsigned i = 0; i < kPlaces * kLanes / 8; ++i) {
        const __m256i offsets = _mm256_xor_si256(_mm256_loadu_si256(from + i), sign);
        _mm256_storeu_si256(values + i, _mm256_i32gather_epi32(middle, offsets, 1));
    }
}

}  // namespace

void gather_plainly(const std::uint8_t* base, const std::array<std::uint32_t, kLanes>* at,
                    std::array<std::uint32_t, kLanes>* to) {
    for (unsigned k = 0; k < kPlaces; ++k)
        for (unsigned n = 0; n < kLanes; ++n)
            std::memcpy(&to[k][n], base + at[k][n], sizeof to[k][n]);
}

const GatherFour gather_four = __builtin_cpu_supports("avx2") ? gather_by_eight : gather_plainly;

}  // namespace gen9::sampler
