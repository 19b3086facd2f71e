// SPDX-License-Identifier: Apache-2.0
#include "eu/issue.h"

#include <algorithm>

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
    offers_[slot.value] = Offer{};
}

void IssueArbiter::unload(ThreadSlot slot) {
    loaded_ &= ~(1u << slot.value);
    auto* const end = by_age_.data() + count_;
    auto* const place = std::find(by_age_.data(), end, slot.value);
    std::copy(place + 1, end, place);
    --count_;
    policy_->leave(slot.value);
    if (atomic_ == slot.value) atomic_ = -1;
    offers_[slot.value] = Offer{};
}

Cycles IssueArbiter::next(Cycles from) const {
    Cycles earliest = kNever;
    for (unsigned i = 0; i < count_; ++i) {
        const Offer& offer = offers_[by_age_[i]];
        if (offer.at == kNever || !has_credit(offer.port)) continue;
        earliest = std::min(
            earliest, std::max({offer.at, pipe_free_[static_cast<std::size_t>(offer.pipe)], from}));
    }
    return earliest;
}

void IssueArbiter::begin(Cycles now) {
    std::copy_n(by_age_.data(), count_, order_.data());
    std::uint32_t stalled = 0;
    for (unsigned i = 0; i < count_; ++i) {
        const Offer& offer = offers_[order_[i]];
        if ((offer.at > now && !offer.front_end_only) || !has_credit(offer.port))
            stalled |= 1u << order_[i];
    }
    policy_->arrange({order_.data(), count_}, stalled);
    // Whatever the policy says, the high class goes before the low one (EU-010), and the thread
    // after an atomic send before all.
    if (const std::uint32_t high = high_ & loaded_; high != 0 && high != loaded_) {
        const auto order = order_;
        unsigned n = 0;
        for (const bool wanted : {true, false})
            for (unsigned i = 0; i < count_; ++i)
                if ((high >> order[i] & 1) == wanted) order_[n++] = order[i];
    }
    if (atomic_ >= 0) move_to_front({order_.data(), count_}, static_cast<std::uint8_t>(atomic_));
    in_cycle_ = count_;
    position_ = 0;
    placed_ = false;
}

int IssueArbiter::pick(Cycles now) {
    // A slot issues once: its next instruction's offer lies in the future.
    while (position_ < in_cycle_) {
        const std::uint8_t slot = order_[position_++];
        const Offer& offer = offers_[slot];
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
