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
    static const bool has = __builtin_cpu_supports("avx2");
    return has;
}

/// Marks a part of what is compiled for hosts with AVX2.
#define GEN9_EIGHT [[gnu::target("avx2"), gnu::always_inline]] inline

GEN9_EIGHT __m256i all(std::uint32_t value) {
    return _mm256_set1_epi32(static_cast<int>(value));
}
GEN9_EIGHT __m256i eight(const void* from) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}
/// All ones in the lanes of a mask's lowest bits.
GEN9_EIGHT __m256i lanes_of(std::uint32_t mask) {
    const __m256i to_sign = _mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24);
    return _mm256_srai_epi32(_mm256_sllv_epi32(all(mask), to_sign), 31);
}
/// How far eight offsets are from a window's begin; all ones in `wrong` for those before it or much
/// farther.
GEN9_EIGHT __m256i distances(const std::uint8_t* offsets, std::uint32_t begin, __m256i&) {
    return _mm256_sub_epi32(eight(offsets), all(begin));
}
GEN9_EIGHT __m256i distances(const std::uint8_t* offsets, std::uint64_t begin, __m256i& wrong) {
    const __m256i from = _mm256_set1_epi64x(static_cast<long long>(begin)),
                  first = _mm256_sub_epi64(eight(offsets), from),
                  second = _mm256_sub_epi64(eight(offsets + sizeof first), from);
    const __m256 a = _mm256_castsi256_ps(first), b = _mm256_castsi256_ps(second);
    constexpr int kInOrder = 0xD8;
    wrong = _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xDD)), kInOrder);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88)), kInOrder);
}

/// Finds where slots lie in a window of host memory, one of which may begin up to `last` bytes behind
/// `begin`. False: one of the mask's lies elsewhere, or is not aligned.
template <class Offset, unsigned kSlots>
[[gnu::target("avx2")]] bool find_in_window(const std::uint8_t* offsets, std::uint32_t mask,
                                            unsigned unaligned, Offset begin, std::uint32_t last,
                                            std::uint32_t* places) {
    const __m256i limit = all(last), bits = all(unaligned);
    __m256i bad = _mm256_setzero_si256();
    for (unsigned slot = 0; slot < kSlots; slot += 8) {
        __m256i wrong = _mm256_setzero_si256();
        const __m256i at = distances(offsets + slot * sizeof(Offset), begin, wrong);
        // A window begins at a whole DWord.
        wrong = _mm256_or_si256(wrong, _mm256_and_si256(at, bits));
        wrong = _mm256_or_si256(wrong, _mm256_xor_si256(_mm256_max_epu32(at, limit), limit));
        bad = _mm256_or_si256(bad, _mm256_and_si256(wrong, lanes_of(mask >> slot)));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(places + slot), at);
    }
    return _mm256_testz_si256(bad, bad) != 0;
}
/// Reads the slots of a mask: of each DWord the bits of `kept`.
template <unsigned kSlots>
[[gnu::target("avx2")]] void gather(const std::uint8_t* host, const std::uint32_t* places,
                                    std::uint32_t mask, unsigned items, std::uint32_t kept,
                                    std::uint8_t* registers) {
    for (unsigned slot = 0; slot < kSlots; slot += 8) {
        const __m256i lanes = lanes_of(mask >> slot), at = eight(places + slot);
        for (unsigned n = 0; n < items; ++n) {
            const auto* const from = reinterpret_cast<const int*>(host + n * sizeof(int));
            auto* const to = reinterpret_cast<int*>(registers + (n * kSlots + slot) * sizeof(int));
            const __m256i read = _mm256_mask_i32gather_epi32(lanes, from, at, lanes, 1);
            _mm256_maskstore_epi32(to, lanes, _mm256_and_si256(read, all(kept)));
        }
    }
}
/// Writes the slots of a mask, in their order.
template <class Item, unsigned kSlots, unsigned kItems>
void scatter_items(std::uint8_t* host, const std::uint32_t* places, std::uint32_t mask,
                   const std::uint8_t* registers) {
    const auto put = [&](unsigned slot) __attribute__((always_inline)) {
        std::uint8_t* const place = host + places[slot];
        const std::uint8_t* const lane = registers + slot * sizeof(std::uint32_t);
        for (unsigned n = 0; n < kItems; ++n)
            store(place + n * sizeof(Item), load<Item>(lane + n * kSlots * sizeof(std::uint32_t)));
    };
    if (mask == (1u << kSlots) - 1) {
        for (unsigned slot = 0; slot < kSlots; ++slot)
            put(slot);
        return;
    }
    for (; mask != 0; mask &= mask - 1)
        put(static_cast<unsigned>(std::countr_zero(mask)));
}
template <class Item, unsigned kSlots>
void scatter(std::uint8_t* host, const std::uint32_t* places, std::uint32_t mask, unsigned items,
             const std::uint8_t* registers) {
    switch (items) {
        case 1:
            return scatter_items<Item, kSlots, 1>(host, places, mask, registers);
        case 2:
            return scatter_items<Item, kSlots, 2>(host, places, mask, registers);
        case 3:
            return scatter_items<Item, kSlots, 3>(host, places, mask, registers);
        default:
            return scatter_items<Item, kSlots, 4>(host, places, mask, registers);
    }
}

