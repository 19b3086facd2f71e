// SPDX-License-Identifier: Apache-2.0
#include "geometry/vertex_shader.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "common/check.h"
#include "interconnect/payload/draw_state.h"

namespace gen9::geometry {

VertexShader::VertexShader(sc_core::sc_module_name module_name, Environment& env,
                           const Clock& clock, const VertexShaderSetup& setup)
    : sc_module(module_name),
      VertexShaderBlock(env),
      env_(env),
      clock_(clock),
      topology_(setup.topology),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      wakeup_(clock),
      in_(batch_in, env_, clock_, wakeup_, params_.batch_queue) {
    enlist(env, params_, stats_, signals_);
    request_out.on_backward = [this](auto& request, auto& phase, auto&) {
        return on_request(request, phase);
    };
    out_.on_phase = [this](PrimitiveBatch& batch, const tlm::tlm_phase& phase, Cycles at) {
        in_.tell(batch, phase, at);
    };
    out_.on_ended = [this](PrimitiveBatch& batch, Cycles at) {
        in_.end(batch, at);
        wakeup_.at(clock_.now());
    };
    wakeup_.runs<&VertexShader::step>(this);
}

VertexShader::~VertexShader() = default;

// --- Steps

// What is heard in a cycle is used in the next one: a second run in a cycle does nothing.
void VertexShader::step() {
    const Cycles now = clock_.now();
    if (env_.timed() && stepped_ && last_step_ == now) return wakeup_.at(now + Cycles(1));
    stepped_ = true;
    last_step_ = now;
    bool worked = work(now);
    while (worked && !env_.timed())
        worked = work(now);
    traffic_.step(now);
    show(now, worked);
    if (worked) wakeup_.at(now + Cycles(1));
    for (const Ended& ended : ended_)
        wakeup_.at(std::max(ended.at, now));
    if (!reading_.empty() && next_ask_ > now) wakeup_.at(next_ask_);
    in_.wake(now);
    out_.wake(now);
}

// From the back to the front, so that what is made room for is used in the next cycle.
bool VertexShader::work(Cycles now) {
    bool worked = end_groups(now);
    worked |= send(now);
    worked |= ask(now);
    worked |= read_groups(now);
    worked |= take(now);
    return worked;
}

bool VertexShader::end_groups(Cycles now) {
    bool any = false;
    for (std::size_t i = 0; i < ended_.size();) {
        if (ended_[i].at > now) {
            ++i;
            continue;
        }
        Group& group = *ended_[i].group;
        ended_.erase(ended_.begin() + static_cast<std::ptrdiff_t>(i));
        --group.batch->open;
        group_pool_.put(group);
        any = true;
    }
    return any;
}

bool VertexShader::send(Cycles now) {
    if (batches_.empty()) return false;
    const Batch& batch = batches_.front();
    if (batch.next_vertex != batch.batch->vertices.size() || batch.open != 0) return false;
    if (!out_.can_send(now)) return false;
    PrimitiveBatch& whole = *batch.batch;
    batches_.pop_front();
    ++passed_;
    out_.send(whole);
    return true;
}

bool VertexShader::ask(Cycles now) {
    if (reading_.empty() || asking_ || now < next_ask_) return false;
    Group& group = *reading_.front();
    Shader& shader = *group.batch->shader;
    if (!traffic_.over(group.traffic, now)) return false;
    if (!constants_there(shader, *group.batch->batch->draw, now)) return false;
    traffic_.close(group.traffic);
    reading_.pop_front();
    const Draw& draw = *group.batch->batch->draw;
    static_cast<ThreadRequest&>(group) = {};
    group.source = this;
    group.work = draw.work.number;
    group.trace_id = group.batch->batch->trace_id;
    group.awaits_messages = true;  // what follows reads what they write
    group.max_threads = shader.decoded.max_threads;
    group.load_rows = static_cast<std::uint16_t>(shader.decoded.registers());
    group.number = made_++;
    asking_ = true;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    if (env_.timed()) {
        next_ask_ = now + Cycles(params_.thread_interval);
        delay = clock_.time(Cycles(1));
    }
    request_out->nb_transport_fw(group, phase, delay);
    return true;
}

bool VertexShader::read_groups(Cycles) {
    if (reading_.size() >= params_.groups) return false;
    for (Batch& batch : batches_) {
        const auto& vertices = batch.batch->vertices;
        if (batch.next_vertex == vertices.size()) continue;
        Group& group = group_pool_.get();
        group.batch = &batch;
        group.count = 0;
        for (; batch.next_vertex != vertices.size(); ++batch.next_vertex) {
            if (!vertices[batch.next_vertex].is_new) continue;
            if (group.count == kThreadVertices) break;
            group.rows[group.count++] = vertices[batch.next_vertex].urb_row;
        }
        if (group.count == 0) {
            group_pool_.put(group);
            return true;
        }
        const VertexShaderState& shader = batch.shader->decoded;
        const std::uint32_t bytes = shader.read_rows * static_cast<std::uint32_t>(kGrfBytes);
        group.data.resize(std::size_t{bytes} * kThreadVertices);
        group.traffic = traffic_.open();
        MemoryAttributes who;
        who.space = AddressSpace::Urb;
        who.requester = Requester::Urb;
        who.trace_id = batch.batch->trace_id;
        for (unsigned n = 0; n < group.count && bytes != 0; ++n)
            traffic_.read(group.traffic,
                          (std::uint64_t{group.rows[n]} + shader.read_offset) * kGrfBytes,
                          group.data.data() + std::size_t{n} * bytes, bytes, who);
        stats_.urb_bytes += std::uint64_t{bytes} * group.count;
        if (shader.statistics) count(*batch.batch->draw, group.count);
        ++batch.open;
        reading_.push_back(&group);
        return true;
    }
    return false;
}

bool VertexShader::take(Cycles now) {
    if (batches_.size() >= params_.batches || in_.front(now) == nullptr) return false;
    PrimitiveBatch& taken = in_.take(now);
    ++stats_.batches;
    Batch& batch = batches_.emplace_back();
    batch.batch = &taken;
    signals_.draw.set(taken.draw->work.number & 0xFFFF, now);
    if (taken.vertices.empty()) return true;
    batch.shader = shader_of(*taken.draw);
    const VertexShaderState& shader = batch.shader->decoded;
    for (const std::string& problem : batch.shader->problems)
        guest_error(*taken.draw, "a vertex thread " + problem);
    if (shader.enabled && !shader.simd8)
        env_.reporter.not_modelled("VS-03", "vertices for SIMD4x2 threads are not shaded");
    if (shader.enabled && shader.simd8) {
        if (shader.read_offset + shader.read_rows > taken.entry_rows)
            guest_error(*taken.draw, "a vertex thread reads beyond its vertices' URB entries");
        return true;
    }
    // They pass as they are (VS-01).
    batch.next_vertex = taken.vertices.size();
    if (shader.statistics)
        count(*taken.draw, static_cast<std::uint64_t>(
                               std::ranges::count(taken.vertices, true, &BatchVertex::is_new)));
    return true;
}

// VS-08.
void VertexShader::count(const Draw& draw, std::uint64_t vertices) {
    stats_.invocations += vertices;
    if (draw.counts) draw.counts->vs_invocations += vertices;
}

// --- State and constants

std::shared_ptr<VertexShader::Shader> VertexShader::shader_of(const Draw& draw) {
    const PipelineState& state = *draw.state;
    const StageStatePtr& vs = state.stages[static_cast<unsigned>(packets::Unit::Vs)];
    if (shader_ && shader_->state == vs && shader_->instruction_base == state.instruction_base &&
        shader_->dynamic_base == state.dynamic_state_base)
        return shader_;
    shader_ = std::make_shared<Shader>();
    shader_->state = vs;
    shader_->instruction_base = state.instruction_base;
    shader_->dynamic_base = state.dynamic_state_base;
    shader_->decoded = decode_vertex_shader(state, draw.absolute_constants, shader_->problems);
    read_constants(*shader_, draw);
    return shader_;
}

// They are read once for a commit, which makes a new block of state (FF-91). Assumed: L3 keeps none
// of it.
void VertexShader::read_constants(Shader& shader, const Draw& draw) {
    if (shader.decoded.constant_rows == 0) return;
    shader.constants.resize(shader.decoded.constant_rows * kGrfBytes);
    shader.traffic = traffic_.open();
    shader.reading = true;
    std::size_t at = 0;
    for (const ConstantRange& range : shader.decoded.constants) {
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

bool VertexShader::constants_there(Shader& shader, const Draw& draw, Cycles now) {
    if (!shader.reading) return true;
    if (!traffic_.over(shader.traffic, now)) return false;
    if (traffic_.failed(shader.traffic))
        guest_error(draw, "push constants are not mapped; they read as 0");
    traffic_.close(shader.traffic);
    shader.reading = false;
    return true;
}

// --- Threads

tlm::tlm_sync_enum VertexShader::on_request(ThreadRequest& request, tlm::tlm_phase& phase) {
    const Cycles now = clock_.now();
    const Cycles then = env_.timed() ? now + Cycles(1) : now;
    if (phase == tlm::END_REQ) {
        asking_ = false;
        next_ask_ = std::max(next_ask_, then);
        wakeup_.at(next_ask_);
        return tlm::TLM_ACCEPTED;
    }
    GEN9_CHECK(phase == tlm::BEGIN_RESP, "the dispatcher uses a phase that requests do not have");
    ended_.push_back({then, &static_cast<Group&>(request)});
    wakeup_.at(then);
    return tlm::TLM_COMPLETED;
}

void VertexShader::make(ThreadRequest& asked, const ThreadGrant& grant, ThreadDispatch& thread) {
    Group& group = static_cast<Group&>(asked);
    const Shader& shader = *group.batch->shader;
    const Draw& draw = *group.batch->batch->draw;
    const auto free = std::ranges::find(scratch_used_, false);
    group.scratch_slot = static_cast<std::uint32_t>(free - scratch_used_.begin());
    if (free == scratch_used_.end())
        scratch_used_.push_back(true);
    else
        *free = true;
    make_vertex_thread(shader.decoded,
                       {.urb_rows = std::span(group.rows.data(), group.count),
                        .data = group.data,
                        .constants = shader.constants,
                        .scratch_slot = group.scratch_slot,
                        .number = group.number},
                       topology_, grant.place, thread);
    thread.sideband.context_start = draw.context_start;
    if (thread.sideband.state != draw.state) thread.sideband.state = draw.state;
    group.since = clock_.now();
    if (draw.counts) ++draw.counts->threads;
    ++stats_.threads;
    ++running_;
    stats_.payload_registers += thread.payload_registers;
}

void VertexShader::ended(ThreadRequest& asked, const ThreadDispatch& thread) {
    DrawCounts* const counts = static_cast<Group&>(asked).batch->batch->draw->counts;
    if (!counts) return;
    counts->instructions += thread.retire.instructions;
    counts->messages += thread.retire.messages;
}

void VertexShader::retired(ThreadRequest& asked, const ThreadDispatch&, Cycles now) {
    const Group& group = static_cast<Group&>(asked);
    scratch_used_[group.scratch_slot] = false;
    if (DrawCounts* const counts = group.batch->batch->draw->counts)
        counts->thread_cycles += (now - group.since).value;
    ++stats_.threads_retired;
    --running_;
}

// --- Reports

void VertexShader::show(Cycles now, bool worked) {
    StageActivity activity = StageActivity::Idle;
    if (worked && env_.timed())
        activity = StageActivity::Working;
    else if (running_ != 0 || asking_)
        activity = StageActivity::WaitThreads;
    else if (!reading_.empty())
        activity = StageActivity::WaitMemory;
    else if (!batches_.empty())
        activity = StageActivity::WaitNext;
    account_.hold(activity, now);
    if (!signals_.watched()) return;
    signals_.batches.set(batches_.size(), now);
    signals_.threads.set(running_, now);
}

void VertexShader::guest_error(const Draw& draw, const std::string& text) {
    env_.reporter.guest_error("3DSTATE_VS", place_of(draw, "vertex shader"), text);
}

std::string VertexShader::describe_waiting() const {
    if (batches_.empty() && in_.waiting() == 0) return {};
    std::string text = stats_.path() + ": ";
    if (!batches_.empty()) {
        const Batch& first = batches_.front();
        text += "draw " + std::to_string(first.batch->draw->work.number) + ": ";
        if (first.open != 0)
            text += std::to_string(first.open) + " vertex threads have not ended, ";
        else if (first.next_vertex == first.batch->vertices.size())
            text += "the next stage does not take a batch, ";
    }
    return text + std::to_string(batches_.size() + in_.waiting()) + " batches at hand\n";
}

}  // namespace gen9::geometry
