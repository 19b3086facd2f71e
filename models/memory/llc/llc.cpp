// SPDX-License-Identifier: Apache-2.0
#include "memory/llc/llc.h"

#include <algorithm>

#include "interconnect/kernel/blocking_access.h"
#include "memory/perform.h"

namespace gen9::memory {
namespace {

constexpr std::size_t kMaxVictims = 16;  // more than a cycle can make; beyond it requests wait

}  // namespace

Llc::Llc(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
         PhysicalMemory& memory)
    : sc_core::sc_module(module_name),
      LlcBlock(env),
      params(env.config, name()),
      stats(name()),
      signals(name()),
      env_(env),
      clock_(clock),
      memory_(memory),
      tags_(params.size_kb * 1024, static_cast<unsigned>(params.ways)),
      queue_(mem_in, clock, params.queue),
      out_(mem_out, clock),
      wakeup_(clock) {
    enlist(env, params, stats, signals);
    mem_in.on_blocking = [this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); };
    mem_in.on_direct = [this](Payload& p, tlm::tlm_dmi&) {
        if (mixed_ || env_.timed()) follow_direct(p);
        return false;  // who gives physical memory out is in front of it
    };
    mem_in.on_debug = [this](Payload& p) { return mem_out->transport_dbg(p); };
    mem_in.on_forward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        const auto answer = queue_.begin(p, phase, delay, kArrival);
        if (queue_.size() == 1) wakeup_.at(queue_.front().ready);
        return answer;
    };
    out_.on_response = [this](Payload& p, Cycles at) { on_response(p, at); };
    out_.on_room = [this] { wakeup_.at(clock_.now() + kArrival); };
    wakeup_.runs<&Llc::process>(this);
}

Llc::~Llc() = default;

void Llc::blocking(Payload& payload, sc_core::sc_time& delay) {
    if (!env_.timed()) {
        if (mixed_) follow(payload, has_lanes(payload) ? 1 : payload.get_data_length());
        return pass(payload, delay);
    }
    process();  // what came before goes first, whichever module of this cycle runs first
    const Cycles begin = clock_.after(delay);
    // An access of many lines takes as long as its slowest: they follow each other by a cycle.
    const LlcPolicy policy = attributes_of(payload).llc;
    bool miss = policy == LlcPolicy::Uncached;
    const std::uint64_t end =
        payload.get_address() + (has_lanes(payload) ? 1 : payload.get_data_length());
    const auto bytes_of = [&](std::uint64_t line) {
        return std::min<std::uint64_t>(end, line + kLineBytes) -
               std::max<std::uint64_t>(line, payload.get_address());
    };
    for (std::uint64_t line = payload.get_address() / kLineBytes * kLineBytes; line < end;
         line += kLineBytes) {
        if (policy == LlcPolicy::Uncached) {
            ++stats.uncached;
            tell(payload, bytes_of(line), false);
            tags_.drop(line);
            delay += clock_.period();
            continue;
        }
        const bool hit =
            tags_.access(line, payload.is_write() && policy == LlcPolicy::WriteBack).hit;
        stats.written_through += payload.is_write() && policy == LlcPolicy::WriteThrough;
        miss |= !hit && !payload.is_write();
        stats.read_hits += hit && payload.is_read();
        stats.read_misses += !hit && payload.is_read();
        stats.writes += payload.is_write();
        tell(payload, bytes_of(line), hit || payload.is_write());
        delay += clock_.period();
    }
    const Cycles looked_up = clock_.after(delay);
    delay += clock_.time(Cycles(params.hit_cycles));
    if (miss)
        pass(payload, delay);
    else
        perform(memory_, payload);
    const Cycles now = clock_.now(), answered = clock_.after(delay);
    account_.extend(LlcActivity::Busy, now, begin, looked_up);
    if (miss)
        account_.extend(LlcActivity::Memory, now, looked_up, answered - Cycles(return_cycles()));
    account_.extend(LlcActivity::Returning, now, looked_up, answered);
}

// Victims need not be written: their data is in memory.
void Llc::follow(const Payload& payload, std::uint64_t bytes) {
    const LlcPolicy policy = attributes_of(payload).llc;
    const std::uint64_t begin = payload.get_address(), end = begin + bytes;
    for (std::uint64_t line = begin / kLineBytes * kLineBytes; line < end; line += kLineBytes)
        follow_line(line, policy, payload.is_write());
}

void Llc::follow_line(std::uint64_t line, LlcPolicy policy, bool write) {
    if (policy == LlcPolicy::Uncached)
        tags_.drop(line);
    else
        tags_.access(line, write && policy == LlcPolicy::WriteBack);
}

void Llc::follow_direct(Payload& payload) {
    auto* const asks = payload.get_extension<AsksForLines>();
    if (asks == nullptr) return follow(payload, payload.get_data_length());
    asks->lines =
        &direct_pages_.give(payload.get_address(), attributes_of(payload).llc, follower());
}

void Llc::change_timing() {
    if (!env_.timed()) return;
    direct_pages_.take(follower());
}

// To memory, unless that could not do what is asked.
void Llc::pass(Payload& payload, sc_core::sc_time& delay) {
    if (lanes_here_ && has_lanes(payload))
        perform(memory_, payload);
    else
        mem_out->b_transport(payload, delay);
}

