// SPDX-License-Identifier: Apache-2.0
#include "hdc/core.h"

#include <cstdio>

#include "common/check.h"
#include "hdc/plan/places.h"

namespace gen9::hdc {

void Core::find(Message& message, Access& access, Forms forms) {
    if (const Decoded* const d = without_plan(message)) [[likely]] {
        if (forms.usual && find_usual(*d, message, context_, access.usual) &&
            (!forms.requests || access.usual.goes_out())) {
            access.form = Access::Form::Usual;
            return count_usual(message, access.usual);
        }
        if (forms.scattered && find_scattered(*d, message, context_, access.scattered)) {
            access.form = Access::Form::Scattered;
            return count_scattered(message, access.scattered);
        }
    }
    access.form = prepare(message, access);
}

void Core::plan(Message& message, Access& access) {
    message.response_enable.fill(0);
    Plan& plan = plan_of(access);
    make_plan(decodes_.get(message), message, context_, plan);
    GEN9_CHECK(!plan.guest_error && !plan.not_modelled && !plan.empty(),
               "an access without a plan has one too: " + to_text(message));
    access.form = Access::Form::Planned;
}

Access::Form Core::prepare(Message& message, Access& access) {
    GEN9_CHECK(message.sender && message.sender->state,
               "message without a sender: " + to_text(message));
    GEN9_CHECK(message.length <= Message::kMaxPayload, "message too long: " + to_text(message));
    message.status = MessageStatus::Ok;
    message.response_enable.fill(0);  // all of them: a fixed size is filled without a loop
    ++stats_.messages;
    // DP-013: a message without an active channel has no effect and writes nothing back.
    if (message.execution_mask == 0) return Access::Form::Nothing;

    const Decoded& d = decodes_.get(message);
    if (d.error) return refuse(message, d, d.error, nullptr);
    if (d.row->shape == Shape::Fence) {
        stats_.count(d.row->shape, d.row->operation);
        if (message.end_of_thread) [[unlikely]]
            report_end(message);
        if (d.flush_data) ++stats_.flushes;
        if (d.returns) zero_response(message);
        access.flushes = d.flush_data;
        return Access::Form::Fence;
    }
    Plan& plan = plan_of(access);
    make_plan(d, message, context_, plan);
    if (plan.guest_error || plan.not_modelled)
        return refuse(message, d, plan.guest_error, plan.not_modelled);
    stats_.count(d.row->shape, d.row->operation);
    if (message.end_of_thread) [[unlikely]]
        report_end(message);
    if (plan.alignment != 0) [[unlikely]]
        report_misaligned(message, d, plan);
    count(message, d, plan);
    if (!plan.empty()) return Access::Form::Planned;
    finish_plan(message, plan);
    return Access::Form::Nothing;
}

/// DP-012; the access itself is carried out.
void Core::report_end(const Message& message) {
    reporter_.guest_error("data port message", place_text(message),
                          "end of thread on a data port message: " + to_text(message));
}

/// DP-059; the access is carried out at the address without its low bits. It is reported once for
/// each kernel, whose threads and instructions mostly do the same.
void Core::report_misaligned(const Message& message, const Decoded& d, const Plan& plan) {
    char place[64], text[128];
    std::snprintf(place, sizeof place, "kernel 0x%012llx",
                  static_cast<unsigned long long>(message.sender->kernel_start.value));
    std::snprintf(text, sizeof text,
                  "%s address 0x%llx is no multiple of %u: its low bits are left out (DP-059; ",
                  d.model == AddressModel::Slm ? "SLM" : "memory",
                  static_cast<unsigned long long>(plan.misaligned), plan.alignment);
    reporter_.guest_error(
        "data port alignment", place,
        text + place_text(message) + ", " + d.row->name + ": " + to_text(message) + ")");
}

namespace {

/// Of a legal message these are all registers that it returns, mostly one or two.
void enable_registers(Message& message, unsigned registers) {
    message.response_enable[0] = ~0u;
    if (registers > 1) message.response_enable[1] = ~0u;
    for (unsigned r = 2; r < registers; ++r)
        message.response_enable[r] = ~0u;
}

}  // namespace

void Core::count_usual(Message& message, const UsualAccess& access) {
    message.status = MessageStatus::Ok;
    if (access.reads) enable_registers(message, access.response_registers());
    count_accesses(message, *access.decoded, unsigned{access.slots} * access.items);
}

void Core::count_scattered(Message& message, const ScatteredAccess& access) {
    message.status = MessageStatus::Ok;
    if (access.reads && access.every_slot())
        enable_registers(message, access.response_registers());
    else if (access.reads)
        enable_lanes(message, access.slots, access.items, access.item_bytes, access.mask);
    count_accesses(message, *access.decoded, access.accesses());
}

void Core::count_accesses(const Message& message, const Decoded& d, unsigned accesses) {
    const UsualForm& form = d.usual;
    const std::uint64_t bytes = std::uint64_t{accesses} * form.item_bytes;
    ++stats_.messages;
    stats_.count(d.row->shape, d.row->operation);
    if (form.slm) {
        ++stats_.slm_messages;
        count_slm(d.row->operation, bytes);
    }
    stats_.accesses += accesses;
    count_bytes(message.trace_id, form.slm, bytes);
    (form.reads ? stats_.bytes_read : stats_.bytes_written) += bytes;
}

Core::DirectCounters Core::counters_of(const Decoded& d) {
    const Operation operation = d.row->operation;
    Counter& moved = operation == Operation::Read    ? stats_.bytes_read
                     : operation == Operation::Write ? stats_.bytes_written
                                                     : stats_.atomic_lanes;
    return {&stats_.counter_of(d.row->shape, operation), &moved, operation,
            d.model == AddressModel::Slm};
}

Access::Form Core::refuse(Message& message, const Decoded& d, const char* guest_error,
                          const char* not_modelled) {
    ++stats_.refused;
    zero_response(message);
    const std::string what =
        (d.row ? std::string(d.row->name) + ": " : std::string()) + to_text(message);
    if (guest_error) {
        message.status = MessageStatus::GuestError;
        reporter_.guest_error(
            "data port message", place_text(message),
            std::string(guest_error) + "; it does nothing and returns zeros (" + what + ")");
    } else {
        message.status = MessageStatus::NotModelled;
        reporter_.not_modelled(not_modelled, what + " at " + place_text(message));
    }
    return Access::Form::Nothing;
}

void Core::count(const Message& message, const Decoded& d, const Plan& plan) {
    if (d.model == AddressModel::Slm) ++stats_.slm_messages;
    stats_.accesses += plan.accesses;
    stats_.out_of_bounds += plan.out_of_bounds;
    std::uint64_t bytes = std::uint64_t{plan.lane_count} * plan.lane_bytes;
    for (unsigned i = 0; i < plan.piece_count; ++i)
        bytes += std::uint64_t{plan.pieces[i].bytes} * plan.pieces[i].copies;
    count_bytes(message.trace_id, plan.slm, bytes);
    if (plan.slm) count_slm(plan.operation, bytes);
    switch (plan.operation) {
        case Operation::Read:
            stats_.bytes_read += bytes;
            break;
        case Operation::Write:
            stats_.bytes_written += bytes;
            break;
        default:
            stats_.atomic_lanes += plan.lane_count;
    }
}

}  // namespace gen9::hdc