template <Space kSpace>
class MoveSite : public SlotSite, private DirectPort::Uncounted {
  public:
    MoveSite(DirectPort& port, Core& core, FunctionalDriver& driver, const Decoded& decoded,
             const SendForm& form)
        : SlotSite(core, driver, decoded, form), port_(port), others_(port, core, counters_) {
        if (slots_ != 8 && slots_ != 16) return;
        const bool dwords = item_bytes_ == sizeof(std::uint32_t);
        by_eight_ = has_avx2() && scale_ == 0 && items_ <= 4 &&
                    (dwords || (item_bytes_ <= 2 && items_ == 1));
        if (!dwords) return;
        const auto fact = [](bool holds, PlainMessages::Fact which) {
            return holds ? unsigned{which} : 0;
        };
        using enum PlainMessages::Fact;
        const bool second = data_at_ >= first_bytes_;
        plain.form.facts = static_cast<std::uint8_t>(
            fact(reads_, kReads) | fact(unaligned_ != 0, kAligned) |
            fact(kSpace == Space::A64, kWide) | fact(kSpace == Space::Slm, kLocal) |
            fact(scale_ != 0, kScaled) | fact(second, kSecond) |
            fact(kSpace == Space::Buffer, kBound));
        plain.form.slots = static_cast<std::uint8_t>(slots_);
        plain.form.items = static_cast<std::uint8_t>(items_);
        plain.form.data =
            static_cast<std::uint8_t>((data_at_ - (second ? first_bytes_ : 0)) / kGrfBytes);
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
        if (move_in_window(addresses, mask, registers)) [[likely]] {
            const auto accesses = static_cast<unsigned>(std::popcount(mask)) * items_;
            others_.add(accesses, std::uint64_t{accesses} * item_bytes_);
            return true;
        }
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
        if (by_eight_ || plain.form.slots != 0) offer_window<kSpace>();
        count(sender, static_cast<unsigned>(std::popcount(mask)) * items_);
        return true;
    }
    void begin_count() final { port_.add(*this); }

  protected:
    void count_later() {
        if (++plain.uncounted == 0) port_.add(*this);
    }

  private:
    using Offset = OffsetIn<kSpace>;

    void count(TraceId cause) final {
        const std::uint64_t messages = std::uint64_t{plain.uncounted} + 1,
                            accesses = messages * slots_ * items_;
        core_.count_direct(cause, counters_, accesses, accesses * item_bytes_, messages);
        plain.uncounted = PlainMessages::kNone;
    }
    using SlotSite::count;

    /// Moves slots that all lie in the window of plain messages. False: not all of them do.
    bool move_in_window(const std::uint8_t* addresses, std::uint32_t mask,
                        std::uint8_t* registers) {
        if (!by_eight_ || mask == 0 || !has_window()) return false;
        return slots_ == 16 ? move_in_window<16>(addresses, mask, registers)
                            : move_in_window<8>(addresses, mask, registers);
    }
    template <unsigned kSlots>
    bool move_in_window(const std::uint8_t* addresses, std::uint32_t mask,
                        std::uint8_t* registers) {
        alignas(32) std::uint32_t places[kSlots];
        const std::uint32_t room = window_room<kSpace>();
        if (room == 0 || !find_in_window<Offset, kSlots>(addresses, mask, unaligned_,
                                                         window_begin<kSpace>(), room - 1, places))
            return false;
        if (reads_) {
            const std::uint32_t kept = ~std::uint32_t{0} >> (32 - 8 * item_bytes_);
            gather<kSlots>(plain.host, places, mask, items_, kept, registers);
        } else if (item_bytes_ == 4) {
            scatter<std::uint32_t, kSlots>(plain.host, places, mask, items_, registers);
        } else if (item_bytes_ == 2) {
            scatter<std::uint16_t, kSlots>(plain.host, places, mask, items_, registers);
        } else {
            scatter<std::uint8_t, kSlots>(plain.host, places, mask, items_, registers);
        }
        return true;
    }

    DirectPort& port_;
    LaterCount others_;      ///< beside those of `plain.uncounted`
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
                this->template offer_window<kSpace>();
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
          every_dword_(block_dwords(decoded, ~0u, reads_)) {}
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
        count_.add(bytes_ / 4, bytes_);
        return true;
    }

  private:
    LaterCount count_;
    const unsigned bytes_;
    const std::uint64_t every_dword_;
    std::uint32_t whole_mask_ = 0;  ///< lets every DWord through
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
