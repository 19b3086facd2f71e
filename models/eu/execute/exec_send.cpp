// SPDX-License-Identifier: Apache-2.0
// Messages and waiting (EU-182..EU-206).
#include <cstring>

#include "common/bits.h"
#include "common/register_bytes.h"
#include "eu/execute/end_of_thread.h"
#include "eu/execute/executor.h"
#include "eu/execute/families.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

using isa::Opcode;

namespace {

/// The EU sends whether or not a channel is enabled (EU-200); the channels travel with the message.
Outcome execute_send(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    if (hangs_at_end(in)) return Outcome::Wait;
    thread.send_mask = lanes_enabled(thread, in) & predicate_lanes(thread, d);
    // The destination's channel enables count although it may be null (EU-188).
    if (in.align16) [[unlikely]]
        thread.send_mask &= channel_enable_lanes(in);
    advance(thread, d.next_ip);
    return in.end_of_thread ? Outcome::End : Outcome::Send;
}

/// sendc, sendsc: not before the threads it depends on have ended (003:20178).
Outcome execute_send_checked(Thread& thread, const DecodedInstruction& d) {
    for (const std::uint16_t entry : thread.dependency)
        if (entry & 0x8000) return Outcome::Wait;
    return execute_send(thread, d);
}

Outcome execute_wait(Thread& thread, const DecodedInstruction& d) {
    std::uint32_t& count = thread.notification[d.instruction.src[0].subreg / 4 & 3];
    if (count == 0) return Outcome::Wait;
    --count;
    advance(thread, d.next_ip);
    return Outcome::Next;
}

Outcome execute_nop(Thread& thread, const DecodedInstruction& d) {
    advance(thread, d.next_ip);
    return Outcome::Next;
}

std::uint32_t address_dword(const Thread& thread, unsigned dword) {
    const unsigned word = dword * 2 & 15;
    return thread.address[word] | std::uint32_t{thread.address[word + 1]} << 16;
}

/// First register of an operand of a send, through a0 if it is indirect.
unsigned register_of(const Thread& thread, const isa::Operand& operand) {
    if (!operand.indirect) return operand.reg & 127u;
    const unsigned address =
        thread.address[operand.addr_subreg & 15] + static_cast<unsigned>(operand.addr_imm);
    return address / kGrfBytes & 127u;
}

void copy_payload(const Thread& thread, unsigned first, unsigned count, Grf* payload) {
    if (first + count <= kGrfCount) {
        // Payloads are short: a call of memcpy would cost more than the copy.
        const Grf* from = &thread.grf[first];
        for (; count >= 2; count -= 2, from += 2, payload += 2)
            std::memcpy(payload, from, 2 * kGrfBytes);
        if (count != 0) *payload = *from;
        return;
    }
    for (unsigned i = 0; i < count; ++i)
        payload[i] = thread.grf[(first + i) % kGrfCount];
}

}  // namespace

Execute send_executor(const isa::Instruction& in) {
    switch (in.opcode) {
        case Opcode::Send:
        case Opcode::Sends:
            return execute_send;
        case Opcode::Sendc:
        case Opcode::Sendsc:
            return execute_send_checked;
        case Opcode::Wait:
            return execute_wait;
        case Opcode::Nop:
            return execute_nop;
        default:
            return nullptr;
    }
}

MessageForm message_form(const isa::Instruction& in, std::uint32_t descriptor,
                         std::uint32_t extended) {
    MessageForm form;
    const bool split = in.opcode == Opcode::Sends || in.opcode == Opcode::Sendsc;
    form.sfid = static_cast<std::uint8_t>(in.extended_from_a0 ? extended & 15u : in.sfid);
    form.descriptor = descriptor;
    form.extended_descriptor = extended;
    form.first_length = static_cast<std::uint8_t>(bits(descriptor, 28, 25));
    const unsigned second_length = split && in.src[1].is_grf() ? bits(extended, 9, 6) : 0;
    form.length = static_cast<std::uint8_t>(form.first_length + second_length);
    form.response_length =
        static_cast<std::uint8_t>(in.dst.is_grf() ? bits(descriptor, 24, 20) : 0);
    if (form.response_length > Message::kMaxResponse) form.response_length = Message::kMaxResponse;
    form.header_present = bits(descriptor, 19, 19);
    form.eight_wide = in.exec_size <= 8;
    return form;
}

namespace {

/// The form of a send that takes a descriptor from a0.
MessageForm form_by_registers(const Thread& thread, const isa::Instruction& in) {
    std::uint32_t descriptor = in.descriptor & 0x7FFFFFFF;
    if (in.descriptor_from_a0) {
        // 29 bits count; that the answer is 16-bit floats shows in the destination type (EU-186,
        // guide 3.1 item 24).
        descriptor = address_dword(thread, 0) & 0x1FFFFFFF;
        if (in.dst.type == isa::Type::HF) descriptor |= 1u << 30;
    }
    return message_form(in, descriptor,
                        in.extended_from_a0 ? address_dword(thread, in.extended_a0_subreg)
                                            : in.extended_descriptor);
}

}  // namespace

void build_message(const Thread& thread, const DecodedInstruction& instruction, Message& message) {
    const isa::Instruction& in = instruction.instruction;
    const bool by_registers = in.descriptor_from_a0 || in.extended_from_a0;
    MessageForm own;
    if (by_registers) [[unlikely]]
        own = form_by_registers(thread, in);
    const MessageForm& form = by_registers ? own : instruction.message;
    message.reset();
    message.sfid = static_cast<Sfid>(form.sfid);
    message.descriptor = form.descriptor;
    message.extended_descriptor = form.extended_descriptor;
    message.first_length = form.first_length;
    message.length = form.length;
    message.response_length = form.response_length;
    message.header_present = form.header_present;
    message.eight_wide = form.eight_wide;
    message.end_of_thread = in.end_of_thread;
    message.alternate_float = thread.control[0] & cr0::kAlternate;
    message.execution_mask = thread.send_mask;
    message.ip = instruction.ip;
    if (thread.sideband.state) message.ip += thread.sideband.state->instruction_base.value;
    message.sender = &thread.sideband;
    message.destination = static_cast<std::uint8_t>(register_of(thread, in.dst));
    static_assert(Message::kMaxPayload >= 15 + 15);
    copy_payload(thread, register_of(thread, in.src[0]), form.first_length, message.payload.data());
    if (form.length != form.first_length)
        copy_payload(thread, register_of(thread, in.src[1]), form.length - form.first_length,
                     &message.payload[form.first_length]);
}

void write_back(Thread& thread, const Message& message) {
    thread.places.forget();
    for (unsigned i = 0; i < message.response_length; ++i)
        copy_enabled(message.response[i], message.response_enable[i],
                     thread.grf[(message.destination + i) % kGrfCount]);
}

std::uint32_t enabled_channels(const Thread& thread, const DecodedInstruction& instruction) {
    const isa::Instruction& in = instruction.instruction;
    return (lanes_enabled(thread, in) & channel_enable_lanes(in)) << in.channel_offset;
}

}  // namespace gen9::eu
