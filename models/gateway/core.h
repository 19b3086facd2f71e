// SPDX-License-Identifier: Apache-2.0
/// Gateway: barriers, timestamps and end of thread of one subslice (core half).
/// Role     counts barrier messages, says who is released; makes the timestamp answer
/// Order    arrivals in the order they are given
/// Not here time of the answers (module.h); which threads share a barrier (the spawner sets it up)
/// Spec     GW-01..GW-40, TD-53..58; 003:9016-9145
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gateway/barrier.h"

namespace gen9::gateway {

/// A quarter of a nanosecond: the unit of the timestamps (GW-29).
struct QuarterNanoseconds {
    std::uint64_t value;
};

/// The GPU's wall clock, which counts at `hz` (GW-30, guide 3.1).
QuarterNanoseconds absolute_time(std::uint64_t picoseconds, std::uint64_t hz);
/// Time spent by a context that would have begun at `start`, to the quarter nanosecond (GW-30).
QuarterNanoseconds relative_time(std::uint64_t picoseconds, std::int64_t start);

class GatewayCore {
  public:
    /// `predicated`: M0.2[30] is defined, as on Skylake; Broxton ignores it (GW-24: 000:353-363).
    explicit GatewayCore(bool predicated) : predicated_(predicated) {}

    /// The request of a message (GW-02).
    enum class Function : std::uint8_t { EndOfThread, TimeStamp, Barrier, Reserved };
    static Function function_of(std::uint32_t descriptor, bool end_of_thread);

    /// The fault of a message; no text: none.
    struct Problem {
        std::string text;
        bool refused = false;  ///< the message cannot be acted on at all
        explicit operator bool() const { return !text.empty(); }
    };
    /// Rules of the descriptor (GW-02, GW-03, GW-21) and of the end of a thread (TD-53).
    Problem check(const Message& message) const;

    /// Sets a barrier up for `count` threads (GW-13), or frees it with 0. Messages still waiting at
    /// it are given to `abandoned`: their threads ended or never will be released (GW-40).
    Problem set_up(unsigned id, unsigned count, std::vector<Waiting>& abandoned);

    /// All messages waiting are moved to `returned` and nobody has arrived anywhere (a save).
    void give_back(std::vector<Waiting>& returned);

    /// Sets a barrier up as a part of a global one, or completes its round and begins the next
    /// (TD-52, GW-35): `released` gets the messages of a round that was met.
    void arm(unsigned id, unsigned count, std::vector<Waiting>& released);

    /// A thread arrives. When it is the last, all messages are moved to `released`, filled in for
    /// their answer, and the barrier is empty again (GW-07).
    struct Arrival {
        Problem problem;
        bool opened;
        unsigned barrier;
        unsigned count;    ///< threads that had arrived at it, this one included
        bool met = false;  ///< a global one: all of this subslice have arrived, to be reported
    };
    Arrival arrive(const Waiting& arrival, std::vector<Waiting>& released);

    /// The same for the usual arrival, which has no message: it comes without a predicate to a
    /// barrier of this subslice alone, and nothing is wrong with it. Of others Other is said and
    /// nothing is done.
    enum class Plain : std::uint8_t { Other, Waits, Opens };
    Plain arrive_plainly(const Waiting& arrival, std::vector<Waiting>& released);

    /// Decodes what a barrier message asks of this product.
    BarrierRequest request_of(const Grf& payload) const;

    /// Fills in the answer to GetTimeStamp (GW-26..28).
    static void timestamp(Message& message, QuarterNanoseconds absolute,
                          QuarterNanoseconds relative);

    const Barrier& barrier(unsigned id) const { return barriers_.at(id); }
    /// Messages that wait at barriers.
    std::size_t waiting() const { return waiting_; }

  private:
    static Problem check_end(const Message& message);
    void release(Barrier& barrier, std::vector<Waiting>& released);
    /// Nobody waits at it any more; its messages are appended to `messages`.
    void empty(Barrier& barrier, std::vector<Waiting>& messages);
    bool predicated_;
    std::array<Barrier, kBarriers> barriers_{};
    std::size_t waiting_ = 0;
};

}  // namespace gen9::gateway
