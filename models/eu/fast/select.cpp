// SPDX-License-Identifier: Apache-2.0
// Which instructions have a specialised function, and their operands for it. What this file turns
// away runs on the general path; both give the same state (tests/unit/eu/core_fast_test.cpp).
#include <algorithm>

#include "eu/fast/request.h"
#include "eu/masks.h"
#include "eu/operands.h"
#include "eu/prepare.h"

namespace gen9::eu {

using fast::Kind;
using fast::Lane;
using fast::Op;
using fast::Request;
using isa::CondMod;
using isa::Opcode;
using isa::Operand;
using isa::Type;

namespace {

constexpr unsigned kFileBytes = kGrfCount * kGrfBytes;

bool is_integer(Type type) {
    return !isa::is_float(type) && type != Type::UV && type != Type::V;
}
unsigned lane_bytes(Lane lane) {
    switch (lane) {
        case Lane::U16:
        case Lane::Half:
            return 2;
        case Lane::I64:
        case Lane::U64:
        case Lane::Double:
            return 8;
        default:
            return 4;
    }
}
bool is_float_lane(Lane lane) {
    return lane == Lane::Single || lane == Lane::Double;
}

/// An integer immediate with its modifiers, exactly.
Int128 immediate_value(const Operand& operand) {
    const unsigned width = isa::size_bytes(operand.type) * 8;
    Int128 v = isa::is_signed(operand.type)
                   ? Int128{sign_extend(operand.immediate, width)}
                   : Int128{width == 64 ? operand.immediate
                                        : operand.immediate & ((std::uint64_t{1} << width) - 1)};
    if (operand.absolute && v < 0) v = -v;
    return operand.negate ? -v : v;
}

class Selector {
  public:
    explicit Selector(DecodedInstruction& d) : in_(d.instruction), f_(d.fast) {}

    /// The specialised function, or null.
    Execute run() {
        if (!acceptable() || !classify()) return nullptr;
        f_.lanes = low_mask(in_.exec_size) & channel_enable_lanes(in_);
        f_.every_channel = in_.no_mask ? ~std::uint32_t{0} : 0;
        f_.channel_offset = in_.channel_offset;
        f_.predicate = in_.pred_ctrl == isa::PredCtrl::None ? FastOperands::Predicate::None
                       : in_.pred_ctrl == isa::PredCtrl::Sequential
                           ? FastOperands::Predicate::Sequential
                           : FastOperands::Predicate::Other;
        f_.predicate_invert = in_.pred_invert ? ~std::uint32_t{0} : 0;
        f_.flag_register = in_.flag_reg & 1;
        f_.flag_shift = static_cast<std::uint8_t>(flag_shift(in_));
        if (!set_shape()) return nullptr;
        for (unsigned i = 0; i < request_.sources; ++i)
            set_source(i);
        if (!set_destination()) return nullptr;
        settle_form();
        if (!in_range()) return nullptr;
        return pick();
    }

  private:
    /// Shapes no specialised function has.
    bool acceptable() const {
        if (in_.exec_size > 16 || in_.acc_write || in_.dst.indirect) return false;
        if (in_.cond_mod == CondMod::O || in_.cond_mod == CondMod::U) return false;
        if (!in_.dst.is_grf() && !in_.dst.is_null()) return false;
        for (unsigned i = 0; i < in_.source_count; ++i) {
            const Operand& source = in_.src[i];
            if (source.indirect || source.multi_indirect) return false;
            if (source.file == isa::RegFile::Arf) return false;
            if (source.type == Type::UV || source.type == Type::V || source.type == Type::VF ||
                source.type == Type::HF)
                return false;
            if (in_.align16 && !source.replicate && source.swizzle != 0xE4) return false;
            if (in_.align16 && in_.source_count < 3 && source.is_grf() &&
                source.vert_stride * isa::size_bytes(source.type) != 16)
                return false;
        }
        return in_.dst.type != Type::HF;
    }

