// SPDX-License-Identifier: Apache-2.0
// Commands as rings without execlists have them: UHPTR moves the head, and contexts change by
// command.
#include "cs/command/interpreter.h"
#include "packets/mi.h"

namespace gen9::cs {

// PRE-02: 003:16986.
Interpreter::Step Interpreter::arb_check(Dwords dwords) {
    if (head_waits())
        move_head();
    else if (mmio_.ring_mode())
        resume_walker();  // it was stopped for a head that is wanted no more
    return preemption_point(dwords);
}

// Software clears the valid bit, and reads where the stream was (PRE-06). Assumed: the address is
// that of the command here, with bit 0 for one in a batch of that level.
void Interpreter::move_head() {
    const std::uint64_t address = origin_.address().value;
    const auto keep = [&](bool here, std::uint32_t low, std::uint32_t high) {
        registers_.set(low, here ? static_cast<std::uint32_t>(address) | 1 : 0);
        registers_.set(high, here ? static_cast<std::uint32_t>(address >> 32) : 0);
    };
    keep(origin_.level() == Level::First, BB_PREEMPT_ADDR, BB_PREEMPT_ADDR_UDW);
    keep(origin_.level() == Level::Second, SBB_PREEMPT_ADDR, SBB_PREEMPT_ADDR_UDW);
    registers_.set(RING_BUFFER_HEAD_PREEMPT, origin_.ring_head());
    pointers.return_to_ring();
    pointers.move_head(registers_.read(UHPTR));
    drop_fetched();
    ++stats_.preemptions;
    bus_.preempted();
}

// PRE-03: 003:16988. The streamer goes on when the walker is done, or UHPTR becomes valid: then the
// walker stops between two groups, and what is left of it is part of the context.
void Interpreter::state_flush_of_ring() {
    waiting_ = Waiting::Drain;
    const bool done = bus_.drain_unless(packets::Pipe::Media, [this] { return head_waits(); });
    waiting_ = Waiting::No;
    if (done) return;
    bus_.stop_walker(false);
    drain();
}

void Interpreter::set_context(Dwords dwords) {
    namespace row = packets::MI_SET_CONTEXT;
    if (!mmio_.ring_mode())
        return guest_error("ring-mode command", "not allowed with execlists; it is ignored");
    if (row::ResourceStreamerStateRestoreEnable.get(dwords) ||
        row::ResourceStreamerStateSaveEnable.get(dwords))
        reporter_.not_modelled("RS-13", "MI_SET_CONTEXT with the resource streamer's state");
    drain();
    context_request_ = {GpuAddr(row::LogicalContextAddress.get(dwords)),
                        row::RestoreInhibit.get(dwords) == 0, row::ForceRestore.get(dwords) != 0};
}

}  // namespace gen9::cs
