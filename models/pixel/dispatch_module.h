// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/line_traffic.h"
#include "interconnect/kernel/stage.h"
#include "pixel/draw_state.h"
#include "pixel/interface.h"
#include "pixel/params.h"
#include "pixel/payload.h"
#include "pixel/scoreboard.h"
#include "pixel/stats.h"

namespace gen9::pixel {

/// Pixel shader dispatch of a slice (module half; the registers are made in payload.h).
/// Role     packs the 2x2 pixels of an object into threads, asks for them, gives them their
///          payload; ends a batch of pixels when its last thread has retired
/// Sockets  pixel_in     target     PixelBatch     blocks after early tests
///          mem_out      initiator  memory         push constants, to L3
///          request_out  initiator  ThreadRequest  one request for each batch
/// Params   params.h
/// Order    batches in order; threads in the order of their pixels; a thread names the earlier ones
///          whose pixels it shares, at most 8, and is not sent before that is enough
/// Not here early tests (depth_module.h), what messages write (render_target_module.h)
/// Spec     PS-01..PS-39, WM-05..WM-10, WM-31; 003:15945-16383
class PixelDispatch : public sc_core::sc_module, public PixelDispatchBlock, private ThreadSource {
  public:
    PixelDispatch(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                  const PixelDispatchSetup& setup);
    ~PixelDispatch() override;

    TargetSocket<PixelProtocol> pixel_in{"pixel_in"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    InitiatorSocket<ThreadRequestProtocol> request_out{"request_out"};

    const PixelDispatchStats& stats() const { return stats_; }
    PixelDispatchSockets sockets() override { return {pixel_in, mem_out, request_out}; }
    bool idle() const override { return input_.idle() && traffic_.idle(); }
    void settle() override { account_.settle(clock_.now()); }
    std::string describe_waiting() const override;
    std::uint64_t progress() const override { return threads_sent_; }

  private:
    /// Four slots of a thread to be: 2x2 pixels, or one sample of them.
    struct Quad {
        std::uint16_t block = 0;
        std::uint8_t subspan = 0, sample = 0;
    };
    struct PlannedThread {
        std::uint16_t first = 0;  ///< of its groups
        std::uint8_t groups = 0;
        Width width = Width::Simd8;
    };
    struct Request : ThreadRequest {
        PixelBatch* batch = nullptr;
        std::vector<Quad> groups;
        std::vector<PlannedThread> planned;
    };

    void step();
    /// Is the draw's state there? Reads what lies in memory.
    bool prepared(const Draw& draw, Cycles now);
    void begin(PixelBatch& batch, Cycles now);
    void plan(const PixelBatch& batch, Request& request);
    void plan_object(std::size_t first, Request& request) const;
    bool fits(const Draw& draw, const PixelBatch& batch) const;
    void fill_record(const Request& request, const PlannedThread& planned,
                     PixelRecord& record) const;
    std::uint16_t input_coverage(const PixelBlock& block, unsigned pixel) const;
    /// Fills in a thread of the request's record, which has its slot.
    void fill_thread(Request& request, unsigned number, bool same_work, ThreadDispatch& thread);
    static void count_ended(const Request& request, const ThreadDispatch& thread);
    void end(PixelBatch& batch, Cycles now);
    tlm::tlm_sync_enum on_request(ThreadRequest& request, tlm::tlm_phase& phase);
    StageActivity activity(Cycles now) const;

    // ThreadSource
    void make(ThreadRequest& request, const ThreadGrant& grant, ThreadDispatch& thread) override;
    SendState may_send(ThreadRequest& request, Cycles now) override;
    bool make_next(ThreadRequest& last, ThreadRequest& next, ThreadDispatch&, Cycles at) override;
    void shows(ThreadRequest&, SendState state, Cycles now) override;
    void ended(ThreadRequest& request, const ThreadDispatch& thread) override;
    void retired(ThreadRequest&, const ThreadDispatch& thread, Cycles now) override;

    Environment& env_;
    const Clock& clock_;
    const PixelDispatchSetup setup_;
    PixelDispatchParams params_;
    PixelDispatchStats stats_;
    StageSignals signals_;
    Wakeup wakeup_;
    StageInput<PixelProtocol> input_;
    LineTraffic traffic_;
    StageAccount account_;

    // Of the draw whose pixels come now.
    std::optional<std::uint64_t> draw_;  ///< its order
    ShaderState state_;
    std::vector<Grf> constants_;
    std::optional<LineTraffic::Group> reading_;

    std::deque<Request> requests_;
    std::vector<Request*> free_requests_;
    Request* pending_ = nullptr;  ///< without END_REQ
    bool stepping_ = false;
    SendState pending_state_ = SendState::Sending;
    PixelRecord next_;  ///< of the thread that waits for its slot
    PixelScoreboard::Dependencies dependencies_;
    Cycles next_thread_;  ///< may leave then

    std::vector<PixelRecord> records_;  ///< by FFTID
    std::vector<bool> depended_;        ///< the slot's last thread began with dependencies
    PixelScoreboard scoreboard_;
    std::uint64_t live_ = 0, threads_sent_ = 0;
};

}  // namespace gen9::pixel
