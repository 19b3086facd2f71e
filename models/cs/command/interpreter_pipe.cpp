// SPDX-License-Identifier: Apache-2.0
// PIPE_CONTROL, and what is given to the media/GPGPU pipe.
#include <algorithm>
#include <utility>

#include "cs/command/interpreter.h"
#include "packets/media.h"
#include "packets/media_object.h"
#include "packets/state.h"
#include "packets/stopped_walker.h"

namespace gen9::cs {
namespace {

namespace media_walker = packets::MEDIA_OBJECT_WALKER;
using packets::Command;
using packets::CommandRow;

bool is_media_walker(const CommandRow& row) {
    return row.command == Command::MEDIA_OBJECT_WALKER;
}

}  // namespace

Interpreter::Step Interpreter::media_state(Dwords dwords) {
    if (!front_end_is_free()) return Step::Preempted;
    if (settings_.strict) {
        check_media_order(dwords);
        check_barriers_of_state(dwords);
    }
    take_media_state(dwords);
    send(*row_, dwords);
    return Step::Continue;
}

Interpreter::Step Interpreter::walker(Dwords dwords) {
    if (wants_preemption()) return Step::Preempted;
    // CS-04: predicated away, it dispatches nothing.
    if (packets::GPGPU_WALKER::PredicateEnable.get(dwords) && !predicate_is_set())
        return Step::Continue;
    if (!front_end_is_free()) return Step::Preempted;
    send_work(dwords, PipeUse::Work::Gpgpu);
    return Step::Continue;
}

// PRE-16: PRE-08 lists it as a point, workaround 0296 says that it is none in GPGPU work. The
// walker before it is one as long as it sends groups.
Interpreter::Step Interpreter::media_state_flush(Dwords dwords) {
    if (settings_.flush_preempts && wants_preemption()) return Step::Preempted;
    // First: while a walker sends groups the front end is not free, and that is when it can stop.
    if (mmio_.ring_mode()) state_flush_of_ring();
    if (!front_end_is_free()) return Step::Preempted;
    use_.state_flush();
    namespace row = packets::MEDIA_STATE_FLUSH;
    if (row::WatermarkRequired.get(dwords))
        use_.watermark(static_cast<std::uint32_t>(row::InterfaceDescriptorOffset.get(dwords)));
    send(*row_, dwords);
    return Step::Continue;
}

// PRE-08: a walker gives way at any time, whatever command waits behind it, and so does a draw whose
// objects may be parted.
bool Interpreter::front_end_is_free(packets::Pipe pipe) {
    waiting_ = Waiting::Accept;
    const bool free = bus_.await_front_end(pipe, [this, pipe] {
        return (pipe == packets::Pipe::Pipe3D ? stops_draws() : stops_walkers()) &&
               wants_preemption();
    });
    waiting_ = Waiting::No;
    return free;
}

bool Interpreter::drain_unless_preempted(packets::PipeSet pipes) {
    waiting_ = Waiting::Drain;
    const bool done = bus_.drain_unless(
        pipes, [this] { return (stops_walkers() || stops_draws()) && wants_preemption(); });
    waiting_ = Waiting::No;
    return done;
}

void Interpreter::stop_work() {
    if (stops_walkers()) bus_.stop_walker(preemption_level() == kThreadLevel);
    if (stops_draws()) bus_.stop_draw();
    drain();
    if (after_draw_ && is_draw(commands.walker)) return_to_draw();
    after_draw_.reset();
}

void Interpreter::mark_draw() {
    after_draw_.reset();
    const bool parts_draws = registers_.read(CS_CHICKEN1) & 1;
    if (parts_draws && !streamer_active()) after_draw_ = {pointers, state};
}

// The commands behind the draw have set state, and are executed again when it goes on.
void Interpreter::return_to_draw() {
    pointers = after_draw_->pointers;
    state = after_draw_->state;
    drop_fetched();
}

void Interpreter::send_work(Dwords dwords, PipeUse::Work work) {
    if (commands.pipeline == packets::PIPELINE_SELECT::Pipe3D) {
        guest_error("pipeline",
                    "work for the media/GPGPU pipe while 3D is selected; nothing is dispatched");
        return;
    }
    // CS-127.
    static const CommandRow& vfe = packets::command_of(Command::MEDIA_VFE_STATE);
    static const CommandRow& load = packets::command_of(Command::MEDIA_INTERFACE_DESCRIPTOR_LOAD);
    const char* missing = state.command(vfe).empty()    ? vfe.name
                          : !commands.base_addresses    ? "STATE_BASE_ADDRESS"
                          : state.command(load).empty() ? load.name
                                                        : nullptr;
    if (missing) {
        guest_error("pipeline", std::string("no ") + missing +
                                    " is valid in this context (CS-127); nothing is dispatched");
        return;
    }
    if (streamer_on_ || tables_.enabled || gathers_.enabled || constants_pool_)
        guest_error("pipeline",
                    "the resource streamer or hardware binding tables are on (RS-22); they do "
                    "nothing for media and GPGPU work");
    if (settings_.strict && use_.mixes(work))
        guest_error("pipeline", "no flush between GPGPU and media object commands (TD-61)");
    if (settings_.strict) check_media_order(dwords);
    // 003:17952. Of the modes this product has, GPGPU is the other one (MED-04).
    if (settings_.strict && is_media_walker(*row_) &&
        commands.pipeline == packets::PIPELINE_SELECT::GPGPU)
        guest_error("pipeline",
                    "MEDIA_OBJECT_WALKER while GPGPU is selected; it is for media (MED-43)");
    if (settings_.strict) check_group_walker(dwords);
    if (settings_.strict) check_barriers_of_work(dwords, work);
    use_.given(work);
    if (settings_.strict && is_media_walker(*row_) &&
        dwords.size() > media_walker::kStructure.dwords)
        use_.walker_with_inline_data();
    send(*row_, dwords);
}

// Groups of media threads need their resources at once: software waits for room before.
void Interpreter::check_group_walker(Dwords dwords) {
    if (!is_media_walker(*row_) || !media_walker::GroupIDLoopSelect.get(dwords)) return;
    if (!use_.has_watermark(
            static_cast<std::uint32_t>(media_walker::InterfaceDescriptorOffset.get(dwords))))
        guest_error("pipeline",
                    "no MEDIA_STATE_FLUSH with watermark and its descriptor before a "
                    "MEDIA_OBJECT_WALKER with groups (MED-26)");
}

// Reports media commands without the flush that software owes between them. They are carried out
// all the same.
void Interpreter::check_media_order(Dwords dwords) {
    if (use_.wants_state_flush())
        guest_error("pipeline",
                    "no MEDIA_STATE_FLUSH after a MEDIA_OBJECT_WALKER with inline data (MED-44)");
    use_.state_flush();
    namespace vfe = packets::MEDIA_VFE_STATE;
    const Dwords before = state.command(packets::command_of(Command::MEDIA_VFE_STATE));
    if (row_->command == Command::MEDIA_VFE_STATE && !before.empty() &&
        use_.mixes(PipeUse::Work::Gpgpu) &&
        (vfe::ScoreboardEnable.get(before) != vfe::ScoreboardEnable.get(dwords) ||
         vfe::ScoreboardType.get(before) != vfe::ScoreboardType.get(dwords)))
        guest_error("MEDIA_VFE_STATE",
                    "changes the scoreboard without a stalling PIPE_CONTROL after media work "
                    "(MED-46)");
}

// CS-89: the order of effects.
Interpreter::Step Interpreter::pipe_control(Dwords dwords) {
    if (wants_preemption()) return Step::Preempted;
    const bool gpgpu = commands.pipeline != packets::PIPELINE_SELECT::Pipe3D;
    const PipeControlActions actions = decode_pipe_control(dwords, gpgpu, after_stall_);
    ++stats_.pipe_controls;
    if (settings_.strict) {
        for (unsigned i = 0; i < actions.violation_count; ++i)
            guest_error("PIPE_CONTROL", std::string(actions.violations[i].rule) + " (" +
                                            actions.violations[i].ledger + ")");
    }
    return carry_out(actions) ? Step::Continue : Step::Preempted;
}

bool Interpreter::carry_out(const PipeControlActions& actions) {
    using PostSync = PipeControlActions::PostSync;
    if (actions.invalidate.any()) bus_.control(actions.invalidate);
    state_cache_invalidated_ |= actions.invalidate.invalidate_state;
    if (!actions.waits.empty() && !drain_unless_preempted(actions.waits)) return false;
    use_.pipe_control(actions.waits.contains(packets::Pipe::Media),
                      actions.stall && actions.flush.flush_data);
    if (actions.flush.any()) bus_.control(actions.flush);
    if (actions.post_sync == PostSync::Register) {
        write_register(static_cast<std::uint32_t>(actions.address.value),
                       static_cast<std::uint32_t>(actions.data), Writer::Stream);
    } else if (actions.post_sync != PostSync::None) {
        std::uint64_t value = actions.data;
        const StorePlace place =
            store_place(actions.store_data_index, actions.ggtt, actions.address.value);
        if (actions.post_sync == PostSync::Timestamp) {
            value = timestamp_value(bus_.timestamp());
            bus_.wrote_time(place.space, place.address, sizeof value);
        }
        if (actions.post_sync == PostSync::DepthCount) {
            value = registers_.read64(PS_DEPTH_COUNT);
        }
        // CS-91: always eight bytes.
        store_bytes(place.space, place.address, &value, sizeof value);
    }
    const auto forget = [&](Command command) { state.forget(packets::command_of(command)); };
    if (actions.forget_pointers || actions.forget_media_state) {
        forget(Command::MEDIA_CURBE_LOAD);
        forget(Command::MEDIA_INTERFACE_DESCRIPTOR_LOAD);
    }
    if (actions.forget_media_state) {
        forget(Command::MEDIA_VFE_STATE);
        forget(Command::MEDIA_POOL_STATE);
    }
    if (actions.interrupt) raise(kNotifyInterrupt);
    if (actions.stall && std::exchange(late_loads_, false)) replay_loads();
    if (actions.stall) after_stall_ = true;
    if (actions.stall) barriers_.stalled();
    return true;
}

void Interpreter::take_media_state(Dwords dwords) {
    state.take(*row_, dwords);
    if (row_->command == Command::MEDIA_POOL_STATE) thread_pools_ = true;
}

void Interpreter::drop_thread_pools() {
    if (!std::exchange(thread_pools_, false)) return;
    origin_ = pointers;
    row_ = nullptr;
    send(packets::command_of(Command::MEDIA_POOL_STATE),
         std::array<std::uint32_t, 6>{packets::MEDIA_POOL_STATE::kHeader});
}

void Interpreter::replay_media_state() {
    origin_ = pointers;
    row_ = nullptr;
    replay(Command::MEDIA_VFE_STATE);
    if (replay(Command::MEDIA_POOL_STATE)) thread_pools_ = true;
    late_loads_ = settings_.restore_hazard && commands.walker[0] && !is_draw(commands.walker);
    if (!late_loads_) replay_loads();
}

bool Interpreter::replay(Command command) {
    const CommandRow& row = packets::command_of(command);
    const Dwords dwords = state.command(row);
    if (!dwords.empty()) send(row, dwords);
    return !dwords.empty();
}

void Interpreter::replay_loads() {
    replay(Command::MEDIA_CURBE_LOAD);
    const Dwords load =
        state.command(packets::command_of(Command::MEDIA_INTERFACE_DESCRIPTOR_LOAD));
    if (settings_.strict && !load.empty()) read_descriptors(load);
    replay(Command::MEDIA_INTERFACE_DESCRIPTOR_LOAD);
}

// PRE-18. Assumed: a load that comes while another one is pending changes nothing.
void Interpreter::lose_late_loads() {
    if (!std::exchange(late_loads_, false)) return;
    origin_ = pointers;
    row_ = nullptr;
    guest_error("restore",
                "no stalling PIPE_CONTROL in the context's batches; the loads of CURBE and "
                "descriptors before its walker are lost (PRE-18)");
}

void Interpreter::keep_walker(const PipelineCommand& command) {
    const Dwords dwords = std::span(command.dwords).first(command.length_dwords);
    commands.walker = command.remaining_draw ? pack(dwords, *command.remaining_draw)
                                             : pack(dwords, *command.remaining);
}

void Interpreter::resume_walker() {
    if (!commands.walker[0]) return;
    origin_ = pointers;
    const StoppedWalker walker = std::exchange(commands.walker, {});
    if (is_draw(walker)) {
        row_ = &packets::command_of(Command::PRIMITIVE_3D);
        const DrawRest rest = unpack_draw(walker);
        return send(*row_, draw_of(walker), nullptr, &rest);
    }
    row_ = &packets::command_of(Command::GPGPU_WALKER);
    const WalkerRest rest = unpack(walker);
    use_.given(PipeUse::Work::Gpgpu);
    send(*row_, command_of(walker), &rest);
}

void Interpreter::send(const CommandRow& row, Dwords dwords, const WalkerRest* rest,
                       const DrawRest* draw_rest) {
    if (dwords.size() > PipelineCommand::kMaxDwords) {
        guest_error(row.name, std::to_string(dwords.size()) + " DWords; inline data of more than " +
                                  std::to_string(PipelineCommand::kMaxDwords) +
                                  " fits no thread, and nothing is dispatched");
        return;
    }
    PipelineCommand& command = bus_.new_command();
    command.row = &row;
    std::copy(dwords.begin(), dwords.end(), command.dwords.begin());
    command.length_dwords = static_cast<std::uint32_t>(dwords.size());
    command.address = origin_.address();
    command.trace_id = bus_.trace_id();
    command.state = state.snapshot();
    for (unsigned i = 0; i < 3; ++i)
        command.indirect_dimensions[i] = registers_.read(GPGPU_DISPATCHDIMX + 4 * i);
    static constexpr std::array kDraw{PRIMITIVE_VERTEX_COUNT, PRIMITIVE_INSTANCE_COUNT,
                                      PRIMITIVE_START_VERTEX, PRIMITIVE_START_INSTANCE,
                                      PRIMITIVE_BASE_VERTEX};
    for (unsigned i = 0; i < kDraw.size(); ++i)
        command.indirect_draw[i] = registers_.read(kDraw[i]);
    command.stream_offsets = row.command == Command::PRIMITIVE_3D && has_stream_output()
                                 ? stream_offsets()
                                 : StreamOffsets{};
    command.absolute_constants = registers_.read(CS_DEBUG_MODE2) & kConstantsAreAbsolute;
    command.context_start = bus_.picoseconds(mmio_.context_start());
    command.resumes.reset();
    if (rest) command.resumes = *rest;
    command.remaining.reset();
    command.resumes_draw.reset();
    if (draw_rest) command.resumes_draw = *draw_rest;
    command.remaining_draw.reset();
    command.power_request = registers_.read(R_PWR_CLK_STATE);
    command.failed = false;
    command.channels = 0;
    command.counts = {};
    after_stall_ = false;
    ++stats_.pipeline_commands;
    ++progress_;
    waiting_ = Waiting::Accept;
    bus_.send(packets::pipe_of(row), command);
    waiting_ = Waiting::No;
}

}  // namespace gen9::cs
