// SPDX-License-Identifier: Apache-2.0
#include "geometry/vertex_shader.h"

#include <algorithm>

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
      threads_(packets::Unit::Vs, env, clock, wakeup_, mem_out, request_out, topology_, params_,
               stats_),
      in_(batch_in, env_, clock_, wakeup_, params_.batch_queue) {
    enlist(env, params_, stats_, signals_);
    threads_.make_thread = [this](ShaderGroup& group, const ThreadGrant& grant,
                                  const ThreadFacts& facts, ThreadDispatch& thread) {
        make(static_cast<Group&>(group), grant, facts, thread);
    };
    threads_.on_ended = [this](ShaderGroup& ended) {
        auto& group = static_cast<Group&>(ended);
        --group.batch->open;
        group_pool_.put(group);
    };
    out_.on_phase = [this](PrimitiveBatch& batch, const tlm::tlm_phase& phase, Cycles at) {
        passed_.tell(batch, phase, at);
    };
    out_.on_ended = [this](PrimitiveBatch& batch, Cycles at) {
        passed_.end(batch, at);
        wakeup_.at(clock_.now());
    };
    wakeup_.runs<&VertexShader::step>(this);
}

VertexShader::~VertexShader() = default;

void VertexShader::step() {
    const Cycles now = clock_.now();
    const auto worked = step_.run(now, [this](Cycles at) { return work(at); });
    if (!worked) return;
    threads_.traffic().step(now);
    show(now, *worked);
    threads_.wake(now);
    in_.wake(now);
    out_.wake(now);
}

bool VertexShader::work(Cycles now) {
    bool worked = threads_.end_groups(now);
    worked |= send(now);
    worked |= threads_.ask(now);
    worked |= read_group();
    worked |= take(now);
    return worked;
}

bool VertexShader::send(Cycles now) {
    if (batches_.empty()) return false;
    const Batch& batch = batches_.front();
    if (batch.next_vertex != batch.batch->vertices.size() || batch.open != 0) return false;
    if (!out_.can_send(now)) return false;
    PrimitiveBatch& whole = *batch.batch;
    batches_.pop_front();
    ++sent_;
    passed_.send(whole);
    return true;
}

bool VertexShader::read_group() {
    if (!threads_.has_room()) return false;
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
        const Draw& draw = *batch.batch->draw;
        const VertexShaderState& shader = batch.shader->decoded;
        threads_.begin(group, batch.shader, draw, batch.batch->trace_id, 1, shader.registers());
        threads_.read_entries(group, std::span(group.rows).first(group.count));
        if (shader.statistics) count(draw, group.count);
        ++batch.open;
        threads_.queue(group);
        return true;
    }
    return false;
}

bool VertexShader::take(Cycles now) {
    if (batches_.size() >= params_.batches || in_.front(now) == nullptr) return false;
    PrimitiveBatch& taken = in_.take(now);
    const Draw& draw = *taken.draw;
    ++stats_.batches;
    Batch& batch = batches_.emplace_back();
    batch.batch = &taken;
    signals_.draw.set(draw.work.number & 0xFFFF, now);
    if (taken.vertices.empty()) return true;
    batch.shader = threads_.shader_of(draw, &decode_vertex_shader);
    const VertexShaderState& shader = batch.shader->decoded;
    for (const std::string& problem : batch.shader->problems)
        threads_.thread_error(draw, problem);
    if (shader.enabled && !shader.simd8)
        env_.reporter.not_modelled("VS-03", "vertices for SIMD4x2 threads are not shaded");
    if (shader.enabled && shader.simd8) {
        if (shader.read_offset + shader.read_rows > taken.entry_rows)
            threads_.thread_error(draw, "reads beyond its vertices' URB entries");
        return true;
    }
    // They pass as they are (VS-01).
    batch.next_vertex = taken.vertices.size();
    if (shader.statistics)
        count(draw, static_cast<std::uint64_t>(
                        std::ranges::count(taken.vertices, true, &BatchVertex::is_new)));
    return true;
}

// VS-08.
void VertexShader::count(const Draw& draw, std::uint64_t vertices) {
    stats_.invocations += vertices;
    if (draw.counts) draw.counts->vs_invocations += vertices;
}

void VertexShader::make(Group& group, const ThreadGrant& grant, const ThreadFacts& facts,
                        ThreadDispatch& thread) {
    make_vertex_thread(group.batch->shader->decoded, facts,
                       std::span(group.rows).first(group.count), group.data, topology_, grant.place,
                       thread);
}

// --- Reports

void VertexShader::show(Cycles now, bool worked) {
    StageActivity activity = threads_.waits_for();
    if (worked && env_.timed())
        activity = StageActivity::Working;
    else if (activity == StageActivity::Idle && !batches_.empty())
        activity = StageActivity::WaitNext;
    account_.hold(activity, now);
    if (!signals_.watched()) return;
    signals_.batches.set(batches_.size(), now);
    signals_.threads.set(threads_.running(), now);
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
