// SPDX-License-Identifier: Apache-2.0
#include "gateway/core.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "common/bits.h"

namespace gen9::gateway {
namespace {

constexpr unsigned kGetTimeStamp = 3;
constexpr unsigned kBarrierMsg = 4;

std::uint32_t dword(const Grf& grf, unsigned index) {
    return load<std::uint32_t>(grf.bytes + 4 * index);
}

inline BarrierRequest decode(std::uint32_t m02, std::uint32_t m03) {
    return {.id = static_cast<std::uint8_t>(bits(m02, 31u, 31u) << 4 | bits(m02, 27u, 24u)),
            .predicate_enable = bits(m02, 30u, 30u) != 0,
            .predicate_mask = m03,
            .count_enable = bits(m02, 15u, 15u) != 0,
            .count = static_cast<std::uint8_t>(bits(m02, 14u, 9u))};
}

}  // namespace

QuarterNanoseconds absolute_time(std::uint64_t picoseconds, std::uint64_t hz) {
    constexpr std::uint64_t kMega = 1'000'000, kQuarters = 4'000'000'000;
    const std::uint64_t micro = picoseconds / kMega, rest = picoseconds % kMega;
    const std::uint64_t ticks = (micro * hz + rest * hz / kMega) / kMega;
    return {ticks / hz * kQuarters + ticks % hz * kQuarters / hz};
}

QuarterNanoseconds relative_time(std::uint64_t picoseconds, std::int64_t start) {
    return {(picoseconds - static_cast<std::uint64_t>(start)) / 250};
}

BarrierRequest decode_barrier(const Grf& payload) {
    return decode(dword(payload, 2), dword(payload, 3));
}

GatewayCore::Function GatewayCore::function_of(std::uint32_t descriptor, bool end_of_thread) {
    switch (bits(descriptor, 2u, 0u)) {
        case kGetTimeStamp:
            return Function::TimeStamp;
        case kBarrierMsg:
            return Function::Barrier;
        default:
            return end_of_thread ? Function::EndOfThread : Function::Reserved;
    }
}

BarrierRequest GatewayCore::request_of(const Grf& payload) const {
    BarrierRequest request = decode_barrier(payload);
    request.predicate_enable &= predicated_;
    return request;
}

GatewayCore::Problem GatewayCore::check(const Message& message) const {
    const Function function = function_of(message.descriptor, message.end_of_thread);
    if (function == Function::EndOfThread) return check_end(message);
    if (function == Function::Reserved)
        return {"reserved function " + std::to_string(message.descriptor & 7), true};
    // GW-02: 003:9024-9036.
    if (message.length != 1)
        return {"a gateway message has 1 register, not " + std::to_string(message.length),
                message.length == 0};
    if (message.header_present) return {"header present must be 0"};
    if (bits(message.descriptor, 16u, 3u) != 0) return {"descriptor bits 16:3 must be 0"};
    if (function == Function::Barrier) {
        // GW-03, GW-21: only the predicated form has a response.
        const bool predicated = request_of(message.payload[0]).predicate_enable;
        if (message.response_length != (predicated ? 1 : 0))
            return {predicated ? "a predicated barrier has a response of 1 register"
                               : "a barrier without predicate has no response"};
    }
    return {};
}

GatewayCore::Problem GatewayCore::check_end(const Message& message) {
    if (message.length == 0) return {"end of thread without a payload register"};
    // M0.5[7:0] (003:18203); the ninth bit of parts with more threads is not named there.
    const std::uint32_t fftid = bits(dword(message.payload[0], 5), 7u, 0u);
    if (message.sender && fftid != (message.sender->fftid & 0xFFu))
        return {"end of thread names FFTID " + std::to_string(fftid) + ", the sender has " +
                std::to_string(message.sender->fftid) + "; the sender is ended"};
    return {};
}

GatewayCore::Problem GatewayCore::set_up(unsigned id, unsigned count,
                                         std::vector<Waiting>& abandoned) {
    Barrier& barrier = barriers_[id % kBarriers];
    Problem problem;
    if (barrier.count)
        problem.text = "barrier " + std::to_string(id) + " was given up with " +
                       std::to_string(barrier.count) + " of " +
                       std::to_string(barrier.terminating) +
                       " threads arrived: the others ended without arriving";
    empty(barrier, abandoned);
    barrier.terminating = static_cast<std::uint16_t>(count);
    barrier.global = barrier.met = false;
    return problem;
}

void GatewayCore::give_back(std::vector<Waiting>& returned) {
    for (Barrier& barrier : barriers_)
        empty(barrier, returned);
}

void GatewayCore::empty(Barrier& barrier, std::vector<Waiting>& messages) {
    messages.insert(messages.end(), barrier.waiting.begin(), barrier.waiting.end());
    waiting_ -= barrier.waiting.size();
    barrier.waiting.clear();
    barrier.arrived.fill(0);
    barrier.count = 0;
}

void GatewayCore::arm(unsigned id, unsigned count, std::vector<Waiting>& released) {
    Barrier& barrier = barriers_[id % kBarriers];
    if (barrier.met) release(barrier, released);
    barrier.terminating = static_cast<std::uint16_t>(count);
    barrier.global = true;
    barrier.met = false;
}

void GatewayCore::release(Barrier& barrier, std::vector<Waiting>& released) {
    for (const Waiting& waiting : barrier.waiting) {
        if (waiting.message == nullptr) continue;
        if (request_of(waiting.message->payload[0]).predicate_enable) {
            // GW-21, GW-22: the sum in W0.0[15:0] instead of a notification.
            store(waiting.message->response[0].bytes, barrier.predicate_sum);
            waiting.message->response_enable[0] = 0x3;
        } else {
            waiting.message->notifications = 1;  // n0.0 (GW-08)
        }
    }
    empty(barrier, released);
}

GatewayCore::Arrival GatewayCore::arrive(const Waiting& arrival, std::vector<Waiting>& released) {
    Message& message = *arrival.message;
    const BarrierRequest request = request_of(message.payload[0]);
    Barrier& barrier = barriers_[request.id];
    const auto name = [&request] { return "barrier " + std::to_string(request.id); };
    // GW-17: undefined; the message is answered without a notification and no barrier changes.
    if (barrier.terminating == 0) {
        message.status = MessageStatus::GuestError;
        released.push_back(arrival);
        return {{name() + " is not allocated; the thread is not held"}, false, request.id, 0};
    }
    Problem problem;
    for (const Waiting& waiting : barrier.waiting)
        if (waiting.sender && waiting.sender == arrival.sender)
            problem.text =
                "a thread arrives twice at " + name() + " in one round; both are counted";
    if (barrier.count && barrier.predicated != request.predicate_enable)
        problem.text = "predicated and plain messages meet at " + name();
    // GW-18: 003:9107. The new count stays.
    // GW-35: not at a global barrier, where a gateway knows its own share only.
    if (barrier.global && (request.count_enable || request.predicate_enable))
        problem.text = "a count or a predicate at the global " + name();
    if (barrier.global && barrier.met)
        problem.text = "more threads than its share arrive at the global " + name();
    if (!barrier.global && request.count_enable && request.count &&
        request.count != barrier.terminating) {
        if (barrier.count) problem.text = "threads send different counts to " + name();
        barrier.terminating = request.count;
    }
    if (barrier.count++ == 0) {
        barrier.predicated = request.predicate_enable;
        barrier.predicate_sum = 0;
    }
    if (request.predicate_enable)
        barrier.predicate_sum = static_cast<std::uint16_t>(barrier.predicate_sum +
                                                           std::popcount(request.predicate_mask));
    if (arrival.sender != nullptr) {
        const unsigned fftid = arrival.sender->fftid % kMaxFftids;
        barrier.arrived[fftid / 64] |= std::uint64_t{1} << fftid % 64;
    }
    // GW-34: a thread that ends with its arrival has nothing to be told.
    (message.end_of_thread ? released : barrier.waiting).push_back(arrival);
    waiting_ += message.end_of_thread ? 0 : 1;
    message.status = MessageStatus::Ok;
    // GW-06, GW-07: 003:9091.
    const unsigned count = barrier.count;
    if (count < barrier.terminating || barrier.met)
        return {std::move(problem), false, request.id, count};
    if (barrier.global) {
        barrier.met = true;
        return {std::move(problem), false, request.id, count, true};
    }
    release(barrier, released);
    return {std::move(problem), true, request.id, count};
}

GatewayCore::Plain GatewayCore::arrive_plainly(const Waiting& arrival,
                                               std::vector<Waiting>& released) {
    const BarrierRequest request = decode(dword(arrival.payload, 2), 0);
    Barrier& barrier = barriers_[request.id];
    const bool counts = request.count_enable && request.count != 0;
    const unsigned fftid = arrival.sender->fftid % kMaxFftids;
    std::uint64_t& arrived = barrier.arrived[fftid / 64];
    const std::uint64_t bit = std::uint64_t{1} << fftid % 64;
    if (barrier.terminating == 0 || barrier.global || (arrived & bit) != 0 ||
        (request.predicate_enable && predicated_) || (barrier.count != 0 && barrier.predicated) ||
        (counts && request.count != barrier.terminating))
        return Plain::Other;
    arrived |= bit;
    if (barrier.count == 0) {
        barrier.predicated = false;
        barrier.predicate_sum = 0;
    }
    barrier.waiting.push_back(arrival);
    ++waiting_;
    if (++barrier.count < barrier.terminating) return Plain::Waits;
    release(barrier, released);
    return Plain::Opens;
}

void GatewayCore::timestamp(Message& message, QuarterNanoseconds absolute,
                            QuarterNanoseconds relative) {
    message.status = MessageStatus::Ok;
    if (message.response_length == 0) return;  // GW-25: nothing to write to
    const unsigned half = bits(dword(message.payload[0], 5), 31u, 31u) ? 16 : 0;
    const auto put = [&](unsigned offset, QuarterNanoseconds time) {
        // GW-29: low 12 bits in [31:20] of one DWord, the rest in the next.
        store<std::uint32_t>(message.response[0].bytes + half + offset,
                             static_cast<std::uint32_t>((time.value & 0xFFF) << 20));
        store<std::uint32_t>(message.response[0].bytes + half + offset + 4,
                             static_cast<std::uint32_t>(time.value >> 12));
    };
    put(0, absolute);
    put(8, relative);
    message.response_enable[0] = 0xFFFFu << half;
}

}  // namespace gen9::gateway
