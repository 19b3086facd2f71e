// SPDX-License-Identifier: Apache-2.0
/// The two ends of what passes between stages of the 3D pipe, and what each cycle of a stage is
/// used for.
///
/// A stage has a Wakeup and a step. It looks at the front of its inputs, takes a batch when it can
/// work on it, and sends what comes of it when the next stage has room. It ends a batch when all
/// that it made of it has ended. The code is the same in both modes: in functional mode nothing
/// costs a cycle, and batches that arrive are there at once.
#pragma once
#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <utility>

#include "common/check.h"
#include "common/environment.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/kernel/stage_protocols.h"

namespace gen9 {

/// Each cycle of a stage has one of these: the first that holds.
enum class StageActivity : std::uint8_t {
    Working,
    WaitMemory,   ///< what it reads is not there yet
    WaitUrb,      ///< no free URB entry
    WaitThreads,  ///< threads that it asked for have not ended
    WaitNext,     ///< the next stage has no room
    Idle,
};
inline constexpr std::size_t kStageActivities = static_cast<std::size_t>(StageActivity::Idle) + 1;
constexpr const char* to_text(StageActivity activity) {
    switch (activity) {
        case StageActivity::Working:
            return "working";
        case StageActivity::WaitMemory:
            return "wait_memory";
        case StageActivity::WaitUrb:
            return "wait_urb";
        case StageActivity::WaitThreads:
            return "wait_threads";
        case StageActivity::WaitNext:
            return "wait_next";
        case StageActivity::Idle:
            return "idle";
    }
    return nullptr;
}

/// The receiving end: batches in the order of arrival. One beyond the capacity is held, and has no
/// END_REQ until there is room.
template <class Protocol>
class StageInput {
  public:
    using Batch = typename Protocol::tlm_payload_type;

    /// Takes the socket's `on_forward` for itself.
    StageInput(TargetSocket<Protocol>& socket, const Environment& env, const Clock& clock,
               Wakeup& wakeup, std::uint64_t capacity)
        : socket_(socket), env_(env), clock_(clock), wakeup_(wakeup), capacity_(capacity) {
        socket.on_forward = [this](Batch& batch, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
            return begin(batch, phase, delay);
        };
    }
    StageInput(const StageInput&) = delete;
    StageInput& operator=(const StageInput&) = delete;

    /// The oldest that has not been taken, if it is there; else null.
    Batch* front(Cycles now) const {
        return queue_.empty() || queue_.front().ready > now ? nullptr : queue_.front().batch;
    }
    /// Takes the front.
    Batch& take(Cycles now) {
        Batch& batch = *queue_.front().batch;
        queue_.pop_front();
        taken_ = taken_at_ == now ? taken_ + 1 : 1;
        taken_at_ = now;
        ++open_;
        if (owed_ != nullptr) tell(*std::exchange(owed_, nullptr), tlm::END_REQ, next(now));
        if (!queue_.empty()) wakeup_.at(std::max(now, queue_.front().ready));
        return batch;
    }
    /// BEGIN_RESP, at a cycle that is now or later; in timed mode a later one than now.
    void end(Batch& batch, Cycles at) {
        --open_;
        tell(batch, tlm::BEGIN_RESP, env_.timed() ? std::max(at, clock_.now() + Cycles(1)) : at);
    }
    /// An extra phase, backward.
    void tell(Batch& batch, const tlm::tlm_phase& phase, Cycles at) {
        tlm::tlm_phase sent = phase;
        sc_core::sc_time delay = clock_.until(at);
        socket_->nb_transport_bw(batch, sent, delay);
    }
    /// Asks for the cycle in which the front is there. A step that does not take it must, for a
    /// wakeup keeps one cycle only.
    void wake(Cycles now) {
        if (!queue_.empty() && queue_.front().ready > now) wakeup_.at(queue_.front().ready);
    }
    /// Nothing waits, and nothing that was taken is without its end.
    bool idle() const { return queue_.empty() && open_ == 0; }
    std::size_t waiting() const { return queue_.size(); }

  private:
    struct Waiting {
        Batch* batch;
        Cycles ready;
    };
    Cycles next(Cycles now) const { return env_.timed() ? now + Cycles(1) : now; }
    tlm::tlm_sync_enum begin(Batch& batch, tlm::tlm_phase& phase, const sc_core::sc_time& delay) {
        if (phase == tlm::END_RESP) return tlm::TLM_COMPLETED;
        GEN9_CHECK(phase == tlm::BEGIN_REQ && owed_ == nullptr,
                   "a batch before the last one's END_REQ");
        const Cycles now = clock_.now();
        const Cycles ready = std::max(clock_.after(delay), next(now));
        queue_.push_back({&batch, ready});
        wakeup_.at(ready);
        // A place is free from the cycle after its batch was taken, whoever ran first.
        const std::size_t taken = taken_at_ == now && env_.timed() ? taken_ : 0;
        if (queue_.size() + taken > capacity_) {
            if (queue_.size() > capacity_) {
                owed_ = &batch;
                return tlm::TLM_ACCEPTED;
            }
            tell(batch, tlm::END_REQ, next(next(now)));
            return tlm::TLM_ACCEPTED;
        }
        tell(batch, tlm::END_REQ, next(now));
        return tlm::TLM_ACCEPTED;
    }

