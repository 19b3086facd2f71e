// SPDX-License-Identifier: Apache-2.0
#include "icache/module.h"

#include <algorithm>
#include <cstring>

#include "common/check.h"

namespace gen9::icache {
namespace {

constexpr Cycles kOne{1};

}  // namespace

InstructionCache::InstructionCache(sc_core::sc_module_name module_name, Environment& environment,
                                   const Clock& clock, unsigned eus)
    : sc_core::sc_module(module_name),
      InstructionCacheBlock(environment),
      params_(environment.config, name()),
      mem_out("mem_out"),
      environment_(environment),
      clock_(clock),
      stats_(name()),
      signals_(name()),
      wakeup_(clock),
      tags_(params_.size_bytes / kLineBytes, params_.ways),
      requests_(params_.eus.arbiter(eus), eus),
      misses_(params_.misses),
      out_(mem_out, clock) {
    enlist(environment, params_, stats_, signals_);
    // A request is looked up in the cycle after its own, when all of that cycle have been
    // announced.
    for (const Param* latency : {&params_.hit_latency, &params_.fill_latency})
        if (environment.timed() && *latency < environment.notice_cycles + 1)
            throw UserError(std::string(name()) + "." + latency->info().name + "=" +
                            latency->value_text() + " is not allowed: at least " +
                            std::to_string(environment.notice_cycles + 1) +
                            ", the notice an EU is given");
    for (unsigned eu = 0; eu < eus; ++eu) {
        mem_in.push_back(std::make_unique<TargetSocket<MemoryProtocol>>(
            ("mem_in" + std::to_string(eu)).c_str()));
        auto& socket = *mem_in.back();
        socket.on_blocking = [this](auto& payload, auto& delay) { on_blocking(payload, delay); };
        socket.on_debug = [this](auto& payload) { return on_debug(payload); };
        // No direct access: the EUs keep what they have fetched, and this cache must see what they
        // fetch.
        socket.on_direct = [](auto&, auto&) { return false; };
        socket.on_forward = [this, eu](auto& payload, auto& phase, auto& delay) {
            return on_request(eu, payload, phase, delay);
        };
    }
    out_.on_response = [this](auto& payload, Cycles at) { on_fill(payload, at); };
    out_.on_room = [this] { wakeup_.at(clock_.now() + kOne); };
    control_in.takes({.invalidate_instruction = true},
                     [this](const MemoryAttributes&, sc_core::sc_time&) { invalidate(); });
    wakeup_.runs<&InstructionCache::run>(this);
}

InstructionCache::~InstructionCache() = default;

void InstructionCache::on_blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    asked_ = true;
    if (environment_.timed()) delay += clock_.time(Cycles(params_.hit_latency));
    const GpuAddr line(payload.get_address());
    const bool whole = payload.is_read() && payload.get_data_length() == kLineBytes &&
                       line.value % kLineBytes == 0;
    if (const std::uint8_t* const bytes = whole ? tags_.find(line) : nullptr) {
        std::memcpy(payload.get_data_ptr(), bytes, kLineBytes);
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
        return;
    }
    mem_out->b_transport(payload, delay);
    if (whole && payload.is_response_ok()) tags_.fill(line, payload.get_data_ptr());
}

void InstructionCache::invalidate() {
    ++stats_.invalidations;
    tags_.invalidate();
    for (Miss& miss : misses_)
        miss.stale = true;
    // EUs that have asked for nothing since they were told have nothing to drop.
    if (!asked_ && !environment_.timed()) return;
    asked_ = false;
    for (const auto& socket : mem_in)
        (*socket)->invalidate_direct_mem_ptr(0, ~std::uint64_t{0});
}

tlm::tlm_sync_enum InstructionCache::on_request(unsigned eu, tlm::tlm_generic_payload& payload,
                                                tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    GEN9_CHECK(phase == tlm::BEGIN_REQ, "an instruction cache is asked for lines and nothing else");
    GEN9_CHECK(payload.is_read() && payload.get_data_length() == kLineBytes &&
                   payload.get_address() % kLineBytes == 0,
               "an instruction cache is read by whole lines");
    asked_ = true;
    const Cycles at = clock_.after(delay);
    requests_.push(at, eu, &payload);
    blocked_ = false;  // it may come before the one that waits
    wakeup_.at(std::max(at + kOne, next_lookup_));
    // An EU has no more requests out than lines in its buffer: there is room for all.
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
}

