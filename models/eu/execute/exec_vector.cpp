// SPDX-License-Identifier: Apache-2.0
// Dot products, planes, interpolation, sums of absolute differences (EU-244..EU-249).
#include <cmath>

#include "eu/execute/families.h"
#include "eu/thread/accumulator.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

using isa::Opcode;

namespace {

/// A source of groups of `size` channels; those of a group that are behind the execution size are 0.
template <Domain kDomain, unsigned size, class T>
void load_groups(const Thread& thread, const isa::Instruction& in, const isa::Operand& operand,
                 LaneArray<T>& to) {
    load_source<kDomain>(thread, in, operand, to);
    for (unsigned lane = in.exec_size; lane < size; ++lane)
        to[lane] = T{};
}

/// dp2, dp3, dp4, dph: one result per group of four channels, given to all of the group.
template <unsigned kTerms, bool kHomogeneous>
Outcome execute_dot(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = write_lanes(thread, in);
    HostRounding rounding(FloatControl(thread).rounding());
    HostFlush flush(flushes_singles(thread));
    LaneArray<float> a, b, result;
    load_groups<Domain::Single, 4>(thread, in, in.src[0], a);
    load_groups<Domain::Single, 4>(thread, in, in.src[1], b);
    Signals<Domain::Single> signals(thread, in, enabled);
    for (unsigned group = 0; group < in.exec_size; group += 4) {
        signals.compute(15u << group, result[group], [&] {
            float sum = kHomogeneous ? b[group + 3] : 0.0f;
            for (unsigned i = kTerms; i-- > 0;)
                sum = std::fma(a[group + i], b[group + i], sum);
            return sum;
        });
        for (unsigned i = 1; i < 4; ++i)
            result[group + i] = result[group];
    }
    finish<Domain::Single>(thread, d, result, enabled);
    leave(thread, d);
    return Outcome::Next;
}

/// A scalar element `index` floats behind the origin of src0: the coefficients of line and pln.
float coefficient(const Thread& thread, const isa::Instruction& in, unsigned index) {
    isa::Instruction one = in;
    one.exec_size = 1;
    one.align16 = false;
    isa::Operand operand = in.src[0];
    operand.vert_stride = operand.horz_stride = 0;
    operand.width = 1;
    operand.subreg = static_cast<std::uint8_t>((operand.subreg & 16u) + 4 * index);
    LaneArray<float> value;
    load_source<Domain::Single>(thread, one, operand, value);
    return value[0];
}

Outcome execute_line(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = write_lanes(thread, in);
    HostRounding rounding(FloatControl(thread).rounding());
    HostFlush flush(flushes_singles(thread));
    const float p = coefficient(thread, in, 0), r = coefficient(thread, in, 3);
    LaneArray<float> u, result;
    load_source<Domain::Single>(thread, in, in.src[1], u);
    Signals<Domain::Single> signals(thread, in, enabled);
    for (unsigned lane = 0; lane < in.exec_size; ++lane)
        signals.compute(1u << lane, result[lane], [&] { return std::fma(p, u[lane], r); });
    finish<Domain::Single>(thread, d, result, enabled);
    leave(thread, d);
    return Outcome::Next;
}

/// pln: for each eight channels one register of u, then one of v.
Outcome execute_pln(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = write_lanes(thread, in);
    HostRounding rounding(FloatControl(thread).rounding());
    HostFlush flush(flushes_singles(thread));
    const float p = coefficient(thread, in, 0), q = coefficient(thread, in, 1),
                r = coefficient(thread, in, 3);
    LaneArray<float> result;
    Signals<Domain::Single> signals(thread, in, enabled);
    for (unsigned first = 0; first < in.exec_size; first += 8) {
        isa::Instruction part = in;
        part.exec_size = static_cast<std::uint8_t>(std::min<unsigned>(8, in.exec_size));
        isa::Operand u_operand = in.src[1], v_operand = in.src[1];
        u_operand.reg = static_cast<std::uint8_t>(in.src[1].reg + first / 4);
        v_operand.reg = static_cast<std::uint8_t>(u_operand.reg + 1);
        LaneArray<float> u, v;
        load_source<Domain::Single>(thread, part, u_operand, u);
        load_source<Domain::Single>(thread, part, v_operand, v);
        for (unsigned i = 0; i < part.exec_size; ++i)
            signals.compute(1u << (first + i), result[first + i],
                            [&] { return std::fma(p, u[i], std::fma(q, v[i], r)); });
    }
    finish<Domain::Single>(thread, d, result, enabled);
    leave(thread, d);
    return Outcome::Next;
}

struct Lrp {
    static float apply(float a, float b, float c) { return std::fma(a, b, (1.0f - a) * c); }
};

/// sad2, sada2: |a0-b0| + |a1-b1| of channel pairs, in the even channel of each.
template <bool kAccumulate>
Outcome execute_sad2(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = write_lanes(thread, in) & 0x55555555u;
    LaneArray<Int128> a, b, result;
    load_groups<Domain::Integer, 2>(thread, in, in.src[0], a);
    load_groups<Domain::Integer, 2>(thread, in, in.src[1], b);
    const auto distance = [&](unsigned lane) {
        return a[lane] > b[lane] ? a[lane] - b[lane] : b[lane] - a[lane];
    };
    for (unsigned lane = 0; lane < in.exec_size; lane += 2) {
        result[lane] = distance(lane) + distance(lane + 1);
        if (kAccumulate)
            result[lane] += static_cast<std::int64_t>(read_accumulator(thread, in.dst.type, lane));
    }
    finish<Domain::Integer>(thread, d, result, enabled);
    leave(thread, d);
    return Outcome::Next;
}

}  // namespace

Execute vector_executor(const isa::Instruction& in) {
    const Domain domain = execution_domain(in);
    if (in.opcode == Opcode::Sad2 || in.opcode == Opcode::Sada2) {
        if (domain != Domain::Integer) return nullptr;
        return in.opcode == Opcode::Sad2 ? execute_sad2<false> : execute_sad2<true>;
    }
    if (domain != Domain::Single) return nullptr;
    switch (in.opcode) {
        case Opcode::Dp2:
            return execute_dot<2, false>;
        case Opcode::Dp3:
            return execute_dot<3, false>;
        case Opcode::Dp4:
            return execute_dot<4, false>;
        case Opcode::Dph:
            return execute_dot<3, true>;
        case Opcode::Line:
            return execute_line;
        case Opcode::Pln:
            return execute_pln;
        case Opcode::Lrp:
            return execute_lanes<Domain::Single, 3, Lrp>;
        default:
            return nullptr;
    }
}

}  // namespace gen9::eu