    TargetSocket<Protocol>& socket_;
    const Environment& env_;
    const Clock& clock_;
    Wakeup& wakeup_;
    const std::uint64_t capacity_;
    std::deque<Waiting> queue_;
    Batch* owed_ = nullptr;  ///< its END_REQ waits for room
    std::size_t taken_ = 0;  ///< in cycle `taken_at_`
    Cycles taken_at_;
    std::uint64_t open_ = 0;  ///< taken, and not ended
};

/// The sending end. A batch belongs to the sender, which gets it back when it has ended.
template <class Protocol>
class StageOutput {
  public:
    using Batch = typename Protocol::tlm_payload_type;

    /// Takes the socket's `on_backward` for itself.
    StageOutput(InitiatorSocket<Protocol>& socket, const Clock& clock, Wakeup& wakeup)
        : socket_(socket), clock_(clock), wakeup_(wakeup) {
        socket.on_backward = [this](Batch& batch, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
            return backward(batch, phase, delay);
        };
    }
    StageOutput(const StageOutput&) = delete;
    StageOutput& operator=(const StageOutput&) = delete;

    /// A batch has ended, at this cycle. The stage should run then; what it does before that cycle
    /// must not depend on it.
    std::function<void(Batch&, Cycles)> on_ended;
    /// Extra phases.
    std::function<void(Batch&, const tlm::tlm_phase&, Cycles)> on_phase;

    bool can_send(Cycles now) const { return !waiting_ && open_ <= now; }
    /// Asks for the cycle from which it can send again, if that is known: as StageInput::wake.
    void wake(Cycles now) {
        if (!waiting_ && open_ > now) wakeup_.at(open_);
    }
    void send(Batch& batch) {
        GEN9_CHECK(!waiting_, "a batch is sent before the last one's END_REQ");
        waiting_ = true;
        ++in_flight_;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        socket_->nb_transport_fw(batch, phase, delay);
    }
    /// Batches sent that have not ended.
    std::uint64_t in_flight() const { return in_flight_; }

  private:
    tlm::tlm_sync_enum backward(Batch& batch, tlm::tlm_phase& phase,
                                const sc_core::sc_time& delay) {
        const Cycles at = clock_.after(delay);
        if (phase == tlm::END_REQ) {
            waiting_ = false;
            open_ = at;
            wakeup_.at(at);
        } else if (phase == tlm::BEGIN_RESP) {
            --in_flight_;
            if (on_ended) on_ended(batch, at);
            return tlm::TLM_COMPLETED;
        } else if (on_phase) {
            on_phase(batch, phase, at);
        }
        return tlm::TLM_ACCEPTED;
    }

    InitiatorSocket<Protocol>& socket_;
    const Clock& clock_;
    Wakeup& wakeup_;
    bool waiting_ = false;
    Cycles open_;
    std::uint64_t in_flight_ = 0;
};

/// Batches that a stage hands on as they came, beside those that it makes itself: what the next
/// stage says of them goes back to where they came from, maybe within a batch of another kind.
template <class InProtocol, class OutProtocol>
class PassedBatches {
  public:
    using In = typename InProtocol::tlm_payload_type;
    using Out = typename OutProtocol::tlm_payload_type;

    PassedBatches(StageInput<InProtocol>& in, StageOutput<OutProtocol>& out) : in_(in), out_(out) {}

    void send(Out& batch, In& came) {
        batches_.push_back({&batch, &came});
        out_.send(batch);
    }
    void send(Out& batch) { send(batch, batch); }
    /// False: it is none of them.
    bool tell(Out& batch, const tlm::tlm_phase& phase, Cycles at) {
        const auto found = std::ranges::find(batches_, &batch, &Passed::batch);
        if (found == batches_.end()) return false;
        in_.tell(*found->came, phase, at);
        return true;
    }
    /// The same, of its end.
    bool end(Out& batch, Cycles at) {
        const auto found = std::ranges::find(batches_, &batch, &Passed::batch);
        if (found == batches_.end()) return false;
        In& came = *found->came;
        batches_.erase(found);
        in_.end(came, at);
        return true;
    }
    /// That have not ended.
    std::size_t in_flight() const { return batches_.size(); }

  private:
    struct Passed {
        Out* batch;
        In* came;
    };
    StageInput<InProtocol>& in_;
    StageOutput<OutProtocol>& out_;
    std::deque<Passed> batches_;
};

/// The step of a stage that takes batches while it has room for them, and works on what it has
/// taken. Gives what the cycle is used for, as `work` says.
template <class Protocol, class Room, class Begin, class Work>
StageActivity take_and_work(StageInput<Protocol>& input, Cycles now, Room room, Begin begin,
                            Work work) {
    const auto can_take = [&] { return room() && input.front(now) != nullptr; };
    StageActivity activity = StageActivity::Idle;
    do {
        while (can_take())
            begin(input.take(now));
        activity = work(now);
    } while (can_take());
    return activity;
}

/// The step of a stage that works piece by piece: `work(now)` does what it can from the back to the
/// front, so that what is made room for is used in the next cycle, and says whether there was
/// anything. What is heard in a cycle is used in the next one too: a second run in a cycle does
/// nothing.
class StageStep {
  public:
    StageStep(const Environment& env, Wakeup& wakeup) : env_(env), wakeup_(wakeup) {}

    /// Did it work? Nothing: it has run in this cycle. In functional mode it works until nothing is
    /// left to do.
    template <class Work>
    std::optional<bool> run(Cycles now, Work work) {
        if (env_.timed() && last_ == now) {
            wakeup_.at(now + Cycles(1));
            return {};
        }
        last_ = now;
        bool worked = work(now);
        while (worked && !env_.timed())
            worked = work(now);
        if (worked) wakeup_.at(now + Cycles(1));
        return worked;
    }

  private:
    const Environment& env_;
    Wakeup& wakeup_;
    std::optional<Cycles> last_;
};

}  // namespace gen9
