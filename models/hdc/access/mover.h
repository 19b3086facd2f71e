// SPDX-License-Identifier: Apache-2.0
// Plain messages by instructions of hosts with AVX2 and BMI: slots anywhere in a window of host
// memory, and some of them perhaps off (PlainMessages::move).
#pragma once
#include <immintrin.h>

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
/// farther. The lanes of either need not be those of the slots if the order does not matter.
template <bool kInOrder, bool kWrongInOrder>
GEN9_EIGHT __m256i distances(const std::uint8_t* offsets, std::uint32_t begin, __m256i&) {
    // Added, an operand comes from memory.
    return _mm256_add_epi32(all(0 - begin), eight(offsets));
}
template <bool kInOrder, bool kWrongInOrder>
GEN9_EIGHT __m256i distances(const std::uint8_t* offsets, std::uint64_t begin, __m256i& wrong) {
    const __m256i from = _mm256_set1_epi64x(static_cast<long long>(0 - begin)),
                  first = _mm256_add_epi64(from, eight(offsets)),
                  second = _mm256_add_epi64(from, eight(offsets + sizeof first));
    const __m256 a = _mm256_castsi256_ps(first), b = _mm256_castsi256_ps(second);
    constexpr int kOrder = 0xD8;
    wrong = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xDD));
    if (kWrongInOrder) wrong = _mm256_permute4x64_epi64(wrong, kOrder);
    const __m256i low = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
    return kInOrder ? _mm256_permute4x64_epi64(low, kOrder) : low;
}

/// A message on the window of plain messages, slots anywhere and some perhaps off, for hosts with
/// AVX2 and BMI. What the descriptor says is in the template; `kItems`: of each slot, 0: any number.
template <Space kSpace, unsigned kSlots, bool kReads, class Item, bool kScaled, unsigned kItems>
struct Mover {
    using Offset = OffsetIn<kSpace>;
    static constexpr std::uint32_t kAll = (1u << kSlots) - 1;
    static constexpr unsigned kParts = kSlots / 8, kLane = sizeof(std::uint32_t),
                              kShift = kScaled ? 2 : 0;

    /// All slots are on.
    GEN9_EIGHT_FUNCTION static bool move_all(PlainMessages& plain, std::uint32_t /*mask*/,
                                             const std::uint8_t* offsets, std::uint8_t* registers,
                                             std::uint64_t local) {
        Window window;
        return find(plain, local, window) &&
               carry_out<true>(plain, window, kAll, offsets, registers);
    }
    /// Any are.
    GEN9_EIGHT_FUNCTION static bool move(PlainMessages& plain, std::uint32_t mask,
                                         const std::uint8_t* offsets, std::uint8_t* registers,
                                         std::uint64_t local) {
        Window window;
        return (mask & kAll) != 0 && find(plain, local, window) &&
               carry_out<false>(plain, window, mask & kAll, offsets, registers);
    }

  private:
    /// Host memory, the offset of its first byte, and how far from it a slot may be at most.
    struct Window {
        std::uint8_t* host;
        Offset begin;
        std::uint32_t last;
    };
    GEN9_EIGHT static bool find(const PlainMessages& plain, std::uint64_t local, Window& window) {
        window = {plain.host, static_cast<Offset>(plain.begin >> kShift), plain.last};
        if constexpr (kSpace == Space::Slm) {
            // A thread that has none begins behind the end of the window, which is all of it.
            if (local > window.last) return false;
            window = {plain.host + local, 0, static_cast<std::uint32_t>(window.last - local)};
        }
        window.last >>= kShift;
        return true;
    }