    bool classify() {
        switch (in_.opcode) {
            case Opcode::Mov:
                return classify_move();
            case Opcode::Cmp:
                return classify_compare();
            case Opcode::Sel:
                return classify_select();
            case Opcode::Add:
                return classify_arithmetic(Op::Add);
            case Opcode::Mul:
                return classify_arithmetic(Op::Mul);
            case Opcode::Mad:
                return classify_arithmetic(Op::Mad);
            case Opcode::And:
                return classify_integer(Op::And);
            case Opcode::Or:
                return classify_integer(Op::Or);
            case Opcode::Xor:
                return classify_integer(Op::Xor);
            case Opcode::Not:
                return classify_integer(Op::Not);
            case Opcode::Shl:
                return classify_integer(Op::Shl);
            case Opcode::Shr:
                return classify_integer(Op::Shr);
            case Opcode::Asr:
                return classify_integer(Op::Asr);
            default:
                return false;
        }
    }

    void ask(Op op, Lane lane, unsigned sources) {
        request_.op = op;
        request_.lane = result_lane_ = lane;
        request_.sources = sources;
    }
    bool all_of_type(Type type) const {
        for (unsigned i = 0; i < in_.source_count; ++i)
            if (in_.src[i].type != type) return false;
        return in_.dst.type == type;
    }
    bool all_integer() const {
        for (unsigned i = 0; i < in_.source_count; ++i)
            if (!is_integer(in_.src[i].type)) return false;
        return is_integer(in_.dst.type);
    }
    unsigned widest() const {
        unsigned size = isa::size_bytes(in_.dst.type);
        for (unsigned i = 0; i < in_.source_count; ++i)
            size = std::max(size, isa::size_bytes(in_.src[i].type));
        return size;
    }
    Lane modular_lane() const { return widest() == 8 ? Lane::U64 : Lane::U32; }

    bool classify_move() {
        const Operand& src = in_.src[0];
        const Type to = in_.dst.type, from = src.type;
        const bool modified = src.negate || src.absolute;
        if (from == to && !modified && !in_.saturate && in_.cond_mod == CondMod::None) {
            const unsigned size = isa::size_bytes(to);
            ask(Op::Move,
                size == 8                           ? Lane::U64
                : size == 2 && is_plain_word_move() ? Lane::U16
                                                    : Lane::U32,
                1);
            raw_ = true;
            return true;
        }
        if (from == Type::F && to == Type::F) return ask(Op::Move, Lane::Single, 1), true;
        if (from == Type::DF && to == Type::DF) return ask(Op::Move, Lane::Double, 1), true;
        if (is_integer(from) && is_integer(to)) {
            ask(Op::Move, modular_lane(), 1);
            return !in_.saturate;
        }
        if (in_.saturate || (modified && from != Type::F)) return false;
        if (is_integer(from) && isa::size_bytes(from) <= 4 && to == Type::F) {
            ask(Op::ToSingle, from == Type::UD ? Lane::U32 : Lane::I32, 1);
            result_lane_ = Lane::Single;
            return true;
        }
        if (from == Type::F && (to == Type::D || to == Type::UD) && in_.cond_mod == CondMod::None) {
            ask(to == Type::D ? Op::ToInteger : Op::ToUnsigned, Lane::Single, 1);
            result_lane_ = Lane::U32;
            return true;
        }
        return false;
    }

    /// Words have a direct form only; other word moves go through DWord lanes.
    bool is_plain_word_move() const {
        const int stride = in_.src[0].file == isa::RegFile::Imm ? 0 : linear_stride(in_.src[0]);
        return (stride == 0 || stride == 1) && in_.dst.is_grf() &&
               (in_.exec_size == 1 || in_.align16 || in_.dst.horz_stride == 1);
    }

    bool classify_arithmetic(Op op) {
        const unsigned sources = op == Op::Mad ? 3 : 2;
        if (all_of_type(Type::F)) return ask(op, Lane::Single, sources), true;
        if (all_of_type(Type::DF)) return ask(op, Lane::Double, sources), true;
        return op != Op::Mad && classify_integer(op);
    }

