// SPDX-License-Identifier: Apache-2.0
#include "interconnect/kernel/agenda.h"

#include <algorithm>
#include <bit>
#include <random>
#include <string_view>
#include <utility>

#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/sockets.h"

namespace gen9 {
namespace {

/// Delta cycles that strangers are given for what they do at the beginning of a cycle.
constexpr unsigned kSettleDeltas = 64;

unsigned lowest(std::uint64_t set) {
    return static_cast<unsigned>(std::countr_zero(set));
}

}  // namespace

Agenda::Agenda(const Clock& clock)
    : clock_(&clock), buckets_(kSpan * words_), due_(words_), far_(words_) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&event_);
    const auto method = [this] {
        if (alone()) tick();
    };
    knows(sc_core::sc_spawn(method, nullptr, &options));
}

bool Agenda::has_stranger(const sc_core::sc_object& object) const {
    const std::string_view kind = object.kind();
    if (kind == "sc_method_process" || kind == "sc_thread_process" || kind == "sc_cthread_process")
        if (std::find(known_.begin(), known_.end(), &object) == known_.end()) return true;
    if (const auto* socket = dynamic_cast<const OwnSocket*>(&object); socket && socket->foreign())
        return true;
    const auto& children = object.get_child_objects();
    return std::any_of(children.begin(), children.end(),
                       [this](const auto* child) { return has_stranger(*child); });
}

void Agenda::look_for_strangers() {
    looked_ = true;
    const auto& tops = sc_core::sc_get_top_level_objects();
    alone_ = std::none_of(tops.begin(), tops.end(),
                          [this](const auto* top) { return has_stranger(*top); });
    if (alone_) return;
    // A thread, so that a call of a module may wait.
    sc_core::sc_spawn_options options;
    options.set_sensitivity(&event_);
    options.set_stack_size(1 << 20);
    sc_core::sc_spawn([this] { run_beside_strangers(); }, nullptr, &options);
}

void Agenda::run_beside_strangers() {
    // The event may be waited for once more than it comes: nothing is due then.
    for (;; sc_core::wait()) {
        for (unsigned i = 0; i < kSettleDeltas && sc_core::sc_pending_activity_at_current_time();
             ++i)
            sc_core::wait(sc_core::SC_ZERO_TIME);
        tick();
    }
}

void Agenda::join(Wakeup& wakeup) {
    wakeup.rank_ = static_cast<unsigned>(by_rank_.size());
    by_rank_.push_back(&wakeup);
    if (by_rank_.size() > words_ * 64) widen();
}

void Agenda::leave(Wakeup& wakeup) {
    by_rank_[wakeup.rank_] = nullptr;
}

void Agenda::widen() {
    const std::size_t old = words_++;
    std::vector<Word> buckets(kSpan * words_);
    for (std::size_t i = 0; i < kSpan; ++i)
        std::copy_n(&buckets_[i * old], old, &buckets[i * words_]);
    buckets_ = std::move(buckets);
    due_.resize(words_);
    far_.resize(words_);
}

void Agenda::insert(const Wakeup& wakeup, std::uint64_t now) {
    const std::uint64_t cycle = wakeup.when_.value;
    const Word bit = Word{1} << wakeup.rank_ % 64;
    if (cycle - now >= kSpan) [[unlikely]] {
        far_[wakeup.rank_ / 64] |= bit;
        nearest_far_ = std::min(nearest_far_, cycle);
        return;
    }
    bucket(cycle)[wakeup.rank_ / 64] |= bit;
    occupied_[cycle % kSpan / 64] |= Word{1} << cycle % 64;
}

void Agenda::remove(Wakeup& wakeup) {
    wakeup.pending_ = false;
    const std::uint64_t cycle = wakeup.when_.value;
    const Word bit = Word{1} << wakeup.rank_ % 64;
    // `nearest_far_` may then be too early, which costs a look and nothing else.
    if (far_[wakeup.rank_ / 64] & bit) {
        far_[wakeup.rank_ / 64] &= ~bit;
        return;
    }
    Word* const words = bucket(cycle);
    words[wakeup.rank_ / 64] &= ~bit;
    if (std::all_of(words, words + words_, [](Word word) { return word == 0; }))
        occupied_[cycle % kSpan / 64] &= ~(Word{1} << cycle % 64);
}

