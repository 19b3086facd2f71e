// SPDX-License-Identifier: Apache-2.0
#include "hdc/access/direct.h"

#include <immintrin.h>

#include <bit>
#include <cstring>

#include "common/bits.h"
#include "hdc/access/copy.h"
#include "hdc/access/later_count.h"
#include "hdc/access/slot_site.h"
#include "hdc/plan/plan.h"
#include "hdc/plan/plan_block.h"

namespace gen9::hdc {

namespace {

// ---- reads and writes

template <class Item, class Lane>
void move_lanes(const std::array<std::uint8_t*, kDirectSlots>& places, std::uint32_t mask,
                unsigned items, unsigned slots, bool reads, std::uint8_t* registers) {
    for (; mask != 0; mask &= mask - 1) {
        const auto slot = static_cast<unsigned>(std::countr_zero(mask));
        std::uint8_t* host = places[slot];
        for (unsigned n = 0; n < items; ++n, host += sizeof(Item)) {
            std::uint8_t* const lane = registers + (n * slots + slot) * sizeof(Lane);
            if (reads)
                store(lane, Lane{load<Item>(host)});
            else
                store(host, static_cast<Item>(load<Lane>(lane)));
        }
    }
}

/// Offsets that follow each other at a distance, as far as they are from the first.
template <class Offset>
using Ramp = std::array<Offset, kDirectSlots>;
template <class Offset>
constexpr Ramp<Offset> ramp(Offset step) {
    Ramp<Offset> result{};
    for (unsigned i = 0; i < kDirectSlots; ++i)
        result[i] = static_cast<Offset>(i * step);
    return result;
}

bool has_avx2() {
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
constexpr auto kTogether = [] {
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

template <Space kSpace>
class MoveSite : public SlotSite, private DirectPort::Uncounted {
  public:
    MoveSite(DirectPort& port, Core& core, FunctionalDriver& driver, const Decoded& decoded,
             const SendForm& form)
        : SlotSite(core, driver, decoded, form), port_(port) {
        if (slots_ != 8 && slots_ != 16) return;
        const bool dwords = item_bytes_ == sizeof(std::uint32_t);
        by_eight_ = has_avx2() && (dwords || (item_bytes_ <= 2 && items_ == 1));
        if (!by_eight_) return;
        plain.move = mover<kSpace>(slots_, reads_, item_bytes_, scale_ != 0);
        this->template set_form<kSpace>(dwords ? 0u : unsigned{PlainMessages::kMoved}, slots_);
    }
    bool run(const DirectSender& sender, std::uint32_t given, const Grf* first, const Grf* second,
             Grf* response) override {
        if (given == 0) [[unlikely]] {
            core_.count_nothing();  // DP-013
            return true;
        }
        if (!begin<kSpace>(sender.thread)) [[unlikely]]
            return false;
        const std::uint32_t mask = given & every_slot_;
        const std::uint8_t* const addresses = first->bytes;
        // What is written is read from there, and never written.
        std::uint8_t* const registers =
            reads_ ? response->bytes : const_cast<std::uint8_t*>(data(first, second));
        if (by_eight_ && has_window() &&
            plain.move(plain, mask, addresses, registers, sender.thread.slm_base)) [[likely]]
            return true;
        Places places;
        if (mask == 0 || !find_places<kSpace, Offset>(addresses, mask, places)) return false;
        switch (item_bytes_) {
            case 1:
                move_lanes<std::uint8_t, std::uint32_t>(places, mask, items_, slots_, reads_,
                                                        registers);
                break;
            case 2:
                move_lanes<std::uint16_t, std::uint32_t>(places, mask, items_, slots_, reads_,
                                                         registers);
                break;
            case 4:
                move_lanes<std::uint32_t, std::uint32_t>(places, mask, items_, slots_, reads_,
                                                         registers);
                break;
            default:
                move_lanes<std::uint64_t, std::uint64_t>(places, mask, items_, slots_, reads_,
                                                         registers);
        }
        if (by_eight_) offer();
        count(sender, static_cast<unsigned>(std::popcount(mask)) * items_);
        return true;
    }
    void begin_count() final { port_.add(*this); }

  protected:
    void count_later() {
        if (++plain.uncounted == 0) port_.add(*this);
    }
    void offer() {
        const std::uint64_t one = items_ * sizeof(std::uint32_t);
        this->template offer_window<kSpace>(one, one * slots_);
    }

  private:
    using Offset = OffsetIn<kSpace>;

    void count(TraceId cause) final {
        // It may be told twice.
        const std::uint64_t all = plain.uncounted + std::uint32_t{1},
                            accesses = (all * slots_ + plain.accesses) * items_;
        if (accesses == 0) return;
        core_.count_direct(cause, counters_, accesses, accesses * item_bytes_, all + plain.moved);
        plain.uncounted = PlainMessages::kNone;
        plain.moved = plain.accesses = 0;
    }
    using SlotSite::count;

    DirectPort& port_;
    bool by_eight_ = false;  ///< slots in the window are moved by instructions of the host for it
};

/// Is each offset as far from `start` as `distances` says?
template <class Offset, unsigned kSlots>
bool lie_at(const std::uint8_t* addresses, Offset start, const Ramp<Offset>& distances) {
    Offset difference = 0;
    for (unsigned slot = 0; slot < kSlots; ++slot)
        difference |= (load<Offset>(addresses + slot * sizeof(Offset)) - distances[slot]) ^ start;
    return difference == 0;
}
/// The same for hosts with AVX2.
template <unsigned kSlots>
[[gnu::target("avx2")]] bool dwords_lie_at(const std::uint8_t* addresses, std::uint32_t start,
                                           const Ramp<std::uint32_t>& distances) {
    const __m256i first = _mm256_set1_epi32(static_cast<int>(start));
    __m256i difference = _mm256_setzero_si256();
    for (unsigned slot = 0; slot < kSlots; slot += 8) {
        __m256i offsets, expected;
        std::memcpy(&offsets, addresses + slot * sizeof start, sizeof offsets);
        std::memcpy(&expected, &distances[slot], sizeof expected);
        difference = _mm256_or_si256(difference,
                                     _mm256_xor_si256(_mm256_sub_epi32(offsets, expected), first));
    }
    return _mm256_testz_si256(difference, difference) != 0;
}

/// A DWord for each slot: slots next to each other, or (reads) all at one
/// place, are one move.
template <Space kSpace, unsigned kSlots, bool kReads>
class PlainSite final : public MoveSite<kSpace> {
  public:
    PlainSite(DirectPort& port, Core& core, FunctionalDriver& driver, const Decoded& decoded,
              const SendForm& form)
        : MoveSite<kSpace>(port, core, driver, decoded, form),
          step_(static_cast<Offset>(4u >> this->scale_)),
          ramp_(ramp(step_)) {}
    bool run(const DirectSender& sender, std::uint32_t given, const Grf* first, const Grf* second,
             Grf* response) override {
        constexpr std::uint32_t kAll = (1u << kSlots) - 1;
        if ((given & kAll) == kAll && this->template begin<kSpace>(sender.thread)) [[likely]] {
            // What is written is read from there, and never written.
            std::uint8_t* const registers =
                kReads ? response->bytes : const_cast<std::uint8_t*>(this->data(first, second));
            if (move_together(first->bytes, registers)) [[likely]] {
                this->offer();
                this->count_later();
                return true;
            }
        }
        return MoveSite<kSpace>::run(sender, given, first, second, response);
    }

  private:
    using Offset = OffsetIn<kSpace>;
    using Item = std::uint32_t;
    static constexpr Ramp<Offset> kOnePlace{};

    bool move_together(const std::uint8_t* addresses, std::uint8_t* registers) {
        const auto start = load<Offset>(addresses);
        const auto step = static_cast<Offset>(load<Offset>(addresses + sizeof start) - start);
        const bool one_place = kReads && step == 0;
        if ((step != step_ && !one_place) || (start & this->unaligned_) != 0) return false;
        const Ramp<Offset>& distances = one_place ? kOnePlace : ramp_;
        if constexpr (sizeof(Offset) == 4) {
            if (newer_host_ ? !dwords_lie_at<kSlots>(addresses, start, distances)
                            : !lie_at<Offset, kSlots>(addresses, start, distances))
                return false;
        } else if (!lie_at<Offset, kSlots>(addresses, start, distances)) {
            return false;
        }
        constexpr unsigned kBytes = kSlots * sizeof(Item);
        std::uint8_t* const host =
            this->template host_at<kSpace>(start, one_place ? sizeof(Item) : kBytes);
        if (host == nullptr) return false;
        if (!kReads)
            std::memcpy(host, registers, kBytes);
        else if (!one_place)
            std::memcpy(registers, host, kBytes);
        else {
            std::array<Item, kSlots> values;
            values.fill(load<Item>(host));
            std::memcpy(registers, values.data(), kBytes);
        }
        return true;
    }

    const bool newer_host_ = has_avx2();
    const Offset step_;
    const Ramp<Offset> ramp_;
};

// ---- blocks

/// OWord, scratch and A64 blocks, all of whose DWords are let through.
template <Space kSpace>
class BlockSite final : public SlotSite {
  public:
    BlockSite(DirectPort& port, Core& core, FunctionalDriver& driver, const Decoded& decoded,
              const SendForm& form)
        : SlotSite(core, driver, decoded, form),
          count_(port, core, counters_),
          bytes_(decoded.block_bytes),
          every_dword_(block_dwords(decoded, ~0u, reads_)),
          scratch_(decoded.row->shape == Shape::ScratchBlock),
          unaligned_block_(block_alignment(decoded) - 1),
          shift_(decoded.byte_offset ? 0 : 4) {
        if (!has_avx2()) return;
        plain.move = move_block;
        this->template set_form<kSpace>(PlainMessages::kMoved, 1);
    }
    bool run(const DirectSender& sender, std::uint32_t given, const Grf* first, const Grf* second,
             Grf* response) override {
        if (given == 0) [[unlikely]] {
            core_.count_nothing();  // DP-013
            return true;
        }
        if (!begin<kSpace>(sender.thread)) return false;
        if (given != whole_mask_) [[unlikely]] {
            if (block_dwords(d_, given, reads_) != every_dword_) return false;
            whole_mask_ = given;
        }
        const std::uint8_t* const header = first->bytes;
        std::uint64_t offset = block_offset(d_, header);
        // The buffer's base in the header, as a32_window.
        if (d_.model == AddressModel::A32) offset += load<std::uint32_t>(header + 20) & ~0x3FFu;
        if ((offset & (block_alignment(d_) - 1)) != 0) return false;
        std::uint8_t* const host = host_at<kSpace>(offset, bytes_);
        if (host == nullptr) return false;
        if (reads_)
            copy(reinterpret_cast<std::uint8_t*>(response) + d_.register_offset, host, bytes_);
        else
            copy(host, data(first, second) + d_.register_offset, bytes_);
        this->template offer_window<kSpace>(bytes_, bytes_);
        count_.add(bytes_ / 4, bytes_);
        return true;
    }

  private:
    GEN9_EIGHT_FUNCTION static bool move_block(PlainMessages& plain, std::uint32_t mask,
                                               const std::uint8_t* header, std::uint8_t* data,
                                               std::uint64_t local) {
        auto& site = static_cast<BlockSite&>(*plain.site);
        if (mask != site.whole_mask_) return false;
        // As block_offset has it.
        std::uint64_t at;
        if constexpr (kSpace == Space::A64)
            at = load<std::uint64_t>(header);
        else if (site.scratch_)
            at = std::uint64_t{site.d_.scratch_offset} * kGrfBytes;
        else
            at = std::uint64_t{load<std::uint32_t>(header + 8)} << site.shift_;
        if (kSpace == Space::Buffer && site.d_.model == AddressModel::A32)
            at += load<std::uint32_t>(header + 20) & ~0x3FFu;
        if ((at & site.unaligned_block_) != 0) return false;
        at += kSpace == Space::Slm ? local : 0 - plain.begin;
        if (at >= plain.room_all) return false;
        std::uint8_t* const host = plain.host + at;
        std::uint8_t* const registers = data + site.d_.register_offset;
        std::uint8_t* const to = site.reads_ ? registers : host;
        const std::uint8_t* const from = site.reads_ ? host : registers;
        const unsigned bytes = site.bytes_;
        if (bytes == 16) {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                             _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
        } else {
            for (unsigned n = 0; n < bytes; n += 32)
                _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + n), eight(from + n));
        }
        site.count_.add(bytes / 4, bytes);
        return true;
    }

    LaterCount count_;
    const unsigned bytes_;
    const std::uint64_t every_dword_;
    std::uint32_t whole_mask_ = 0;  ///< lets every DWord through
    const bool scratch_;
    const unsigned unaligned_block_, shift_;
};

// ---- atomics

template <Space kSpace>
class AtomicSite final : public SlotSite {
  public:
    using SlotSite::SlotSite;
    bool run(const DirectSender& sender, std::uint32_t given, const Grf* first, const Grf* second,
             Grf* response) override {
        if (given == 0) [[unlikely]] {
            core_.count_nothing();
            return true;
        }
        const std::uint32_t mask = given & every_slot_;
        // Where threads of several subslices meet, the order of operations shows in what they get.
        if (kSpace != Space::Slm && driver_.inside()) return false;
        Places places;
        if (!begin<kSpace>(sender.thread) || mask == 0 ||
            !find_places<kSpace, OffsetIn<kSpace>>(first->bytes, mask, places))
            return false;
        // The response may lie over the operands.
        std::uint8_t operands[2 * kDirectSlots * 8];
        const unsigned row = slots_ * item_bytes_;
        if (d_.operands != 0) std::memcpy(operands, data(first, second), d_.operands * row);
        if (item_bytes_ == 8)
            operate<std::uint64_t>(places, mask, operands, response->bytes);
        else
            operate<std::uint32_t>(places, mask, operands, response->bytes);
        count(sender, static_cast<unsigned>(std::popcount(mask)));
        return true;
    }

