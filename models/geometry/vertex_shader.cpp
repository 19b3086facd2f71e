// SPDX-License-Identifier: Apache-2.0
#include "geometry/vertex_shader.h"

#include <algorithm>

namespace gen9::geometry {

VertexShader::VertexShader(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                           const ShaderSetup& setup)
    : ShaderStage(name, env, clock, setup, packets::Unit::Vs) {}

VertexShader::~VertexShader() = default;

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
        const VertexShaderState& shader = batch.shader->decoded;
        for (; batch.next_vertex != vertices.size(); ++batch.next_vertex) {
            if (!vertices[batch.next_vertex].is_new) continue;
            if (group.count == shader.vertices()) break;
            group.rows[group.count++] = vertices[batch.next_vertex].urb_row;
        }
        if (group.count == 0) {
            group_pool_.put(group);
            return true;
        }
        const Draw& draw = *batch.batch->draw;
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
    if (shader.enabled) {
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

void VertexShader::make_thread(ShaderGroup& asked, const ThreadGrant& grant,
                               const ThreadFacts& facts, ThreadDispatch& thread) {
    const auto& group = static_cast<Group&>(asked);
    make_vertex_thread(group.batch->shader->decoded, facts,
                       std::span(group.rows).first(group.count), group.data, topology_, grant.place,
                       thread);
}

void VertexShader::threads_ended(ShaderGroup& ended) {
    auto& group = static_cast<Group&>(ended);
    --group.batch->open;
    group_pool_.put(group);
}

}  // namespace gen9::geometry
