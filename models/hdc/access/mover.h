// SPDX-License-Identifier: Apache-2.0
// Plain messages by instructions of hosts with AVX2 and BMI: slots anywhere in a window of host
// memory, and some of them perhaps off (PlainMessages::move).
#pragma once
#include <immintrin.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "common/bits.h"
#include "hdc/access/slot_site.h"
#include "interconnect/payload/plain_messages.h"

namespace gen9::hdc {

inline bool has_avx2() {
    static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                            __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    return has;
}

/// Marks a part of what is compiled for hosts with AVX2.
#define GEN9_EIGHT_FUNCTION [[gnu::target("avx2,bmi,bmi2,popcnt")]]
#define GEN9_EIGHT [[gnu::target("avx2,bmi,bmi2,popcnt"), gnu::always_inline]] inline

GEN9_EIGHT __m256i all(std::uint32_t value) {
    return _mm256_set1_epi32(static_cast<int>(value));
}
GEN9_EIGHT __m256i eight(const void* from) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}
/// All ones in the lanes of a mask's bits from one on.
GEN9_EIGHT __m256i lanes_of(std::uint32_t mask, unsigned from) {
    const __m256i bits =
        _mm256_slli_epi32(_mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128), static_cast<int>(from));
    return _mm256_cmpeq_epi32(_mm256_and_si256(all(mask), bits), bits);
}
/// How far eight offsets are from a window's begin. In `wrong` are bits for those before it or much
/// farther; if `kInOrder`, in the lanes of these.
template <bool kInOrder>
GEN9_EIGHT __m256i distances(const std::uint8_t* offsets, std::uint32_t begin, __m256i&) {
    return _mm256_sub_epi32(eight(offsets), all(begin));
}
template <bool kInOrder>
GEN9_EIGHT __m256i distances(const std::uint8_t* offsets, std::uint64_t begin, __m256i& wrong) {
    const __m256i from = _mm256_set1_epi64x(static_cast<long long>(begin)),
                  first = _mm256_sub_epi64(eight(offsets), from),
                  second = _mm256_sub_epi64(eight(offsets + sizeof first), from);
    const __m256 a = _mm256_castsi256_ps(first), b = _mm256_castsi256_ps(second);
    constexpr int kOrder = 0xD8;
    wrong = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xDD));
    if (kInOrder) wrong = _mm256_permute4x64_epi64(wrong, kOrder);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88)), kOrder);
}

/// The lanes of a mask, the lowest first.
inline constexpr auto kTogether = [] {
    std::array<std::array<std::uint8_t, 8>, 256> lanes{};
    for (unsigned mask = 0; mask < 256; ++mask)
        for (unsigned lane = 0, count = 0; lane < 8; ++lane)
            if ((mask >> lane & 1) != 0) lanes[mask][count++] = static_cast<std::uint8_t>(lane);
    return lanes;
}();

/// A message on the window of plain messages, slots anywhere and some perhaps off, for hosts with
/// AVX2 and BMI. What the descriptor says is in the template.
template <Space kSpace, unsigned kSlots, bool kReads, class Item, bool kScaled>
struct Mover {
    using Offset = OffsetIn<kSpace>;
    static constexpr std::uint32_t kAll = (1u << kSlots) - 1;
    static constexpr unsigned kParts = kSlots / 8, kLane = sizeof(std::uint32_t);

    GEN9_EIGHT_FUNCTION static bool move(PlainMessages& plain, std::uint32_t mask,
                                         const std::uint8_t* offsets, std::uint8_t* registers,
                                         std::uint64_t local) {
        Offset begin = static_cast<Offset>(plain.begin);
        if constexpr (kSpace == Space::Slm) {
            // A thread that has none.
            if (local >> 32 != 0) return false;
            begin = static_cast<Offset>(0 - local);
        }
        std::uint32_t last = plain.last;
        if constexpr (kScaled) {
            begin = static_cast<Offset>(kSpace == Space::Slm ? 0 - (local >> 2) : begin >> 2);
            last >>= 2;
        }
        if ((mask & kAll) == kAll)
            return carry_out<true>(plain, kAll, offsets, registers, begin, last);
        return carry_out<false>(plain, mask & kAll, offsets, registers, begin, last);
    }