void InstructionCache::run() {
    const Cycles now = clock_.now();
    // 1. Lines that have come; before the lookups, which may find them.
    take_fills(now);
    // 2. One lookup a cycle, of requests of earlier cycles, of which all are known.
    if (!requests_.empty() && requests_.earliest() < now && next_lookup_ <= now &&
        look_up(requests_.next(now - kOne))) {
        requests_.pop(now - kOne);
        next_lookup_ = now + kOne;
        account_.extend(Activity::Busy, now, next_lookup_);
    }
    if (!requests_.empty() && !blocked_)
        wakeup_.at(std::max(requests_.earliest() + kOne, next_lookup_));
    // 3. Misses go to L3.
    send_misses();
    account_.set(Activity::Fetching, now, pool_.in_flight() != 0 ? account_.kOpen : now);
    signals_.waiting.set(requests_.size(), now);
    signals_.misses.set(pool_.in_flight(), now);
}

void InstructionCache::tell(const Request& request, bool hit) const {
    if (accesses != nullptr) [[unlikely]]
        accesses->served(MemoryLevel::Cache, *request.item, kLineBytes, hit);
}

bool InstructionCache::look_up(const Request& request) {
    const GpuAddr line(request.item->get_address());
    if (const std::uint8_t* bytes = tags_.find(line)) {
        ++stats_.hits;
        tell(request, true);
        const Cycles asked = clock_.now() - kOne;
        answer(request, bytes, tlm::TLM_OK_RESPONSE, asked + Cycles(params_.hit_latency));
        return true;
    }
    Miss* free = nullptr;
    for (Miss& miss : misses_) {
        if (miss.fetch == nullptr) {
            if (free == nullptr) free = &miss;
        } else if (miss.line == line && !miss.stale) {
            ++stats_.joined;
            tell(request, false);
            miss.waiting.push_back(request);
            return true;
        }
    }
    blocked_ = free == nullptr;
    if (blocked_) return false;
    ++stats_.misses;
    tell(request, false);
    MemoryTransaction* const fetch = pool_.get();
    fetch->access(tlm::TLM_READ_COMMAND, line.value, kLineBytes);
    fetch->attributes.space = attributes_of(*request.item).space;
    fetch->attributes.requester = Requester::InstructionCache;
    fetch->attributes.thread = attributes_of(*request.item).thread;
    fetch->attributes.mocs = attributes_of(*request.item).mocs;
    fetch->attributes.trace_id = attributes_of(*request.item).trace_id;
    free->line = line;
    free->fetch = fetch;
    free->stale = free->arrived = false;
    free->waiting.assign(1, request);
    unsent_.push_back(fetch);
    return true;
}

void InstructionCache::send_misses() {
    while (!unsent_.empty() && out_.can_send()) {
        MemoryTransaction* const fetch = unsent_.front();
        unsent_.pop_front();
        out_.send(*fetch, clock_.now());
    }
}

void InstructionCache::on_fill(tlm::tlm_generic_payload& payload, Cycles at) {
    for (Miss& miss : misses_) {
        if (miss.fetch != &payload) continue;
        miss.arrived = true;
        miss.at = at;
        wakeup_.at(at + kOne);
        return;
    }
    GEN9_CHECK(false, "L3 answers a fetch that is not out");
}

void InstructionCache::take_fills(Cycles now) {
    Cycles next{~std::uint64_t{0}};
    for (Miss& miss : misses_) {
        if (miss.fetch == nullptr || !miss.arrived) continue;
        if (miss.at >= now) {
            next = std::min(next, miss.at + kOne);
            continue;
        }
        const tlm::tlm_response_status status = miss.fetch->get_response_status();
        if (status == tlm::TLM_OK_RESPONSE && !miss.stale) tags_.fill(miss.line, miss.fetch->data);
        for (const Request& request : miss.waiting)
            answer(request, miss.fetch->data, status, miss.at + Cycles(params_.fill_latency));
        miss.fetch->release();
        miss.fetch = nullptr;
        blocked_ = false;
    }
    if (next.value != ~std::uint64_t{0}) wakeup_.at(next);
}

void InstructionCache::answer(const Request& request, const std::uint8_t* bytes,
                              tlm::tlm_response_status status, Cycles at) {
    std::memcpy(request.item->get_data_ptr(), bytes, kLineBytes);
    request.item->set_response_status(status);
    account_.extend(Activity::Returning, clock_.now(), at);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = clock_.until(at);
    const auto answered = (*mem_in[request.port])->nb_transport_bw(*request.item, phase, delay);
    GEN9_CHECK(answered == tlm::TLM_COMPLETED, "an EU must complete the fetch of a line at once");
}

}  // namespace gen9::icache
