// SPDX-License-Identifier: Apache-2.0
/// ShaderThreads: threads of a stage of geometry (VS, HS, DS, GS), a part of its module.
/// Role     has push constants read once for a commit; asks the dispatcher for threads in the order
///          in which they were queued, when what they read is there; gives them scratch slots and
///          counts what they do
/// Not here which threads there are, and what their registers hold: the stage says so
/// Spec     FF-03, FF-04, FF-19, FF-82, FF-91; 003:11077-11084, 11480-11559
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "common/environment.h"
#include "geometry/params.h"
#include "geometry/shader_state.h"
#include "geometry/signals.h"
#include "geometry/stats.h"
#include "interconnect/kernel/line_traffic.h"
#include "interconnect/kernel/stage.h"
#include "interconnect/kernel/thread_request_protocol.h"
#include "interconnect/payload/thread_request.h"

namespace gen9::geometry {

/// A stage's state for its threads as some draws have it, and the constants committed with it.
struct Shader {
    virtual ~Shader() = default;
    virtual const ShaderState& state() const = 0;

    StageStatePtr block;  ///< that it was made of
    GpuAddr instruction_base, dynamic_base;
    std::vector<std::string> problems;
    std::vector<std::uint8_t> constants;
    LineTraffic::Group traffic = 0;
    bool reading = false;
};

template <class State>
struct ShaderOf final : Shader {
    State decoded;
    const ShaderState& state() const override { return decoded; }
};

/// Threads that a stage asks for together.
struct ShaderGroup : ThreadRequest {
    std::shared_ptr<Shader> shader;
    const Draw* draw = nullptr;
    std::vector<std::uint8_t> data;  ///< what it reads of the URB
    LineTraffic::Group traffic = 0;
    std::uint32_t first_number = 0;  ///< of its first thread: R0.6
};

class ShaderThreads final : private ThreadSource {
  public:
    /// The stage whose threads they are.
    class Stage {
      public:
        /// Fills in a thread of a group, whose number in it the grant says, but for what the draw
        /// says.
        virtual void make_thread(ShaderGroup&, const ThreadGrant&, const ThreadFacts&,
                                 ThreadDispatch&) = 0;
        /// All threads of a group have ended: called by `end_groups`.
        virtual void threads_ended(ShaderGroup&) = 0;

      protected:
        ~Stage() = default;
    };

    /// `requests`: takes the socket's `on_backward` for itself.
    ShaderThreads(Stage& stage, packets::Unit unit, Environment& env, const Clock& clock,
                  Wakeup& wakeup, InitiatorSocket<MemoryProtocol>& memory,
                  InitiatorSocket<ThreadRequestProtocol>& requests, const ThreadTopology& topology,
                  const ShaderStageParams& params, ShaderStageStats& stats);
    ShaderThreads(const ShaderThreads&) = delete;
    ShaderThreads& operator=(const ShaderThreads&) = delete;

    /// The state of a draw's threads, as `decode` gives it; the last one, if nothing of it has
    /// changed. A new one's constants are read from now on.
    template <class State>
    std::shared_ptr<ShaderOf<State>> shader_of(const Draw& draw,
                                               State (*decode)(const PipelineState&, bool,
                                                               std::vector<std::string>&)) {
        if (is_of(draw)) return std::static_pointer_cast<ShaderOf<State>>(shader_);
        auto made = std::make_shared<ShaderOf<State>>();
        made->decoded = decode(*draw.state, draw.absolute_constants, made->problems);
        shader_ = made;
        latch(*made, draw);
        return made;
    }

    LineTraffic& traffic() { return traffic_; }
    /// Begins a group of `threads`, for which `traffic` is open. `load_rows`: registers of each.
    void begin(ShaderGroup& group, std::shared_ptr<Shader> shader, const Draw& draw,
               TraceId trace_id, std::uint32_t threads, unsigned load_rows);
    /// Reads `read_rows` of each of these entries, which lie at rows of the URB, one after the other
    /// into the group's data.
    void read_entries(ShaderGroup& group, std::span<const std::uint32_t> urb_rows);
    /// It is complete: its threads are asked for when what it reads is there.
    void queue(ShaderGroup& group) { queue_.push_back(&group); }
    /// Groups that are not asked for yet.
    std::size_t queued() const { return queue_.size(); }
    bool has_room() const { return queue_.size() < params_.groups; }

    // Parts of a step. False: there was nothing to do.
    bool end_groups(Cycles now);
    bool ask(Cycles now);
    /// Asks for the cycles in which there is something to do.
    void wake(Cycles now);

    /// Threads that run.
    std::uint64_t running() const { return running_; }
    /// What the stage waits for, if for anything here.
    StageActivity waits_for() const;
    /// Grows with all that is done.
    std::uint64_t progress() const {
        return stats_.threads.value() + stats_.threads_retired.value();
    }
    void guest_error(const Draw& draw, const std::string& text);
    /// The same, of what a thread does.
    void thread_error(const Draw& draw, const std::string& text);

  private:
    struct Ended {
        Cycles at;
        ShaderGroup* group;
    };
    /// What a running thread has, by FFTID.
    struct Running {
        std::uint32_t scratch_slot = 0;
        Cycles since;  ///< it has its slot
    };

    bool is_of(const Draw& draw) const;
    void latch(Shader& shader, const Draw& draw);
    bool constants_there(Shader& shader, const Draw& draw, Cycles now);
    std::uint32_t take_scratch_slot();

    tlm::tlm_sync_enum on_request(ThreadRequest&, tlm::tlm_phase&);
    void make(ThreadRequest&, const ThreadGrant&, ThreadDispatch&) override;
    void ended(ThreadRequest&, const ThreadDispatch&) override;
    void retired(ThreadRequest&, const ThreadDispatch&, Cycles now) override;

    Stage& stage_;
    const packets::Unit unit_;
    Environment& env_;
    const Clock& clock_;
    Wakeup& wakeup_;
    InitiatorSocket<ThreadRequestProtocol>& requests_;
    const ThreadTopology topology_;
    const ShaderStageParams& params_;
    ShaderStageStats& stats_;
    LineTraffic traffic_;

    std::shared_ptr<Shader> shader_;  ///< of the last draw
    std::deque<ShaderGroup*> queue_;  ///< not asked for yet, in order
    bool asking_ = false;             ///< a request has no END_REQ yet
    Cycles next_ask_;
    std::vector<Ended> ended_;
    std::vector<bool> scratch_used_;  ///< by slot
    std::vector<Running> threads_;
    std::uint32_t numbered_ = 0;  ///< threads
    std::uint64_t running_ = 0;
};

}  // namespace gen9::geometry