void Llc::process() {
    const Cycles now = clock_.now();
    if (now != cycle_) {
        cycle_ = now;
        read_done_ = write_done_ = false;
    }
    send_victims(now);
    while (queue_.ready(now) && serve(*queue_.front().payload, now)) {
    }
    account_memory(now);
    signals.waiting.set(queue_.size(), now);
    if (!victims_.empty() && out_.can_send()) wakeup_.at(now + Cycles(1));
    if (!queue_.empty()) {
        if (!queue_.ready(now))
            wakeup_.at(queue_.front().ready);
        else if (!stalled_)
            wakeup_.at(now + Cycles(1));
    }
}

void Llc::send_victims(Cycles now) {
    while (!victims_.empty() && out_.can_send()) {
        auto* victim = pool_.get();
        victim->access(tlm::TLM_WRITE_COMMAND, victims_.front().line, kLineBytes);
        victim->attributes.trace_id = victims_.front().cause;
        victim->enable_bytes(0, kLineBytes);
        victims_.erase(victims_.begin());
        own_sent_.push_back(victim);
        out_.send(*victim, now);
    }
}

bool Llc::serve(Payload& payload, Cycles now) {
    const bool lanes = has_lanes(payload), write = payload.is_write() && !lanes;
    bool& done = write ? write_done_ : read_done_;
    if (done) return false;
    const LlcPolicy policy = attributes_of(payload).llc;
    const bool uncached = policy == LlcPolicy::Uncached;
    const bool passes =
        (uncached || (!write && !tags_.holds(payload.get_address()))) && !(lanes && lanes_here_);
    // Accesses that go on to memory leave by the same door as victims: they wait while that is
    // closed.
    if (victims_.size() >= kMaxVictims ||
        (passes && (places_used(now) >= params.misses || !out_.can_send()))) {
        if (!stalled_) stalled_since_ = now;
        stalled_ = true;
        account_.set(LlcActivity::Stalled, now, account_.kOpen);
        if (!coming_.empty()) wakeup_.at(std::max(coming_.front(), now) + kArrival);
        return false;
    }
    if (stalled_) {
        stats.miss_stalls += (now - stalled_since_).value;
        account_.set(LlcActivity::Stalled, now, now);
    }
    stalled_ = false;
    account_.extend(LlcActivity::Busy, now, now + Cycles(1));
    done = true;
    touch(payload, policy, write || lanes);
    queue_.pop();
    tell(payload, payload.get_data_length(), !uncached && !passes);
    if (!uncached && write)
        ++stats.writes;
    else if (!uncached && passes)
        ++stats.read_misses;
    else if (!uncached)
        ++stats.read_hits;
    if (passes) {
        ++misses_;
        signals.misses.add(1, now);
        out_.send(payload, now + Cycles(params.miss_cycles) - kArrival);
        return true;
    }
    perform(memory_, payload);
    const Cycles answered = now + Cycles(params.hit_cycles) - kArrival;
    account_.extend(LlcActivity::Returning, now, answered);
    queue_.respond(payload, answered);
    return true;
}

// An access changes the tags, and writes to memory may follow from that (DP-034).
void Llc::touch(const Payload& payload, LlcPolicy policy, bool modifies) {
    const std::uint64_t line = payload.get_address() / kLineBytes * kLineBytes;
    const TraceId cause = attributes_of(payload).trace_id;
    if (policy == LlcPolicy::Uncached) {
        ++stats.uncached;
        if (!tags_.drop(line)) return;
        ++stats.evictions;
        victims_.push_back({line, cause});
        return;
    }
    const bool through = policy == LlcPolicy::WriteThrough && modifies;
    const auto tag = tags_.access(payload.get_address(), modifies && !through);
    if (tag.evicted) {
        ++stats.evictions;
        victims_.push_back({tag.victim, cause});
    }
    if (!through) return;
    ++stats.written_through;
    victims_.push_back({line, cause});
}

std::uint64_t Llc::places_used(Cycles now) {
    coming_.erase(coming_.begin(), std::ranges::lower_bound(coming_, now));
    return misses_ + coming_.size();
}

void Llc::account_memory(Cycles now) {
    const bool owed = in_flight() != 0 || !victims_.empty();
    account_.set(LlcActivity::Memory, now, owed ? account_.kOpen : answered_);
}

void Llc::on_response(Payload& payload, Cycles at) {
    const Cycles now = clock_.now();
    answered_ = std::max(answered_, at);
    if (const auto own = std::find(own_sent_.begin(), own_sent_.end(), &payload);
        own != own_sent_.end()) {
        own_sent_.erase(own);
        payload.release();
        return account_memory(now);
    }
    --misses_;
    const Cycles comes = std::max(at, now);
    coming_.insert(std::ranges::upper_bound(coming_, comes), comes);
    signals.misses.add(-1, comes);
    account_memory(now);
    if (stalled_) wakeup_.at(std::max(coming_.front(), now) + kArrival);
    account_.extend(LlcActivity::Returning, now, at + Cycles(return_cycles()));
    queue_.respond(payload, at + Cycles(return_cycles()));
}

}  // namespace gen9::memory
