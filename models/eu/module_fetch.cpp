// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "common/check.h"
#include "eu/module.h"

namespace gen9::eu {

bool Eu::find_next(Context& context) {
    if (context.next != nullptr) return true;
    const std::uint32_t ip = context.thread.ip;
    const GpuAddr base = context.thread.sideband.state->instruction_base;
    if (context.page == nullptr || !context.page->holds(ip))
        context.page = &program_.page(base, ip);
    const GpuAddr first((base + ip).value & ~std::uint64_t{kLineBytes - 1});
    if (!line_at_hand(context, first, 0)) return false;
    const Program::Entry* entry = context.page->find(ip);
    if (entry == nullptr) {
        GpuAddr missing;
        entry = program_.prepare(*context.page, ip, missing);
        if (entry == nullptr) {
            GEN9_CHECK(missing != first, "an instruction line at hand has no bytes");
            line_at_hand(context, missing, 1);
            return false;
        }
        report_broken_rules(context, *entry);
    }
    if (entry->timed.crosses_line && !line_at_hand(context, first + kLineBytes, 1)) return false;
    found(context, entry);
    return true;
}

void Eu::found(Context& context, const Program::Entry* entry) {
    if (const Program::Entry* const last = context.last) {
        const bool follows = last->decoded.next_ip == entry->decoded.ip;
        (follows ? last->timed.follower : last->timed.target) = entry;
    }
    context.next = entry;
}

// `place`: 0 for the line an instruction begins in, 1 for the one it ends in. A thread keeps the
// lines of its current instruction even if the buffer gives their place to others.
bool Eu::line_at_hand(Context& context, GpuAddr line, unsigned place) {
    if (context.held_lines[place] == line) return true;
    if (place == 0 && lines_.settled(line)) {
        context.held_lines[0] = line;
        return true;
    }
    const std::uint64_t asked = lines_.asked();
    const bool held = context.held_lines[1 - place] == line;
    const LineBuffer::State state = lines_.state(line);
    if (state == LineBuffer::State::Absent && !held) ask_line(context, line);
    if (place == 0)
        for (unsigned i = 1; i <= params_.prefetch_lines; ++i) {
            const GpuAddr ahead = line + i * kLineBytes;
            // The page after the last may not exist; its fault must not show (EU-016).
            if (ahead.value % kPageBytes == 0) break;
            if (lines_.state(ahead) == LineBuffer::State::Absent) ask_line(context, ahead);
        }
    if (!held && state != LineBuffer::State::Present) {
        context.awaited_line = line;
        context.awaited_place = static_cast<std::uint8_t>(place);
        return false;
    }
    context.held_lines[place] = line;
    if (place == 0 && lines_.asked() == asked && state == LineBuffer::State::Present)
        lines_.settle(line);
    return true;
}

void Eu::ask_line(const Context& context, GpuAddr line) {
    lines_.ask(line);
    MemoryTransaction* const fetch = new_fetch(context, line);
    fetch->tag = ++fetch_number_;
    fetch_queue_.push_back(fetch);
    send_fetch();
}

void Eu::send_fetch() {
    while (fetch_unaccepted_ == nullptr && !fetch_queue_.empty()) {
        MemoryTransaction* const fetch = fetch_queue_.front();
        fetch_queue_.pop_front();
        fetch_unaccepted_ = fetch;
        fetch_accept_announced_ = false;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = delay_to(cycle_);
        const auto status = fetch_out->nb_transport_fw(*fetch, phase, delay);
        if (status == tlm::TLM_ACCEPTED) continue;
        // The fetch was accepted within the call: the next one may go at once.
        fetch_unaccepted_ = nullptr;
        if (status == tlm::TLM_UPDATED && phase == tlm::END_REQ) continue;
        phase = tlm::BEGIN_RESP;
        on_fetch(*fetch, phase, delay);
    }
}

tlm::tlm_sync_enum Eu::on_fetch(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                sc_core::sc_time& delay) {
    auto& fetch = static_cast<MemoryTransaction&>(payload);
    const Cycles at = clock_.after(delay);
    // A response also says that the request was taken.
    if (fetch_unaccepted_ == &fetch && !fetch_accept_announced_) {
        announce({at, Arrival::Kind::FetchAccepted, 0, fetch.tag, nullptr});
        fetch_accept_announced_ = true;
    }
    if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
    GEN9_CHECK(phase == tlm::BEGIN_RESP,
               "the instruction cache answers with END_REQ or BEGIN_RESP");
    announce({at, Arrival::Kind::Line, 0, fetch.tag, &fetch});
    return tlm::TLM_COMPLETED;
}

void Eu::line_arrived(MemoryTransaction& fetch) {
    const GpuAddr line(fetch.get_address());
    // Bytes that were asked for before an invalidation are not what the code is now.
    if (fetch.tag > fetch_stale_) {
        const bool fault = !fetch.is_response_ok();
        if (fault) std::memset(fetch.data, 0, sizeof fetch.data);
        program_.fill(line, fetch.data, fault);
        lines_.fill(line);
        for (unsigned slot = 0; slot < kMaxThreads; ++slot) {
            Context* const context = slots_[slot];
            if (context == nullptr || context->awaited_line != line) continue;
            context->held_lines[context->awaited_place] = line;
            context->awaited_line = kNoLine;
            prepare_offer(ThreadSlot(slot));
        }
    }
    fetch.release();
}

void Eu::restart_fetch() {
    fetch_stale_ = fetch_number_;
    for (unsigned slot = 0; slot < kMaxThreads; ++slot)
        if (slots_[slot] != nullptr && !slots_[slot]->waiting) prepare_offer(ThreadSlot(slot));
}

}  // namespace gen9::eu
