// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/slm_rtl.h"

#include "platform/cosim/verilated_model.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "Vgen9_slm.h"
#include "Vgen9_slm___024root.h"
#include "common/check.h"
#include "platform/cosim/beside.h"
#include "slm/core.h"

namespace gen9::platform {
namespace {

constexpr std::uint32_t kBytes = 64 * 1024;
constexpr unsigned kIds = 1u << 12;
/// Most words of one bank in a request: 16 lanes of two words, of an atomic.
constexpr std::uint64_t kMostOccupied = 32;

LaneAccess* lanes_of(tlm::tlm_generic_payload& payload) {
    auto* attributes = find_attributes(payload);
    const bool lanes = attributes && attributes->operation == MemoryAttributes::Operation::Lanes;
    return lanes ? &attributes->lanes : nullptr;
}

/// A run of 1 to 64 bytes as lanes. The last one ends with the run: where the length is no multiple
/// of the width it overlaps the one before, with the same bytes.
struct Run {
    unsigned length, width, lanes;
    explicit Run(unsigned bytes)
        : length(bytes),
          width(bytes >= 8   ? 8
                : bytes >= 4 ? 4
                : bytes >= 2 ? 2
                             : 1),
          lanes((bytes + width - 1) / width) {}
    unsigned offset(unsigned lane) const { return std::min(lane * width, length - width); }
};

/// Is it something the pins can say?
bool fits(tlm::tlm_generic_payload& payload) {
    if (const LaneAccess* lanes = lanes_of(payload))
        return lanes->width_bytes <= 8 && lanes->count <= LaneAccess::kMaxLanes;
    return payload.get_data_length() >= 1 && payload.get_data_length() <= kLineBytes &&
           payload.get_command() != tlm::TLM_IGNORE_COMMAND;
}

}  // namespace

SlmRtl::SlmRtl(sc_core::sc_module_name module_name, Environment& env, const Clock& clock)
    : sc_core::sc_module(module_name),
      SlmBlock(env),
      params(env.config, name()),
      stats(name()),
      signals(name()),
      env_(env),
      clock_(clock),
      context_(new_context()),
      pins_(std::make_unique<Vgen9_slm>(context_.get())),
      queue_(mem_in, clock, params.queue),
      wakeup_(clock),
      in_flight_(kIds) {
    if (params.latency < 2)
        throw UserError(std::string(name()) + ".latency must be at least 2 for the RTL");
    if (params.queue > 8)
        throw UserError(std::string(name()) +
                        ".queue must be at most 8 for the RTL, which has so many places");
    if (params.banks != slm::SlmCore::kBanks)
        throw UserError(std::string(name()) + ".banks must be 16 for the RTL");
    enlist(env, params, stats, signals);
    for (unsigned id = kIds; id-- > 0;)
        free_ids_.push_back(id);
    mem_in.on_blocking = [this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); };
    mem_in.on_debug = [this](Payload& p) { return debug(p); };
    mem_in.on_forward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        if (phase == tlm::BEGIN_REQ && !fits(p)) {
            p.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
            return tlm::TLM_COMPLETED;
        }
        const auto answer = queue_.begin(p, phase, delay, kArrival);
        if (!queue_.empty()) wakeup_.at(queue_.back().ready);
        return answer;
    };
    wakeup_.runs<&SlmRtl::process>(this);
    // In functional mode nobody waits, so the RTL answers as soon as it can.
    pins_->latency = static_cast<SData>(env.timed() ? params.latency.get() : 2);
    pins_->request_valid = 0;
    pins_->reset_n = 0;
    edge();
    pins_->reset_n = 1;
    pins_->eval();
    signals.request_ready.start_with(unsigned{pins_->request_ready});
}

SlmRtl::~SlmRtl() {
    end_model(*context_, pins_);
}

void SlmRtl::show(Cycles now) {
    signals.request_ready.set(unsigned{pins_->request_ready}, now);
    signals.waiting.set(unsigned{pins_->waiting}, now);
    signals.served.set(unsigned{pins_->served}, now);
    signals.reading.set(unsigned{pins_->reading}, now);
    signals.writing.set(unsigned{pins_->writing}, now);
    signals.read_valid.set(unsigned{pins_->read_valid}, now);
    signals.write_valid.set(unsigned{pins_->write_valid}, now);
    if (pins_->read_valid) {
        signals.read_id.set(unsigned{pins_->read_id}, now);
        signals.read_result.set(pins_->read_result[0] | std::uint64_t{pins_->read_result[1]} << 32,
                                now);
    }
    if (pins_->write_valid) signals.write_id.set(unsigned{pins_->write_id}, now);
}

bool SlmRtl::idle() const {
    return queue_.empty() && answers_ == 0 && !pins_->reading && !pins_->writing;
}

void SlmRtl::edge() {
    pins_->clk = 0;
    pins_->eval();
    pins_->clk = 1;
    pins_->eval();
}

