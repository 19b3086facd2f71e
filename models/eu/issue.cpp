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

void IssueArbiter::credits_changed(MessagePort port) {
    const std::uint32_t slots = by_port_[index(port)];
    starved_ = has_credit(port) ? starved_ & ~slots : starved_ | slots;
    candidates_ &= ~starved_;
}

void IssueArbiter::give_credit(MessagePort port, Cycles at) {
    // Most are the latest so far, or nearly.
    std::size_t place = coming_.size();
    while (place > first_coming_ && coming_[place - 1].at > at)
        --place;
    coming_.insert(coming_.begin() + static_cast<std::ptrdiff_t>(place), {at, port});
    next_credit_ = coming_[first_coming_].at;
}

Cycles IssueArbiter::take_coming_credit(MessagePort port) {
    const auto first = coming_.begin() + static_cast<std::ptrdiff_t>(first_coming_);
    const auto found = std::find_if(first, coming_.end(),
                                    [port](const ComingCredit& c) { return c.port == port; });
    if (found == coming_.end()) return kNever;
    const Cycles at = found->at;
    coming_.erase(found);
    drop_come_credits();
    return at;
}

void IssueArbiter::take_credits(Cycles now) {
    for (; first_coming_ != coming_.size() && coming_[first_coming_].at <= now; ++first_coming_)
        give_credit(coming_[first_coming_].port);
    drop_come_credits();
}

void IssueArbiter::drop_come_credits() {
    constexpr std::size_t kWaste = 32;
    if (first_coming_ == coming_.size() || first_coming_ >= kWaste) {
        coming_.erase(coming_.begin(),
                      coming_.begin() + static_cast<std::ptrdiff_t>(first_coming_));
        first_coming_ = 0;
    }
    next_credit_ = coming_.empty() ? kNever : coming_[first_coming_].at;
}

std::uint8_t IssueArbiter::choose() const {
    // Whatever the policy says, the thread after an atomic send goes before all, and the high class
    // before the low one (EU-010).
    if (atomic_ >= 0 && (candidates_ >> atomic_ & 1)) return static_cast<std::uint8_t>(atomic_);
    const std::uint32_t high = candidates_ & high_, slots = high != 0 ? high : candidates_;
    const std::uint8_t running = policy_->running();
    if (running != IssuePolicy::kNone && (slots >> running & 1)) return running;
    return policy_->choose(slots, {by_age_.data(), count_});
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

}  // namespace gen9::eu
