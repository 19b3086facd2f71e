// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/slm_rtl.h"

#include <verilated.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "Vgen9_slm.h"
#include "Vgen9_slm___024root.h"
#include "common/check.h"

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

}  // namespace

SlmRtl::SlmRtl(sc_core::sc_module_name module_name, Environment& env, const Clock& clock)
    : sc_core::sc_module(module_name),
      params(env.config, name()),
      stats(name()),
      env_(env),
      clock_(clock),
      context_(std::make_unique<VerilatedContext>()),
      pins_(std::make_unique<Vgen9_slm>(context_.get())),
      queue_(mem_in, clock, params.queue),
      wakeup_(clock),
      in_flight_(kIds) {
    if (params.latency < 2)
        throw UserError(std::string(name()) + ".latency must be at least 2 for the RTL");
    if (params.queue > 8)
        throw UserError(std::string(name()) +
                        ".queue must be at most 8 for the RTL, which has so many places");
    env.params.push_back(&params);
    env.stats.add(stats);
    for (unsigned id = kIds; id-- > 0;)
        free_ids_.push_back(id);
    mem_in.on_blocking = [this](Payload& p, sc_core::sc_time& delay) { blocking(p, delay); };
    mem_in.on_debug = [this](Payload& p) { return debug(p); };
    mem_in.on_forward = [this](Payload& p, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        const auto answer = queue_.begin(p, phase, delay, kArrival);
        if (!queue_.empty()) wakeup_.at(queue_.back().ready);
        return answer;
    };
    wakeup_.runs<&SlmRtl::process>(this);
    pins_->latency = static_cast<SData>(params.latency.get());
    pins_->request_valid = 0;
    pins_->reset_n = 0;
    edge();
    pins_->reset_n = 1;
    pins_->eval();
}

SlmRtl::~SlmRtl() {
    pins_->final();
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
        GEN9_CHECK(pins_->request_ready, std::string(name()) + ": more requests than places");
        offer(*queue_[given_].payload);
        ++given_;
        last_answer_ = now;
    }
    pins_->request_valid = offered;
    edge();
    // 2. Places that are free again.
    for (unsigned left = pins_->served; left > 0; --left) {
        stats.wait_cycles += (now - queue_.front().ready).value;
        --given_;
        queue_.pop();
    }
    // 3. Responses.
    answer(false);
    if (answers_ == 0) last_answer_ = now;
    const std::uint64_t limit = params.latency + kMostOccupied * (params.queue + 1) + 16;
    if ((now - last_answer_).value > limit) {
        env_.stop(std::string(name()) + ": the RTL has not answered for " + std::to_string(limit) +
                  " cycles: " + pins_text());
        return;
    }
    if (given_ < queue_.size()) wakeup_.at(std::max(queue_[given_].ready, now + Cycles(1)));
    if (answers_ != 0 || pins_->reading || pins_->writing || given_ != 0)
        wakeup_.at(now + Cycles(1));
}

bool SlmRtl::fits(const Payload& payload) const {
    const auto& attributes = attributes_of(payload);
    return attributes.operation == MemoryAttributes::Operation::Lanes &&
           attributes.lanes.width_bytes <= 8;
}

void SlmRtl::offer(Payload& payload) {
    GEN9_CHECK(fits(payload), std::string(name()) + ": an access that local memory never gets");
    GEN9_CHECK(!free_ids_.empty(), std::string(name()) + ": more requests in flight than ids");
    const LaneAccess& lanes = *lanes_of(payload);
    const unsigned id = free_ids_.back();
    free_ids_.pop_back();
    in_flight_[id] = &payload;
    ++answers_;
    pins_->request_id = static_cast<SData>(id);
    pins_->request_kind = static_cast<CData>(lanes.kind);
    pins_->request_op = static_cast<CData>(lanes.op);
    pins_->request_width = lanes.width_bytes;
    pins_->request_lanes = lanes.count;
    for (unsigned lane = 0; lane < lanes.count; ++lane) {
        const auto address = static_cast<std::uint16_t>(payload.get_address() + lanes.offset[lane]);
        std::uint32_t& pair = pins_->request_address[lane / 2];
        const unsigned shift = lane % 2 * 16;
        pair = (pair & ~(0xFFFFu << shift)) | std::uint32_t{address} << shift;
        pins_->request_source0[2 * lane] = static_cast<std::uint32_t>(lanes.source0[lane]);
        pins_->request_source0[2 * lane + 1] =
            static_cast<std::uint32_t>(lanes.source0[lane] >> 32);
        pins_->request_source1[2 * lane] = static_cast<std::uint32_t>(lanes.source1[lane]);
        pins_->request_source1[2 * lane + 1] =
            static_cast<std::uint32_t>(lanes.source1[lane] >> 32);
    }
    for (std::uint32_t* word = pins_->request_enable; word != pins_->request_enable + 4; ++word)
        *word = ~0u;
    count(payload);
}

void SlmRtl::count(const Payload& payload) {
    const LaneAccess& lanes = attributes_of(payload).lanes;
    switch (lanes.kind) {
        case LaneAccess::Kind::Read:
            ++stats.reads;
            break;
        case LaneAccess::Kind::Write:
            ++stats.writes;
            break;
        case LaneAccess::Kind::Atomic:
            ++stats.atomics;
            break;
    }
    stats.lanes += lanes.count;
    stats.bytes += std::uint64_t{lanes.count} * lanes.width_bytes;
}

void SlmRtl::answer(bool blocking) {
    // The pipes are busy in this clock.
    if (pins_->reading) ++stats.read_busy_cycles;
    if (pins_->writing) ++stats.write_busy_cycles;
    if (pins_->read_valid) finish(pins_->read_id, true, blocking);
    if (pins_->write_valid) finish(pins_->write_id, false, blocking);
}

void SlmRtl::finish(unsigned id, bool read, bool blocking) {
    Payload* const payload = in_flight_[id];
    GEN9_CHECK(payload != nullptr,
               std::string(name()) + ": a response nobody asked for: " + pins_text());
    in_flight_[id] = nullptr;
    free_ids_.push_back(id);
    --answers_;
    last_answer_ = clock_.now();
    LaneAccess& lanes = *lanes_of(*payload);
    if (read)
        for (unsigned lane = 0; lane < lanes.count; ++lane)
            lanes.result[lane] = pins_->read_result[2 * lane] |
                                 std::uint64_t{pins_->read_result[2 * lane + 1]} << 32;
    payload->set_response_status(tlm::TLM_OK_RESPONSE);
    if (!blocking) queue_.respond(*payload, clock_.now());
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
    std::uint64_t edges = 0;
    for (; answers_ != 0; ++edges) {
        edge();
        pins_->request_valid = 0;
        answer(true);
        GEN9_CHECK(edges < params.latency + kMostOccupied + 16,
                   std::string(name()) + ": the RTL does not answer: " + pins_text());
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
    char text[160];
    std::snprintf(
        text, sizeof text,
        "request_valid %u request_ready %u waiting %u reading %u writing %u read_valid %u "
        "write_valid %u, %zu responses owed",
        pins_->request_valid, pins_->request_ready, pins_->waiting, pins_->reading, pins_->writing,
        pins_->read_valid, pins_->write_valid, answers_);
    return text;
}

}  // namespace gen9::platform