    template <bool kEach>
    GEN9_EIGHT static bool carry_out(PlainMessages& plain, const Window& window, std::uint32_t mask,
                                     const std::uint8_t* offsets, std::uint8_t* registers) {
        constexpr bool kSome = !kEach, kOrder = kReads || kSome;
        // Addresses of 64 bits are filled before they are looked at, others after.
        constexpr bool kFilled = kSome && !kReads && kItems != 0 && kSpace == Space::A64;
        __m256i at[kParts], on[kParts], wrong = _mm256_setzero_si256();
        const __m256i last = kFilled ? place_of_highest(window, mask, offsets) : wrong;
        __m256i farthest = wrong, bits = wrong;
        for (unsigned part = 0; part < kParts; ++part) {
            __m256i before = _mm256_setzero_si256();
            at[part] =
                distances<kOrder, kSome>(offsets + part * 8 * sizeof(Offset), window.begin, before);
            on[part] = kEach ? _mm256_set1_epi32(-1) : lanes_of(mask, part * 8);
            if (kFilled) at[part] = chosen(last, at[part], on[part]);
            const __m256i here = kEach || kFilled ? at[part] : _mm256_and_si256(at[part], on[part]);
            farthest = part == 0 ? here : _mm256_max_epu32(farthest, here);
            bits = part == 0 ? here : _mm256_or_si256(bits, here);
            if (kSpace == Space::A64)
                wrong = _mm256_or_si256(wrong, kEach ? before : _mm256_and_si256(before, on[part]));
        }
        const __m256i limit = all(window.last);
        wrong = _mm256_or_si256(wrong, _mm256_xor_si256(_mm256_max_epu32(farthest, limit), limit));
        // A window begins at a whole DWord.
        if (sizeof(Item) != 1 && !kScaled)
            wrong = _mm256_or_si256(wrong, _mm256_and_si256(bits, all(plain.unaligned)));
        if (_mm256_testz_si256(wrong, wrong) == 0) return false;
        const std::uint64_t slots = kEach ? kSlots : __builtin_popcountll(mask);
        if constexpr (kReads)
            read<kEach>(plain, window.host, at, on, registers);
        else if constexpr (kItems == 0)
            write_each(plain, window, mask, offsets, registers);
        else if (kSome && slots <= kFew)
            write_each(plain, window, mask, offsets, registers);
        else if constexpr (kEach)
            write<Offset>(zero_of(window), offsets, AsTheyAre{registers});
        else
            write_some<kFilled>(window, mask, at, on, offsets, registers);
        if (kEach) {
            if (++plain.uncounted == 0) [[unlikely]]
                return begin_count(plain);
            return true;
        }
        plain.accesses += slots;
        if (++plain.moved == 0) [[unlikely]]
            return begin_count(plain);
        return true;
    }
    [[gnu::noinline, gnu::cold]] static bool begin_count(PlainMessages& plain) {
        plain.site->begin_count();
        return true;
    }

