// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/passage.h"

#include <algorithm>

#include "interconnect/kernel/behind.h"

namespace gen9::platform {

Passage::Passage(sc_core::sc_module_name module_name, Environment& env, const Clock& clock)
    : sc_core::sc_module(module_name),
      Block(env),
      stats(name()),
      clock_(clock),
      queue_(mem_in, clock, kQueue),
      port_(mem_out, clock),
      wakeup_(clock) {
    enlist(env, stats);
    mem_in.on_blocking = [this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); };
    mem_in.on_debug = [this](Payload& p) { return mem_out->transport_dbg(p); };
    mem_in.on_direct = [this](Payload& p, tlm::tlm_dmi& dmi) {
        return mem_out->get_direct_mem_ptr(p, dmi);
    };
    mem_in.on_forward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        const auto status = queue_.begin(p, phase, delay, kArrival);
        if (queue_.size() == 1) wakeup_.at(queue_.front().ready);
        return status;
    };
    mem_out.on_invalidate = [this](std::uint64_t start, std::uint64_t end) {
        mem_in->invalidate_direct_mem_ptr(start, end);
    };
    port_.on_response = [this](Payload& p, Cycles at) { answered(p, at); };
    port_.on_room = [this] { wakeup_.at(clock_.now() + kNext); };
    wakeup_.runs<&Passage::process>(this);
}

Passage::~Passage() = default;

/// A memory that is not ours knows no lanes.
bool Passage::lanes_end_here(const Payload& payload) const {
    return mem_out.foreign() &&
           attributes_of(payload).operation == MemoryAttributes::Operation::Lanes;
}

void Passage::blocking(Payload& payload, sc_core::sc_time& delay) {
    if (attributes_of(payload).operation == MemoryAttributes::Operation::Control)
        return payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (lanes_end_here(payload)) return perform_lanes_behind(mem_out, payload);
    mem_out->b_transport(payload, delay);
}

void Passage::process() {
    const Cycles now = clock_.now();
    std::erase_if(lines_,
                  [now](const Line& l) { return l.answered != Cycles() && l.answered <= now; });
    if (queue_.empty()) return;
    if (!queue_.ready(now)) return wakeup_.at(queue_.front().ready);
    // One a cycle, however often the wakeup runs in it.
    if (next_send_ > now) return wakeup_.at(next_send_);
    if (!port_.can_send()) return;
    Payload& payload = *queue_.front().payload;
    const auto same = std::ranges::find(lines_, line_of(payload), &Line::number);
    if (same != lines_.end()) {
        if (stalled_ != &payload) ++stats.line_stalls;
        stalled_ = &payload;
        if (same->answered != Cycles()) wakeup_.at(same->answered);
        return;
    }
    stalled_ = nullptr;
    next_send_ = now + kNext;
    queue_.pop();
    ++stats.requests;
    if (!queue_.empty()) wakeup_.at(std::max(queue_.front().ready, now + kNext));
    if (lanes_end_here(payload)) {
        perform_lanes_behind(mem_out, payload);
        return queue_.respond(payload, now + kNext);
    }
    lines_.push_back({line_of(payload), &payload, Cycles()});
    port_.send(payload, now);
}

void Passage::answered(Payload& payload, Cycles at) {
    const auto line = std::ranges::find(lines_, &payload, &Line::payload);
    line->answered = std::max(at, clock_.now() + kNext);
    line->payload = nullptr;
    wakeup_.at(line->answered);
    queue_.respond(payload, at);
}

}  // namespace gen9::platform
