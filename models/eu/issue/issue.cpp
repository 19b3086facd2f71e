// SPDX-License-Identifier: Apache-2.0
#include "eu/issue/issue.h"

#include <algorithm>

#include "common/check.h"

namespace gen9::eu {

IssueArbiter::IssueArbiter(std::unique_ptr<IssuePolicy> policy, unsigned credits, unsigned width,
                           const UnitCounts& units)
    : policy_(std::move(policy)), turns_(policy_->keeps_running()), width_(width) {
    const unsigned counts[] = {units.fpu, units.em, units.branch, units.send};
    for (unsigned kind = 0; kind < kKinds; ++kind) {
        GEN9_CHECK(counts[kind] <= kMaxOfKind && (counts[kind] != 0 || kind == kFpuKind),
                   "an EU has one to four units of a kind; it may have no FPU");
        for (unsigned unit = counts[kind]; unit < kMaxOfKind; ++unit)
            free_[kind * kMaxOfKind + unit] = kNever;
        if (counts[kind] > 1) several_ = kSeveral;
    }
    credits_.fill(static_cast<std::int32_t>(credits));
    for (Coming& coming : coming_)
        coming.at.resize(std::bit_ceil(credits));
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
    turns_.leave(slot.value);
    if (atomic_ == slot.value) atomic_ = -1;
    offer(slot, Offer{});
}

void IssueArbiter::credits_changed(MessagePort port) {
    const std::uint32_t slots = by_port_[index(port)];
    starved_ = credits_[index(port)] > 0 ? starved_ & ~slots : starved_ | slots;
    candidates_ &= ~starved_;
}

void IssueArbiter::give_credit(MessagePort port, Cycles at) {
    Coming& coming = coming_[index(port)];
    GEN9_CHECK(coming.end - coming.first < coming.at.size(),
               "more credits come back to an EU than it has given");
    // Most are the latest so far, or nearly.
    unsigned place = coming.end++;
    for (; place != coming.first && coming[place - 1] > at; --place)
        coming[place] = coming[place - 1];
    coming[place] = at;
    if (credits_[index(port)] <= 0) next_credit_ = std::min(next_credit_, at);
}

Cycles IssueArbiter::take_coming_credit(MessagePort port) {
    Coming& coming = coming_[index(port)];
    return coming.empty() ? kNever : coming[coming.first++];
}

bool IssueArbiter::count_credits(MessagePort port) {
    Coming& coming = coming_[index(port)];
    std::int32_t& credits = credits_[index(port)];
    for (; !coming.empty() && coming[coming.first] <= wheel_.now(); ++coming.first)
        ++credits;
    if (credits > 0) return true;
    if (!coming.empty()) next_credit_ = std::min(next_credit_, coming[coming.first]);
    return false;
}

void IssueArbiter::feed() {
    next_credit_ = kNever;
    for (unsigned port = 0; port < kMessagePorts; ++port)
        if (credits_[port] <= 0 && count_credits(static_cast<MessagePort>(port)))
            credits_changed(static_cast<MessagePort>(port));
}

unsigned IssueArbiter::free_unit(Kind kind, Cycles now) const {
    for (unsigned unit = kind * kMaxOfKind; unit < (kind + 1) * kMaxOfKind; ++unit)
        if (free_[unit] <= now) return unit;
    return kUnits;
}

void IssueArbiter::occupy_one_of_several(Pipe pipe, Cycles until, Cycles now) {
    if (pipe == Pipe::None) return;
    // EM is left to those that need it while an FPU is free, as with one unit of each kind.
    const auto kind = static_cast<Kind>(pipe);
    unsigned unit = free_unit(kind, now);
    if (unit == kUnits && pipe == Pipe::AnyFpu) unit = free_unit(kEmKind, now);
    GEN9_CHECK(unit != kUnits, "an instruction is issued to units that are all occupied");
    free_[unit] = until;
    for (unsigned k = 0; k < kKinds; ++k)
        pipe_free_[k] =
            *std::min_element(&free_[k * kMaxOfKind], &free_[k * kMaxOfKind] + kMaxOfKind);
    Cycles& any = pipe_free_[index(Pipe::AnyFpu)];
    any = std::min(any, pipe_free_[index(Pipe::Em)]);
}

std::uint32_t IssueArbiter::busy_units(Cycles now) const {
    std::uint32_t units = 0;
    for (unsigned unit = 0; unit < kUnits; ++unit)
        if (free_[unit] > now && free_[unit] != kNever) units |= 1u << unit;
    return units;
}

Cycles IssueArbiter::next_change(Cycles now) const {
    Cycles next = busy_until_ > now ? busy_until_ : kNever;
    for (const Cycles& free : free_)
        if (free > now) next = std::min(next, free);
    for (unsigned i = 0; i < count_; ++i)
        if (const Cycles at = offers_[by_age_[i]].at; at > now) next = std::min(next, at);
    return next;
}

}  // namespace gen9::eu
