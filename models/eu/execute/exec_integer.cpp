// SPDX-License-Identifier: Apache-2.0
// Integer arithmetic, logic, shifts and bit fields (EU-219..EU-243).
#include <bit>

#include "eu/execute/compare.h"
#include "eu/execute/families.h"
#include "eu/thread/accumulator.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

using isa::Opcode;
using isa::Type;

namespace {

std::uint32_t low32(Int128 v) {
    return static_cast<std::uint32_t>(v);
}

struct Not {
    static Int128 apply(Int128 a) { return ~a; }
};
struct And {
    static Int128 apply(Int128 a, Int128 b) { return a & b; }
};
struct Or {
    static Int128 apply(Int128 a, Int128 b) { return a | b; }
};
struct Xor {
    static Int128 apply(Int128 a, Int128 b) { return a ^ b; }
};
struct Add {
    static Int128 apply(Int128 a, Int128 b) { return a + b; }
};
struct Mul {
    static Int128 apply(Int128 a, Int128 b) {
        return static_cast<Int128>(static_cast<Uint128>(a) * static_cast<Uint128>(b));
    }
};
struct Avg {
    static Int128 apply(Int128 a, Int128 b) { return (a + b + 1) >> 1; }
};

// Shift counts use 5 bits, 6 with a 64-bit operand (EU-220).
template <unsigned kBits>
struct Shl {
    static Int128 apply(Int128 a, Int128 b) {
        return static_cast<Int128>(static_cast<Uint128>(a) << (low32(b) & (kBits - 1)));
    }
};
template <unsigned kBits>
struct Shr {
    static Int128 apply(Int128 a, Int128 b) {
        const std::uint64_t value = kBits == 64 ? static_cast<std::uint64_t>(a) : low32(a);
        return value >> (low32(b) & (kBits - 1));
    }
};
template <unsigned kBits>
struct Asr {
    static Int128 apply(Int128 a, Int128 b) { return a >> (low32(b) & (kBits - 1)); }
};

struct Bfrev {
    static Int128 apply(Int128 a) {
        std::uint32_t v = low32(a), r = 0;
        for (int i = 0; i < 32; ++i)
            r = r << 1 | (v >> i & 1);
        return r;
    }
};
struct Lzd {
    static Int128 apply(Int128 a) { return std::countl_zero(low32(a)); }
};
struct Fbl {
    static Int128 apply(Int128 a) {
        return low32(a) ? Int128{std::countr_zero(low32(a))} : Int128{0xFFFFFFFF};
    }
};
struct FbhUnsigned {
    static Int128 apply(Int128 a) {
        return low32(a) ? Int128{std::countl_zero(low32(a))} : Int128{0xFFFFFFFF};
    }
};
struct FbhSigned {
    static Int128 apply(Int128 a) {
        const std::uint32_t v = low32(a), changed = v ^ (v >> 31 ? ~0u : 0u);
        return changed ? Int128{std::countl_zero(changed)} : Int128{0xFFFFFFFF};
    }
};
struct Cbit {
    static Int128 apply(Int128 a) { return std::popcount(low32(a)); }
};
struct CbitWord {
    static Int128 apply(Int128 a) { return std::popcount(low32(a) & 0xFFFFu); }
};
struct CbitByte {
    static Int128 apply(Int128 a) { return std::popcount(low32(a) & 0xFFu); }
};

struct BfeUnsigned {
    static Int128 apply(Int128 width, Int128 offset, Int128 value) {
        const unsigned w = low32(width) & 31, o = low32(offset) & 31;
        return (low32(value) >> o) & low_mask(w);
    }
};
struct BfeSigned {
    static Int128 apply(Int128 width, Int128 offset, Int128 value) {
        const unsigned w = low32(width) & 31, o = low32(offset) & 31;
        if (w == 0) return 0;
        const auto v = static_cast<std::int32_t>(low32(value));
        if (w + o >= 32) return v >> o;
        return static_cast<std::int32_t>(low32(value) << (32 - w - o)) >> (32 - w);
    }
};
struct Bfi1 {
    static Int128 apply(Int128 width, Int128 offset) {
        return std::uint32_t(low_mask(low32(width) & 31) << (low32(offset) & 31));
    }
};
struct Bfi2 {
    static Int128 apply(Int128 mask, Int128 insert, Int128 base) {
        const std::uint32_t m = low32(mask);
        if (m == 0) return low32(base);
        return ((low32(insert) << std::countr_zero(m)) & m) | (low32(base) & ~m);
    }
};

/// addc, subb: 32-bit result, carry or borrow in the accumulator (EU-242, EU-243).
template <bool kSubtract>
Outcome execute_carry(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = write_lanes(thread, in);
    LaneArray<Int128> a, b;
    load_source<Domain::Integer>(thread, in, in.src[0], a);
    load_source<Domain::Integer>(thread, in, in.src[1], b);
    LaneArray<std::uint64_t> raw;
    std::uint32_t flags = 0;
    const bool accumulate = !(thread.control[0] & cr0::kAccDisable);
    const unsigned first = implicit_cell(in.dst.type, in.channel_offset);
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        if (!(enabled >> lane & 1)) continue;
        const std::uint64_t x = low32(a[lane]), y = low32(b[lane]);
        raw[lane] = static_cast<std::uint32_t>(kSubtract ? x - y : x + y);
        const std::uint64_t carry = kSubtract ? x < y : (x + y) >> 32;
        if (accumulate) write_accumulator(thread, in.dst.type, first + lane, carry);
        Converted c{raw[lane]};
        c.overflow = carry != 0;
        if (condition_holds(in.cond_mod, in.dst.type, c)) flags |= 1u << lane;
    }
    write_destination(thread, in, raw, raw, enabled);
    if (in.cond_mod != isa::CondMod::None) update_flag(thread, in, enabled, flags);
    leave(thread, d);
    return Outcome::Next;
}

