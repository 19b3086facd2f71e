// SPDX-License-Identifier: Apache-2.0
#include "interconnect/agenda.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <utility>

#include "interconnect/clock.h"

namespace gen9 {

Agenda::Agenda(const Clock& clock)
    : clock_(&clock), buckets_(kSpan * words_), due_(words_), far_(words_) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&event_);
    sc_core::sc_spawn([this] { tick(); }, nullptr, &options);
}

unsigned Agenda::join(Wakeup& wakeup) {
    const auto number = static_cast<unsigned>(wakeups_.size());
    wakeups_.push_back(&wakeup);
    rank_of_.push_back(number);
    number_of_.push_back(number);
    if (wakeups_.size() > words_ * 64) widen();
    return number;
}

void Agenda::leave(unsigned number) {
    wakeups_[number] = nullptr;
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

void Agenda::insert(unsigned number, std::uint64_t cycle, std::uint64_t now) {
    const unsigned rank = rank_of_[number];
    const Word bit = Word{1} << rank % 64;
    if (cycle - now >= kSpan) {
        far_[rank / 64] |= bit;
        nearest_far_ = std::min(nearest_far_, cycle);
        return;
    }
    bucket(cycle)[rank / 64] |= bit;
    occupied_[cycle % kSpan / 64] |= Word{1} << cycle % 64;
}

void Agenda::remove(unsigned number, Cycles when) {
    const std::uint64_t cycle = when.value;
    const unsigned rank = rank_of_[number];
    const Word bit = Word{1} << rank % 64;
    // `nearest_far_` may then be too early, which costs a look and nothing else.
    if (far_[rank / 64] & bit) {
        far_[rank / 64] &= ~bit;
        return;
    }
    Word* const words = bucket(cycle);
    words[rank / 64] &= ~bit;
    if (std::all_of(words, words + words_, [](Word word) { return word == 0; }))
        occupied_[cycle % kSpan / 64] &= ~(Word{1} << cycle % 64);
}

void Agenda::put(unsigned number, Cycles when) {
    const std::uint64_t now = clock_->now().value;
    insert(number, when.value, now);
    // A tick looks at what is next when it ends.
    if (!clock_->ticking_ && when.value < notified_) notify(when.value);
}

void Agenda::notify(std::uint64_t cycle) {
    notified_ = cycle;
    clock_->notify(event_, Cycles(cycle));
}

void Agenda::bring_near(std::uint64_t now) {
    nearest_far_ = kNever;
    for (std::size_t word = 0; word < words_; ++word) {
        Word left = far_[word];
        far_[word] = 0;
        for (; left != 0; left &= left - 1) {
            const unsigned number =
                number_of_[word * 64 + static_cast<unsigned>(std::countr_zero(left))];
            insert(number, wakeups_[number]->when_.value, now);
        }
    }
}

std::uint64_t Agenda::next(std::uint64_t now) const {
    const std::size_t first = now % kSpan / 64;
    for (std::size_t i = 0; i <= occupied_.size(); ++i) {
        Word word = occupied_[(first + i) % occupied_.size()];
        const Word from_now = ~Word{0} << now % 64;
        if (i == 0) word &= from_now;
        if (i == occupied_.size()) word &= ~from_now;
        if (word == 0) continue;
        const std::uint64_t at =
            (now & ~std::uint64_t{63}) + i * 64 + static_cast<unsigned>(std::countr_zero(word));
        return std::min(at, nearest_far_);
    }
    return nearest_far_;
}

template <class Action>
void Agenda::each(const std::vector<Word>& set, Action action) {
    for (std::size_t word = 0; word < words_; ++word)
        for (Word left = set[word]; left != 0; left &= left - 1)
            action(
                *wakeups_[number_of_[word * 64 + static_cast<unsigned>(std::countr_zero(left))]]);
}

void Agenda::tick() {
    std::uint64_t cycle = clock_->now().value, coming;
    notified_ = kNever;
    clock_->begin_tick();
    do {
        run_cycle(cycle);
        coming = next(cycle);
    } while (go_ahead(coming) && (cycle = coming, true));
    // The kernel's time comes up, if only for what others ask of it.
    if (coming == kNever && clock_->ahead()) coming = cycle;
    if (coming != kNever) notify(coming);
    clock_->ticking_ = false;
}

void Agenda::run_cycle(std::uint64_t cycle) {
    if (nearest_far_ - cycle < kSpan) bring_near(cycle);
    // What is put for this cycle from here on runs in the next delta cycle.
    Word* const words = bucket(cycle);
    for (std::size_t word = 0; word < words_; ++word)
        due_[word] = std::exchange(words[word], Word{0});
    occupied_[cycle % kSpan / 64] &= ~(Word{1} << cycle % 64);
    each(due_, [](Wakeup& wakeup) { wakeup.pending_ = false, wakeup.due_ = true; });
    each(due_, [](Wakeup& wakeup) { wakeup.run(); });
}

bool Agenda::go_ahead(std::uint64_t cycle) {
    return cycle < ahead_end_ && clock_->go_on(Cycles(cycle));
}

void Agenda::shuffle(std::uint64_t seed) {
    std::vector<unsigned> pending;
    for (unsigned number = 0; number < wakeups_.size(); ++number)
        if (wakeups_[number] != nullptr && wakeups_[number]->pending_) {
            pending.push_back(number);
            remove(number, wakeups_[number]->when_);
        }
    std::iota(number_of_.begin(), number_of_.end(), 0u);
    std::mt19937_64 random(seed);
    for (std::size_t left = number_of_.size(); left > 1; --left)
        std::swap(number_of_[left - 1], number_of_[random() % left]);
    for (unsigned rank = 0; rank < number_of_.size(); ++rank)
        rank_of_[number_of_[rank]] = rank;
    for (const unsigned number : pending)
        insert(number, wakeups_[number]->when_.value, clock_->now().value);
}

}  // namespace gen9
