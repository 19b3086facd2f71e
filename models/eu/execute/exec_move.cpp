// SPDX-License-Identifier: Apache-2.0
// mov, movi, smov (EU-126, EU-216, EU-218, EU-223).
#include "eu/execute/families.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

using isa::Opcode;
using isa::Type;

namespace {

struct Same {
    static constexpr bool kSilent = true;
    template <class V>
    static V apply(V a) {
        return a;
    }
};

/// Equal types, no modifier: the bits pass unchanged (EU-126). Conditions see the value.
Outcome execute_raw_move(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = write_lanes(thread, in);
    LaneArray<std::uint64_t> raw, wide;
    load_raw(thread, in, in.src[0], raw);
    std::uint32_t flags = 0;
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        wide[lane] = isa::is_signed(in.dst.type) ? static_cast<std::uint64_t>(sign_extend(
                                                       raw[lane], isa::size_bytes(in.dst.type) * 8))
                                                 : raw[lane];
        if (in.cond_mod != isa::CondMod::None &&
            condition_holds(in.cond_mod, in.dst.type, Converted{raw[lane]}))
            flags |= 1u << lane;
    }
    write_destination(thread, in, raw, wide, enabled);
    if (in.cond_mod != isa::CondMod::None) update_flag(thread, in, enabled, flags);
    leave(thread, d);
    return Outcome::Next;
}

/// smov: a move of the channels whose bit is set in src1, each to its place in the destination
/// region. Compilers store to an indexed private array by one smov per channel, each with its own
/// address word (EU-223; Public: kernels of the Intel OpenCL compiler).
std::uint32_t scattered_lanes(Thread& thread, const isa::Instruction& in) {
    LaneArray<std::uint64_t> channels;
    load_raw(thread, in, in.src[1], channels);
    return write_lanes(thread, in) & static_cast<std::uint32_t>(channels[0]);
}

Outcome execute_scattered_raw_move(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    LaneArray<std::uint64_t> raw;
    const std::uint32_t enabled = scattered_lanes(thread, in);
    load_raw(thread, in, in.src[0], raw);
    write_destination(thread, in, raw, raw, enabled);
    leave(thread, d);
    return Outcome::Next;
}

/// Unequal types are converted as by mov (003:23693 "smov ... * *", 003:21821).
template <Domain D>
Outcome execute_scattered_move(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = scattered_lanes(thread, in);
    HostRounding rounding(FloatControl(thread).rounding());
    LaneArray<Value<D>> value;
    load_source<D>(thread, in, in.src[0], value);
    finish<D>(thread, d, value, enabled);
    leave(thread, d);
    return Outcome::Next;
}

bool is_raw_move(const isa::Instruction& in) {
    const isa::Operand& src = in.src[0];
    // .o and .u need the conversion's view of the value.
    const bool plain_condition = in.cond_mod != isa::CondMod::O && in.cond_mod != isa::CondMod::U;
    return src.type == in.dst.type && !src.negate && !src.absolute && !in.saturate &&
           !in.acc_write && plain_condition;
}

}  // namespace

Execute move_executor(const isa::Instruction& in) {
    switch (in.opcode) {
        case Opcode::Mov:
        case Opcode::Movi:
            if (is_raw_move(in)) return execute_raw_move;
            switch (execution_domain(in)) {
                case Domain::Integer:
                    return execute_lanes<Domain::Integer, 1, Same>;
                case Domain::Single:
                    return execute_lanes<Domain::Single, 1, Same>;
                case Domain::Double:
                    return execute_lanes<Domain::Double, 1, Same>;
                case Domain::Half:
                    return execute_lanes<Domain::Half, 1, Same>;
            }
            return nullptr;
        case Opcode::Smov:
            if (in.source_count != 2) return nullptr;
            if (is_raw_move(in)) return execute_scattered_raw_move;
            switch (execution_domain(in)) {
                case Domain::Integer:
                    return execute_scattered_move<Domain::Integer>;
                case Domain::Single:
                    return execute_scattered_move<Domain::Single>;
                case Domain::Double:
                    return execute_scattered_move<Domain::Double>;
                case Domain::Half:
                    return execute_scattered_move<Domain::Half>;
            }
            return nullptr;
        default:
            return nullptr;
    }
}

}  // namespace gen9::eu
