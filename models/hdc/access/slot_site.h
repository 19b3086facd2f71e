// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "common/bits.h"
#include "common/register_bytes.h"
#include "hdc/access/direct.h"
#include "hdc/access/functional.h"
#include "interconnect/payload/plain_messages.h"

namespace gen9::hdc {

inline constexpr unsigned kDirectSlots = 16;  ///< of a message

/// What the offsets of a message are.
enum class Space : std::uint8_t {
    Buffer,  ///< from the base of a surface, or of the general state
    A64,     ///< addresses
    Slm,
};

template <Space kSpace>
using OffsetIn = std::conditional_t<kSpace == Space::A64, std::uint64_t, std::uint32_t>;

/// What all messages on untyped memory have: those with an address for each slot, which are
/// untyped, scattered and A64 scattered reads and writes and untyped atomics, and blocks.
class SlotSite : public PlainDirectSite {
  public:
    SlotSite(Core& core, FunctionalDriver& driver, const Decoded& decoded, const SendForm& form)
        : core_(core),
          driver_(driver),
          d_(decoded),
          counters_(core.counters_of(decoded)),
          every_slot_((1u << decoded.slots) - 1),
          slots_(decoded.slots),
          items_(decoded.row->shape == Shape::Untyped ? decoded.channel_count : decoded.elements),
          item_bytes_(decoded.element_bytes),
          reads_(decoded.row->operation == Operation::Read),
          data_at_(decoded.data_at() * kGrfBytes),
          first_bytes_(form.first_length * static_cast<unsigned>(kGrfBytes)) {
        const bool atomic = decoded.row->operation == Operation::Atomic;
        if (decoded.aligned || atomic || decoded.row->shape == Shape::Untyped)
            unaligned_ = item_bytes_ - 1;
        if (decoded.row->shape == Shape::DwordScattered) scale_ = 2;
        facts_.slm = decoded.model == AddressModel::Slm;
        if (decoded.row->sfid == Sfid::ConstantCache) facts_.requester = Requester::ConstantCache;
        plain.findings = &core_.findings();
    }

    void begin_count() override {}

  protected:
    using Places = std::array<std::uint8_t*, kDirectSlots>;

