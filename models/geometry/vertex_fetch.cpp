// SPDX-License-Identifier: Apache-2.0
#include "geometry/vertex_fetch.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "common/check.h"
#include "geometry/urb_partition.h"
#include "interconnect/kernel/stop_walk.h"
#include "interconnect/payload/draw_state.h"
#include "packets/draw/shaders.h"
#include "packets/draw/stream_out.h"
#include "packets/draw/vf.h"

namespace gen9::geometry {
namespace {

std::span<const std::uint32_t> dwords_of(const PipelineCommand& command) {
    return {command.dwords.data(), command.length_dwords};
}

void count_threads(const DrawCounts& counts, WorkRecord& record) {
    record.threads = counts.threads;
    record.instructions = counts.instructions;
    record.messages = counts.messages;
    record.thread_cycles = counts.thread_cycles;
}

}  // namespace

VertexFetch::VertexFetch(sc_core::sc_module_name module_name, Environment& env, const Clock& clock)
    : sc_module(module_name),
      VertexFetchBlock(env),
      env_(env),
      clock_(clock),
      params_(env.config, name()),
      stats_(name()),
      signals_(name()),
      wakeup_(clock),
      answer_wakeup_(clock),
      cache_(params_.vertex_cache) {
    enlist(env, params_, stats_, signals_);
    command_in.on_forward = [this](auto& command, auto& phase, auto& delay) {
        return on_command(command, phase, delay);
    };
    out_.on_phase = [this](PrimitiveBatch& batch, const tlm::tlm_phase& phase, Cycles at) {
        GEN9_CHECK(phase == kVerticesRead, "a batch comes back with an unknown phase");
        come_back(static_cast<Batch&>(batch), false, at);
    };
    out_.on_ended = [this](PrimitiveBatch& batch, Cycles at) {
        come_back(static_cast<Batch&>(batch), true, at);
    };
    traffic_.take_urb_directly();
    traffic_.take_memory_directly(Requester::VertexFetch);
    wakeup_.runs<&VertexFetch::step>(this);

    SC_HAS_PROCESS(VertexFetch);
    SC_METHOD(answer_commands);
    sensitive << answer_wakeup_.event;
    dont_initialize();
    clock_.agenda().knows(sc_core::sc_get_last_created_process_handle());
}

VertexFetch::~VertexFetch() = default;

// --- Commands

tlm::tlm_sync_enum VertexFetch::on_command(PipelineCommand& command, tlm::tlm_phase& phase,
                                           const sc_core::sc_time& delay) {
    const Cycles at = clock_.after(delay);
    if (phase == kStopWalk) {
        stop_asked_ = true;
        wakeup_.at(at);
        return tlm::TLM_ACCEPTED;
    }
    GEN9_CHECK(phase == tlm::BEGIN_REQ, "a draw begins with its request");
    stop_asked_ = false;  // That was for a draw before.
    inbox_.push_back({at, &command});
    wakeup_.at(at);
    return tlm::TLM_ACCEPTED;
}

void VertexFetch::answer(PipelineCommand& command, const tlm::tlm_phase& phase) {
    answers_.push_back({&command, phase});
    answers_due_ = true;
    answer_wakeup_.at(clock_.now());
}

// In a process: the streamer goes by the kernel's time.
void VertexFetch::answer_commands() {
    // A call may have another command answered.
    for (std::size_t i = 0; i < answers_.size(); ++i) {
        const Answer answer = answers_[i];
        tlm::tlm_phase phase = answer.phase;
        sc_core::sc_time delay;
        command_in->nb_transport_bw(*answer.command, phase, delay);
    }
    answers_.clear();
    answers_due_ = false;
}

// --- Steps

void VertexFetch::step() {
    const Cycles now = clock_.now();
    const auto worked = step_.run(now, [this](Cycles at) { return work(at); });
    if (!worked) return;
    traffic_.step(now);
    show(now, *worked);
    schedule(now);
}

bool VertexFetch::work(Cycles now) {
    bool worked = take_back(now);
    worked |= send(now);
    worked |= assemble(now);
    worked |= advance_groups(now);
    worked |= fetch(now);
    worked |= read_indices(now);
    worked |= begin_draw(now);
    worked |= stop_draw(now);
    return worked;
}

void VertexFetch::schedule(Cycles now) {
    for (const Return& back : returns_)
        wakeup_.at(std::max(back.at, now));
    if (!run_ && !inbox_.empty()) wakeup_.at(std::max(inbox_.front().at, now + Cycles(1)));
    out_.wake(now);
}

void VertexFetch::show(Cycles now, bool worked) {
    StageActivity activity = StageActivity::Idle;
    if (worked && env_.timed())
        activity = StageActivity::Working;
    else if (!ready_.empty())
        activity = StageActivity::WaitNext;
    else if (!groups_.empty() || index_read_.reading)
        activity = StageActivity::WaitMemory;
    else if (starved_)
        activity = StageActivity::WaitUrb;
    account_.hold(activity, now);
    if (!signals_.watched()) return;
    signals_.draw.set(run_ ? run_->record.number & 0xFFFF : 0, now);
    signals_.groups.set(groups_.size(), now);
    signals_.free_entries.set(handles_.free(kOwner), now);
    signals_.batches.set(out_.in_flight(), now);
}

// --- Batches that come back

void VertexFetch::come_back(Batch& batch, bool ended, Cycles at) {
    if (env_.timed()) at = std::max(at, clock_.now() + Cycles(1));
    returns_.push_back({at, &batch, ended});
    wakeup_.at(at);
}

bool VertexFetch::take_back(Cycles now) {
    bool any = false;
    for (std::size_t i = 0; i < returns_.size();) {
        const Return back = returns_[i];
        if (back.at > now) {
            ++i;
            continue;
        }
        returns_.erase(returns_.begin() + static_cast<std::ptrdiff_t>(i));
        any = true;
        give_up_entries(*back.batch, now);
        if (!back.ended) continue;
        --back.batch->run->batches;
        batch_pool_.put(*back.batch);
    }
    if (any) {
        handles_.collect(kOwner, now);
        end_draws(now);
    }
    return any;
}

void VertexFetch::give_up_entries(Batch& batch, Cycles now) {
    if (!std::exchange(batch.holds_entries, false)) return;
    for (const unsigned entry : batch.entries)
        drop(entry, now);
}

void VertexFetch::end_draws(Cycles now) {
    while (!runs_.empty() && runs_.front()->all_sent && runs_.front()->batches == 0) {
        Run& run = *runs_.front();
        run.record.end = now;
        count_threads(run.command->counts, run.record);
        if (observer) observer->work_ended(run.record);
        answer(*run.command, tlm::BEGIN_RESP);
        ++ended_;
        runs_.pop_front();
    }
}

bool VertexFetch::send(Cycles now) {
    bool sent = false;
    if (!ready_.empty() && out_.can_send(now)) {
        Batch& batch = *ready_.front();
        ready_.pop_front();
        ++stats_.batches_sent;
        out_.send(batch);
        sent = true;
    }
    // The last batch is gone: the next draw may come.
    if (run_ && !stream_ && ready_.empty()) {
        Run& run = *std::exchange(run_, nullptr);
        run.all_sent = true;
        run.record.all_sent = now;
        answer(*run.command, tlm::END_REQ);
        end_draws(now);
        sent = true;
    }
    return sent;
}

// --- A draw begins

DrawParameters VertexFetch::parameters_of(const PipelineCommand& command) const {
    namespace row = packets::PRIMITIVE_3D;
    const auto dwords = dwords_of(command);
    const auto value = [&](const packets::Field& field) {
        return static_cast<std::uint32_t>(field.get(dwords));
    };
    DrawParameters draw;
    draw.indexed = row::VertexAccessType.get(dwords) != 0;
    if (row::IndirectParameterEnable.get(dwords)) {
        const auto& given = command.indirect_draw;
        draw.vertex_count = given[0];
        draw.instance_count = given[1];
        draw.start_vertex = given[2];
        draw.start_instance = given[3];
        draw.base_vertex = static_cast<std::int32_t>(given[4]);
    } else {
        draw.vertex_count = value(row::VertexCountPerInstance);
        draw.start_vertex = value(row::StartVertexLocation);
        draw.instance_count = value(row::InstanceCount);
        draw.start_instance = value(row::StartInstanceLocation);
        draw.base_vertex = static_cast<std::int32_t>(value(row::BaseVertexLocation));
    }
    return draw;
}

bool VertexFetch::begin_draw(Cycles now) {
    if (run_ || inbox_.empty() || inbox_.front().at > now) return false;
    PipelineCommand& command = *inbox_.front().command;
    inbox_.pop_front();
    ++stats_.batches;
    ++stats_.draws;
    run_ = runs_.emplace_back(std::make_unique<Run>()).get();
    Run& run = *run_;
    run.command = &command;
    const bool clear = command.row->command == packets::Command::WM_HZ_OP;
    run.record.number = env_.works_begun++;
    run.record.kind = clear ? WorkKind::Clear : WorkKind::Draw;
    run.record.name = command.row->name;
    run.record.begin = run.record.all_sent = now;
    run.draw.work = run.record;
    run.draw.state = command.state;
    run.draw.address = command.address;
    run.draw.trace_id = for_work(command.trace_id, run.record.number);
    run.draw.context_start = command.context_start;
    run.draw.absolute_constants = command.absolute_constants;
    run.draw.stream_offsets = command.stream_offsets;
    run.draw.counts = &command.counts;
    run.draw.order = ++draws_begun_;
    const DrawParameters draw = clear ? DrawParameters{} : parameters_of(command);
    if (!clear) {
        run.record.groups = {draw.vertex_count, draw.instance_count, 1};
        run.record.simd_width = 8;
        namespace vs = packets::STATE_VS;
        static const auto& row = packets::command_named("3DSTATE_VS");
        if (const StageState* state = command.state->stage(packets::Unit::Vs);
            state && vs::Enable.get(state->command(row)))
            run.record.kernel_start =
                command.state->instruction_base + vs::KernelStartPointer.get(state->command(row));
    }
    if (observer) observer->work_began(run.record);
    if (clear) {
        send_empty(run);
    } else {
        begin_vertices(run, draw);
        if (!stream_) end_stream_output(run);
    }
    return true;
}

// Stream output stores its write offsets when all objects of a draw have gone by.
void VertexFetch::end_stream_output(Run& run) {
    static const auto& row = packets::command_named("3DSTATE_STREAMOUT");
    const StageState* const state = run.draw.state->stage(packets::Unit::Sol);
    if (state && packets::STATE_STREAMOUT::SOFunctionEnable.get(state->command(row)))
        send_empty(run);
}

// A batch without vertices goes down the pipe, in its place among the draws.
void VertexFetch::send_empty(Run& run) {
    Batch& batch = batch_pool_.get();
    batch.run = &run;
    batch.draw = &run.draw;
    batch.vertices.clear();
    batch.objects.clear();
    batch.entries.clear();
    batch.holds_entries = false;
    batch.instance = 0;
    batch.trace_id = run.draw.trace_id;
    ++run.batches;
    ready_.push_back(&batch);
}

void VertexFetch::begin_vertices(Run& run, const DrawParameters& draw) {
    static const auto& topology_row = packets::command_named("3DSTATE_VF_TOPOLOGY");
    static const auto& statistics_row = packets::command_named("3DSTATE_VF_STATISTICS");
    static const auto& vs_row = packets::command_named("3DSTATE_VS");
    if (draw.vertex_count == 0 || draw.instance_count == 0) return;
    const StageStatePtr& state = run.draw.state->stages[static_cast<unsigned>(packets::Unit::Vf)];
    if (!state) return guest_error(run, "nothing has been said of its vertices; it draws nothing");
    const auto topology = state->command(topology_row);
    // VF-02: what the draw says counts where nothing else does.
    const auto code =
        topology.empty() ? packets::PRIMITIVE_3D::PrimitiveTopologyType.get(dwords_of(*run.command))
                         : packets::STATE_VF_TOPOLOGY::PrimitiveTopologyType.get(topology);
    run.draw.topology = static_cast<packets::Topology>(code);
    if (packets::rules_of(run.draw.topology).name == nullptr)
        return guest_error(
            run, "topology " + std::to_string(code) + " does not exist; it draws nothing");
    if (!partition_urb(run)) return;

    if (layout_of_ != state) {
        layout_.reset();
        layout_problems_.clear();
        layout_.emplace(*state, layout_problems_);
        layout_of_ = state;
    }
    for (const std::string& problem : layout_problems_)
        guest_error(run, problem);
    if (const unsigned bytes = layout_->entry_dwords() * 4;
        bytes > partition_.entry_rows * kGrfBytes)
        guest_error(run, "a vertex of " + std::to_string(bytes) +
                             " bytes does not fit its URB entry of " +
                             std::to_string(partition_.entry_rows * kGrfBytes) +
                             "; the rest is not stored");
    const StageState* const vs = run.draw.state->stage(packets::Unit::Vs);
    clear_cache(clock_.now());
    indexed_ = draw.indexed;
    use_cache_ =
        draw.indexed && !(vs && packets::STATE_VS::VertexCacheDisable.get(vs->command(vs_row)));
    count_ =
        packets::STATE_VF_STATISTICS::StatisticsEnable.get(state->command(statistics_row)) != 0;
    instances_ = draw.instance_count;
    start_instance_ = draw.start_instance;
    instance_ = assembled_ = objects_ = objects_sent_before_ = 0;
    goes_on_ = run.command->resumes_draw.has_value();
    if (goes_on_) {
        instance_ = assembled_ = run.command->resumes_draw->instance;
        objects_sent_before_ = run.command->resumes_draw->objects;
        if (instance_ >= instances_) return guest_error(run, "its saved context is not of it");
    }
    parameters_ = draw;
    stream_.emplace(draw, *state);
    indices_.clear();
    next_index_ = 0;
    reach_ = reach_of(run.draw.topology);
    const packets::TopologyRules rules = packets::rules_of(run.draw.topology);
    list_step_ = rules.first == rules.step ? rules.step : 0;
    assembly_.emplace(run.draw.topology, static_cast<ObjectSink&>(*this));
}

// --- A draw stops

// Lines of strips run to the end, for their stipple goes on from one to the next, and so do strips
// with adjacency (VF-27). A draw that goes on does not stop before it has got further.
bool VertexFetch::stopping() const {
    if (!stop_asked_ || !run_ || !stream_ || goes_on_) return false;
    using packets::Topology;
    switch (run_->draw.topology) {
        case Topology::LineStrip:
        case Topology::LineLoop:
        case Topology::LineStripAdj:
        case Topology::TriStripAdj:
            return false;
        default:
            return true;
    }
}

// All that has been looked up is sent. When the draw goes on, its indices are looked up from the
// beginning of the instance, and objects that were sent are left out.
bool VertexFetch::stop_draw(Cycles now) {
    if (!stopping()) return false;
    close_group();
    if (!groups_.empty() || !steps_.empty() || index_read_.reading) return false;
    run_->command->remaining_draw = {
        {parameters_.vertex_count, parameters_.instance_count, parameters_.start_vertex,
         parameters_.start_instance, static_cast<std::uint32_t>(parameters_.base_vertex)},
        assembled_,
        objects_};
    stop_asked_ = false;
    ++stats_.draws_stopped;
    give_up_rest(now);
    return true;
}

bool VertexFetch::partition_urb(const Run& run) {
    static const auto& row = packets::command_named("3DSTATE_URB_VS");
    const std::optional<UrbPartition> part = urb_partition(*run.draw.state, row);
    if (!part) {
        guest_error(run, "vertices have no part of the URB; it draws nothing");
        return false;
    }
    if (*part != partition_) {
        clear_cache(clock_.now());
        partition_ = *part;
        handles_.partition(kOwner, partition_);
    }
    if (partition_.entries == 0) {
        guest_error(run, "vertices have no entries in the URB; it draws nothing");
        return false;
    }
    if (vertices_.size() < partition_.entries) vertices_.resize(partition_.entries);
    return true;
}

// --- Reports

void VertexFetch::guest_error(const Run& run, const std::string& text) {
    env_.reporter.guest_error("vertices", place_of(run.draw, "vertex fetch"), text);
}

std::string VertexFetch::describe_waiting() const {
    std::string text;
    for (const auto& run : runs_) {
        char place[96];
        std::snprintf(place, sizeof place, ": draw %u (%s at %llx): ", run->record.number,
                      run->record.name, static_cast<unsigned long long>(run->draw.address.value));
        text += stats_.path() + place;
        if (run.get() == run_) {
            if (starved_)
                text += "waits for a URB entry, ";
            else if (!groups_.empty() || index_read_.reading)
                text += "waits for memory, ";
            else if (!ready_.empty())
                text += "waits for the vertex shader stage to take a batch, ";
        }
        text += std::to_string(run->batches) + " batches have not ended\n";
    }
    return text;
}

std::vector<WorkRecord> VertexFetch::unfinished() const {
    std::vector<WorkRecord> records;
    for (const auto& run : runs_) {
        WorkRecord& record = records.emplace_back(run->record);
        record.end = clock_.now();
        count_threads(run->command->counts, record);
        if (!run->all_sent) record.all_sent = record.end;
    }
    return records;
}

}  // namespace gen9::geometry
