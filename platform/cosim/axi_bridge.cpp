// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/axi_bridge.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "interconnect/payload/lane_access.h"

namespace gen9::platform {
namespace {

constexpr std::uint64_t kBeatMask = AxiPins::kBeatBytes - 1;

LaneAccess* lanes_of(tlm::tlm_generic_payload& payload) {
    auto* attributes = find_attributes(payload);
    const bool lanes = attributes && attributes->operation == MemoryAttributes::Operation::Lanes;
    return lanes ? &attributes->lanes : nullptr;
}

std::uint64_t line_of(const tlm::tlm_generic_payload& payload) {
    return payload.get_address() / kLineBytes;
}

}  // namespace

AxiBridge::AxiBridge(sc_core::sc_module_name module_name, Environment& env, const Clock& clock,
                     std::unique_ptr<AxiTarget> target,
                     std::function<unsigned(tlm::tlm_generic_payload&)> debug)
    : sc_core::sc_module(module_name),
      DramBlock(env),
      params(env.config, name()),
      stats(name()),
      env_(env),
      clock_(clock),
      target_(std::move(target)),
      queue_(mem_in, clock, params.queue),
      wakeup_(clock) {
    enlist(env, params, stats);
    mem_in.on_blocking = [this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); };
    mem_in.on_debug = std::move(debug);
    mem_in.on_forward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        const auto answer = queue_.begin(p, phase, delay, kArrival);
        if (!queue_.empty()) wakeup_.at(queue_.back().ready);
        return answer;
    };
    wakeup_.runs<&AxiBridge::process>(this);
    pins_.bready = pins_.rready = true;
    target_->edge(pins_);  // from now on its pins are known
}

void AxiBridge::process() {
    const Cycles now = clock_.now();
    // 1. The edge that begins this cycle.
    edge();
    answer_finished();
    // 2. One request a cycle goes to a free id, unless an older one has its line.
    if (queue_.ready(now) && under_way_ < params.outstanding) {
        Payload& payload = *queue_.front().payload;
        if (line_is_busy(payload)) {
            ++stats.held_cycles;
        } else if (start(payload, false)) {
            queue_.pop();
        } else {
            queue_.respond(queue_.pop(), now);  // refused: its status says why
        }
    }
    drive();
    if (dead()) return;
    if (under_way_ != 0)
        wakeup_.at(now + Cycles(1));
    else if (!queue_.empty())
        wakeup_.at(std::max(queue_.front().ready, now + Cycles(1)));
}

bool AxiBridge::line_is_busy(const Payload& payload) const {
    return std::any_of(slots_.begin(), slots_.end(), [&](const Slot& slot) {
        return slot.step != Slot::Step::Free && line_of(*slot.payload) == line_of(payload);
    });
}