    template <bool kEach>
    GEN9_EIGHT static void read(const PlainMessages& plain, const std::uint8_t* from,
                                const __m256i* at, const __m256i* on, std::uint8_t* registers) {
        for (unsigned n = plain.form.items; n != 0; --n) {
            __m256i read[kParts];
            for (unsigned part = 0; part < kParts; ++part)
                read[part] = _mm256_mask_i32gather_epi32(
                    on[part], reinterpret_cast<const int*>(from), at[part], on[part], 1 << kShift);
            for (unsigned part = 0; part < kParts; ++part) {
                if (sizeof(Item) != kLane)
                    read[part] = _mm256_and_si256(read[part], all(static_cast<Item>(~Item{0})));
                std::uint8_t* const to = registers + part * 8 * kLane;
                if (kEach)
                    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), read[part]);
                else
                    _mm256_maskstore_epi32(reinterpret_cast<int*>(to), on[part], read[part]);
            }
            from += kLane;
            registers += kSlots * kLane;
        }
    }

    // Slots are written in their order, all items of one before the next: the highest stays.

    /// Gives the place that an offset of 0 would have.
    GEN9_EIGHT static std::uintptr_t zero_of(const Window& window) {
        return reinterpret_cast<std::uintptr_t>(window.host) -
               (std::uint64_t{window.begin} << kShift);
    }
    template <class Place>
    GEN9_EIGHT static std::uint8_t* place_of(std::uintptr_t zero, const std::uint8_t* places,
                                             unsigned slot) {
        const std::uint64_t place = load<Place>(places + slot * sizeof(Place));
        return reinterpret_cast<std::uint8_t*>(zero + (place << kShift));
    }
    /// An item of eight slots, of registers as they are.
    struct AsTheyAre {
        GEN9_EIGHT __m256i row(unsigned item, unsigned part) const {
            return eight(registers + (item * kSlots + part * 8) * kLane);
        }
        const std::uint8_t* registers;
    };
    /// The same, with that of one slot in place of those that are off.
    struct Filled {
        GEN9_EIGHT Filled(const std::uint8_t* from, const __m256i* lanes, unsigned slot)
            : registers{from}, on(lanes) {
            const std::uint8_t* const of_slot = from + std::size_t{slot} * kLane;
#pragma GCC unroll 4
            for (unsigned n = 0; n < kItems; ++n)
                others[n] = all(load<std::uint32_t>(of_slot + n * kSlots * kLane));
        }
        GEN9_EIGHT __m256i row(unsigned item, unsigned part) const {
            return chosen(others[item], registers.row(item, part), on[part]);
        }
        AsTheyAre registers;
        const __m256i* on;
        __m256i others[kItems];
    };
    /// Lanes of `there` that are on, of `other` otherwise.
    GEN9_EIGHT static __m256i chosen(__m256i other, __m256i there, __m256i on) {
        return _mm256_castps_si256(_mm256_blendv_ps(
            _mm256_castsi256_ps(other), _mm256_castsi256_ps(there), _mm256_castsi256_ps(on)));
    }

    /// All slots.
    template <class Place, class Items>
    GEN9_EIGHT static void write(std::uintptr_t zero, const std::uint8_t* places,
                                 const Items& items) {
#pragma GCC unroll 2
        for (unsigned part = 0; part < kParts; ++part) {
            __m256i rows[kItems];
#pragma GCC unroll 4
            for (unsigned n = 0; n < kItems; ++n)
                rows[n] = items.row(n, part);
            turn(rows);
            __m128i low[kItems], high[kItems];
#pragma GCC unroll 4
            for (unsigned n = 0; n < kItems; ++n) {
                low[n] = _mm256_castsi256_si128(rows[n]);
                high[n] = _mm256_extracti128_si256(rows[n], 1);
            }
            put_four<Place>(zero, places, part * 8, low);
            put_four<Place>(zero, places, part * 8 + 4, high);
        }
    }
    /// Makes rows of an item of eight slots rows of the slots: of the first two items a row of 0, 1,
    /// 4 and 5 and one of 2, 3, 6 and 7; of four items rows of 0 and 4, 1 and 5, 2 and 6, 3 and 7.
    GEN9_EIGHT static void turn(__m256i* rows) {
        if constexpr (kItems == 2 || kItems == 3) {
            const __m256i low = _mm256_unpacklo_epi32(rows[0], rows[1]);
            rows[1] = _mm256_unpackhi_epi32(rows[0], rows[1]);
            rows[0] = low;
        } else if constexpr (kItems == 4) {
            const __m256i a = _mm256_unpacklo_epi32(rows[0], rows[1]),
                          b = _mm256_unpacklo_epi32(rows[2], rows[3]),
                          c = _mm256_unpackhi_epi32(rows[0], rows[1]),
                          d = _mm256_unpackhi_epi32(rows[2], rows[3]);
            rows[0] = _mm256_unpacklo_epi64(a, b);
            rows[1] = _mm256_unpackhi_epi64(a, b);
            rows[2] = _mm256_unpacklo_epi64(c, d);
            rows[3] = _mm256_unpackhi_epi64(c, d);
        }
    }
    /// Four slots of halves of turned rows.
    template <class Place>
    GEN9_EIGHT static void put_four(std::uintptr_t zero, const std::uint8_t* places, unsigned slot,
                                    const __m128i* rows) {
        std::uint8_t *const a = place_of<Place>(zero, places, slot),
                            *const b = place_of<Place>(zero, places, slot + 1),
                            *const c = place_of<Place>(zero, places, slot + 2),
                            *const d = place_of<Place>(zero, places, slot + 3);
        if constexpr (kItems == 1) {
            put_one<0>(a, rows[0]);
            put_one<1>(b, rows[0]);
            put_one<2>(c, rows[0]);
            put_one<3>(d, rows[0]);
        } else if constexpr (kItems == 4) {
            put_all(a, rows[0]);
            put_all(b, rows[1]);
            put_all(c, rows[2]);
            put_all(d, rows[3]);
        } else {
            put_two<0>(a, rows);
            put_two<1>(b, rows);
            put_two<2>(c, rows);
            put_two<3>(d, rows);
        }
    }
    /// The item of a slot of four.
    template <int kSlot>
    GEN9_EIGHT static void put_one(std::uint8_t* to, __m128i items) {
        if constexpr (sizeof(Item) == 1)
            store(to, static_cast<Item>(_mm_extract_epi8(items, kSlot * 4)));
        else if constexpr (sizeof(Item) == 2)
            store(to, static_cast<Item>(_mm_extract_epi16(items, kSlot * 2)));
        else
            store(to, _mm_extract_epi32(items, kSlot));
    }
    /// Two DWords of a slot of four, and perhaps a third.
    template <int kSlot>
    GEN9_EIGHT static void put_two(std::uint8_t* to, const __m128i* rows) {
        store(to, _mm_extract_epi64(rows[kSlot / 2], kSlot % 2));
        if constexpr (kItems == 3) store(to + 2 * kLane, _mm_extract_epi32(rows[2], kSlot));
    }
    GEN9_EIGHT static void put_all(std::uint8_t* to, __m128i dwords) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to), dwords);
    }
    GEN9_EIGHT static unsigned highest_of(std::uint32_t mask) {
        return 31u ^ static_cast<unsigned>(std::countl_zero(mask));
    }
    GEN9_EIGHT static __m256i place_of_highest(const Window& window, std::uint32_t mask,
                                               const std::uint8_t* offsets) {
        return all(static_cast<std::uint32_t>(
            load<Offset>(offsets + highest_of(mask) * sizeof(Offset)) - window.begin));
    }
    /// All slots, of which those that are off do what the highest does that is on. `kFilled`: they
    /// have its place.
    template <bool kFilled>
    GEN9_EIGHT static void write_some(const Window& window, std::uint32_t mask, const __m256i* at,
                                      const __m256i* on, const std::uint8_t* offsets,
                                      const std::uint8_t* registers) {
        const __m256i last = kFilled ? at[0] : place_of_highest(window, mask, offsets);
        std::uint8_t places[kSlots * sizeof(std::uint32_t)];
        for (unsigned part = 0; part < kParts; ++part)
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(places + part * 8 * kLane),
                                kFilled ? at[part] : chosen(last, at[part], on[part]));
        write<std::uint32_t>(reinterpret_cast<std::uintptr_t>(window.host), places,
                             Filled(registers, on, highest_of(mask)));
    }
    /// One slot after the other.
    GEN9_EIGHT static void write_each(const PlainMessages& plain, const Window& window,
                                      std::uint32_t mask, const std::uint8_t* offsets,
                                      const std::uint8_t* registers) {
        const std::uintptr_t zero = zero_of(window);
        const unsigned items = kItems != 0 ? kItems : plain.form.items;
        for (; mask != 0; mask &= mask - 1) {
            const auto slot = static_cast<unsigned>(std::countr_zero(mask));
            std::uint8_t* const to = place_of<Offset>(zero, offsets, slot);
            const std::uint8_t* const from = registers + slot * kLane;
            for (unsigned n = 0; n < items; ++n)
                store(to + n * kLane, load<Item>(from + n * kSlots * kLane));
        }
    }
    /// So many slots are written one after the other.
    static constexpr unsigned kFew = kItems == 1 ? 6 : 4;
};

