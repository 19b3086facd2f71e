// SPDX-License-Identifier: Apache-2.0
#include "hdc/access/access.h"

#include <algorithm>
#include <cstring>

#include "common/bits.h"
#include "hdc/access/copy.h"

namespace gen9::hdc {

namespace {

constexpr unsigned kLine = kLineBytes;

// ---- usual accesses

void fill_lanes(LaneAccess& lanes, const UsualAccess& access, unsigned index,
                const std::uint8_t* payload) {
    lanes.kind = access.reads ? LaneAccess::Kind::Read : LaneAccess::Kind::Write;
    lanes.width_bytes = access.item_bytes;
    lanes.count = static_cast<std::uint8_t>(access.lanes(index));
    if (access.reads)
        access.each_lane(index, [&](unsigned n, std::uint64_t address, unsigned) {
            lanes.offset[n] = static_cast<std::uint32_t>(address);
        });
    else
        access.each_lane(index, [&](unsigned n, std::uint64_t address, unsigned at) {
            lanes.offset[n] = static_cast<std::uint32_t>(address);
            lanes.source0[n] = load<std::uint32_t>(payload + at);
        });
}

inline Access::Request request_of(const UsualAccess& access, unsigned index, const Message& message,
                                  std::uint8_t* data, LaneAccess& lanes) {
    const std::uint8_t* const payload = message.payload[access.payload_at / kGrfBytes].bytes;
    if (access.slm) {
        fill_lanes(lanes, access, index, payload);
        return {0, kLine, access.reads, true};
    }
    const UsualAccess::Part part = access.part(index);
    if (!access.reads) copy(data, payload + part.offset, part.bytes);
    return {access.address + part.offset, part.bytes, access.reads, false};
}

inline void take_of(const UsualAccess& access, unsigned index, const Access::Answer& answer,
                    Message& message) {
    if (!access.reads) return;
    std::uint8_t* const response = message.response[0].bytes;
    if (access.slm) {
        access.each_lane(index, [&](unsigned n, std::uint64_t, unsigned at) {
            store(response + at, static_cast<std::uint32_t>(answer.lanes.result[n]));
        });
        return;
    }
    const UsualAccess::Part part = access.part(index);
    if (!answer.ok)
        std::memset(access.one_place ? response : response + part.offset, 0,
                    access.one_place ? access.register_bytes : part.bytes);
    else if (access.one_place)
        access.spread(answer.data, response);
    else
        copy(response + part.offset, answer.data, part.bytes);
}

// ---- plans

std::uint64_t load_width(const std::uint8_t* at, unsigned bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, at, bytes);
    return value;
}

/// Calls `each(part)` for the parts of a request.
template <class Each>
void each_part(const RequestList& requests, const RequestList::Request& request, Each each) {
    for (std::uint16_t p = request.first; p != Part::kEnd; p = requests.part(p).next)
        each(requests.part(p));
}

void fill_lanes(LaneAccess& lanes, const PlannedAccess& access, const RequestList::Request& request,
                const std::uint8_t* data) {
    const Plan& plan = access.plan;
    unsigned n = 0;
    lanes.op = plan.atomic;
    lanes.kind = plan.operation == Operation::Read    ? LaneAccess::Kind::Read
                 : plan.operation == Operation::Write ? LaneAccess::Kind::Write
                                                      : LaneAccess::Kind::Atomic;
    each_part(access.requests, request, [&](const Part& part) {
        lanes.width_bytes = part.bytes;
        auto offset = static_cast<std::uint32_t>(part.address - request.line);
        unsigned at = part.at;
        for (unsigned lane = 0; lane < part.copies; ++lane, ++n) {
            lanes.offset[n] = offset;
            if (lanes.kind == LaneAccess::Kind::Atomic)
                fill_lane(lanes, n, plan.lanes[at], plan);
            else if (lanes.kind == LaneAccess::Kind::Write)
                lanes.source0[n] = load_width(data + at, part.bytes);
            offset += part.address_step;
            at += part.at_step;
        }
    });
    lanes.count = static_cast<std::uint8_t>(n);
}

Access::Request request_of(const PlannedAccess& access, unsigned index, const Message& message,
                           std::uint8_t* data, LaneAccess& lanes) {
    const Plan& plan = access.plan;
    const RequestList::Request& request = access.requests[index];
    const bool reads = plan.operation == Operation::Read;
    if (plan.by_lanes()) {
        fill_lanes(lanes, access, request, plan.source(message));
        return {request.line, kLine, reads, true};
    }
    // The bytes from the first to the last that the message touches in the line.
    unsigned low = kLine, high = 0;
    std::uint64_t touched = 0;
    each_part(access.requests, request, [&](const Part& part) {
        const auto from = static_cast<unsigned>(part.address % kLine);
        low = std::min(low, from);
        high = std::max(high, from + part.bytes);
        touched |= (part.bytes == kLine ? ~0ull : (1ull << part.bytes) - 1) << from;
    });
    if (!reads)
        each_part(access.requests, request, [&](const Part& part) {
            std::memcpy(data + part.address % kLine - low, plan.source(message) + part.at,
                        part.bytes);
        });
    return {request.line + low, high - low, reads, false, touched >> low};
}

void take_lanes(const PlannedAccess& access, const RequestList::Request& request,
                const LaneAccess& lanes, std::uint8_t* to) {
    const Plan& plan = access.plan;
    unsigned n = 0;
    each_part(access.requests, request, [&](const Part& part) {
        std::uint8_t* at = to + part.at;
        for (unsigned lane = 0; lane < part.copies; ++lane, ++n, at += part.at_step) {
            if (plan.operation == Operation::Atomic)
                plan.put_returned(plan.lanes[part.at],
                                  &lanes.result[plan.lane_bytes == 16 ? 2 * n : n], to);
            else
                copy(at, reinterpret_cast<const std::uint8_t*>(&lanes.result[n]), part.bytes);
        }
    });
}

void take_of(PlannedAccess& access, unsigned index, const Access::Answer& answer,
             Message& message) {
    Plan& plan = access.plan;
    if (plan.operation == Operation::Write) return;
    if (plan.operation == Operation::Atomic && !plan.atomic_returns) return;
    if (!answer.ok) return;  // the response is zeros already
    const RequestList::Request& request = access.requests[index];
    std::uint8_t* const to = plan.data(message);
    if (plan.by_lanes()) return take_lanes(access, request, answer.lanes, to);
    each_part(access.requests, request, [&](const Part& part) {
        const std::uint8_t* const from = answer.data + (part.address - answer.address);
        if (part.copies > 1)
            copy_repeated(to + part.at, from, part.bytes, part.copies);
        else
            copy(to + part.at, from, part.bytes);
    });
}

}  // namespace

PlanPool::Handle PlanPool::get() {
    if (free_.empty()) {
        // Not cleared: it is large, and each message fills in what it needs.
        all_.push_back(std::make_unique_for_overwrite<PlannedAccess>());
        free_.push_back(all_.back().get());
    }
    PlannedAccess* const plan = free_.back();
    free_.pop_back();
    return {plan, {this}};
}

void Access::cut(RequestList::Channels write_channels, unsigned batch_bytes) {
    if (form != Form::Planned) return;
    planned->requests.build(planned->plan,
                            planned->plan.operation == Operation::Write
                                ? write_channels
                                : RequestList::Channels::Together,
                            batch_bytes);
}

Access::Request Access::request(unsigned index, const Message& message, std::uint8_t* data,
                                LaneAccess& lanes) const {
    if (form == Form::Planned) [[unlikely]]
        return request_of(*planned, index, message, data, lanes);
    return request_of(usual, index, message, data, lanes);
}

void Access::take(unsigned index, const Answer& answer, Message& message) const {
    if (form == Form::Planned) [[unlikely]]
        return take_of(*planned, index, answer, message);
    take_of(usual, index, answer, message);
}

}  // namespace gen9::hdc