/// mach: acc += (src0 * src1[31:16]) << 16, then the high half (EU-237). With the mul that put
/// src0 * src1[15:0] into the accumulator this is the high half of the full product.
Outcome execute_mach(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = write_lanes(thread, in);
    LaneArray<Int128> a, b, result;
    load_source<Domain::Integer>(thread, in, in.src[0], a);
    load_source<Domain::Integer>(thread, in, in.src[1], b);
    const bool accumulate = !(thread.control[0] & cr0::kAccDisable);
    const bool is_signed = isa::is_signed(in.src[0].type) || isa::is_signed(in.src[1].type);
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        if (!(enabled >> lane & 1)) continue;
        const std::uint64_t before = read_accumulator(thread, Type::D, lane);
        const auto high = static_cast<std::uint64_t>(b[lane] >> 16);
        const std::uint64_t after = before + ((static_cast<std::uint64_t>(a[lane]) * high) << 16);
        if (accumulate) write_accumulator(thread, Type::D, lane, after);
        result[lane] =
            is_signed ? Int128{static_cast<std::int64_t>(after) >> 32} : Int128{after >> 32};
    }
    DecodedInstruction without_accumulator = d;
    without_accumulator.instruction.acc_write = false;
    finish<Domain::Integer>(thread, without_accumulator, result, enabled);
    leave(thread, d);
    return Outcome::Next;
}

/// mac: the accumulator is an implicit third source (EU-236).
Outcome execute_mac(Thread& thread, const DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    const std::uint32_t enabled = write_lanes(thread, in);
    LaneArray<Int128> a, b, result;
    load_source<Domain::Integer>(thread, in, in.src[0], a);
    load_source<Domain::Integer>(thread, in, in.src[1], b);
    const unsigned first = implicit_cell(in.dst.type, in.channel_offset);
    for (unsigned lane = 0; lane < in.exec_size; ++lane) {
        const auto before =
            static_cast<std::int64_t>(read_accumulator(thread, in.dst.type, first + lane));
        // Sources of 64 bits are no mac, but a word can say them: the sum wraps.
        const Uint128 product = static_cast<Uint128>(Mul::apply(a[lane], b[lane]));
        result[lane] = static_cast<Int128>(static_cast<Uint128>(Int128{before}) + product);
    }
    finish<Domain::Integer>(thread, d, result, enabled);
    leave(thread, d);
    return Outcome::Next;
}

template <unsigned kSources, class Op>
constexpr Execute lanes = execute_lanes<Domain::Integer, kSources, Op>;

Execute cbit_executor(Type type) {
    switch (isa::size_bytes(type)) {
        case 1:
            return lanes<1, CbitByte>;
        case 2:
            return lanes<1, CbitWord>;
        default:
            return lanes<1, Cbit>;
    }
}

}  // namespace

Execute integer_executor(const isa::Instruction& in) {
    if (execution_domain(in) != Domain::Integer) return nullptr;
    const bool qword = is_qword_mode(in);
    switch (in.opcode) {
        case Opcode::Not:
            return lanes<1, Not>;
        case Opcode::And:
            return lanes<2, And>;
        case Opcode::Or:
            return lanes<2, Or>;
        case Opcode::Xor:
            return lanes<2, Xor>;
        case Opcode::Shl:
            return qword ? lanes<2, Shl<64>> : lanes<2, Shl<32>>;
        case Opcode::Shr:
            // EU-220, D-47: a signed source shifts its sign in.
            if (!isa::is_signed(in.src[0].type))
                return qword ? lanes<2, Shr<64>> : lanes<2, Shr<32>>;
            [[fallthrough]];
        case Opcode::Asr:
            return qword ? lanes<2, Asr<64>> : lanes<2, Asr<32>>;
        case Opcode::Add:
            return lanes<2, Add>;
        case Opcode::Mul:
            return lanes<2, Mul>;
        case Opcode::Avg:
            return lanes<2, Avg>;
        case Opcode::Mac:
            return execute_mac;
        case Opcode::Mach:
            return execute_mach;
        case Opcode::Addc:
            return execute_carry<false>;
        case Opcode::Subb:
            return execute_carry<true>;
        case Opcode::Lzd:
            return lanes<1, Lzd>;
        case Opcode::Fbh:
            return in.src[0].type == Type::D ? lanes<1, FbhSigned> : lanes<1, FbhUnsigned>;
        case Opcode::Fbl:
            return lanes<1, Fbl>;
        case Opcode::Cbit:
            return cbit_executor(in.src[0].type);
        case Opcode::Bfrev:
            return lanes<1, Bfrev>;
        case Opcode::Bfe:
            return in.dst.type == Type::D ? lanes<3, BfeSigned> : lanes<3, BfeUnsigned>;
        case Opcode::Bfi1:
            return lanes<2, Bfi1>;
        case Opcode::Bfi2:
            return lanes<3, Bfi2>;
        case Opcode::Cmp:
            return execute_compare<Domain::Integer, false>;
        case Opcode::Cmpn:
            return execute_compare<Domain::Integer, true>;
        case Opcode::Sel:
            return execute_select<Domain::Integer>;
        default:
            return nullptr;
    }
}

}  // namespace gen9::eu
