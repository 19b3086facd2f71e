// SPDX-License-Identifier: Apache-2.0
#include "memory/dram.h"

#include <algorithm>

#include "memory/perform.h"

namespace gen9::memory {

Dram::Dram(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
           PhysicalMemory& memory)
    : sc_core::sc_module(module_name),
      params(env.config, name()),
      stats(name()),
      signals(name()),
      env_(env),
      clock_(clock),
      memory_(memory),
      queue_(mem_in, clock, params.queue),
      wakeup_(clock) {
    env.params.push_back(&params);
    env.stats.add(stats);
    env.signals.push_back(&signals);
    mem_in.on_blocking = [this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); };
    mem_in.on_debug = [this](Payload& p) { return perform_debug(memory_, p); };
    mem_in.on_forward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        const auto answer = queue_.begin(p, phase, delay, kArrival);
        if (queue_.size() == 1) wakeup_.at(queue_.front().ready);
        return answer;
    };
    wakeup_.runs<&Dram::process>(this);
}

Cycles Dram::book(std::uint64_t bytes, Cycles now) {
    const std::uint64_t rate = params.bytes_per_cycle;
    const auto round_up = [rate](std::uint64_t at) { return (at + rate - 1) / rate; };
    const std::uint64_t start = std::max(free_at_, now.value * rate);
    free_at_ = start + bytes;
    stats.busy_cycles += round_up(free_at_) - round_up(start);
    signals.busy.pulse(Cycles(round_up(start)), Cycles(round_up(free_at_)));
    return Cycles(round_up(free_at_));
}

void Dram::count(const Payload& payload) {
    if (payload.is_read())
        stats.read_bytes += payload.get_data_length();
    else
        stats.written_bytes += payload.get_data_length();
}

void Dram::blocking(Payload& payload, sc_core::sc_time& delay) {
    count(payload);
    if (env_.timed()) {
        const Cycles now = clock_.now();
        delay += clock_.time(book(payload.get_data_length(), now) - now + Cycles(params.latency));
    }
    perform(memory_, payload);
}

void Dram::process() {
    const Cycles now = clock_.now();
    const std::uint64_t rate = params.bytes_per_cycle;
    while (queue_.ready(now) && free_at_ < (now.value + 1) * rate) {
        Payload& payload = queue_.pop();
        count(payload);
        perform(memory_, payload);
        const Cycles end = book(kLineBytes, now);
        queue_.respond(payload, end + Cycles(params.latency) - kArrival);
    }
    signals.waiting.set(queue_.size(), now);
    if (!queue_.empty()) wakeup_.at(std::max(queue_.front().ready, Cycles(free_at_ / rate)));
}

}  // namespace gen9::memory
