// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "eu/execute/decoded.h"
#include "eu/execute/operands.h"
#include "eu/thread/ieee_flags.h"

namespace gen9::eu {

/// Each family gives the general executor of an instruction, or null if the instruction is not its
/// own or has operand types the opcode does not take (guide 3.4). exec_<family>.cpp.
Execute integer_executor(
    const isa::Instruction& in);  ///< integer arithmetic, logic, shifts, bit fields
Execute float_executor(
    const isa::Instruction& in);                    ///< float arithmetic, compare, select, rounding
Execute move_executor(const isa::Instruction& in);  ///< mov, movi, smov
Execute vector_executor(const isa::Instruction& in);  ///< dp*, line, pln, lrp, sad2
Execute math_executor(const isa::Instruction& in);    ///< math functions and integer division
Execute macro_executor(const isa::Instruction& in);   ///< madm, invm, rsqtm
Execute flow_executor(const isa::Instruction& in);
Execute send_executor(const isa::Instruction& in);  ///< send*, wait, nop
/// The form that a send's message has by these descriptors (EU-182..EU-189).
MessageForm message_form(const isa::Instruction& in, std::uint32_t descriptor,
                         std::uint32_t extended);
Outcome execute_illegal(Thread& thread, const DecodedInstruction& d);

/// Operations that signal nothing but signalling NaN: `Op::kSilent`.
template <class Op>
inline constexpr bool kSignalsNoArithmetic = requires {
    Op::kSilent;
};

/// The general path of a lane-wise operation: load by region, compute, finish.
/// `Op::apply(a, b, c)` or with fewer arguments says what the opcode means.
template <Domain D, unsigned kSources, class Op>
Outcome execute_lanes(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = write_lanes(thread, in);
    HostRounding rounding(FloatControl(thread).rounding());
    HostFlush flush(D == Domain::Single && flushes_singles(thread));
    LaneArray<Value<D>> source[kSources], result;
    for (unsigned i = 0; i < kSources; ++i)
        load_source<D>(thread, in, in.src[i], source[i]);
    constexpr std::uint32_t counted = kSignalsNoArithmetic<Op> ? 0 : sr0::kExceptions;
    Signals<D> signals(thread, in, enabled);
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        const auto operation = [&] {
            if constexpr (kSources == 1)
                return Op::apply(source[0][lane]);
            else if constexpr (kSources == 2)
                return Op::apply(source[0][lane], source[1][lane]);
            else
                return Op::apply(source[0][lane], source[1][lane], source[2][lane]);
        };
        signals.compute(1u << lane, result[lane], operation, counted);
    }
    finish<D>(thread, d, result, enabled);
    leave(thread, d);
    return Outcome::Next;
}

}  // namespace gen9::eu
