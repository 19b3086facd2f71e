// SPDX-License-Identifier: Apache-2.0
#include "slm/module.h"

#include <algorithm>
#include <bit>
#include <string>

namespace gen9::slm {
namespace {

LaneAccess* lanes_of(tlm::tlm_generic_payload& payload) {
    auto* attributes = find_attributes(payload);
    const bool lanes = attributes && attributes->operation == MemoryAttributes::Operation::Lanes;
    return lanes ? &attributes->lanes : nullptr;
}

std::uint32_t address_of(const tlm::tlm_generic_payload& payload) {
    return static_cast<std::uint32_t>(payload.get_address());
}

}  // namespace

Slm::Slm(sc_core::sc_module_name module_name, Environment& env, const Clock& clock, bool saves,
         std::uint32_t bytes)
    : sc_core::sc_module(module_name),
      SlmBlock(env),
      params(env.config, name()),
      stats(name()),
      signals(name()),
      env_(env),
      clock_(clock),
      core_(bytes),
      queue_(mem_in, clock, params.queue),
      wakeup_(clock),
      banks_(static_cast<unsigned>(params.banks)) {
    if (!std::has_single_bit(banks_))
        throw UserError(std::string(name()) + ".banks=" + std::to_string(banks_) +
                        " is not a power of two");
    enlist(env, params, stats, signals);
    mem_in.on_blocking = [this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); };
    mem_in.on_direct = [this](Payload&, tlm::tlm_dmi& dmi) { return direct(dmi); };
    mem_in.on_debug = [this](Payload& p) { return debug(p); };
    mem_in.on_forward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        const auto answer = queue_.begin(p, phase, delay, kArrival);
        if (queue_.size() == 1) wakeup_.at(queue_.front().ready);
        return answer;
    };
    wakeup_.runs<&Slm::process>(this);
    if (saves) save_engine = std::make_unique<SaveEngine>("save", env, clock, core_);
}

Slm::~Slm() = default;

SlmSockets Slm::sockets() {
    if (!save_engine) return {mem_in};
    return {mem_in, SaveSockets{save_engine->control_in, save_engine->mem_out}};
}

Slm::Work Slm::plan(const Payload& payload) const {
    const auto& attributes = attributes_of(payload);
    if (attributes.operation == MemoryAttributes::Operation::Lanes) {
        const LaneAccess& lanes = attributes.lanes;
        return {SlmCore::conflict_cycles(lanes, address_of(payload), banks_, core_.size()),
                lanes.kind != LaneAccess::Kind::Write, lanes.kind != LaneAccess::Kind::Read};
    }
    return {SlmCore::conflict_cycles(address_of(payload), payload.get_data_length(), banks_),
            payload.is_read(), payload.is_write()};
}

void Slm::tell(Payload& payload, Work work) const {
    const LaneAccess* const lanes = lanes_of(payload);
    accesses->served(
        MemoryLevel::Slm, payload,
        lanes ? std::uint64_t{lanes->count} * lanes->width_bytes : payload.get_data_length(), true,
        work.cycles - 1);
}

void Slm::perform(Payload& payload, Work work) {
    if (work.read && work.write)
        ++stats.atomics;
    else if (work.write)
        ++stats.writes;
    else
        ++stats.reads;
    if (work.read) stats.read_busy_cycles += work.cycles;
    if (work.write) stats.write_busy_cycles += work.cycles;
    stats.conflict_cycles += work.cycles - 1;
    if (accesses != nullptr) [[unlikely]]
        tell(payload, work);
    if (LaneAccess* lanes = lanes_of(payload)) {
        stats.lanes += lanes->count;
        stats.bytes += std::uint64_t{lanes->count} * lanes->width_bytes;
        core_.perform(*lanes, address_of(payload));
    } else {
        const unsigned length = payload.get_data_length();
        stats.bytes += length;
        if (payload.is_read())
            core_.read(address_of(payload), {payload.get_data_ptr(), length});
        else if (payload.is_write())
            core_.write(address_of(payload), {payload.get_data_ptr(), length},
                        {payload.get_byte_enable_ptr(),
                         payload.get_byte_enable_ptr() ? payload.get_byte_enable_length() : 0});
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

void Slm::blocking(Payload& payload, sc_core::sc_time& delay) {
    const Work work = plan(payload);
    perform(payload, work);
    if (env_.timed()) delay += clock_.time(Cycles(params.latency + work.cycles - 1));
}

bool Slm::direct(tlm::tlm_dmi& dmi) {
    if (env_.timed()) return false;
    dmi.init();
    dmi.set_dmi_ptr(core_.bytes());
    dmi.set_end_address(core_.size() - 1);
    dmi.allow_read_write();
    return true;
}

unsigned Slm::debug(Payload& payload) {
    const unsigned length = std::min(payload.get_data_length(), core_.size());
    if (payload.is_read())
        core_.read(address_of(payload), {payload.get_data_ptr(), length});
    else if (payload.is_write())
        core_.write(address_of(payload), {payload.get_data_ptr(), length}, {});
    else
        return 0;
    return length;
}

void Slm::show(const Payload& payload, Work work, Cycles now, Cycles end) {
    if (work.read) signals.reading.pulse(now, end);
    if (work.write) signals.writing.pulse(now, end);
    signals.conflicts.pulse(now + Cycles(1), end);
    signals.served_id.set(attributes_of(payload).trace_id, now);
}

void Slm::process() {
    const Cycles now = clock_.now();
    while (queue_.ready(now)) {
        Payload& payload = *queue_.front().payload;
        const Work work = plan(payload);
        const Cycles free = std::max(work.read ? read_free_ : now, work.write ? write_free_ : now);
        if (free > now) {
            wakeup_.at(free);
            break;
        }
        stats.wait_cycles += (now - queue_.front().ready).value;
        perform(payload, work);
        const Cycles end = now + Cycles(work.cycles);
        if (work.read) read_free_ = end;
        if (work.write) write_free_ = end;
        if (signals.watched()) [[unlikely]]
            show(payload, work, now, end);
        queue_.pop();
        const Cycles answered = end - Cycles(1) + Cycles(params.latency) - kArrival;
        account_.extend(Activity::Busy, now, end);
        account_.extend(Activity::Returning, now, answered);
        queue_.respond(payload, answered);
    }
    if (!queue_.empty() && !queue_.ready(now)) wakeup_.at(queue_.front().ready);
    if (signals.watched()) [[unlikely]]
        signals.waiting.set(queue_.size(), now);
}

}  // namespace gen9::slm