void SlmRtl::process() {
    const Cycles now = clock_.now();
    // 1. What arrived before this cycle stands on the pins at the edge that begins it.
    const bool offered = given_ < queue_.size() && queue_[given_].ready <= now;
    if (offered) {
        if (!pins_->request_ready)
            return env_.stop(std::string(name()) +
                             ": the RTL takes no request although it has given back the places of "
                             "all but " +
                             std::to_string(given_) + ": " + pins_text());
        if (answers_ == 0) last_answer_ = now;
        offer(*queue_[given_].payload);
        ++given_;
    }
    pins_->request_valid = offered;
    if (signals.watched()) [[unlikely]] {
        signals.request_valid.set(offered, now);
        if (offered) {
            signals.request_id.set(unsigned{pins_->request_id}, now);
            signals.request_kind.set(unsigned{pins_->request_kind}, now);
            signals.trace_id.set(attributes_of(*queue_[given_ - 1].payload).trace_id, now);
        }
    }
    edge();
    if (signals.watched()) [[unlikely]]
        show(now);
    // 2. Places that are free again.
    if (pins_->served > given_)
        return env_.stop(std::string(name()) +
                         ": the RTL has served more than it has: " + pins_text());
    for (unsigned left = pins_->served; left > 0; --left) {
        stats.wait_cycles += (now - queue_.front().ready).value;
        --given_;
        started(queue_.pop());
    }
    // 3. Responses.
    answer(false);
    if (answers_ == 0) last_answer_ = now;
    if ((now - last_answer_).value > limit()) return not_answered();
    if (given_ < queue_.size()) wakeup_.at(std::max(queue_[given_].ready, now + Cycles(1)));
    // One more edge after the last response takes it from the pins.
    if (answers_ != 0 || pins_->reading || pins_->writing || given_ != 0 || offered ||
        pins_->read_valid || pins_->write_valid)
        wakeup_.at(now + Cycles(1));
}

/// Cycles in which an RTL that works answers one of the requests it has.
std::uint64_t SlmRtl::limit() const {
    return params.latency + kMostOccupied * (params.queue + 1) + 16;
}

void SlmRtl::not_answered() {
    std::string owed;
    for (const Payload* payload : in_flight_)
        if (payload != nullptr && owed.empty()) owed = "; owed: " + transaction_text(*payload);
    env_.stop(std::string(name()) + ": the RTL has not answered for " + std::to_string(limit()) +
              " cycles: " + pins_text() + owed);
}

void SlmRtl::offer_lane(unsigned lane, std::uint64_t address, std::uint64_t source0,
                        std::uint64_t source1, unsigned enable) {
    const auto put = [](std::uint32_t& word, unsigned shift, std::uint32_t mask,
                        std::uint64_t value) {
        word = (word & ~(mask << shift)) | (static_cast<std::uint32_t>(value) & mask) << shift;
    };
    put(pins_->request_address[lane / 2], lane % 2 * 16, 0xFFFF, address);
    put(pins_->request_enable[lane / 4], lane % 4 * 8, 0xFF, enable);
    pins_->request_source0[2 * lane] = static_cast<std::uint32_t>(source0);
    pins_->request_source0[2 * lane + 1] = static_cast<std::uint32_t>(source0 >> 32);
    pins_->request_source1[2 * lane] = static_cast<std::uint32_t>(source1);
    pins_->request_source1[2 * lane + 1] = static_cast<std::uint32_t>(source1 >> 32);
}

void SlmRtl::offer_run(const Payload& payload) {
    const unsigned length = payload.get_data_length();
    const Run run(length);
    const unsigned char* const data = payload.get_data_ptr();
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    const unsigned period = payload.get_byte_enable_length();
    pins_->request_kind = payload.is_write() ? 1 : 0;
    pins_->request_op = 0;
    pins_->request_width = static_cast<CData>(run.width);
    pins_->request_lanes = static_cast<CData>(run.lanes);
    for (unsigned lane = 0; lane < run.lanes; ++lane) {
        const unsigned from = run.offset(lane);
        std::uint64_t value = 0;
        unsigned enable = 0;
        for (unsigned i = 0; i < run.width; ++i) {
            value |= std::uint64_t{data[from + i]} << 8 * i;
            if (enables == nullptr || period == 0 || enables[(from + i) % period] != 0)
                enable |= 1u << i;
        }
        offer_lane(lane, payload.get_address() + from, value, 0, enable);
    }
}

void SlmRtl::offer(Payload& payload) {
    GEN9_CHECK(!free_ids_.empty(), std::string(name()) + ": more requests in flight than ids");
    const unsigned id = free_ids_.back();
    free_ids_.pop_back();
    in_flight_[id] = &payload;
    ++answers_;
    pins_->request_id = static_cast<SData>(id);
    if (const LaneAccess* lanes = lanes_of(payload)) {
        pins_->request_kind = static_cast<CData>(lanes->kind);
        pins_->request_op = static_cast<CData>(lanes->op);
        pins_->request_width = lanes->width_bytes;
        pins_->request_lanes = lanes->count;
        for (unsigned lane = 0; lane < lanes->count; ++lane)
            offer_lane(lane, payload.get_address() + lanes->offset[lane], lanes->source0[lane],
                       lanes->source1[lane], 0xFF);
    } else {
        offer_run(payload);
    }
    count(payload);
}

