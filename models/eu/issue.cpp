// SPDX-License-Identifier: Apache-2.0
#include "eu/issue.h"

#include <algorithm>
#include <bit>

#include "common/check.h"

namespace gen9::eu {

IssueArbiter::IssueArbiter(std::unique_ptr<IssuePolicy> policy, unsigned credits)
    : policy_(std::move(policy)) {
    credits_.fill(static_cast<std::int32_t>(credits));
}

void IssueArbiter::load(ThreadSlot slot, bool high_priority) {
    GEN9_CHECK(!loaded(slot), "a thread is loaded into a slot in use");
    const std::uint32_t bit = 1u << slot.value;
    loaded_ |= bit;
    if (high_priority)
        high_ |= bit;
    else
        high_ &= ~bit;
    // The newest of its class stands last in it (EU-010).
    auto* const end = by_age_.data() + count_;
    auto* const place = high_priority
                            ? std::find_if(by_age_.data(), end,
                                           [this](std::uint8_t s) { return (high_ >> s & 1) == 0; })
                            : end;
    std::copy_backward(place, end, end + 1);
    *place = slot.value;
    ++count_;
    offer(slot, Offer{});
}

void IssueArbiter::unload(ThreadSlot slot) {
    loaded_ &= ~(1u << slot.value);
    auto* const end = by_age_.data() + count_;
    auto* const place = std::find(by_age_.data(), end, slot.value);
    std::copy(place + 1, end, place);
    --count_;
    policy_->leave(slot.value);
    if (atomic_ == slot.value) atomic_ = -1;
    offer(slot, Offer{});
}

void IssueArbiter::offer(ThreadSlot slot, const Offer& offer) {
    const auto put = [mask = bit(slot)](std::uint32_t& set, bool in) {
        set = in ? set | mask : set & ~mask;
    };
    Offer& old = offers_[slot.value];
    if (old.port != offer.port) {
        senders_[index(old.port)] &= ~bit(slot);
        senders_[index(offer.port)] |= bit(slot);
    }
    put(timed_, offer.at != kNever);
    put(starved_, !has_credit(offer.port));
    put(shadowed_, offer.front_end_only);
    due_at_ = kNever;
    old = offer;
}

void IssueArbiter::credits_changed(MessagePort port) {
    const std::uint32_t senders = senders_[index(port)];
    starved_ = has_credit(port) ? starved_ & ~senders : starved_ | senders;
    due_at_ = kNever;
}

Cycles IssueArbiter::next(Cycles from) {
    std::uint64_t earliest = kNever.value;
    std::uint32_t due = 0;
    for (std::uint32_t bits = timed_ & ~starved_; bits != 0; bits &= bits - 1) {
        const Offer& offer = offers_[static_cast<unsigned>(std::countr_zero(bits))];
        const std::uint64_t at = std::max(
            {offer.at.value, pipe_free_[static_cast<std::size_t>(offer.pipe)].value, from.value});
        const std::uint32_t slot = bits & (~bits + 1);
        due = at < earliest ? slot : at == earliest ? due | slot : due;
        earliest = std::min(earliest, at);
    }
    due_ = due;
    due_at_ = Cycles(earliest);
    return due_at_;
}

std::uint32_t IssueArbiter::due(Cycles now) {
    // `next` usually has just found them.
    if (due_at_ != now && next(now) != now) return 0;
    return due_;
}

std::uint32_t IssueArbiter::stalled(Cycles now) const {
    std::uint32_t later = loaded_ & ~timed_;
    for (std::uint32_t bits = timed_; bits != 0; bits &= bits - 1)
        if (offers_[static_cast<unsigned>(std::countr_zero(bits))].at > now)
            later |= bits & (~bits + 1);
    return (later & ~shadowed_) | starved_;
}

void IssueArbiter::begin(Cycles now) {
    const std::uint32_t due = this->due(now);
    in_cycle_ = position_ = 0;
    for (unsigned i = 0; i < count_; ++i) {
        order_[in_cycle_] = by_age_[i];
        in_cycle_ += due >> by_age_[i] & 1;
    }
    const std::span<std::uint8_t> slots(order_.data(), in_cycle_);
    policy_->arrange(slots, stalled(now));
    // Whatever the policy says, the high class goes before the low one (EU-010), and the thread
    // after an atomic send before all.
    if (const std::uint32_t high = high_ & due; high != 0 && high != due)
        std::stable_partition(slots.begin(), slots.end(),
                              [high](std::uint8_t slot) { return (high >> slot & 1) != 0; });
    if (atomic_ >= 0) move_to_front(slots, static_cast<std::uint8_t>(atomic_));
    placed_ = false;
}

int IssueArbiter::pick(Cycles now) {
    // A slot issues once: its next instruction's offer lies in the future.
    while (position_ < in_cycle_) {
        const std::uint8_t slot = order_[position_++];
        const Offer& offer = offers_[slot];
        // What has been issued before it in this cycle may have taken its unit or its credit.
        if (offer.at <= now && has_credit(offer.port) &&
            pipe_free_[static_cast<std::size_t>(offer.pipe)] <= now)
            return slot;
    }
    return -1;
}

void IssueArbiter::issued(ThreadSlot slot, std::uint32_t unit_cycles, Cycles now) {
    const Cycles until = now + Cycles(unit_cycles);
    switch (offers_[slot.value].pipe) {
        // Leave the EM pipe, which can do what the other cannot, to those that need it.
        case Pipe::AnyFpu:
            free_[free_[kFpu] <= now ? kFpu : kEm] = until;
            break;
        case Pipe::Em:
            free_[kEm] = until;
            break;
        case Pipe::Branch:
            free_[kBranch] = until;
            break;
        case Pipe::Send:
            free_[kSend] = until;
            break;
        case Pipe::None:
            break;
    }
    pipe_free_ = {std::min(free_[kFpu], free_[kEm]), free_[kEm], free_[kBranch], free_[kSend],
                  Cycles(0)};
    busy_until_ = std::max({busy_until_, until, now + Cycles(1)});
    due_at_ = kNever;
    if (!placed_) policy_->placed(slot.value);
    placed_ = true;
    if (atomic_ == slot.value) atomic_ = -1;
}

std::uint32_t IssueArbiter::busy_units(Cycles now) const {
    std::uint32_t units = 0;
    for (unsigned unit = 0; unit < kUnits; ++unit)
        if (free_[unit] > now) units |= 1u << unit;
    return units;
}

Cycles IssueArbiter::next_unit_change(Cycles now) const {
    Cycles next = kNever;
    for (const Cycles& free : free_)
        if (free > now) next = std::min(next, free);
    return next;
}

CycleUse IssueArbiter::waits_for(ThreadSlot slot, Cycles now) const {
    const Offer& offer = offers_[slot.value];
    if (offer.at > now) return offer.reason;
    return has_credit(offer.port) ? CycleUse::Pipe : CycleUse::SendQueue;
}

Cycles IssueArbiter::use_changes(Cycles now) const {
    if (count_ == 0) return kNever;
    const Cycles at = offers_[by_age_[0]].at;
    return at > now ? at : kNever;
}

CycleUse IssueArbiter::idle_use(Cycles now) const {
    return count_ == 0 ? CycleUse::NoThread : waits_for(ThreadSlot(by_age_[0]), now);
}

}  // namespace gen9::eu
