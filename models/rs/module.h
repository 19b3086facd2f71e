// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"
#include "rs/core.h"
#include "rs/interface.h"
#include "rs/params.h"
#include "rs/signals.h"
#include "rs/stats.h"

namespace gen9::rs {

/// ResourceStreamer: parses a batch ahead of the command streamer (module half; what the commands
/// do is in core.h).
/// Role     is started by the command streamer at an address, parses until a sync command, makes
///          binding tables and gather buffers, and says when one is there.
/// Sockets  request_in  target     ResourceRequest  from the command streamer, non-blocking
///          fetch_out   initiator  memory (base)    the batch; b_transport
///          mem_out     initiator  memory (base)    tables, constants, context image; b_transport
/// Params   params.h        Order  products in stream order; an engine's work one after the other
/// Not here when it is on, and what the command streamer waits for (cs/command/resource.h)
/// Spec     RS-01..RS-13, RS-30..RS-33, RS-37; 003:2471-2519, 2806-2852
class ResourceStreamer : public sc_core::sc_module, public StreamerBlock, private Memory {
  public:
    ResourceStreamer(sc_core::sc_module_name name, Environment& env, const Clock& clock);
    ~ResourceStreamer() override;

    const RsParams params;
    TargetSocket<ResourceProtocol> request_in{"request_in"};
    InitiatorSocket<MemoryProtocol> fetch_out{"fetch_out"};
    InitiatorSocket<MemoryProtocol> mem_out{"mem_out"};
    RsStats stats;
    RsSignals signals;

    StreamerSockets sockets() override { return {request_in, fetch_out, mem_out}; }
    bool idle() const override { return job_ == nullptr; }
    void settle() override;
    std::string describe_waiting() const override;

  private:
    using Payload = tlm::tlm_generic_payload;
    using Dwords = std::span<const std::uint32_t>;
    using Time = sc_core::sc_time;
    enum Engine : unsigned { kTables, kGathers, kStores, kEngines };

    // Memory: accesses of the work that an engine is given.
    void read(std::span<LineAccess> lines) override;
    void write(std::span<const LineAccess> lines) override;
    bool access(InitiatorSocket<MemoryProtocol>& socket, tlm::tlm_command command,
                AddressSpace space, GpuAddr address, std::span<std::uint8_t> bytes, Time& delay);

    // Requests.
    tlm::tlm_sync_enum on_request(ResourceRequest& request, tlm::tlm_phase& phase, Time& delay);
    tlm::tlm_sync_enum consume(ResourceRequest& request, tlm::tlm_phase& phase, Time& delay);
    void answer(ResourceRequest& request, const Time& at);
    void fail_consumer();
    ResourceCounts unconsumed() const;

    // The stream.
    void run();
    void parse();
    ResourceStop parse_stretch(GpuAddr& position);
    /// The command at `position`, whole; none: unreadable.
    std::optional<StreamCommand> fetch_command(GpuAddr position);
    bool fetch_dword(GpuAddr address, std::uint32_t& value);
    bool wait_for_room(ResourceProduct product);
    void execute(const StreamCommand& command);
    void made(ResourceProduct product, const Time& at);
    void drain();
    void move_image(tlm::tlm_command command, std::span<std::uint32_t> image);
    void save();
    void restore();
    bool restore_commands(Dwords image);

    // Time.
    Time own_time() const { return sc_core::sc_time_stamp() + ahead_; }
    Time edge(const Time& time) const { return clock_.time(clock_.cycles(time)); }
    Counter& counter(Activity activity);
    /// Own time goes on to `when`, which counts as `activity`.
    void pass_until(const Time& when, Activity activity);
    void spend(std::uint64_t cycles) {
        pass_until(own_time() + clock_.time(Cycles(cycles)), Activity::Busy);
    }
    /// Waits for an event of the kernel.
    void wait_for(sc_core::sc_event& event, Activity activity);
    void synchronise();
    void show_products();

    const Clock& clock_;
    Reporter& reporter_;
    RsCore core_;
    TraceIds trace_ids_{TraceSource::ResourceStreamer};
    TraceId trace_id_ = 0;
    Time ahead_;  ///< how far its own time is ahead of the kernel's
    sc_core::sc_event requested_, room_;

    ResourceRequest* job_ = nullptr;       ///< Parse, Save or Restore under way
    Time job_at_;                          ///< it begins
    ResourceRequest* consumer_ = nullptr;  ///< Consume that waits
    bool halt_ = false, joined_ = false, full_ = false;
    ResourceStop last_stop_ = ResourceStop::Sync;
    std::array<std::deque<Time>, kResourceProducts> products_;  ///< when each is there
    Activity activity_ = Activity::Idle;
    Time counted_;  ///< cycles before this have their reason

    // Fetched commands.
    std::vector<std::uint32_t> block_, command_;
    bool block_valid_ = false;
    GpuAddr block_address_;
    AddressSpace block_space_ = AddressSpace::Ppgtt;
    Time fetched_at_;
    GpuAddr position_;

    // Engines.
    std::array<Time, kEngines> free_at_;
    Time work_at_;  ///< of the work that is given: how far it has come
    Time fence_;    ///< later writes wait for the earlier ones
    std::vector<std::pair<GpuAddr, Time>> writes_;  ///< lines, until they are written
};

}  // namespace gen9::rs
