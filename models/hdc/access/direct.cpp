// SPDX-License-Identifier: Apache-2.0
#include "hdc/access/direct.h"

#include <immintrin.h>

#include <bit>
#include <cstring>

#include "common/bits.h"
#include "hdc/access/copy.h"
#include "hdc/access/later_count.h"
#include "hdc/access/mover.h"
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
        set_mover<kSpace>(plain, slots_, reads_, item_bytes_, items_, scale_ != 0);
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
            (mask == every_slot_ ? plain.move_all : plain.move)(plain, mask, addresses, registers,
                                                                sender.thread.slm_base)) [[likely]]
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
                            others = plain.moved + std::uint32_t{1},
                            accesses = (all * slots_ + plain.accesses) * items_;
        if (accesses == 0) return;
        core_.count_direct(cause, counters_, accesses, accesses * item_bytes_, all + others);
        plain.uncounted = plain.moved = PlainMessages::kNone;
        plain.accesses = 0;
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
        plain.move = plain.move_all = move_block;
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
        // It is what block_offset says, with what the site knows of the descriptor.
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
