// SPDX-License-Identifier: Apache-2.0
#include "geometry/hull_shader.h"

#include <algorithm>
#include <utility>

#include "interconnect/payload/draw_state.h"
#include "packets/draw/shaders.h"

namespace gen9::geometry {
namespace {

/// Do its objects go on as they are? So does what has none.
bool passes(const PrimitiveBatch& batch) {
    return batch.objects.empty() ||
           !packets::STATE_HS::Enable.get(
               latched(*batch.draw->state, shader_commands(packets::Unit::Hs).shader));
}

}  // namespace

HullShader::HullShader(sc_core::sc_module_name name, Environment& env, const Clock& clock,
                       const ShaderSetup& setup)
    : OwningShaderStage(name, env, clock, setup, packets::Unit::Hs) {}

HullShader::~HullShader() = default;

// --- Steps

bool HullShader::work(Cycles now) {
    bool worked = take_back(now);
    worked |= threads_.end_groups(now);
    worked |= send(now);
    worked |= threads_.ask(now);
    worked |= make_group(now);
    worked |= take(now);
    return worked;
}

bool HullShader::send(Cycles now) {
    if (outputs_.empty() || !out_.can_send(now)) return false;
    const auto [batch, records] = outputs_.front();
    if (records != nullptr && (records == filling_ || records->threads != 0)) return false;
    outputs_.pop_front();
    ++sent_;
    if (records == nullptr)
        passed_.send(*batch);
    else
        out_.send(*batch);
    return true;
}

// --- Patches

bool HullShader::take(Cycles now) {
    if (inputs_.size() + outputs_.size() >= params_.batches || in_.front(now) == nullptr)
        return false;
    PrimitiveBatch& taken = in_.take(now);
    ++stats_.batches;
    signals_.draw.set(taken.draw->work.number & 0xFFFF, now);
    if (inputs_.empty() && passes(taken)) {
        outputs_.push_back({&taken, nullptr});
        return true;
    }
    inputs_.push_back(&new_input(taken));
    return true;
}

bool HullShader::begin(HullInput& input) {
    const Draw& draw = *input.batch->draw;
    input.shader = threads_.shader_of(draw, &decode_hull_shader);
    const HullShaderState& shader = input.shader->decoded;
    if (!packets::is_patch(draw.topology)) {
        threads_.guest_error(draw, "the draw has no patches; it draws nothing");
        return false;
    }
    input.points = packets::patch_vertices(draw.topology);
    for (const std::string& problem : input.shader->problems)
        threads_.thread_error(draw, problem);
    std::vector<std::string> problems;
    check_registers(shader, shader.header_registers(input.points),
                    shader.all_registers(input.points), shader.read_rows != 0, problems);
    for (const std::string& problem : problems)
        threads_.thread_error(draw, problem);
    if (shader.read_rows != 0 && shader.read_offset + shader.read_rows > input.batch->entry_rows)
        threads_.thread_error(draw, "reads beyond its control points' URB entries");
    static const packets::CommandRow& command = packets::command_named("3DSTATE_URB_HS");
    input.part = urb_partition(*draw.state, command).value_or(UrbPartition{});
    if (input.part.entries == 0) {
        threads_.guest_error(draw, "patch records have no entries in the URB; it draws nothing");
        return false;
    }
    return true;
}

bool HullShader::make_group(Cycles now) {
    if (inputs_.empty() || !threads_.has_room()) return false;
    HullInput& input = *inputs_.front();
    const auto& objects = input.batch->objects;
    if (input.next_patch == 0 && !input.shader && !begin(input)) {
        all_made(input);
        return true;
    }
    if (take_part(input.part)) close_records();
    handles_.collect(kOwner, now);
    starved_ = handles_.free(kOwner) == 0;
    if (starved_) {
        // The batch that has been made goes on although it is not full, so that entries come back.
        const bool closed = filling_ != nullptr;
        close_records();
        return closed;
    }
    if (filling_ == nullptr) {
        Records& records = new_batch(input, part_.entry_rows);
        outputs_.push_back({&records, &records});
        filling_ = &records;
    }
    const Draw& draw = *input.batch->draw;
    const HullShaderState& shader = input.shader->decoded;
    const std::size_t count =
        std::min({std::size_t{shader.patches()}, objects.size() - input.next_patch,
                  std::size_t{handles_.free(kOwner)}});
    Group& group = group_pool_.get();
    group.records = filling_;
    group.patches.clear();
    group.point_rows.clear();
    for (std::size_t n = 0; n < count; ++n) {
        const PrimitiveObject& object = objects[input.next_patch++];
        const unsigned entry = new_entry();
        const std::uint32_t row = row_of(entry);
        group.patches.push_back({row, object.primitive_id});
        for (unsigned point = 0; point < input.points; ++point)
            group.point_rows.push_back(input.batch->vertices[object.vertices[point]].urb_row);
        PrimitiveObject& patch = filling_->objects.emplace_back();
        patch.topology = packets::Topology::PatchList1;
        patch.count = 1;
        patch.starts = true;
        patch.primitive_id = object.primitive_id;
        patch.vertices[0] = static_cast<std::uint32_t>(filling_->vertices.size());
        filling_->vertices.push_back({row, false});
        filling_->entries.push_back(entry);
    }
    threads_.begin(group, input.shader, draw, input.batch->trace_id, shader.instances,
                   shader.registers(input.points));
    if (shader.instances > 1) {
        // They wait for each other at barriers.
        group.group = ThreadRequest::Group::Subslice;
        group.barrier = true;
        group.group_threads = group.barrier_threads = static_cast<std::uint16_t>(shader.instances);
        group.group_id = {group.patches[0].primitive_id, 0, 0};
    }
    threads_.read_entries(group, group.point_rows);
    stats_.patches += count;
    if (shader.statistics) {
        stats_.invocations += count;
        if (draw.counts) draw.counts->hs_invocations += count;
    }
    ++filling_->threads;
    ++input.threads;
    threads_.queue(group);
    if (input.next_patch == objects.size()) all_made(input);
    return true;
}

void HullShader::all_made(HullInput& input) {
    close_records();
    input.all_made = true;
    inputs_.pop_front();
    end_if_over(input, next());
    for (; !inputs_.empty() && passes(*inputs_.front()->batch); inputs_.pop_front()) {
        outputs_.push_back({inputs_.front()->batch, nullptr});
        input_pool_.put(*inputs_.front());
    }
}

void HullShader::threads_ended(ShaderGroup& ended) {
    auto& group = static_cast<Group&>(ended);
    HullInput& input = *group.records->input;
    --group.records->threads;
    --input.threads;
    group_pool_.put(group);
    if (input.all_made && input.threads == 0) in_.tell(*input.batch, kVerticesRead, next());
}

void HullShader::make_thread(ShaderGroup& asked, const ThreadGrant& grant, const ThreadFacts& facts,
                             ThreadDispatch& thread) {
    const auto& group = static_cast<Group&>(asked);
    const HullInput& input = *group.records->input;
    make_hull_thread(input.shader->decoded, facts,
                     {.patches = group.patches,
                      .point_rows = group.point_rows,
                      .data = group.data,
                      .points = input.points,
                      .instance = grant.number,
                      .barrier = grant.barrier},
                     topology_, grant.place, thread);
}

const Draw* HullShader::first_draw() const {
    if (!outputs_.empty()) return outputs_.front().batch->draw;
    return inputs_.empty() ? nullptr : inputs_.front()->batch->draw;
}

}  // namespace gen9::geometry
