// SPDX-License-Identifier: Apache-2.0
// The command streamer's side of the resource streamer: when it is on, where it is started and
// waited for, and what is taken from it (docs/blocks/rs.md).
#include "cs/command/interpreter.h"
#include "cs/context/context_image.h"
#include "packets/mi.h"
#include "packets/resource_streamer.h"
#include "packets/state.h"

namespace gen9::cs {

namespace {
constexpr std::uint32_t kAnswerValid = 1;  ///< of RS_PREEMPT_STATUS (Assumed)
}

// 003:2600-2620: enabled in the batch and by MI_RS_CONTROL; never for media and GPGPU (RS-22).
bool Interpreter::streamer_active() const {
    return bus_.has_streamer() && origin_.streamer() && streamer_on_ &&
           commands.pipeline == packets::PIPELINE_SELECT::Pipe3D;
}

// 003:2515: waits at a sync command until it has stopped, starts it at the next other one.
void Interpreter::meet_streamer(Dwords dwords) {
    // A stream without a resource streamer, as a ring is, pays for two flags only.
    if (!origin_.streamer() && !streamer_runs_) return;
    const packets::ResourceAction action = packets::resource_action(*row_, dwords[0]);
    if (packets::stops_resource_streamer(action)) {
        if (streamer_runs_) join_streamer();
        return;
    }
    if (!streamer_active()) return;
    if (!streamer_runs_) start_streamer();
    const auto limit = bus_.streamer_limit();
    if (limit && origin_.address() >= *limit) resume_streamer();
    if (!packets::makes_resource(action, dwords, tables_.enabled, gathers_.enabled)) return;
    take_product(action == packets::ResourceAction::BindingTable ? ResourceProduct::BindingTable
                                                                 : ResourceProduct::GatherBuffer);
}

void Interpreter::table_pointers(Dwords dwords) {
    latch(dwords);
    if (!bus_.has_streamer()) return;
    // 003:2606-2620.
    const bool active = streamer_active();
    if (active != tables_.enabled)
        return guest_error(
            "binding tables",
            active ? "the resource streamer is on without a binding table pool (RS-19); "
                     "the pointer names a table of software"
                   : "a binding table pool is enabled while the resource streamer is off "
                     "(RS-19); no table is written");
    // 003:2883.
    const Tables kind = active ? Tables::Hardware : Tables::Software;
    if (last_tables_ != Tables::None && kind != last_tables_ && !state_cache_invalidated_)
        guest_error("binding tables",
                    "hardware and software tables change without an invalidation of the state "
                    "cache between them (RS-21)");
    last_tables_ = kind;
    state_cache_invalidated_ = false;
}

ResourceState Interpreter::resource_state() const {
    return {state.bases().surface_state_base, tables_, gathers_};
}

void Interpreter::start_streamer() {
    ResourceRequest request;
    request.operation = ResourceRequest::Operation::Parse;
    request.address = origin_.address();
    request.space = origin_.space();
    request.new_batch = new_batch_;
    request.state = resource_state();
    request.trace_id = bus_.trace_id();
    // It had been ahead when the context left the engine: it goes on there (RS-35).
    if (registers_.read(RS_PREEMPT_STATUS) & kAnswerValid) {
        request.address = canonical((std::uint64_t{registers_.read(RS_PREEMPT_STATUS_UDW)} << 32) |
                                    (registers_.read(RS_PREEMPT_STATUS) & ~3u));
        request.unconsumed = {registers_.read(PRODUCE_COUNT_BTP),
                              registers_.read(PRODUCE_COUNT_GATHER_CONSTANTS)};
        for (const std::uint32_t offset : {RS_PREEMPT_STATUS, RS_PREEMPT_STATUS_UDW,
                                           PRODUCE_COUNT_BTP, PRODUCE_COUNT_GATHER_CONSTANTS})
            registers_.set(offset, 0);
    }
    new_batch_ = false;
    streamer_runs_ = true;
    bus_.start_streamer(request);
}

void Interpreter::resume_streamer() {
    ResourceRequest request = bus_.streamer_stopped();
    request.operation = ResourceRequest::Operation::Parse;
    request.address = request.stopped_at;
    request.resumes = true;
    bus_.start_streamer(request);
}

void Interpreter::join_streamer() {
    waiting_ = Waiting::Streamer;
    bus_.join_streamer();
    bus_.streamer_stopped();
    waiting_ = Waiting::No;
    streamer_runs_ = false;
}

void Interpreter::take_product(ResourceProduct product) {
    waiting_ = Waiting::Streamer;
    bool there = bus_.consume(product);
    // It may have stopped at its limit before it met this command.
    while (!there && bus_.streamer_limit()) {
        resume_streamer();
        there = bus_.consume(product);
    }
    waiting_ = Waiting::No;
    if (!there)
        guest_error("resource streamer",
                    "has stopped without making what this command uses: the stream was changed "
                    "behind it");
}

void Interpreter::halt_streamer() {
    if (!streamer_runs_) return;
    bus_.halt_streamer();
    const ResourceRequest answer = bus_.streamer_stopped();
    streamer_runs_ = false;
    registers_.set(RS_PREEMPT_STATUS,
                   static_cast<std::uint32_t>(answer.stopped_at.value) | kAnswerValid);
    registers_.set(RS_PREEMPT_STATUS_UDW,
                   static_cast<std::uint32_t>(answer.stopped_at.value >> 32));
    registers_.set(PRODUCE_COUNT_BTP, answer.unconsumed[0]);
    registers_.set(PRODUCE_COUNT_GATHER_CONSTANTS, answer.unconsumed[1]);
}

void Interpreter::streamer_context(bool save) {
    if (!bus_.has_streamer()) return;
    ResourceRequest request;
    request.operation =
        save ? ResourceRequest::Operation::Save : ResourceRequest::Operation::Restore;
    request.address = status_page + kImageOffsetBytes;
    request.space = AddressSpace::Ggtt;
    request.state = resource_state();
    request.trace_id = bus_.trace_id();
    bus_.streamer_context(request);
}

void Interpreter::resource_control(Dwords dwords) {
    streamer_on_ = packets::MI_RS_CONTROL::ResourceStreamerControl.get(dwords) != 0;
    if (streamer_on_ && !bus_.has_streamer())
        reporter_.not_modelled("RS-03", "the resource streamer is started; it does nothing");
}

void Interpreter::restore_streamer(Dwords dwords) {
    streamer_on_ = packets::MI_RS_CONTROL::ResourceStreamerControl.get(dwords) != 0;
}

void Interpreter::resource_context(Dwords dwords) {
    if (!bus_.has_streamer()) return not_modelled(dwords);
    streamer_context(packets::MI_RS_CONTEXT::ResourceStreamerSave.get(dwords) != 0);
}

// The resource streamer executes the command; here it means nothing beyond the product that was
// waited for.
void Interpreter::resource_command(Dwords dwords) {
    namespace row = packets::GATHER_CONSTANT;
    if (!bus_.has_streamer()) return not_modelled(dwords);
    if (row_->resource == packets::ResourceAction::Gather &&
        (row::ConstantBufferDx9Enable.get(dwords) || row::DX9OnDieRegisterReadEnable.get(dwords)))
        return reporter_.not_modelled("RS-38", std::string(row_->name) + " of DX9 constants");
    if (!streamer_active())
        return guest_error("resource streamer", "is not on; nothing executes this command");
    ++stats_.state_3d;
}

}  // namespace gen9::cs
