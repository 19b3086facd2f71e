// SPDX-License-Identifier: Apache-2.0
#include "slm/save_engine.h"

#include <algorithm>
#include <cstdio>

#include "common/bits.h"
#include "common/check.h"

namespace gen9::slm {

SaveEngine::SaveEngine(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
                       SlmCore& core)
    : sc_core::sc_module(module_name),
      Block(env),
      stats(name()),
      signals(name()),
      env_(env),
      clock_(clock),
      core_(core),
      port_(mem_out, clock),
      wakeup_(clock) {
    enlist(env, stats, signals);
    control_in.on_forward = [this](Payload& order, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
        phase = tlm::END_REQ;
        if (!begin(order)) return tlm::TLM_COMPLETED;
        wakeup_.at(clock_.after(delay) + kArrival);
        return tlm::TLM_UPDATED;
    };
    port_.on_response = [this](Payload& payload, Cycles at) {
        const bool restored = payload.is_read();
        take(static_cast<MemoryTransaction&>(payload));
        if (restored && --unanswered_ == 0 && next_ == lines()) finish(at);
    };
    port_.on_room = [this] { wakeup_.at(clock_.now() + Cycles(1)); };
    wakeup_.runs<&SaveEngine::process>(this);
}

/// True: it takes time.
bool SaveEngine::begin(Payload& order) {
    GEN9_CHECK(order_ == nullptr, std::string(name()) + ": an order before the last one's answer");
    const std::uint64_t what = order.get_address();
    if (!order.is_write() || order.get_data_length() != 8 || (what != kSave && what != kRestore)) {
        order.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return false;
    }
    order.set_response_status(tlm::TLM_OK_RESPONSE);
    order_ = &order;
    base_ = load<std::uint64_t>(order.get_data_ptr());
    next_ = 0;
    if (env_.timed()) return true;
    while (next_ < lines()) {
        MemoryTransaction& line = make_line();
        sc_core::sc_time delay;
        mem_out->b_transport(line, delay);
        take(line);
    }
    order_ = nullptr;
    return false;
}

// Assumed: not cached in L3, for the array it comes from is L3's own.
MemoryTransaction& SaveEngine::make_line() {
    MemoryTransaction& line = *pool_.get();
    const unsigned offset = next_++ * kLineBytes;
    line.access(restores() ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, base_ + offset,
                kLineBytes);
    line.tag = offset;
    line.attributes.trace_id = attributes_of(*order_).trace_id;
    if (restores()) {
        ++stats.lines_restored;
    } else {
        ++stats.lines_saved;
        core_.read(offset, line.data);
    }
    return line;
}

void SaveEngine::take(MemoryTransaction& line) {
    if (line.is_response_error()) {
        char place[24];
        std::snprintf(place, sizeof place, "%llx",
                      static_cast<unsigned long long>(line.get_address()));
        env_.reporter.guest_error("context save area", place,
                                  "shared local memory cannot be moved there");
    } else if (line.is_read()) {
        core_.write(static_cast<std::uint32_t>(line.tag), line.data, {});
    }
    line.release();
}

void SaveEngine::process() {
    const Cycles now = clock_.now();
    if (order_ == nullptr || !port_.can_send()) return;
    if (next_ == lines()) {
        if (!restores()) finish(now);
        return;
    }
    MemoryTransaction& line = make_line();
    unanswered_ += restores();
    signals.lines_left.set(lines() - next_, now);
    port_.send(line, now);
    wakeup_.at(now + Cycles(1));
}

void SaveEngine::finish(Cycles at) {
    Payload& order = *order_;
    order_ = nullptr;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = clock_.until(at);
    control_in->nb_transport_bw(order, phase, delay);
}

}  // namespace gen9::slm