  private:
    template <bool kEach>
    GEN9_EIGHT static bool carry_out(PlainMessages& plain, std::uint32_t mask,
                                     const std::uint8_t* offsets, std::uint8_t* registers,
                                     Offset begin, std::uint32_t last) {
        __m256i at[kParts], on[kParts], wrong = _mm256_setzero_si256();
        __m256i farthest = wrong, bits = wrong;
        for (unsigned part = 0; part < kParts; ++part) {
            __m256i before = _mm256_setzero_si256();
            at[part] = distances<!kEach>(offsets + part * 8 * sizeof(Offset), begin, before);
            on[part] = kEach ? _mm256_set1_epi32(-1) : lanes_of(mask, part * 8);
            const __m256i here = kEach ? at[part] : _mm256_and_si256(at[part], on[part]);
            farthest = part == 0 ? here : _mm256_max_epu32(farthest, here);
            bits = part == 0 ? here : _mm256_or_si256(bits, here);
            if (kSpace == Space::A64)
                wrong = _mm256_or_si256(wrong, kEach ? before : _mm256_and_si256(before, on[part]));
            if (kScaled) at[part] = _mm256_slli_epi32(at[part], 2);
        }
        const __m256i limit = all(last);
        wrong = _mm256_or_si256(wrong, _mm256_xor_si256(_mm256_max_epu32(farthest, limit), limit));
        // A window begins at a whole DWord.
        if (sizeof(Item) != 1 && !kScaled)
            wrong = _mm256_or_si256(wrong, _mm256_and_si256(bits, all(plain.unaligned)));
        if (_mm256_testz_si256(wrong, wrong) == 0 || (!kEach && mask == 0)) return false;
        const auto slots = static_cast<unsigned>(kEach ? kSlots : std::popcount(mask));
        if constexpr (kReads)
            read(plain, at, on, kEach, registers);
        else if (plain.form.items == 1) [[likely]]
            kEach ? write(plain.host, at, registers) : write_some(plain.host, at, mask, registers);
        else if (kEach && plain.form.items == 2)
            write_pairs(plain.host, at, registers);
        else
            write_several(plain, at, mask, registers);
        plain.accesses += slots;
        if (plain.moved++ == 0) [[unlikely]]
            return begin_count(plain);
        return true;
    }
    [[gnu::noinline, gnu::cold]] static bool begin_count(PlainMessages& plain) {
        plain.site->begin_count();
        return true;
    }
    GEN9_EIGHT static void read(const PlainMessages& plain, const __m256i* at, const __m256i* on,
                                bool each, std::uint8_t* registers) {
        const std::uint8_t* from = plain.host;
        for (unsigned n = plain.form.items; n != 0; --n) {
            __m256i read[kParts];
            for (unsigned part = 0; part < kParts; ++part)
                read[part] = _mm256_mask_i32gather_epi32(
                    on[part], reinterpret_cast<const int*>(from), at[part], on[part], 1);
            for (unsigned part = 0; part < kParts; ++part) {
                if (sizeof(Item) != kLane)
                    read[part] = _mm256_and_si256(read[part], all(static_cast<Item>(~Item{0})));
                std::uint8_t* const to = registers + part * 8 * kLane;
                if (each)
                    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), read[part]);
                else
                    _mm256_maskstore_epi32(reinterpret_cast<int*>(to), on[part], read[part]);
            }
            from += kLane;
            registers += kSlots * kLane;
        }
    }
    // Slots are written in their order.

    GEN9_EIGHT static void keep(std::uint32_t* place, const __m256i* at) {
        for (unsigned part = 0; part < kParts; ++part)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(place + part * 8), at[part]);
    }
    GEN9_EIGHT static void write(std::uint8_t* host, const __m256i* at,
                                 const std::uint8_t* registers) {
        std::uint32_t place[kSlots];
        keep(place, at);
#pragma GCC unroll 16
        for (unsigned slot = 0; slot < kSlots; ++slot)
            store(host + place[slot], load<Item>(registers + slot * kLane));
    }
    /// Brings those that are on together first.
    GEN9_EIGHT static void write_some(std::uint8_t* host, const __m256i* at, std::uint32_t mask,
                                      const std::uint8_t* registers) {
        std::uint32_t place[kSlots + 8], value[kSlots + 8];
        std::size_t count = 0;
        for (unsigned part = 0; part < kParts; ++part) {
            const std::uint32_t here = mask >> part * 8 & 0xFF;
            const __m256i order = _mm256_cvtepu8_epi32(
                _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kTogether[here].data())));
            const __m256i places = _mm256_permutevar8x32_epi32(at[part], order),
                          values = _mm256_permutevar8x32_epi32(eight(registers + part * 8 * kLane),
                                                               order);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(place + count), places);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(value + count), values);
            count += static_cast<unsigned>(std::popcount(here));
        }
        const std::uint32_t *const end = place + count, *const values = value + count;
        const auto put = [&](std::size_t left) __attribute__((always_inline)) {
            store(host + end[-static_cast<std::ptrdiff_t>(left)],
                  static_cast<Item>(values[-static_cast<std::ptrdiff_t>(left)]));
        };
