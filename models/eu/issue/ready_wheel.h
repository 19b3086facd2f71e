// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "eu/issue/policy_issue.h"
#include "eu/issue/scoreboard.h"

namespace gen9::eu {

/// When the slots of an EU meet their own conditions: those that do by now as a set, those that
/// will within 64 cycles by cycle, so that neither asks for a look at every slot. Time only goes
/// on.
class ReadyWheel {
  public:
    /// The slot is ready at `at` instead of whenever it was; kNever: not before it is put again.
    void put(unsigned slot, Cycles at) {
        const std::uint32_t bit = 1u << slot;
        if (ready_ & bit)
            ready_ ^= bit;
        else if (at_[slot] != kNever)
            take_out(slot);
        at_[slot] = at;
        if (at <= now_)
            ready_ |= bit;
        else
            put_in(slot, at);
    }
    /// The same for a slot that is ready, to be so at a cycle to come.
    void put_again(unsigned slot, Cycles at) {
        ready_ &= ~(1u << slot);
        at_[slot] = at;
        put_in(slot, at);
    }

    /// It is `now`.
    void advance(Cycles now) {
        if (now <= now_) return;
        if (now < next_) {
            now_ = now;
            return;
        }
        if (now != next_ || far_ != 0) [[unlikely]]
            return advance_beyond(now);
        now_ = now;
        empty(bucket(now.value));
        find_next();
    }
    std::uint32_t ready() const { return ready_; }
    Cycles now() const { return now_; }

    /// The cycle at which the next set becomes ready, of those that do later; kNever if none.
    Cycles next() const { return next_; }

  private:
    static constexpr unsigned kSpan = 64;
    static unsigned bucket(std::uint64_t at) { return at % kSpan; }
    static unsigned lowest(std::uint64_t bits) {
        return static_cast<unsigned>(std::countr_zero(bits));
    }
    /// Takes the slots that become ready in one cycle.
    void empty(unsigned bucket) {
        ready_ |= slots_[bucket];
        slots_[bucket] = 0;
        occupied_ &= ~(std::uint64_t{1} << bucket);
    }
    /// To any cycle.
    void advance_beyond(Cycles now) {
        const std::uint64_t passed = (now - now_).value;
        std::uint64_t buckets = from_now();
        if (passed < kSpan) buckets &= (std::uint64_t{1} << passed) - 1;
        for (; buckets != 0; buckets &= buckets - 1)
            empty(bucket(now_.value + 1 + lowest(buckets)));
        now_ = now;
        if (far_ != 0) [[unlikely]]
            bring_near();
        find_next();
    }
    /// Occupied buckets, that of the next cycle as bit 0.
    std::uint64_t from_now() const {
        return std::rotr(occupied_, static_cast<int>(bucket(now_.value + 1)));
    }
    /// To be ready at a cycle to come.
    void put_in(unsigned slot, Cycles at) {
        if ((at - now_).value > kSpan) [[unlikely]] {
            if (at == kNever) return;
            far_ |= 1u << slot;
            next_ = std::min(next_, at);
            return;
        }
        const unsigned i = bucket(at.value);
        slots_[i] |= static_cast<std::uint16_t>(1u << slot);
        occupied_ |= std::uint64_t{1} << i;
        next_ = std::min(next_, at);
    }
    void take_out(unsigned slot) {
        const std::uint32_t bit = 1u << slot;
        if (far_ & bit) {
            far_ ^= bit;
        } else {
            const unsigned i = bucket(at_[slot].value);
            slots_[i] &= static_cast<std::uint16_t>(~bit);
            if (slots_[i] == 0) occupied_ &= ~(std::uint64_t{1} << i);
        }
        if (at_[slot] == next_) find_next();
    }
    void find_next() {
        next_ = occupied_ != 0 ? Cycles(now_.value + 1 + lowest(from_now())) : kNever;
        for (std::uint32_t bits = far_; bits != 0; bits &= bits - 1)
            next_ = std::min(next_, at_[lowest(bits)]);
    }
    void bring_near() {
        const std::uint32_t slots = far_;
        far_ = 0;
        for (std::uint32_t bits = slots; bits != 0; bits &= bits - 1)
            if (const unsigned slot = lowest(bits); at_[slot] <= now_)
                ready_ |= 1u << slot;
            else
                put_in(slot, at_[slot]);
    }
    static constexpr std::array<Cycles, kMaxThreads> never() {
        std::array<Cycles, kMaxThreads> all;
        all.fill(kNever);
        return all;
    }

    Cycles now_;
    Cycles next_ = kNever;                      ///< first time of those that are not ready yet
    std::uint64_t occupied_ = 0;                ///< buckets with slots
    std::uint32_t ready_ = 0, far_ = 0;         ///< far: more than kSpan cycles from now
    std::array<std::uint16_t, kSpan> slots_{};  ///< by cycle modulo kSpan
    std::array<Cycles, kMaxThreads> at_ = never();
};

}  // namespace gen9::eu