bool AxiBridge::start(Payload& payload, bool blocking) {
    const LaneAccess* const lanes = lanes_of(payload);
    const unsigned length = lanes ? kLineBytes : payload.get_data_length();
    if (length == 0 || length > kLineBytes ||
        payload.get_address() + length > std::uint64_t{1} << 40) {
        payload.set_response_status(length > kLineBytes ? tlm::TLM_BURST_ERROR_RESPONSE
                                                        : tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return false;
    }
    Slot& slot = *std::find_if(slots_.begin(), slots_.end(), [](const Slot& candidate) {
        return candidate.step == Slot::Step::Free;
    });
    slot = Slot();
    slot.payload = &payload;
    slot.blocking = blocking;
    slot.age = ++started_;
    ++under_way_;
    const std::uint64_t address = lanes ? line_of(payload) * kLineBytes : payload.get_address();
    const auto offset = static_cast<unsigned>(address & kBeatMask);
    slot.address = address - offset;
    slot.beats = (offset + length + AxiPins::kBeatBytes - 1) / AxiPins::kBeatBytes;
    slot.reads_first = lanes != nullptr;
    if (!lanes && payload.is_write()) {
        const unsigned char* const enables = payload.get_byte_enable_ptr();
        const unsigned period = payload.get_byte_enable_length();
        for (unsigned i = 0; i < length; ++i) {
            slot.data[offset + i] = payload.get_data_ptr()[i];
            if (enables != nullptr && period != 0 && enables[i % period] == 0) continue;
            const unsigned byte = offset + i;
            if (byte < 64)
                slot.strobes_low |= std::uint64_t{1} << byte;
            else
                slot.strobes_high =
                    static_cast<std::uint16_t>(slot.strobes_high | 1u << (byte - 64));
        }
    }
    begin_burst(slot, !lanes && payload.is_write());
    return true;
}

void AxiBridge::begin_burst(Slot& slot, bool write) {
    slot.write = write;
    slot.beat = 0;
    slot.step = Slot::Step::Address;
    slot.turn = ++turns_;
    ++(write ? stats.writes : stats.reads);
}

AxiBridge::Slot* AxiBridge::slot_in(Slot::Step step, bool write) {
    Slot* oldest = nullptr;
    for (Slot& slot : slots_)
        if (slot.step == step && slot.write == write && (!oldest || slot.turn < oldest->turn))
            oldest = &slot;
    return oldest;
}

void AxiBridge::edge() {
    const std::string broken = checker_.check(pins_);
    if (!broken.empty()) env_.stop(std::string(name()) + ": the AXI protocol is broken: " + broken);
    const AxiPins before = pins_;
    target_->edge(pins_);
    take_handshakes(before);
}

void AxiBridge::take_handshakes(const AxiPins& before) {
    bool any = false;
    if (before.awvalid && before.awready) {
        slots_[before.awid].step = Slot::Step::Data;
        slots_[before.awid].turn = ++turns_;
        aw_ = -1;
        any = true;
    }
    if (before.wvalid && before.wready) {
        Slot& slot = slots_[static_cast<unsigned>(w_)];
        if (++slot.beat == slot.beats) {
            slot.step = Slot::Step::Answer;
            w_ = -1;
        }
        any = true;
    }
    if (before.arvalid && before.arready) {
        slots_[before.arid].step = Slot::Step::Answer;
        ar_ = -1;
        any = true;
    }
    if (before.rvalid && before.rready) {
        Slot& slot = slots_[before.rid];
        if (slot.step == Slot::Step::Answer && !slot.write && slot.beat < slot.beats) {
            std::memcpy(&slot.data[slot.beat * AxiPins::kBeatBytes], before.rdata.data(),
                        AxiPins::kBeatBytes);
            slot.response = std::max(slot.response, before.rresp);
            if (++slot.beat == slot.beats) finish(slot);
        }
        any = true;
    }
    if (before.bvalid && before.bready) {
        Slot& slot = slots_[before.bid];
        if (slot.step == Slot::Step::Answer && slot.write) {
            slot.response = std::max(slot.response, before.bresp);
            finish(slot);
        }
        any = true;
    }
    quiet_edges_ = any || under_way_ == 0 ? 0 : quiet_edges_ + 1;
}

void AxiBridge::finish(Slot& slot) {
    Payload& payload = *slot.payload;
    LaneAccess* const lanes = lanes_of(payload);
    if (lanes && slot.reads_first && slot.response == 0) {
        slot.reads_first = false;
        perform_lanes(*lanes, {slot.data.data(), kLineBytes},
                      static_cast<std::uint32_t>(payload.get_address() % kLineBytes));
        if (lanes->kind != LaneAccess::Kind::Read) {
            slot.strobes_low = ~std::uint64_t{0};
            return begin_burst(slot, true);
        }
    }
    if (!lanes && payload.is_read()) {
        const auto offset = static_cast<unsigned>(payload.get_address() & kBeatMask);
        std::memcpy(payload.get_data_ptr(), &slot.data[offset], payload.get_data_length());
    }
    payload.set_response_status(slot.response == 0   ? tlm::TLM_OK_RESPONSE
                                : slot.response == 3 ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                                     : tlm::TLM_GENERIC_ERROR_RESPONSE);
    slot.step = Slot::Step::Done;
}

void AxiBridge::answer_finished() {
    for (Slot& slot : slots_) {
        if (slot.step != Slot::Step::Done || slot.blocking) continue;
        const bool older = std::any_of(slots_.begin(), slots_.end(), [&](const Slot& other) {
            return other.step != Slot::Step::Free && other.age < slot.age;
        });
        if (older) ++stats.reordered;
        slot.step = Slot::Step::Free;
        --under_way_;
        queue_.respond(*slot.payload, clock_.now());
    }
}

void AxiBridge::drive() {
    if (aw_ < 0)
        if (Slot* slot = slot_in(Slot::Step::Address, true)) {
            aw_ = static_cast<int>(slot - slots_.data());
            pins_.awaddr = slot->address;
            pins_.awid = static_cast<std::uint8_t>(aw_);
            pins_.awlen = static_cast<std::uint8_t>(slot->beats - 1);
        }
    pins_.awvalid = aw_ >= 0;
    // The data of bursts come in the order in which their addresses were taken: W has no ids.
    if (w_ < 0)
        if (Slot* slot = slot_in(Slot::Step::Data, true))
            w_ = static_cast<int>(slot - slots_.data());
    pins_.wvalid = w_ >= 0;
    if (w_ >= 0) {
        const Slot& slot = slots_[static_cast<unsigned>(w_)];
        std::memcpy(pins_.wdata.data(), &slot.data[slot.beat * AxiPins::kBeatBytes],
                    AxiPins::kBeatBytes);
        pins_.wstrb = slot.beat < 4 ? static_cast<std::uint16_t>(slot.strobes_low >> 16 * slot.beat)
                                    : slot.strobes_high;
        pins_.wlast = slot.beat + 1 == slot.beats;
    }
    if (ar_ < 0)
        if (Slot* slot = slot_in(Slot::Step::Address, false)) {
            ar_ = static_cast<int>(slot - slots_.data());
            pins_.araddr = slot->address;
            pins_.arid = static_cast<std::uint8_t>(ar_);
            pins_.arlen = static_cast<std::uint8_t>(slot->beats - 1);
        }
    pins_.arvalid = ar_ >= 0;
}

std::string AxiBridge::pins_text() const {
    char text[256];
    std::snprintf(text, sizeof text,
                  "awvalid %u awready %u wvalid %u wready %u arvalid %u arready %u bvalid %u "
                  "bready %u rvalid %u rready %u",
                  pins_.awvalid, pins_.awready, pins_.wvalid, pins_.wready, pins_.arvalid,
                  pins_.arready, pins_.bvalid, pins_.bready, pins_.rvalid, pins_.rready);
    return text;
}

bool AxiBridge::dead() {
    if (quiet_edges_ < params.answer_limit) return false;
    env_.stop(std::string(name()) + ": no AXI handshake for " +
              std::to_string(params.answer_limit.get()) + " cycles with " +
              std::to_string(under_way_) + " transactions under way: " + pins_text());
    return true;
}

bool AxiBridge::block(Payload& piece, std::uint64_t& edges) {
    const auto tick = [&] {
        drive();
        edge();
        ++edges;
        answer_finished();
        return !dead();
    };
    while (under_way_ == AxiPins::kIds || line_is_busy(piece))
        if (!tick()) return false;
    if (!start(piece, true)) return true;
    Slot& slot = *std::find_if(slots_.begin(), slots_.end(), [&](const Slot& candidate) {
        return candidate.step != Slot::Step::Free && candidate.payload == &piece;
    });
    bool alive = true;
    while (alive && slot.step != Slot::Step::Done)
        alive = tick();
    slot.step = Slot::Step::Free;
    --under_way_;
    return alive;
}

// Any length: line by line, each after what is under way to its line.
void AxiBridge::blocking(Payload& payload, sc_core::sc_time& delay) {
    std::uint64_t edges = 0;
    const bool lanes = lanes_of(payload) != nullptr;
    const std::uint64_t begin = payload.get_address();
    const std::uint64_t end = begin + (lanes ? 1 : payload.get_data_length());
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    const unsigned period = payload.get_byte_enable_length();
    tlm::tlm_generic_payload part;
    std::array<unsigned char, kLineBytes> enabled{};
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    for (std::uint64_t at = begin; at < end && payload.is_response_ok();) {
        const std::uint64_t next = lanes ? end : std::min(end, (at / kLineBytes + 1) * kLineBytes);
        Payload* piece = &payload;
        if (!lanes) {
            const auto length = static_cast<unsigned>(next - at);
            part.set_command(payload.get_command());
            part.set_address(at);
            part.set_data_ptr(payload.get_data_ptr() + (at - begin));
            part.set_data_length(length);
            part.set_streaming_width(length);
            for (unsigned i = 0; i < length; ++i)
                enabled[i] = enables && period ? enables[(at - begin + i) % period] : 0xFF;
            part.set_byte_enable_ptr(enabled.data());
            part.set_byte_enable_length(length);
            piece = &part;
        }
        const bool alive = block(*piece, edges);
        payload.set_response_status(alive ? piece->get_response_status()
                                          : tlm::TLM_GENERIC_ERROR_RESPONSE);
        at = next;
    }
    drive();
    if (env_.timed()) {
        delay += clock_.time(Cycles(edges));
        if (under_way_ != 0) wakeup_.at(clock_.now() + Cycles(1));
    }
}

}  // namespace gen9::platform