    /// Is what is known of the surface still so? If not, finds it anew. False: it is not at hand, or
    /// not a plain buffer.
    bool ready(const ThreadSideband& thread) {
        if (thread.state.get() == state_.get() && thread.binding_table_offset == table_ &&
            found_ == core_.findings() + driver_.findings()) [[likely]]
            return usable_;
        return usable_ = find_window(thread);
    }
    /// Begins the work on a message in SLM: its window belongs to the thread.
    bool enter_slm(const ThreadSideband& thread) {
        const PlanContext& context = core_.context();
        slm_base_ = thread.slm_base & (context.slm_bytes - 1);
        slm_size_ = context.slm_bytes;
        slm_is_own_ = thread.slm_base < context.slm_bytes;
        slm_host_ =
            context.slm_enabled && thread.slm_size != 0 ? driver_.slm(thread.slm_base) : nullptr;
        if (slm_host_ != plain.host || plain.found != core_.findings()) offered_ = false;
        return slm_host_ != nullptr;
    }
    template <Space kSpace>
    bool begin(const ThreadSideband& thread) {
        return kSpace == Space::Slm ? thread.state != nullptr && enter_slm(thread) : ready(thread);
    }
    /// Host memory of bytes from an offset on; null: they are not all inside, or not in one piece of
    /// host memory.
    template <Space kSpace, class Offset>
    std::uint8_t* host_at(Offset given, unsigned bytes) {
        if constexpr (kSpace == Space::Buffer) {
            const std::uint64_t offset = std::uint64_t{given} << scale_;
            if (offset + bytes > limit_) return nullptr;  // DP-090
            return whole_ != nullptr ? whole_ + offset : host_of(base_ + offset, bytes);
        } else if constexpr (kSpace == Space::A64) {
            // DP-044: bits 63:48 repeat bit 47.
            const auto canonical = [](std::uint64_t address) {
                return (address + (1ull << 47)) >> 48 == 0;
            };
            if (!canonical(given) || !canonical(given + bytes - 1)) return nullptr;
            return host_of(given & kAddressMask, bytes);
        } else {
            const std::uint64_t address =
                ((std::uint64_t{given} << scale_) + slm_base_) & (slm_size_ - 1);
            return address + bytes <= slm_size_ ? slm_host_ + address : nullptr;
        }
    }
    /// Writes the window of plain messages, as a message has found it. `one`: the bytes of a slot;
    /// `all`: those of all slots side by side, or of a block.
    template <Space kSpace>
    void offer_window(std::uint64_t one, std::uint64_t all) {
        if (offered_) [[likely]]
            return;
        offered_ = true;
        plain.checked = 0;
        std::uint64_t from = 0, to = slm_size_;
        plain.host = slm_is_own_ ? slm_host_ : nullptr;
        if constexpr (kSpace != Space::Slm) {
            from = std::max(stretch_.begin(), base_);
            to = std::min(stretch_.begin() + stretch_.bytes(), base_ + limit_);
            if constexpr (kSpace == Space::A64) {
                from = stretch_.begin();
                to = from + stretch_.bytes();
                // Bits 63:48 of addresses above are ones.
                if (to > 1ull << 47) to = from;
            }
            plain.host = from < to ? stretch_.find(from, to - from, reads_) : nullptr;
            if (kSpace == Space::Buffer) {
                from -= base_;
                to -= base_;
            }
        }
        const auto room = [&](std::uint64_t bytes) -> std::uint64_t {
            return plain.host != nullptr && to - from >= bytes ? to - from - bytes + 1 : 0;
        };
        plain.begin = from;
        plain.room_one = room(one);
        plain.room_all = room(all);
        const auto dwords = [](std::uint64_t places) { return (places + 3) / 4; };
        plain.dwords_one = dwords(plain.room_one);
        plain.dwords_all = dwords(plain.room_all);
        constexpr std::uint64_t kMost = 0x7FFFFFFF, kOffsets = std::uint64_t{1} << 32;
        plain.room_any =
            from > kMost
                ? 0
                : static_cast<std::uint32_t>(std::min({plain.room_one, kMost, kOffsets - from}));
        // Where 32 bits say too little, the first place is one all the same.
        if (plain.room_one == 0) plain.host = nullptr;
        const std::uint32_t places =
            kSpace == Space::A64 ? static_cast<std::uint32_t>(std::min(plain.room_one, kMost))
                                 : plain.room_any;
        plain.last = places == 0 ? 0 : places - 1;
        plain.found = core_.findings();
        plain.state = state_.get();
        plain.table = table_;
    }
    // Has the message that has begun a window of plain messages, as an earlier one has found it?
    bool has_window() const { return offered_ && plain.host != nullptr; }
    /// The places of the slots of a mask; false: not all have one, or one is not aligned.
    template <Space kSpace, class Offset>
    bool find_places(const std::uint8_t* addresses, std::uint32_t mask, Places& places) {
        const unsigned bytes = items_ * item_bytes_;
        for (std::uint32_t m = mask; m != 0; m &= m - 1) {
            const auto slot = static_cast<unsigned>(std::countr_zero(m));
            const auto offset = load<Offset>(addresses + slot * sizeof(Offset));
            if ((offset & unaligned_) != 0) return false;
            places[slot] = host_at<kSpace>(offset, bytes);
            if (places[slot] == nullptr) return false;
        }
        return true;
    }
    const std::uint8_t* data(const Grf* first, const Grf* second) const {
        return data_at_ < first_bytes_ ? bytes_from(*first) + data_at_
                                       : bytes_from(*second) + (data_at_ - first_bytes_);
    }
    /// Writes what plain messages are, all but their data.
    template <Space kSpace>
    void set_form(unsigned facts, unsigned slots) {
        const auto fact = [](bool holds, PlainMessages::Fact which) {
            return holds ? unsigned{which} : 0;
        };
        using enum PlainMessages::Fact;
        const bool second = data_at_ >= first_bytes_;
        plain.form.facts = static_cast<std::uint8_t>(
            facts | fact(reads_, kReads) | fact(unaligned_ != 0, kAligned) |
            fact(kSpace == Space::A64, kWide) | fact(kSpace == Space::Slm, kLocal) |
            fact(scale_ != 0, kScaled) | fact(second, kSecond) |
            fact(kSpace == Space::Buffer, kBound));
        plain.unaligned = unaligned_;
        plain.form.slots = static_cast<std::uint8_t>(slots);
        plain.form.items = static_cast<std::uint8_t>(items_);
        plain.form.data =
            static_cast<std::uint8_t>((data_at_ - (second ? first_bytes_ : 0)) / kGrfBytes);
    }
    void count(const DirectSender& sender, unsigned accesses) {
        core_.count_direct(sender.cause, counters_, accesses,
                           std::uint64_t{accesses} * item_bytes_);
    }

    Core& core_;
    FunctionalDriver& driver_;
    const Decoded d_;
    const Core::DirectCounters counters_;
    const std::uint32_t every_slot_;
    const unsigned slots_, items_, item_bytes_;
    const bool reads_;
    const unsigned data_at_;      ///< in the payload
    const unsigned first_bytes_;  ///< of the payload's first part
    unsigned unaligned_ = 0;      ///< bits of an address that must be 0
    unsigned scale_ = 0;          ///< of offsets: left shift

  private:
    std::uint8_t* host_of(std::uint64_t address, unsigned bytes) {
        if (std::uint8_t* const host = stretch_.find(address, bytes, reads_)) return host;
        std::uint8_t* const host = driver_.reach(stretch_, address, bytes, reads_, facts_);
        offered_ = false;
        if (d_.model != AddressModel::A64) whole_ = stretch_.find(base_, limit_, reads_);
        return host;
    }
    bool find_window(const ThreadSideband& thread);

    MemoryFacts facts_;

    PipelineStatePtr state_;  ///< what the following was found under
    std::uint32_t table_ = 0;
    std::uint64_t found_ = ~std::uint64_t{0};
    bool usable_ = false;
    std::uint64_t base_ = 0, limit_ = 0;  ///< Buffer: whole DWords that are inside
    std::uint8_t* whole_ = nullptr;       ///< Buffer: all of it lies from here on
    Stretch stretch_;
    std::uint64_t slm_base_ = 0, slm_size_ = 0;
    std::uint8_t* slm_host_ = nullptr;
    bool slm_is_own_ = false;
    bool offered_ = false;  ///< the window of plain messages is what is known
};

}  // namespace gen9::hdc
