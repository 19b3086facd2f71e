// SPDX-License-Identifier: Apache-2.0
#include "eu/execute/prepare.h"

#include <algorithm>

#include "eu/execute/end_of_thread.h"
#include "eu/execute/executor.h"
#include "eu/execute/families.h"
#include "eu/thread/exceptions.h"
#include "isa/format/decode.h"
#include "isa/opcodes.h"

namespace gen9::eu {

namespace {

Execute general_executor(const isa::Instruction& in) {
    for (const auto family : {move_executor, integer_executor, float_executor, vector_executor,
                              math_executor, macro_executor, flow_executor, send_executor})
        if (const Execute execute = family(in)) return execute;
    return in.opcode == isa::Opcode::Illegal ? execute_illegal : execute_malformed;
}

/// Sizes a malformed word could carry are brought into what the model can hold (EU-025, EU-297).
void contain_shape(isa::Instruction& in) {
    if (in.exec_size == 0 || in.exec_size > kMaxChannels) in.exec_size = 1;
    in.channel_offset &= 31;
    if (in.source_count > 3) in.source_count = 3;
}

/// Align16 selects of acc2 reach acc3..acc9 (EU-088, 003:19735-19766): reading, the first two
/// selects are the number's low and high part, writing, the enables x, y, z are its bits. Under
/// this name no channel is swizzled or disabled.
void name_special_accumulators(isa::Instruction& in) {
    constexpr std::uint8_t kAcc2 = 0x22;
    const auto rename = [](isa::Operand& operand, unsigned number) {
        operand.reg = static_cast<std::uint8_t>(kAcc2 + number);
    };
    const auto is_acc2 = [](const isa::Operand& operand) {
        return operand.file == isa::RegFile::Arf && operand.reg == kAcc2;
    };
    if (!in.align16 || in.opcode != isa::Opcode::Mov) return;
    isa::Operand& source = in.src[0];
    if (is_acc2(source)) {
        rename(source, (source.swizzle & 3u) + (source.swizzle >> 2 & 1u) * 4);
        source.swizzle = isa::Operand{}.swizzle;
        source.vert_stride = 4;
    }
    if (is_acc2(in.dst)) {
        rename(in.dst, in.dst.chan_enable & 7u);
        in.dst.chan_enable = 15;
    }
}

/// The region of an accumulator must be the destination's (EU-080), so each channel reads its own part
/// also where one element is asked for all (D-48).
void match_accumulator_region(isa::Instruction& in) {
    isa::Operand& source = in.src[0];
    const bool explicit_one = source.is_arf(isa::Arf::Accumulator) && (source.reg & 15) < 2;
    if (!explicit_one || in.align16 || in.exec_size == 1 || in.source_count == 0) return;
    if (source.vert_stride != 0 || source.horz_stride != 0 || source.width != 1) return;
    const std::uint8_t stride =
        in.dst.is_null() || in.dst.horz_stride == 0 ? 1 : in.dst.horz_stride;
    source.width = std::min<std::uint8_t>(in.exec_size, 8);
    source.horz_stride = stride;
    source.vert_stride = static_cast<std::uint8_t>(source.width * stride);
}

}  // namespace

DecodedInstruction prepare_general(const isa::Instruction& instruction, std::uint32_t ip) {
    DecodedInstruction d;
    d.instruction = instruction;
    contain_shape(d.instruction);
    name_special_accumulators(d.instruction);
    match_accumulator_region(d.instruction);
    d.ip = ip;
    d.next_ip = ip + instruction.length_bytes;
    d.execute = general_executor(d.instruction);
    if (const Execute guard = exception_guard(d.instruction)) {
        d.fast.general = d.execute;
        d.execute = guard;
    }
    fill_columns(d);
    fill_frame(d);
    // Under a guard a branch or a send may turn into an exception.
    const bool guarded = exception_guard(d.instruction) != nullptr;
    const isa::Opcode opcode = d.instruction.opcode;
    d.may_fail = guarded || d.execute == execute_illegal || d.execute == execute_malformed;
    d.always_next = !guarded && flow_executor(d.instruction) != nullptr;
    const bool sends = !guarded && !hangs_at_end(d.instruction);
    d.always_sends = sends && (opcode == isa::Opcode::Send || opcode == isa::Opcode::Sends);
    d.sends_checked = sends && (opcode == isa::Opcode::Sendc || opcode == isa::Opcode::Sendsc);
    d.message = message_form(d.instruction, d.instruction.descriptor & 0x7FFFFFFF,
                             d.instruction.extended_descriptor);
    return d;
}

DecodedInstruction prepare(const isa::Instruction& instruction, std::uint32_t ip) {
    DecodedInstruction d = prepare_general(instruction, ip);
    if (exception_guard(d.instruction) == nullptr)
        bind_fast(d);
    else
        bind_control_logic(d);
    return d;
}

DecodedInstruction prepare(std::span<const std::uint8_t> bytes, std::uint32_t ip,
                           std::string* why) {
    const isa::DecodeResult decoded = isa::decode(bytes);
    if (!decoded.ok) {
        if (why) *why = decoded.why;
        DecodedInstruction d = prepare_general(decoded.instruction, ip);
        // Only an undefined opcode is an exception, a defined one with undefined fields is not
        // (EU-297, 003:22297).
        if (!bytes.empty() && isa::find(bytes[0]) != nullptr && bytes[0] != 0)
            d.execute = execute_malformed;
        d.may_fail = true;
        return d;
    }
    DecodedInstruction d = prepare(decoded.instruction, ip);
    const bool guarded = exception_guard(d.instruction) != nullptr;
    const Execute executes = guarded ? d.fast.general : d.execute;
    if (executes == execute_malformed && why) *why = "operand types the opcode does not take";
    return d;
}

}  // namespace gen9::eu
