// SPDX-License-Identifier: Apache-2.0
// Float arithmetic, comparison, selection and rounding to integral values (EU-134..EU-145,
// EU-226..EU-248).
#include <cmath>

#include "eu/execute/compare.h"
#include "eu/execute/families.h"
#include "eu/thread/accumulator.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

using isa::Opcode;

namespace {

struct Add {
    template <class V>
    static V apply(V a, V b) {
        return a + b;
    }
};
struct Mul {
    template <class V>
    static V apply(V a, V b) {
        return a * b;
    }
};
struct Mad {
    template <class V>
    static V apply(V a, V b, V c) {
        return std::fma(b, c, a);
    }
};
struct Frc {
    template <class V>
    static V apply(V a) {
        return std::isinf(a) ? std::copysign(V{0}, a) : a - std::floor(a);
    }
};

// The mode in cr0 plays no part in these (EU-142).
struct Rndu {
    static constexpr bool kSilent = true;
    template <class V>
    static V apply(V a) {
        return std::ceil(a);
    }
};
struct Rndd {
    static constexpr bool kSilent = true;
    template <class V>
    static V apply(V a) {
        return std::floor(a);
    }
};
struct Rndz {
    static constexpr bool kSilent = true;
    template <class V>
    static V apply(V a) {
        return std::trunc(a);
    }
};
struct Rnde {
    static constexpr bool kSilent = true;
    template <class V>
    static V apply(V a) {
        const V down = std::floor(a), part = a - down;
        if (!(part > V{0})) return a;
        const bool odd = std::fmod(down, V{2}) != 0;
        const V even = part > V{0.5} || (part == V{0.5} && odd) ? down + 1 : down;
        return std::copysign(even, a);
    }
};

template <Domain D>
Outcome execute_mac(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = write_lanes(thread, in);
    HostRounding rounding(FloatControl(thread).rounding());
    HostFlush flush(D == Domain::Single && flushes_singles(thread));
    isa::Operand accumulator = in.dst;
    accumulator.file = isa::RegFile::Arf;
    accumulator.reg = 0x20;
    accumulator.indirect = accumulator.negate = accumulator.absolute = false;
    accumulator.subreg = static_cast<std::uint8_t>(implicit_cell(in.dst.type, in.channel_offset) *
                                                   isa::size_bytes(in.dst.type));
    accumulator.vert_stride = accumulator.width = in.exec_size;
    accumulator.horz_stride = 1;
    LaneArray<Value<D>> a, b, c, result;
    load_source<D>(thread, in, in.src[0], a);
    load_source<D>(thread, in, in.src[1], b);
    load_source<D>(thread, in, accumulator, c);
    Signals<D> signals(thread, in, enabled);
    for (unsigned lane = 0; lane < in.exec_size; ++lane)
        signals.compute(1u << lane, result[lane],
                        [&] { return std::fma(a[lane], b[lane], c[lane]); });
    finish<D>(thread, d, result, enabled);
    leave(thread, d);
    return Outcome::Next;
}

/// csel: (src2 condition 0) ? src0 : src1; the flags stay (EU-226).
template <Domain D>
Outcome execute_csel(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = lanes_enabled(thread, in) & channel_enable_lanes(in);
    LaneArray<Value<D>> a, b, c, result;
    load_source<D>(thread, in, in.src[0], a);
    load_source<D>(thread, in, in.src[1], b);
    load_source<D>(thread, in, in.src[2], c);
    for (unsigned lane = 0; lane < in.exec_size; ++lane)
        result[lane] = relation_holds(in.cond_mod, c[lane], Value<D>{0}) ? a[lane] : b[lane];
    finish<D>(thread, d, result, enabled, Flags::Keep);
    leave(thread, d);
    return Outcome::Next;
}

template <Domain D>
Execute executor(Opcode opcode) {
    switch (opcode) {
        case Opcode::Add:
            return execute_lanes<D, 2, Add>;
        case Opcode::Mul:
            return execute_lanes<D, 2, Mul>;
        case Opcode::Mad:
            return execute_lanes<D, 3, Mad>;
        case Opcode::Mac:
            return execute_mac<D>;
        case Opcode::Frc:
            return execute_lanes<D, 1, Frc>;
        case Opcode::Rndu:
            return execute_lanes<D, 1, Rndu>;
        case Opcode::Rndd:
            return execute_lanes<D, 1, Rndd>;
        case Opcode::Rnde:
            return execute_lanes<D, 1, Rnde>;
        case Opcode::Rndz:
            return execute_lanes<D, 1, Rndz>;
        case Opcode::Cmp:
            return execute_compare<D, false>;
        case Opcode::Cmpn:
            return execute_compare<D, true>;
        case Opcode::Sel:
            return execute_select<D>;
        case Opcode::Csel:
            return execute_csel<D>;
        default:
            return nullptr;
    }
}

}  // namespace

Execute float_executor(const isa::Instruction& in) {
    switch (execution_domain(in)) {
        case Domain::Single:
            return executor<Domain::Single>(in.opcode);
        case Domain::Double:
            return executor<Domain::Double>(in.opcode);
        case Domain::Half:
            return executor<Domain::Half>(in.opcode);
        case Domain::Integer:
            return nullptr;
    }
    return nullptr;
}

}  // namespace gen9::eu
