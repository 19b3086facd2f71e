// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/jitter.h"

#include <algorithm>
#include <string_view>

#include "common/check.h"

namespace gen9::platform {
namespace {

constexpr Cycles kNext(1);

std::uint64_t line_of(const tlm::tlm_generic_payload& payload) {
    return payload.get_address() / kLineBytes;
}

/// Instances of one seed draw different numbers.
std::uint64_t mix(std::uint64_t seed, std::string_view name) {
    std::uint64_t hash = 1469598103934665603u ^ seed;
    for (const char letter : name)
        hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211u;
    return hash;
}

}  // namespace

Jitter::Jitter(sc_core::sc_module_name module_name, const Clock& clock, std::uint64_t most,
               std::uint64_t seed, Order order)
    : sc_core::sc_module(module_name),
      clock_(clock),
      most_(most),
      order_(order),
      request_delays_(mix(seed, name())),
      answer_delays_(mix(~seed, name())),
      port_(mem_out, clock),
      wakeup_(clock) {
    mem_in.on_blocking = [this](Payload& p, sc_core::sc_time& d) { mem_out->b_transport(p, d); };
    mem_in.on_debug = [this](Payload& p) { return mem_out->transport_dbg(p); };
    mem_in.on_direct = [this](Payload& p, tlm::tlm_dmi& d) {
        return mem_out->get_direct_mem_ptr(p, d);
    };
    mem_in.on_forward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        return take(p, phase, delay);
    };
    mem_out.on_invalidate = [this](std::uint64_t start, std::uint64_t end) {
        mem_in->invalidate_direct_mem_ptr(start, end);
    };
    port_.on_response = [this](Payload& p, Cycles at) { answer(p, at); };
    port_.on_room = [this] { wakeup_.at(clock_.now() + kNext); };
    wakeup_.runs<&Jitter::process>(this);
}

// Most times are short, and a quarter long: it takes one that is far longer than several others
// together to turn their order round. Numbers by SplitMix64 (public domain, Sebastiano Vigna).
Cycles Jitter::draw(std::uint64_t& state) const {
    std::uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    constexpr std::uint64_t kShort = 16;
    const std::uint64_t bound = z >> 62 == 0 ? most_ : most_ / kShort;
    return Cycles(z % (bound + 1));
}

tlm::tlm_sync_enum Jitter::take(Payload& payload, tlm::tlm_phase& phase,
                                const sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
    GEN9_CHECK(!end_request_owed_, std::string(name()) + ": a request before the last's END_REQ");
    const Cycles arrival = clock_.after(delay);
    held_.push_back({&payload, arrival + kNext + draw(request_delays_)});
    wakeup_.at(held_.back().due);
    if (held_.size() <= kRoom) {
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    }
    end_request_owed_ = true;
    return tlm::TLM_ACCEPTED;
}

bool Jitter::may_pass(std::size_t index) const {
    if (order_ == Order::OfAll) return index == 0;
    const Payload& payload = *held_[index].payload;
    const auto ordered = [&](const Held& older) {
        if (line_of(*older.payload) != line_of(payload)) return false;
        return order_ == Order::OfLine ||
               attributes_of(*older.payload).thread == attributes_of(payload).thread;
    };
    return std::none_of(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(index), ordered);
}

void Jitter::process() {
    const Cycles now = clock_.now();
    if (!port_.can_send() || held_.empty()) return;
    Cycles next = held_.front().due;
    for (std::size_t i = 0; i < held_.size(); ++i) {
        if (!may_pass(i)) continue;
        if (held_[i].due <= now && next_send_ <= now) {
            pass(i, now);
            if (!held_.empty() && port_.can_send()) wakeup_.at(next_send_);
            return;
        }
        next = std::min(next, held_[i].due);
    }
    wakeup_.at(std::max({next, next_send_, now + kNext}));
}

void Jitter::pass(std::size_t index, Cycles now) {
    Payload& payload = *held_[index].payload;
    held_.erase(held_.begin() + static_cast<std::ptrdiff_t>(index));
    next_send_ = now + kNext;
    if (end_request_owed_) {
        end_request_owed_ = false;
        tlm::tlm_phase phase = tlm::END_REQ;
        sc_core::sc_time delay;
        mem_in->nb_transport_bw(held_.empty() ? payload : *held_.back().payload, phase, delay);
    }
    port_.send(payload, now);
}

void Jitter::answer(Payload& payload, Cycles at) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay = clock_.until(at + draw(answer_delays_));
    mem_in->nb_transport_bw(payload, phase, delay);
}

}  // namespace gen9::platform