    /// Operations whose low bits depend on low bits only, and shifts.
    bool classify_integer(Op op) {
        if (!all_integer() || in_.saturate) return false;
        const bool logic = op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Not;
        const bool shift = op == Op::Shl || op == Op::Shr || op == Op::Asr;
        const unsigned sources = op == Op::Not ? 1 : 2;
        Lane lane = modular_lane();
        if (logic)
            for (unsigned i = 0; i < sources; ++i)
                if (in_.src[i].negate || in_.src[i].absolute) return false;
        if (shift && lane == Lane::U64 && !is_qword_mode(in_)) return false;
        if (op == Op::Asr) {
            // Arithmetic on the extended value (EU-222): unsigned sources shift zeros in.
            if (in_.src[0].negate || in_.src[0].absolute) return false;
            if (in_.src[0].type == Type::UQ || (in_.src[0].type == Type::UD && lane == Lane::U32))
                op = Op::Shr;
        }
        ask(op, lane, sources);
        if (op == Op::Add) rewrite_subtraction();
        return true;
    }
    /// add with one negated register source is a subtraction without modifiers.
    void rewrite_subtraction() {
        const Operand &a = in_.src[0], &b = in_.src[1];
        const auto plain_negate = [](const Operand& o) {
            return o.negate && !o.absolute && o.is_grf();
        };
        if (plain_negate(b) && !a.negate && !a.absolute) {
            request_.op = Op::Sub;
            dropped_negate_ = 1;
        }
    }

    bool fits(const Operand& operand, Int128 low, Int128 high) const {
        if (operand.file == isa::RegFile::Imm) {
            const Int128 v = immediate_value(operand);
            return low <= v && v <= high;
        }
        if (operand.negate || operand.absolute) return false;
        const unsigned width = isa::size_bytes(operand.type) * 8;
        const Int128 one = 1;
        const Int128 least = isa::is_signed(operand.type) ? -(one << (width - 1)) : 0;
        const Int128 most = (isa::is_signed(operand.type) ? one << (width - 1) : one << width) - 1;
        return low <= least && most <= high;
    }
    /// A lane type that holds both operands' values exactly.
    Lane ordered_lane() const {
        const Int128 one = 1;
        const auto both = [&](Int128 low, Int128 high) {
            return fits(in_.src[0], low, high) && fits(in_.src[1], low, high);
        };
        if (widest() <= 4) {
            if (both(-(one << 31), (one << 31) - 1)) return Lane::I32;
            if (both(0, (one << 32) - 1)) return Lane::U32;
            return Lane::None;
        }
        if (both(-(one << 63), (one << 63) - 1)) return Lane::I64;
        return both(0, (one << 64) - 1) ? Lane::U64 : Lane::None;
    }

    bool classify_compare() {
        if (in_.cond_mod == CondMod::None || in_.saturate) return false;
        Lane lane = Lane::None;
        if (in_.src[0].type == Type::F && in_.src[1].type == Type::F)
            lane = Lane::Single;
        else if (in_.src[0].type == Type::DF && in_.src[1].type == Type::DF)
            lane = Lane::Double;
        else if (is_integer(in_.src[0].type) && is_integer(in_.src[1].type))
            lane = ordered_lane();
        if (lane == Lane::None) return false;
        ask(Op::Compare, lane, 2);
        result_lane_ = lane_bytes(lane) == 8 ? Lane::U64 : Lane::U32;
        request_.condition = in_.cond_mod;
        return true;
    }

    bool classify_select() {
        const bool single = all_of_type(Type::F), wide = all_of_type(Type::DF);
        if (in_.cond_mod == CondMod::None) {
            if (single) return ask(Op::Select, Lane::Single, 2), true;
            if (wide) return ask(Op::Select, Lane::Double, 2), true;
            if (!all_integer() || in_.saturate) return false;
            return ask(Op::Select, modular_lane(), 2), true;
        }
        if (in_.pred_ctrl != isa::PredCtrl::None) return false;
        const bool minimum = in_.cond_mod == CondMod::L, maximum = in_.cond_mod == CondMod::GE;
        if (!minimum && !maximum) return false;
        const Op op = minimum ? Op::Minimum : Op::Maximum;
        if (single || wide) return ask(op, single ? Lane::Single : Lane::Double, 2), true;
        if (!all_integer() || in_.saturate) return false;
        const Lane lane = ordered_lane();
        if (lane == Lane::None || isa::size_bytes(in_.dst.type) > lane_bytes(lane)) return false;
        return ask(op, lane, 2), true;
    }

