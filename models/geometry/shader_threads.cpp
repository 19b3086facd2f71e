// SPDX-License-Identifier: Apache-2.0
#include "geometry/shader_threads.h"

#include <algorithm>
#include <utility>

#include "common/check.h"
#include "interconnect/payload/draw_state.h"

namespace gen9::geometry {

ShaderThreads::ShaderThreads(Stage& stage, packets::Unit unit, Environment& env, const Clock& clock,
                             Wakeup& wakeup, InitiatorSocket<MemoryProtocol>& memory,
                             InitiatorSocket<ThreadRequestProtocol>& requests,
                             const ThreadTopology& topology, const ShaderStageParams& params,
                             ShaderStageStats& stats)
    : stage_(stage),
      unit_(unit),
      env_(env),
      clock_(clock),
      wakeup_(wakeup),
      requests_(requests),
      topology_(topology),
      params_(params),
      stats_(stats),
      traffic_(memory, env, clock, wakeup),
      threads_(topology.total_threads()) {
    traffic_.take_urb_directly();
    requests.on_backward = [this](auto& request, auto& phase, auto&) {
        return on_request(request, phase);
    };
}

// --- State and constants

bool ShaderThreads::is_of(const Draw& draw) const {
    const PipelineState& state = *draw.state;
    return shader_ && shader_->block == state.stages[static_cast<unsigned>(unit_)] &&
           shader_->instruction_base == state.instruction_base &&
           shader_->dynamic_base == state.dynamic_state_base;
}

// Constants are read once for a commit, which makes a new block of state (FF-91). Assumed: L3 keeps
// none of it.
void ShaderThreads::latch(Shader& shader, const Draw& draw) {
    const PipelineState& pipeline = *draw.state;
    shader.block = pipeline.stages[static_cast<unsigned>(unit_)];
    shader.instruction_base = pipeline.instruction_base;
    shader.dynamic_base = pipeline.dynamic_state_base;
    const ShaderState& state = shader.state();
    if (state.constant_rows == 0) return;
    shader.constants.resize(state.constant_rows * kGrfBytes);
    shader.traffic = traffic_.open();
    shader.reading = true;
    std::size_t at = 0;
    for (const ConstantRange& range : state.constants) {
        if (range.bytes == 0) continue;
        MemoryAttributes who;
        who.requester = Requester::CommandStreamer;
        who.uncached = true;
        who.mocs = range.mocs;
        who.trace_id = draw.trace_id;
        traffic_.read(shader.traffic, range.address.value, shader.constants.data() + at,
                      range.bytes, who);
        at += range.bytes;
    }
    stats_.constant_bytes += at;
}

bool ShaderThreads::constants_there(Shader& shader, const Draw& draw, Cycles now) {
    if (!shader.reading) return true;
    if (!traffic_.over(shader.traffic, now)) return false;
    if (traffic_.failed(shader.traffic))
        guest_error(draw, "push constants are not mapped; they read as 0");
    traffic_.close(shader.traffic);
    shader.reading = false;
    return true;
}

// --- Groups

void ShaderThreads::begin(ShaderGroup& group, std::shared_ptr<Shader> shader, const Draw& draw,
                          TraceId trace_id, std::uint32_t threads, unsigned load_rows) {
    static_cast<ThreadRequest&>(group) = {};
    group.source = this;
    group.work = draw.work.number;
    group.trace_id = trace_id;
    group.threads = threads;
    group.awaits_messages = true;  // what follows reads what they write
    group.max_threads = shader->state().max_threads;
    group.load_rows = static_cast<std::uint16_t>(load_rows);
    group.draw = &draw;
    group.shader = std::move(shader);
    group.traffic = traffic_.open();
    group.first_number = numbered_;
    numbered_ += threads;
}

void ShaderThreads::read_entries(ShaderGroup& group, std::span<const std::uint32_t> urb_rows) {
    const ShaderState& state = group.shader->state();
    const std::uint32_t bytes = state.read_rows * static_cast<std::uint32_t>(kGrfBytes);
    group.data.resize(urb_rows.size() * bytes);
    if (bytes == 0) return;
    MemoryAttributes who;
    who.space = AddressSpace::Urb;
    who.requester = Requester::Urb;
    who.trace_id = group.trace_id;
    std::uint8_t* to = group.data.data();
    for (const std::uint32_t row : urb_rows) {
        traffic_.read(group.traffic, (std::uint64_t{row} + state.read_offset) * kGrfBytes, to,
                      bytes, who);
        to += bytes;
    }
    stats_.urb_bytes += group.data.size();
}

bool ShaderThreads::ask(Cycles now) {
    if (queue_.empty() || asking_ || now < next_ask_) return false;
    ShaderGroup& group = *queue_.front();
    if (!traffic_.over(group.traffic, now)) return false;
    if (!constants_there(*group.shader, *group.draw, now)) return false;
    traffic_.close(group.traffic);
    queue_.pop_front();
    asking_ = true;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    if (env_.timed()) {
        next_ask_ = now + Cycles(params_.thread_interval);
        delay = clock_.time(Cycles(1));
    }
    requests_->nb_transport_fw(group, phase, delay);
    return true;
}

bool ShaderThreads::end_groups(Cycles now) {
    bool any = false;
    for (std::size_t i = 0; i < ended_.size();) {
        if (ended_[i].at > now) {
            ++i;
            continue;
        }
        ShaderGroup& group = *ended_[i].group;
        ended_.erase(ended_.begin() + static_cast<std::ptrdiff_t>(i));
        group.shader.reset();
        stage_.threads_ended(group);
        any = true;
    }
    return any;
}

void ShaderThreads::wake(Cycles now) {
    for (const Ended& ended : ended_)
        wakeup_.at(std::max(ended.at, now));
    if (!queue_.empty() && next_ask_ > now) wakeup_.at(next_ask_);
}

StageActivity ShaderThreads::waits_for() const {
    if (running_ != 0 || asking_) return StageActivity::WaitThreads;
    return queue_.empty() ? StageActivity::Idle : StageActivity::WaitMemory;
}

// --- Threads

tlm::tlm_sync_enum ShaderThreads::on_request(ThreadRequest& request, tlm::tlm_phase& phase) {
    const Cycles now = clock_.now();
    const Cycles then = env_.timed() ? now + Cycles(1) : now;
    if (phase == tlm::END_REQ) {
        asking_ = false;
        next_ask_ = std::max(next_ask_, then);
        wakeup_.at(next_ask_);
        return tlm::TLM_ACCEPTED;
    }
    GEN9_CHECK(phase == tlm::BEGIN_RESP, "the dispatcher uses a phase that requests do not have");
    ended_.push_back({then, &static_cast<ShaderGroup&>(request)});
    wakeup_.at(then);
    return tlm::TLM_COMPLETED;
}

std::uint32_t ShaderThreads::take_scratch_slot() {
    const auto free = std::ranges::find(scratch_used_, false);
    const auto slot = static_cast<std::uint32_t>(free - scratch_used_.begin());
    if (free == scratch_used_.end())
        scratch_used_.push_back(true);
    else
        *free = true;
    return slot;
}

void ShaderThreads::make(ThreadRequest& asked, const ThreadGrant& grant, ThreadDispatch& thread) {
    auto& group = static_cast<ShaderGroup&>(asked);
    const Draw& draw = *group.draw;
    Running& running = threads_[grant.place.fftid(topology_)];
    running.scratch_slot = take_scratch_slot();
    running.since = clock_.now();
    stage_.make_thread(group, grant,
                       {.constants = group.shader->constants,
                        .scratch_slot = running.scratch_slot,
                        .number = group.first_number + grant.number},
                       thread);
    thread.sideband.context_start = draw.context_start;
    if (thread.sideband.state != draw.state) thread.sideband.state = draw.state;
    if (draw.counts) ++draw.counts->threads;
    ++stats_.threads;
    ++running_;
    stats_.payload_registers += thread.payload_registers;
}

void ShaderThreads::ended(ThreadRequest& asked, const ThreadDispatch& thread) {
    DrawCounts* const counts = static_cast<ShaderGroup&>(asked).draw->counts;
    if (!counts) return;
    counts->instructions += thread.retire.instructions;
    counts->messages += thread.retire.messages;
}

void ShaderThreads::retired(ThreadRequest& asked, const ThreadDispatch& thread, Cycles now) {
    const Running& running = threads_[thread.sideband.fftid];
    scratch_used_[running.scratch_slot] = false;
    if (DrawCounts* const counts = static_cast<ShaderGroup&>(asked).draw->counts)
        counts->thread_cycles += (now - running.since).value;
    ++stats_.threads_retired;
    --running_;
}

// --- Reports

void ShaderThreads::guest_error(const Draw& draw, const std::string& text) {
    const ShaderCommands& of = shader_commands(unit_);
    env_.reporter.guest_error(of.shader.name, place_of(draw, of.stage), text);
}

void ShaderThreads::thread_error(const Draw& draw, const std::string& text) {
    guest_error(draw, shader_commands(unit_).thread + (" " + text));
}

}  // namespace gen9::geometry