  private:
    template <class Word>
    void operate(const Places& places, std::uint32_t mask, const std::uint8_t* operands,
                 std::uint8_t* response) const {
        for (; mask != 0; mask &= mask - 1) {
            const auto slot = static_cast<unsigned>(std::countr_zero(mask));
            const auto operand = [&](unsigned n) -> std::uint64_t {
                if (n >= d_.operands) return 0;
                return load<Word>(operands + (n * slots_ + slot) * sizeof(Word));
            };
            const AtomicResult result = apply_atomic(
                d_.atomic, item_bytes_, load<Word>(places[slot]), operand(0), operand(1));
            store(places[slot], static_cast<Word>(result.memory));
            if (d_.returns)
                store(response + slot * sizeof(Word), static_cast<Word>(result.returned));
        }
    }
};

template <Space kSpace>
std::unique_ptr<DirectSite> move_site(DirectPort& port, Core& core, FunctionalDriver& driver,
                                      const Decoded& d, const SendForm& form) {
    const bool reads = d.row->operation == Operation::Read;
    const unsigned items = d.row->shape == Shape::Untyped ? d.channel_count : d.elements;
    if (items != 1 || d.element_bytes != 4)
        return std::make_unique<MoveSite<kSpace>>(port, core, driver, d, form);
    if (d.slots == 16 && reads)
        return std::make_unique<PlainSite<kSpace, 16, true>>(port, core, driver, d, form);
    if (d.slots == 16)
        return std::make_unique<PlainSite<kSpace, 16, false>>(port, core, driver, d, form);
    if (reads) return std::make_unique<PlainSite<kSpace, 8, true>>(port, core, driver, d, form);
    return std::make_unique<PlainSite<kSpace, 8, false>>(port, core, driver, d, form);
}

/// `make` of the space that the messages are in.
template <class Make>
std::unique_ptr<DirectSite> in_space(const Decoded& decoded, const Make& make) {
    switch (decoded.model) {
        case AddressModel::Surface:
        case AddressModel::A32:
            return make.template operator()<Space::Buffer>();
        case AddressModel::A64:
            return make.template operator()<Space::A64>();
        case AddressModel::Slm:
            return make.template operator()<Space::Slm>();
        case AddressModel::None:
            break;
    }
    return nullptr;
}

}  // namespace

std::unique_ptr<DirectSite> DirectPort::site(const SendForm& form) {
    const Decoded d = decode(static_cast<Sfid>(form.sfid), form.descriptor, form.length,
                             form.response_length, form.header_present);
    if (!d.ok() || d.special() || d.row->pair || d.binding_index == kBindless) return nullptr;
    if (d.row->shape == Shape::Typed) return typed_site(*this, typed_, core_, driver_, d, form);
    const bool block = d.row->shape == Shape::OwordBlock || d.row->shape == Shape::ScratchBlock ||
                       d.row->shape == Shape::A64Block;
    if (d.header != block || (block && form.first_length == 0)) return nullptr;
    // The data lies in one of the payload's two parts.
    const unsigned begin = d.data_at(), end = begin + d.data_registers;
    if (form.first_length < d.address_registers ||
        (begin < form.first_length && end > form.first_length))
        return nullptr;
    const bool wide = d.model == AddressModel::A64;
    if (d.wide_address != wide && !block) return nullptr;
    switch (d.row->shape) {
        case Shape::Untyped:
            // Channels that are left out within a slot keep their place in memory (DP-145).
            if ((d.channels & (d.channels + 1)) != 0) return nullptr;
            [[fallthrough]];
        case Shape::ByteScattered:
        case Shape::DwordScattered:
        case Shape::A64Scattered:
            if (d.row->operation != Operation::Read && d.row->operation != Operation::Write)
                return nullptr;
            return in_space(d, [&]<Space kSpace>() {
                return move_site<kSpace>(*this, core_, driver_, d, form);
            });
        case Shape::OwordBlock:
        case Shape::ScratchBlock:
        case Shape::A64Block:
            if (core_.context().check_thread_space) return nullptr;  // DP-098
            return in_space(d, [&]<Space kSpace>() -> std::unique_ptr<DirectSite> {
                return std::make_unique<BlockSite<kSpace>>(*this, core_, driver_, d, form);
            });
        case Shape::AtomicInt:
        case Shape::AtomicFloat:
        case Shape::A64AtomicInt:
        case Shape::A64AtomicFloat:
            if (d.split_words || d.element_bytes > 8) return nullptr;
            return in_space(d, [&]<Space kSpace>() -> std::unique_ptr<DirectSite> {
                return std::make_unique<AtomicSite<kSpace>>(core_, driver_, d, form);
            });
        default:
            return nullptr;
    }
}

}  // namespace gen9::hdc