    /// Number of lanes of the function: the instruction's, or more with the rest masked off.
    bool set_shape() {
        const unsigned size = lane_bytes(request_.lane);
        const unsigned shortest = size == 8 ? 4 : 8;
        request_.lanes = in_.exec_size == 1 ? 1 : std::max<unsigned>(in_.exec_size, shortest);
        return request_.lanes <= 2 * shortest;
    }

    /// Distance of neighbouring lanes' elements, -1 if rows break it.
    int linear_stride(const Operand& operand) const {
        if (operand.replicate) return 0;
        if (in_.align16) return 1;
        if (in_.exec_size == 1) return 0;
        if (operand.width == 1) return operand.vert_stride;
        if (in_.exec_size <= operand.width ||
            operand.vert_stride == operand.width * operand.horz_stride)
            return operand.horz_stride;
        return -1;
    }

    void set_source(unsigned i) {
        const Operand& operand = in_.src[i];
        const Lane lane = request_.lane;
        std::uint8_t modifier = 0;
        if (operand.absolute && !(is_integer(operand.type) && !isa::is_signed(operand.type)))
            modifier |= FastOperands::kAbsolute;
        if (operand.negate && !(dropped_negate_ == i)) modifier |= FastOperands::kNegate;
        if (operand.file == isa::RegFile::Imm) {
            f_.immediate[i] = true;
            f_.constant = constant_of(operand, lane);
            request_.kind[i] = Kind::Scalar;
            return;
        }
        f_.source[i] =
            static_cast<std::uint16_t>(operand.reg * unsigned{kGrfBytes} + operand.subreg);
        f_.modifier[i] = modifier;
        const int stride = linear_stride(operand);
        request_.kind[i] = stride == 0 ? Kind::Scalar : Kind::Packed;
        const bool same_size = isa::size_bytes(operand.type) == lane_bytes(lane);
        const bool float_negate = is_float_lane(lane) && modifier == FastOperands::kNegate;
        if (float_negate) f_.sign[i] = std::uint64_t{1} << (8 * lane_bytes(lane) - 1);
        // The direct form reads packed lanes or a scalar of the lane's own size.
        packed_[i] = stride == 1 && same_size && (modifier == 0 || float_negate);
        const bool scalar_directly = stride == 0 && same_size;
        if (!packed_[i] && !scalar_directly) request_.staged = true;
    }

    std::uint64_t constant_of(const Operand& operand, Lane lane) const {
        if (raw_) return operand.immediate;
        if (lane == Lane::Single || lane == Lane::Double) {
            const unsigned top = 8 * lane_bytes(lane) - 1;
            std::uint64_t bits = operand.immediate;
            if (operand.absolute) bits &= ~(std::uint64_t{1} << top);
            return operand.negate ? bits ^ std::uint64_t{1} << top : bits;
        }
        return static_cast<std::uint64_t>(immediate_value(operand));
    }

    bool set_destination() {
        const Operand& dst = in_.dst;
        f_.destination = static_cast<std::uint16_t>(dst.reg * unsigned{kGrfBytes} + dst.subreg);
        f_.saturate = in_.saturate;
        const bool compare = request_.op == Op::Compare;
        const bool select_by_condition = request_.op == Op::Minimum || request_.op == Op::Maximum;
        if (!compare && !select_by_condition) f_.condition = in_.cond_mod;
        f_.signed_result = isa::is_signed(dst.type);
        const unsigned size = isa::size_bytes(dst.type);
        // Conditions see the final element, which must then be the whole lane.
        if (f_.condition != CondMod::None && size != lane_bytes(result_lane_)) return false;
        if (f_.condition != CondMod::None || f_.saturate) request_.staged = true;
        const unsigned stride =
            in_.align16 || in_.exec_size == 1 || dst.horz_stride == 0 ? 1 : dst.horz_stride;
        request_.null_destination = dst.is_null();
        if (dst.is_null() || size != lane_bytes(result_lane_) || stride != 1) {
            f_.scatter = fast::pick_scatter(result_lane_, dst.type, dst.is_null());
            if (f_.scatter == nullptr) return false;
            if (!compare || !dst.is_null()) request_.staged = true;
        }
        return true;
    }