#define GEN9_PUT(left) \
    case left:         \
        put(left);     \
        [[fallthrough]]
        switch (count) {
            GEN9_PUT(15);
            GEN9_PUT(14);
            GEN9_PUT(13);
            GEN9_PUT(12);
            GEN9_PUT(11);
            GEN9_PUT(10);
            GEN9_PUT(9);
            GEN9_PUT(8);
            GEN9_PUT(7);
            GEN9_PUT(6);
            GEN9_PUT(5);
            GEN9_PUT(4);
            GEN9_PUT(3);
            GEN9_PUT(2);
            default:
                put(1);
        }
#undef GEN9_PUT
    }
    /// Two DWords of each slot.
    GEN9_EIGHT static void write_pairs(std::uint8_t* host, const __m256i* at,
                                       const std::uint8_t* registers) {
        std::uint32_t place[kSlots];
        std::uint64_t value[kSlots];
        keep(place, at);
        for (unsigned part = 0; part < kParts; ++part) {
            const __m256i low = eight(registers + part * 8 * kLane),
                          high = eight(registers + (kSlots + part * 8) * kLane);
            // Slots 0, 1, 4 and 5; 2, 3, 6 and 7.
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(value + part * 8),
                                _mm256_unpacklo_epi32(low, high));
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(value + part * 8 + 4),
                                _mm256_unpackhi_epi32(low, high));
        }
#pragma GCC unroll 16
        for (unsigned slot = 0; slot < kSlots; ++slot) {
            const unsigned swapped = (slot & ~6u) | (slot & 2) << 1 | (slot & 4) >> 1;
            store(host + place[slot], value[swapped]);
        }
    }
    [[gnu::noinline]] GEN9_EIGHT_FUNCTION static void write_several(const PlainMessages& plain,
                                                                    const __m256i* at,
                                                                    std::uint64_t mask,
                                                                    const std::uint8_t* registers) {
        std::uint32_t place[kSlots];
        keep(place, at);
        const unsigned items = plain.form.items;
        for (; mask != 0; mask &= mask - 1) {
            const auto slot = static_cast<std::uint64_t>(std::countr_zero(mask));
            std::uint8_t* const to = plain.host + place[slot];
            const std::uint8_t* const from = registers + slot * kLane;
            const auto put = [&](unsigned n) __attribute__((always_inline)) {
                store(to + n * kLane, load<std::uint32_t>(from + n * kSlots * kLane));
            };
            put(0);
            put(1);
            for (unsigned n = 2; n < items; ++n)
                put(n);
        }
    }
};

template <Space kSpace, unsigned kSlots, bool kReads>
PlainMessages::Move mover_of(unsigned item_bytes, bool scaled) {
    if constexpr (kSpace != Space::A64)
        if (scaled) {
            if (item_bytes != sizeof(std::uint32_t)) return nullptr;
            return Mover<kSpace, kSlots, kReads, std::uint32_t, true>::move;
        }
    switch (item_bytes) {
        case 1:
            return Mover<kSpace, kSlots, kReads, std::uint8_t, false>::move;
        case 2:
            return Mover<kSpace, kSlots, kReads, std::uint16_t, false>::move;
        default:
            return Mover<kSpace, kSlots, kReads, std::uint32_t, false>::move;
    }
}
template <Space kSpace>
PlainMessages::Move mover(unsigned slots, bool reads, unsigned item_bytes, bool scaled) {
    if (slots == 16)
        return reads ? mover_of<kSpace, 16, true>(item_bytes, scaled)
                     : mover_of<kSpace, 16, false>(item_bytes, scaled);
    return reads ? mover_of<kSpace, 8, true>(item_bytes, scaled)
                 : mover_of<kSpace, 8, false>(item_bytes, scaled);
}

}  // namespace gen9::hdc