void Agenda::put(Wakeup& wakeup, Cycles when, Cycles now) {
    if (wakeup.pending_) [[unlikely]]
        remove(wakeup);
    wakeup.pending_ = true;
    wakeup.when_ = when;
    insert(wakeup, now.value);
    // A tick looks at what is next when it ends.
    if (!clock_->ticking_ && when.value < notified_) notify(when.value);
}

void Agenda::notify(std::uint64_t cycle) {
    notified_ = cycle;
    clock_->notify(event_, Cycles(cycle));
}

void Agenda::bring_near(std::uint64_t now) {
    nearest_far_ = kNever;
    for (std::size_t word = 0; word < words_; ++word)
        for (Word left = std::exchange(far_[word], Word{0}); left != 0; left &= left - 1)
            insert(*by_rank_[word * 64 + lowest(left)], now);
}

std::uint64_t Agenda::next(std::uint64_t now) const {
    const std::size_t first = now % kSpan / 64;
    for (std::size_t i = 0; i <= occupied_.size(); ++i) {
        Word word = occupied_[(first + i) % occupied_.size()];
        const Word from_now = ~Word{0} << now % 64;
        if (i == 0) word &= from_now;
        if (i == occupied_.size()) word &= ~from_now;
        if (word == 0) continue;
        const std::uint64_t at = (now & ~std::uint64_t{63}) + i * 64 + lowest(word);
        return std::min(at, nearest_far_);
    }
    return nearest_far_;
}

void Agenda::tick() {
    std::uint64_t cycle = clock_->now().value, coming;
    notified_ = kNever;
    clock_->begin_tick();
    do {
        run_cycle(cycle);
        coming = next(cycle);
    } while (go_ahead(coming) && (cycle = coming, true));
    // The kernel's time comes up, be it only to where it is to stop.
    if (alone_ && coming >= ahead_end_ && clock_->ahead()) coming = cycle;
    if (!alone_) clock_->ticking_ = false;  // a call may have waited: it is later than it was
    if (coming != kNever) notify(coming);
    clock_->ticking_ = false;
}

void Agenda::run_cycle(std::uint64_t cycle) {
    if (nearest_far_ - cycle < kSpan) bring_near(cycle);
    // A block that asks for this cycle from here on runs in the next delta cycle.
    Word* const words = bucket(cycle);
    occupied_[cycle % kSpan / 64] &= ~(Word{1} << cycle % 64);
    for (std::size_t word = 0; word < words_; ++word) {
        due_[word] = std::exchange(words[word], Word{0});
        for (Word left = due_[word]; left != 0; left &= left - 1) {
            Wakeup& wakeup = *by_rank_[word * 64 + lowest(left)];
            wakeup.pending_ = false;
            wakeup.due_ = true;
        }
    }
    for (std::size_t word = 0; word < words_; ++word)
        for (Word left = due_[word]; left != 0; left &= left - 1)
            by_rank_[word * 64 + lowest(left)]->run();
}

bool Agenda::go_ahead(std::uint64_t cycle) {
    if (!alone_) return cycle != kNever && clock_->catch_up(Cycles(cycle));
    return cycle < ahead_end_ && clock_->go_on(Cycles(cycle));
}

void Agenda::shuffle(std::uint64_t seed) {
    std::vector<Wakeup*> pending;
    for (Wakeup* const wakeup : by_rank_)
        if (wakeup != nullptr && wakeup->pending_) {
            pending.push_back(wakeup);
            remove(*wakeup);
        }
    std::mt19937_64 random(seed);
    for (std::size_t left = by_rank_.size(); left > 1; --left)
        std::swap(by_rank_[left - 1], by_rank_[random() % left]);
    for (unsigned rank = 0; rank < by_rank_.size(); ++rank)
        if (by_rank_[rank] != nullptr) by_rank_[rank]->rank_ = rank;
    for (Wakeup* const wakeup : pending)
        put(*wakeup, wakeup->when_, clock_->now());
}

}  // namespace gen9