    /// Direct where there is such a function, staged for the rest.
    void settle_form() {
        const bool scalars = request_.kind[0] == Kind::Scalar && request_.sources == 2 &&
                             request_.kind[1] == Kind::Scalar;
        if (scalars && request_.lanes != 1 && request_.op != Op::Select) request_.staged = true;
        const bool compares_elsewhere = request_.kind[0] == Kind::Scalar ||
                                        !request_.null_destination ||
                                        lane_bytes(request_.lane) == 8;
        if (request_.op == Op::Compare && request_.lanes != 1 && compares_elsewhere)
            request_.staged = true;
        if (request_.op == Op::Mad && request_.lane == Lane::Double) request_.staged = true;
        if (request_.lanes == 1 && request_.staged)
            request_.lanes = lane_bytes(request_.lane) == 8 ? 4 : 8;
        if (!request_.staged) return;
        for (unsigned i = 0; i < request_.sources; ++i)
            if (!packed_[i])
                f_.gather[i] =
                    fast::pick_gather(in_.src[i].type, request_.lane, in_.src[i], in_.exec_size);
    }

    /// Every byte the function touches lies in the register file, every element on its own size:
    /// what does not is left to the general path, which wraps it around.
    bool in_range() const {
        for (unsigned i = 0; i < request_.sources; ++i) {
            const Operand& operand = in_.src[i];
            if (f_.immediate[i]) continue;
            const unsigned size = isa::size_bytes(operand.type);
            unsigned last = 0;
            if (packed_[i]) {
                last = request_.lanes - 1;
            } else if (request_.kind[i] == Kind::Packed) {
                if (request_.staged && f_.gather[i] == nullptr) return false;
                const unsigned columns = std::min<unsigned>(in_.exec_size, operand.width),
                               rows = in_.exec_size / columns;
                last = in_.align16
                           ? in_.exec_size - 1u
                           : (rows - 1) * operand.vert_stride + (columns - 1) * operand.horz_stride;
            } else if (request_.staged && f_.gather[i] == nullptr) {
                return false;
            }
            if (f_.source[i] % size != 0 || f_.source[i] + (last + 1) * size > kFileBytes)
                return false;
        }
        if (in_.dst.is_null()) return true;
        const unsigned size = isa::size_bytes(in_.dst.type);
        const unsigned step =
            f_.scatter && in_.dst.horz_stride && !in_.align16 ? in_.dst.horz_stride : 1;
        const unsigned last = f_.scatter ? (in_.exec_size - 1u) * step : request_.lanes - 1;
        return f_.destination % size == 0 && f_.destination + (last + 1) * size <= kFileBytes;
    }

    Execute pick() const {
        static const bool newer = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                                  __builtin_cpu_supports("bmi2");
        if (lane_bytes(request_.lane) == 8)
            return newer ? fast::avx2::pick_wide(request_) : fast::base::pick_wide(request_);
        if (request_.lane == Lane::Single || result_lane_ == Lane::Single)
            return newer ? fast::avx2::pick_float(request_) : fast::base::pick_float(request_);
        return newer ? fast::avx2::pick_integer(request_) : fast::base::pick_integer(request_);
    }

    const isa::Instruction& in_;
    FastOperands& f_;
    Request request_;
    Lane result_lane_ = Lane::None;
    bool raw_ = false;
    unsigned dropped_negate_ = ~0u;
    bool packed_[3] = {};
};

}  // namespace

void bind_fast(DecodedInstruction& d) {
    d.fast.general = d.execute;
    if (const Execute execute = Selector(d).run()) d.execute = execute;
}

}  // namespace gen9::eu
