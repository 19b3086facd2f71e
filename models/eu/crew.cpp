// SPDX-License-Identifier: Apache-2.0
#include "eu/crew.h"

#include <immintrin.h>
#include <signal.h>

#include <algorithm>
#include <utility>

namespace gen9::eu {

namespace {

/// A worker looks for the next round so often before it sleeps: for some tens of microseconds, which
/// is what the kernel takes between two rounds of a launch.
constexpr unsigned kLooks = 2000;
/// The caller looks so often for the end of a round before it lets others of the host run.
constexpr unsigned kPatience = 4000;

/// Signals are for the thread that had the machine made.
class SignalsBlocked {
  public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_;
};

}  // namespace

Crew::~Crew() {
    stops_ = true;
    ++round_;
    round_.notify_all();
}

void Crew::add(Member& member) {
    const ThreadAddress place = member.place();
    auto lane = std::ranges::find_if(lanes_, [&](const Lane& other) {
        return other.place.slice == place.slice && other.place.subslice == place.subslice;
    });
    if (lane == lanes_.end()) {
        lanes_.emplace_back().place = place;
        lane = lanes_.end() - 1;
    }
    lane->members.push_back(&member);
}

void Crew::run_ahead() {
    // A process may be forked after its machine was made: threads begin when there is work.
    if (workers_.empty()) start();
    {
        const std::lock_guard lock(mutex_);
        const std::size_t members = gather();
        pays_ = members != 0;
        if (!pays_) return;
        unfinished_.store(members, std::memory_order_relaxed);
    }
    round_.fetch_add(1);
    round_.notify_all();
    work();
    for (unsigned looks = 0; unfinished_.load(std::memory_order_acquire) != 0; ++looks) {
        if (looks < kPatience)
            _mm_pause();
        else
            std::this_thread::yield();
    }
    if (failure_ != nullptr) std::rethrow_exception(std::exchange(failure_, nullptr));
}

std::size_t Crew::gather() {
    std::size_t members = 0, lanes = 0;
    for (Lane& lane : lanes_) {
        lane.due.clear();
        lane.next = 0;
        for (Member* const member : lane.members)
            if (member->waits()) lane.due.push_back(member);
        members += lane.due.size();
        lanes += !lane.due.empty();
    }
    for (Lane& lane : lanes_)
        if (lanes > 1)
            for (Member* const member : lane.due) {
                ahead_ += !member->ran_ahead_;
                member->ran_ahead_ = true;
                member->prepare_ahead();
            }
        else
            lane.due.clear();
    return lanes > 1 ? members : 0;
}

void Crew::start() {
    const SignalsBlocked blocked;
    for (unsigned n = 1; n < threads_; ++n)
        workers_.emplace_back([this] { serve(); });
}

void Crew::serve() {
    std::uint32_t seen = 0;
    for (;;) {
        std::uint32_t round = round_.load();
        for (unsigned looks = 0; round == seen && looks < kLooks; ++looks) {
            _mm_pause();
            round = round_.load();
        }
        if (round == seen) {
            round_.wait(seen);
            round = round_.load();
        }
        if (stops_) return;
        seen = round;
        work();
    }
}

void Crew::work() {
    std::unique_lock lock(mutex_);
    while (Lane* const lane = take_lane()) {
        Member& member = *lane->due[lane->next++];
        lock.unlock();
        run(member);
        lock.lock();
        lane->taken = false;
        // The last one lets the caller go on, who then has the lock.
        unfinished_.fetch_sub(1, std::memory_order_release);
    }
}

/// The subslice with most left that nobody else has.
Crew::Lane* Crew::take_lane() {
    Lane* best = nullptr;
    for (Lane& lane : lanes_)
        if (!lane.taken && lane.left() > (best != nullptr ? best->left() : 0)) best = &lane;
    if (best != nullptr) best->taken = true;
    return best;
}

void Crew::run(Member& member) noexcept {
    try {
        member.run_ahead();
    } catch (...) {
        const std::lock_guard lock(mutex_);
        if (failure_ == nullptr) failure_ = std::current_exception();
    }
}

}  // namespace gen9::eu
