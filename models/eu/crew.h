// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "common/units.h"

namespace gen9::eu {

/// Crew: several threads of the host that run the EUs of a machine at once, in functional mode.
/// Role     between two steps of the kernel's it has EUs run their threads ahead, each as far as it
///          needs nothing but its own state and its subslice's
/// Order    EUs of one subslice run one after the other, in the order in which they were added, so
///          what they do does not depend on how many threads the crew has; who calls takes part, and
///          goes on when all are done
/// Not here what an EU may do ahead (module_ahead.cpp)
class Crew {
  public:
    static constexpr unsigned kMostThreads = 64;

    /// An EU.
    class Member {
      public:
        /// Members of one subslice never run at once.
        virtual ThreadAddress place() const = 0;
        /// Could it run ahead?
        virtual bool waits() const = 0;
        /// It will, in a moment: asks for what it can ask for before only.
        virtual void prepare_ahead() {}
        /// Does so, in any thread of the host.
        virtual void run_ahead() = 0;

      protected:
        ~Member() = default;

      private:
        friend class Crew;
        bool ran_ahead_ = false;  ///< and has not stepped since
    };

    /// `threads`: of the host, with the one that calls.
    explicit Crew(unsigned threads) : threads_(threads) {}
    ~Crew();
    Crew(const Crew&) = delete;
    Crew& operator=(const Crew&) = delete;

    void add(Member& member);
    /// Runs all members ahead that wait, if they are of more than one subslice.
    void run_ahead();
    /// Did it run any when it was last asked to, or has it not been asked? Then it is worth to leave
    /// threads to it.
    bool pays() const { return pays_; }
    /// Has it run ahead, and not stepped since? Then it steps, whatever threads it has.
    static bool has_run_ahead(const Member& member) { return member.ran_ahead_; }
    /// Have all stepped that ran ahead? A round is the better the more take part: who comes first
    /// waits for the others, until `latest_step` at the least.
    bool may_begin() const { return ahead_ == 0; }
    Cycles latest_step() const { return latest_step_; }
    void stepped(Member& member) {
        if (member.ran_ahead_) --ahead_;
        member.ran_ahead_ = false;
    }
    /// A member steps again in this cycle.
    void expect_step(Cycles at) { latest_step_ = std::max(latest_step_, at); }
    /// Rounds so far in which members ran.
    std::uint64_t rounds() const { return round_.load(std::memory_order_relaxed); }

  private:
    /// A subslice.
    struct Lane {
        ThreadAddress place;  ///< of its first member
        std::vector<Member*> members;
        std::vector<Member*> due;  ///< in this round
        std::size_t next = 0;      ///< of those
        bool taken = false;        ///< one of its members runs
        std::size_t left() const { return due.size() - next; }
    };
    /// Finds who runs in a round; the number, 0 if a round is not worth it.
    std::size_t gather();
    void start();
    void serve();
    void work();
    Lane* take_lane();
    void run(Member& member) noexcept;

    const unsigned threads_;
    std::vector<Lane> lanes_;
    std::mutex mutex_;  ///< of the lanes
    std::atomic<std::size_t> unfinished_ = 0;
    /// Counts rounds, so that who sleeps sees that there is another.
    std::atomic<std::uint32_t> round_ = 0;
    std::atomic<bool> stops_ = false;
    bool pays_ = true;
    std::size_t ahead_ = 0;  ///< members that ran ahead and have not stepped since
    Cycles latest_step_;
    std::exception_ptr failure_;  ///< the first
    std::vector<std::jthread> workers_;
};

}  // namespace gen9::eu