/// Writes what moves the messages of a site.
template <class Mover>
void set_mover(PlainMessages& plain) {
    plain.move = Mover::move;
    plain.move_all = Mover::move_all;
}
template <Space kSpace, unsigned kSlots, bool kReads>
void set_dword_mover(PlainMessages& plain, unsigned items) {
    using Item = std::uint32_t;
    // Reads ask the form.
    if constexpr (!kReads) {
        if (items == 2) return set_mover<Mover<kSpace, kSlots, kReads, Item, false, 2>>(plain);
        if (items == 3) return set_mover<Mover<kSpace, kSlots, kReads, Item, false, 3>>(plain);
        if (items == 4) return set_mover<Mover<kSpace, kSlots, kReads, Item, false, 4>>(plain);
        if (items != 1) return set_mover<Mover<kSpace, kSlots, kReads, Item, false, 0>>(plain);
    }
    set_mover<Mover<kSpace, kSlots, kReads, Item, false, 1>>(plain);
}
template <Space kSpace, unsigned kSlots, bool kReads>
void set_mover_of(PlainMessages& plain, unsigned item_bytes, unsigned items, bool scaled) {
    if (scaled) {
        if constexpr (kSpace != Space::A64)
            set_mover<Mover<kSpace, kSlots, kReads, std::uint32_t, true, 1>>(plain);
    } else if (item_bytes == 1) {
        set_mover<Mover<kSpace, kSlots, kReads, std::uint8_t, false, 1>>(plain);
    } else if (item_bytes == 2) {
        set_mover<Mover<kSpace, kSlots, kReads, std::uint16_t, false, 1>>(plain);
    } else {
        set_dword_mover<kSpace, kSlots, kReads>(plain, items);
    }
}
template <Space kSpace>
void set_mover(PlainMessages& plain, unsigned slots, bool reads, unsigned item_bytes,
               unsigned items, bool scaled) {
    if (slots == 16)
        reads ? set_mover_of<kSpace, 16, true>(plain, item_bytes, items, scaled)
              : set_mover_of<kSpace, 16, false>(plain, item_bytes, items, scaled);
    else
        reads ? set_mover_of<kSpace, 8, true>(plain, item_bytes, items, scaled)
              : set_mover_of<kSpace, 8, false>(plain, item_bytes, items, scaled);
}

}  // namespace gen9::hdc
