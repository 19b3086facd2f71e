// SPDX-License-Identifier: Apache-2.0
// The command streamer's requests to the resource streamer.
#include "common/check.h"
#include "cs/module.h"

namespace gen9::cs {

using sc_core::sc_time;

void CommandStreamer::ask(Asked& asked) {
    GEN9_CHECK(!asked.pending, "the resource streamer has not answered the request before");
    synchronise();
    asked.pending = true;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_time delay;
    if ((*streamer_out)->nb_transport_fw(asked.request, phase, delay) == tlm::TLM_COMPLETED) {
        asked.pending = false;
        asked.answered_at = sc_core::sc_time_stamp() + delay;
    }
}

tlm::tlm_sync_enum CommandStreamer::on_answer(ResourceRequest& request, tlm::tlm_phase& phase,
                                              sc_time& delay) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    Asked& asked = &request == &product_.request ? product_ : stretch_;
    GEN9_CHECK(&request == &asked.request && asked.pending,
               "the resource streamer answers a request it was not given");
    asked.pending = false;
    asked.answered_at = sc_core::sc_time_stamp() + delay;
    answered_event_.notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_COMPLETED;
}

void CommandStreamer::wait_for_answer(Asked& asked) {
    if (!asked.pending && asked.answered_at <= own_time()) return;
    synchronise();
    show(Activity::Streamer);
    const sc_time begin = sc_core::sc_time_stamp();
    while (asked.pending)
        wait(answered_event_);
    if (asked.answered_at > sc_core::sc_time_stamp())
        wait(asked.answered_at - sc_core::sc_time_stamp());
    stats.streamer_cycles += clock_.cycles(sc_core::sc_time_stamp() - begin).value;
}

void CommandStreamer::start_streamer(const ResourceRequest& request) {
    stretch_.request = request;
    ask(stretch_);
}

ResourceRequest CommandStreamer::streamer_stopped() {
    wait_for_answer(stretch_);
    return stretch_.request;
}

std::optional<GpuAddr> CommandStreamer::streamer_limit() {
    if (stretch_.pending || stretch_.answered_at > own_time() ||
        stretch_.request.stop != ResourceStop::Limit)
        return {};
    return stretch_.request.stopped_at;
}

void CommandStreamer::halt_streamer() {
    halt_.request.operation = ResourceRequest::Operation::Halt;
    ask(halt_);
    // The command streamer may have taken some since of what the other had made when it stopped.
    if (!stretch_.pending) stretch_.request.unconsumed = halt_.request.unconsumed;
}

void CommandStreamer::join_streamer() {
    if (!stretch_.pending) return;
    halt_.request.operation = ResourceRequest::Operation::Join;
    ask(halt_);
}

bool CommandStreamer::consume(ResourceProduct product) {
    product_.request.operation = ResourceRequest::Operation::Consume;
    product_.request.product = product;
    product_.request.trace_id = trace_id();
    ask(product_);
    wait_for_answer(product_);
    // The resource streamer has stopped at its limit, and that message is still on its way.
    if (product_.request.failed && product_.request.stop == ResourceStop::Limit)
        wait_for_answer(stretch_);
    return !product_.request.failed;
}

void CommandStreamer::streamer_context(const ResourceRequest& request) {
    stretch_.request = request;
    ask(stretch_);
    wait_for_answer(stretch_);
}

}  // namespace gen9::cs
