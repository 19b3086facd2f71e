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

HullShader::HullShader(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
                       const HullShaderSetup& setup)
    : sc_module(module_name),
      HullShaderBlock(env),
      env_(env),
      clock_(clock),
      topology_(setup.topology),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      wakeup_(clock),
      threads_(packets::Unit::Hs, env, clock, wakeup_, mem_out, request_out, topology_, params_,
               stats_),
      in_(batch_in, env_, clock_, wakeup_, params_.batch_queue) {
    enlist(env, params_, stats_, signals_);
    threads_.make_thread = [this](ShaderGroup& group, const ThreadGrant& grant,
                                  const ThreadFacts& facts, ThreadDispatch& thread) {
        make(static_cast<Group&>(group), grant, facts, thread);
    };
    threads_.on_ended = [this](ShaderGroup& group) { ended(static_cast<Group&>(group)); };
    out_.on_phase = [this](PrimitiveBatch& batch, const tlm::tlm_phase& phase, Cycles at) {
        if (!passed_.tell(batch, phase, at)) returns_.add(static_cast<Records&>(batch), false, at);
    };
    out_.on_ended = [this](PrimitiveBatch& batch, Cycles at) {
        if (!passed_.end(batch, at)) returns_.add(static_cast<Records&>(batch), true, at);
        wakeup_.at(clock_.now());
    };
    wakeup_.runs<&HullShader::step>(this);
}

HullShader::~HullShader() = default;

// --- Steps

void HullShader::step() {
    const Cycles now = clock_.now();
    const auto worked = step_.run(now, [this](Cycles at) { return work(at); });
    if (!worked) return;
    threads_.traffic().step(now);
    show(now, *worked);
    threads_.wake(now);
    returns_.wake(now);
    in_.wake(now);
    out_.wake(now);
}

bool HullShader::work(Cycles now) {
    bool worked = take_back(now);
    worked |= threads_.end_groups(now);
    worked |= send(now);
    worked |= threads_.ask(now);
    worked |= make_group(now);
    worked |= take(now);
    return worked;
}

bool HullShader::take_back(Cycles now) {
    const bool any = returns_.take(now, [&](Records& records, bool ended) {
        if (std::exchange(records.holds_entries, false))
            for (const unsigned entry : records.entries)
                handles_.release(kOwner, entry, now);
        if (!ended) return;
        --records.input->records;
        end_if_over(*records.input, now);
        records_pool_.put(records);
    });
    if (any) handles_.collect(kOwner, now);
    return any;
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
    Input& input = input_pool_.get();
    input = {};
    input.batch = &taken;
    inputs_.push_back(&input);
    return true;
}

bool HullShader::begin(Input& input) {
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
    Input& input = *inputs_.front();
    const auto& objects = input.batch->objects;
    if (input.next_patch == 0 && !input.shader && !begin(input)) {
        all_made(input, now);
        return true;
    }
    if (input.part != part_) {
        close_records();
        part_ = input.part;
        handles_.partition(kOwner, part_);
    }
    handles_.collect(kOwner, now);
    starved_ = handles_.free(kOwner) == 0;
    if (starved_) {
        // What has been made is handed on, so that entries come back.
        const bool closed = filling_ != nullptr;
        close_records();
        return closed;
    }
    if (filling_ == nullptr) {
        Records& records = records_pool_.get();
        records.input = &input;
        records.draw = input.batch->draw;
        records.entry_rows = part_.entry_rows;
        records.instance = input.batch->instance;
        records.trace_id = input.batch->trace_id;
        records.vertices.clear();
        records.objects.clear();
        records.entries.clear();
        records.holds_entries = true;
        records.threads = 0;
        ++input.records;
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
    group.points = input.points;
    group.patches.clear();
    group.point_rows.clear();
    for (std::size_t n = 0; n < count; ++n) {
        const PrimitiveObject& object = objects[input.next_patch++];
        const unsigned entry = handles_.allocate(kOwner);
        const std::uint32_t row = handles_.row(kOwner, entry);
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
    if (input.next_patch == objects.size()) all_made(input, now);
    return true;
}

void HullShader::all_made(Input& input, Cycles now) {
    close_records();
    input.all_made = true;
    inputs_.pop_front();
    end_if_over(input, now);
    for (; !inputs_.empty() && passes(*inputs_.front()->batch); inputs_.pop_front()) {
        outputs_.push_back({inputs_.front()->batch, nullptr});
        input_pool_.put(*inputs_.front());
    }
}

void HullShader::ended(Group& group) {
    Records& records = *group.records;
    Input& input = *records.input;
    --records.threads;
    --input.threads;
    group_pool_.put(group);
    if (input.all_made && input.threads == 0)
        in_.tell(*input.batch, kVerticesRead, clock_.now() + Cycles(env_.timed() ? 1 : 0));
}

void HullShader::end_if_over(Input& input, Cycles now) {
    if (!input.all_made || input.threads != 0 || input.records != 0) return;
    in_.end(*input.batch, now);
    input.shader.reset();
    input_pool_.put(input);
}

void HullShader::make(Group& group, const ThreadGrant& grant, const ThreadFacts& facts,
                      ThreadDispatch& thread) {
    const auto& shader = static_cast<const Shader&>(*group.shader);
    make_hull_thread(shader.decoded, facts,
                     {.patches = group.patches,
                      .point_rows = group.point_rows,
                      .data = group.data,
                      .points = group.points,
                      .instance = grant.number,
                      .barrier = grant.barrier},
                     topology_, grant.place, thread);
}

// --- Reports

void HullShader::show(Cycles now, bool worked) {
    StageActivity activity = threads_.waits_for();
    if (worked && env_.timed())
        activity = StageActivity::Working;
    else if (starved_)
        activity = StageActivity::WaitUrb;
    else if (activity == StageActivity::Idle && !outputs_.empty())
        activity = StageActivity::WaitNext;
    account_.hold(activity, now);
    if (!signals_.watched()) return;
    signals_.batches.set(inputs_.size() + outputs_.size(), now);
    signals_.threads.set(threads_.running(), now);
    signals_.free_entries.set(handles_.free(kOwner), now);
}

std::string HullShader::describe_waiting() const {
    if (inputs_.empty() && outputs_.empty() && in_.waiting() == 0) return {};
    std::string text = stats_.path() + ": ";
    const PrimitiveBatch* const first = !outputs_.empty()  ? outputs_.front().batch
                                        : !inputs_.empty() ? inputs_.front()->batch
                                                           : nullptr;
    if (first != nullptr) text += "draw " + std::to_string(first->draw->work.number) + ": ";
    if (starved_) text += "waits for a URB entry, ";
    if (threads_.running() != 0)
        text += std::to_string(threads_.running()) + " hull threads have not ended, ";
    else if (!outputs_.empty() &&
             (!outputs_.front().records || outputs_.front().records != filling_))
        text += "the tessellation engine does not take a batch, ";
    return text + std::to_string(inputs_.size() + outputs_.size() + in_.waiting()) +
           " batches at hand\n";
}

}  // namespace gen9::geometry
