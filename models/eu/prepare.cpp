// SPDX-License-Identifier: Apache-2.0
#include "eu/prepare.h"

#include "eu/executor.h"
#include "eu/families.h"
#include "isa/decode.h"

namespace gen9::eu {

namespace {

Execute general_executor(const isa::Instruction& in) {
    for (const auto family : {move_executor, integer_executor, float_executor, vector_executor,
                              math_executor, macro_executor, flow_executor, send_executor})
        if (const Execute execute = family(in)) return execute;
    return execute_illegal;
}

/// Sizes a malformed word could carry are brought into what the model can hold (EU-025, EU-297).
void contain_shape(isa::Instruction& in) {
    if (in.exec_size == 0 || in.exec_size > kMaxChannels) in.exec_size = 1;
    in.channel_offset &= 31;
    if (in.source_count > 3) in.source_count = 3;
}

}  // namespace

DecodedInstruction prepare_general(const isa::Instruction& instruction, std::uint32_t ip) {
    DecodedInstruction d;
    d.instruction = instruction;
    contain_shape(d.instruction);
    d.ip = ip;
    d.next_ip = ip + instruction.length_bytes;
    d.execute = general_executor(d.instruction);
    fill_columns(d);
    fill_frame(d);
    d.always_next = flow_executor(d.instruction) != nullptr;
    d.message = message_form(d.instruction, d.instruction.descriptor & 0x7FFFFFFF,
                             d.instruction.extended_descriptor);
    return d;
}

DecodedInstruction prepare(const isa::Instruction& instruction, std::uint32_t ip) {
    DecodedInstruction d = prepare_general(instruction, ip);
    bind_fast(d);
    return d;
}

DecodedInstruction prepare(std::span<const std::uint8_t> bytes, std::uint32_t ip,
                           std::string* why) {
    const isa::DecodeResult decoded = isa::decode(bytes);
    if (!decoded.ok) {
        if (why) *why = decoded.why;
        return prepare_general(decoded.instruction, ip);
    }
    DecodedInstruction d = prepare(decoded.instruction, ip);
    if (d.execute == execute_illegal && why) *why = "operand types the opcode does not take";
    return d;
}

}  // namespace gen9::eu