void SlmRtl::count(const Payload& payload) {
    ++(pins_->request_kind == 0   ? stats.reads
       : pins_->request_kind == 1 ? stats.writes
                                  : stats.atomics);
    const MemoryAttributes& attributes = attributes_of(payload);
    if (attributes.operation == MemoryAttributes::Operation::Lanes) {
        stats.lanes += attributes.lanes.count;
        stats.bytes += std::uint64_t{attributes.lanes.count} * attributes.lanes.width_bytes;
    } else {
        stats.bytes += payload.get_data_length();
    }
}

void SlmRtl::started(Payload& payload) {
    const LaneAccess* const lanes = lanes_of(payload);
    const bool atomic = lanes && lanes->kind == LaneAccess::Kind::Atomic;
    const bool write = lanes ? lanes->kind == LaneAccess::Kind::Write : payload.is_write();
    began_read_ |= !write;
    began_write_ |= write || atomic;
    if (write || atomic) write_is_atomic_ = atomic;
}

void SlmRtl::answer(bool blocking) {
    // The pipes are busy in this clock; beyond a request's first it is with conflicts. An atomic
    // has both, and its conflicts count once.
    if (pins_->reading) ++stats.read_busy_cycles;
    if (pins_->writing) ++stats.write_busy_cycles;
    if (pins_->reading && !began_read_) ++stats.conflict_cycles;
    if (pins_->writing && !began_write_ && !write_is_atomic_) ++stats.conflict_cycles;
    began_read_ = began_write_ = false;
    if (pins_->read_valid) finish(pins_->read_id, true, blocking);
    if (pins_->write_valid) finish(pins_->write_id, false, blocking);
}

void SlmRtl::finish(unsigned id, bool read, bool blocking) {
    Payload* const payload = in_flight_[id];
    if (payload == nullptr)
        return env_.stop(std::string(name()) + ": a response nobody asked for: " + pins_text());
    in_flight_[id] = nullptr;
    free_ids_.push_back(id);
    --answers_;
    last_answer_ = clock_.now();
    if (read) take_result(*payload);
    payload->set_response_status(tlm::TLM_OK_RESPONSE);
    if (!blocking) queue_.respond(*payload, clock_.now());
}

void SlmRtl::take_result(Payload& payload) const {
    const auto result = [this](unsigned lane) {
        return pins_->read_result[2 * lane] | std::uint64_t{pins_->read_result[2 * lane + 1]} << 32;
    };
    if (LaneAccess* lanes = lanes_of(payload)) {
        for (unsigned lane = 0; lane < lanes->count; ++lane)
            lanes->result[lane] = result(lane);
        return;
    }
    const Run run(payload.get_data_length());
    for (unsigned lane = 0; lane < run.lanes; ++lane)
        for (unsigned i = 0; i < run.width; ++i)
            payload.get_data_ptr()[run.offset(lane) + i] =
                static_cast<std::uint8_t>(result(lane) >> 8 * i);
}

void SlmRtl::blocking(Payload& payload, sc_core::sc_time& delay) {
    if (!fits(payload)) {
        payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
        return;
    }
    GEN9_CHECK(queue_.empty() && answers_ == 0,
               std::string(name()) + ": a blocking access among others");
    offer(payload);
    pins_->request_valid = 1;
    started(payload);
    std::uint64_t edges = 0;
    for (; answers_ != 0 && edges < limit(); ++edges) {
        edge();
        pins_->request_valid = 0;
        answer(true);
    }
    if (answers_ != 0) {
        payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
        return not_answered();
    }
    if (env_.timed()) delay += clock_.time(Cycles(edges));
}

unsigned SlmRtl::debug(Payload& payload) {
    const unsigned length = std::min(payload.get_data_length(), kBytes);
    auto& bytes = pins_->rootp->gen9_slm__DOT__bytes;
    for (unsigned i = 0; i < length; ++i) {
        const auto at = static_cast<std::uint16_t>(payload.get_address() + i);
        if (payload.is_read())
            payload.get_data_ptr()[i] = bytes[at];
        else if (payload.is_write())
            bytes[at] = payload.get_data_ptr()[i];
    }
    return payload.get_command() == tlm::TLM_IGNORE_COMMAND ? 0 : length;
}

std::string SlmRtl::pins_text() const {
    char text[256];
    std::snprintf(text, sizeof text,
                  "reset_n %u, latency %u, request_valid %u, request_ready %u, request_id %u, "
                  "waiting %u, served %u, reading %u, writing %u, read_valid %u, read_id %u, "
                  "write_valid %u, write_id %u, %zu responses owed",
                  pins_->reset_n, pins_->latency, pins_->request_valid, pins_->request_ready,
                  pins_->request_id, pins_->waiting, pins_->served, pins_->reading, pins_->writing,
                  pins_->read_valid, pins_->read_id, pins_->write_valid, pins_->write_id, answers_);
    return text;
}

}  // namespace gen9::platform
