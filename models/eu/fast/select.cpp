// SPDX-License-Identifier: Apache-2.0
// The choice of a specialised function by the places and the forms of its operands.
#include <algorithm>
#include <cstddef>

#include "eu/execute/prepare.h"
#include "eu/fast/selector.h"
#include "eu/thread/masks.h"

namespace gen9::eu::fast {

using isa::CondMod;
using isa::Opcode;
using isa::Operand;
using isa::Type;

namespace {

constexpr unsigned kFileBytes = kGrfCount * kGrfBytes;

bool has_newer_host() {
    static const bool newer = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                              __builtin_cpu_supports("bmi2");
    return newer;
}
bool is_accumulator(const Operand& operand) {
    return operand.is_arf(isa::Arf::Accumulator);
}
bool is_modified(const Operand& operand) {
    return operand.negate || operand.absolute;
}
bool is_logic(Opcode opcode) {
    return opcode == Opcode::And || opcode == Opcode::Or || opcode == Opcode::Xor ||
           opcode == Opcode::Not;
}

}  // namespace

Choice Selector::run() {
    if (!acceptable() || !classify() || request_.sources > in_.source_count) return nullptr;
    set_modes();
    if (!set_shape()) return nullptr;
    for (unsigned i = 0; i < request_.sources; ++i)
        set_source(i);
    if (!set_destination()) return nullptr;
    settle_form();
    return in_range() ? pick() : nullptr;
}

/// Registers a specialised function can address as bytes of the thread: general registers; for one
/// channel flags and the address register; the whole acc0 of integers.
bool Selector::has_place(const Operand& operand) const {
    if (operand.is_grf()) return true;
    const unsigned size = isa::size_bytes(operand.type), end = operand.subreg + size;
    // The general path knows what a misaligned one means.
    if (operand.subreg % size != 0) return false;
    if (operand.is_arf(isa::Arf::Flag))
        return in_.exec_size == 1 && operand.reg % 16 < 2 && end <= 4;
    // Only the first DWord of a0 keeps all bits of words too (EU-073).
    if (operand.is_arf(isa::Arf::Address))
        return in_.exec_size == 1 && operand.reg % 16 == 0 && end <= 4;
    const bool accumulates =
        in_.opcode == Opcode::Mov || in_.opcode == Opcode::Add || in_.opcode == Opcode::Mul;
    return is_accumulator(operand) && accumulates && operand.reg % 16 == 0 && operand.subreg == 0 &&
           is_integer(operand.type) && isa::size_bytes(operand.type) == 4 && in_.exec_size == 8 &&
           !in_.align16;
}

unsigned Selector::place_of(const Operand& operand) const {
    static_assert(offsetof(Thread, grf) == 0);
    if (operand.is_arf(isa::Arf::Flag))
        return offsetof(Thread, flag) + 4u * (operand.reg % 16) + operand.subreg;
    if (operand.is_arf(isa::Arf::Address)) return offsetof(Thread, address) + operand.subreg;
    if (is_accumulator(operand)) return offsetof(Thread, acc);
    return operand.reg * unsigned{kGrfBytes} + operand.subreg;
}

/// Integer accumulators have 64-bit channels whatever the type says (accumulator.h).
unsigned Selector::element_bytes(const Operand& operand) const {
    return is_accumulator(operand) ? 8 : isa::size_bytes(operand.type);
}

/// Shapes no specialised function has.
bool Selector::acceptable() const {
    const bool carries =
        in_.opcode == Opcode::Mach || in_.opcode == Opcode::Addc || in_.opcode == Opcode::Subb;
    if (in_.exec_size > 16 || (in_.acc_write && !carries) || in_.dst.indirect) return false;
    // Not instructions, but words can say them: channels past the last, strides in Align16.
    if (in_.channel_offset + in_.exec_size > kMaxChannels) return false;
    if (in_.align16 && in_.dst.horz_stride > 1) return false;
    if (in_.cond_mod == CondMod::O || in_.cond_mod == CondMod::U) return false;
    if (!in_.dst.is_null() && !has_place(in_.dst)) return false;
    if (in_.dst.is_arf(isa::Arf::Flag) && in_.cond_mod != CondMod::None) return false;
    if (is_accumulator(in_.dst) && (in_.cond_mod != CondMod::None || in_.dst.horz_stride != 1))
        return false;
    for (unsigned i = 0; i < in_.source_count; ++i) {
        const Operand& source = in_.src[i];
        if (source.indirect || source.multi_indirect) return false;
        if (source.type == Type::UV || source.type == Type::V || source.type == Type::VF)
            return false;
        if (source.file == isa::RegFile::Imm) {
            if (is_logic(in_.opcode) && (source.negate || source.absolute)) return false;
            continue;
        }
        if (!has_place(source)) return false;
        // Its channels lie side by side; other regions of it are the general path's.
        if (is_accumulator(source) && linear_stride(source) != 1) return false;
        if (in_.align16 && !source.replicate && source.swizzle != 0xE4) return false;
        if (in_.align16 && in_.source_count < 3 &&
            source.vert_stride * isa::size_bytes(source.type) != 16)
            return false;
    }
    return true;
}

/// The modes of cr0 in which host arithmetic gives the EU's result (EU-099).
void Selector::set_modes() {
    const bool carries =
        in_.opcode == Opcode::Mach || in_.opcode == Opcode::Addc || in_.opcode == Opcode::Subb;
    if (carries) f_.modes = cr0::kAccDisable;
    // Integers and raw bits are the same in every mode.
    if (carries || (!is_float_lane(request_.lane) && !is_float_lane(result_lane_))) return;
    f_.modes = cr0::kRounding | cr0::kIeeeTrap;
    const auto want = [&](std::uint32_t bits) {
        f_.modes |= bits;
        f_.modes_wanted |= bits;
    };
    // The host flushes denormal singles if it is told to; doubles beside them must not be.
    // Nor must what a move copies bit by bit, and its conditions.
    const bool copies = in_.opcode == Opcode::Mov && in_.dst.type == in_.src[0].type &&
                        !is_modified(in_.src[0]) && !in_.saturate;
    const bool singles = request_.lane != Lane::Double && result_lane_ != Lane::Double &&
                         request_.op != Op::Macro && !copies;
    const auto mind = [&](Type type) {
        if (type == Type::F) {
            f_.modes |= cr0::kAlternate;
            if (singles)
                f_.keeps_denormals = cr0::kFloatDenormals;
            else
                want(cr0::kFloatDenormals);
        }
        if (type == Type::DF) want(cr0::kDoubleDenormals);
        // Moves between formats keep the denormals of halves (EU-132).
        if (type == Type::HF && (in_.opcode != Opcode::Mov || in_.dst.type == in_.src[0].type))
            want(cr0::kHalfDenormals);
    };
    mind(in_.dst.type);
    for (unsigned i = 0; i < in_.source_count; ++i)
        mind(in_.src[i].type);
    if (request_.op == Op::Minimum || request_.op == Op::Maximum) f_.modes |= cr0::kIeeeMinMax;
    if (in_.opcode == Opcode::Mov && is_integer(in_.dst.type)) f_.modes |= cr0::kRoundToInteger;
}

/// Number of lanes of the function: the instruction's, or more with the rest masked off.
bool Selector::set_shape() {
    const unsigned shortest = lane_bytes(request_.lane) == 8 ? 4 : 8;
    request_.lanes = in_.exec_size == 1 ? 1 : std::max<unsigned>(in_.exec_size, shortest);
    // Instructions that write acc0 have one length.
    if (request_.op == Op::Mach || request_.op == Op::AddCarry || request_.op == Op::SubBorrow)
        request_.lanes = 8;
    return request_.lanes <= 2 * shortest;
}

/// Distance of neighbouring lanes' elements, -1 if rows break it.
int Selector::linear_stride(const Operand& operand) const {
    if (operand.replicate) return 0;
    if (in_.align16) return 1;
    if (in_.exec_size == 1) return 0;
    if (operand.width == 1) return operand.vert_stride;
    if (in_.exec_size <= operand.width ||
        operand.vert_stride == operand.width * operand.horz_stride)
        return operand.horz_stride;
    return -1;
}

void Selector::set_source(unsigned i) {
    const Operand& operand = in_.src[i];
    const Lane lane = request_.lane;
    std::uint8_t modifier = 0;
    if (is_logic(in_.opcode)) {
        if (operand.negate && !operand.absolute) modifier = FastOperands::kInvert;
    } else {
        // The magnitude of an unsigned number is the number.
        if (operand.absolute && (!is_integer(operand.type) || isa::is_signed(operand.type)))
            modifier |= FastOperands::kAbsolute;
        if (operand.negate && dropped_negate_ != i) modifier |= FastOperands::kNegate;
    }
    if (operand.file == isa::RegFile::Imm) {
        f_.immediate[i] = true;
        f_.constant = constant_of(operand, lane);
        request_.kind[i] = Kind::Constant;
        return;
    }
    f_.source[i] = static_cast<std::uint16_t>(place_of(operand));
    f_.modifier[i] = modifier;
    const int stride = linear_stride(operand);
    request_.kind[i] = stride == 0 ? Kind::Scalar : Kind::Packed;
    const bool converts = is_float_lane(lane) != isa::is_float(operand.type) && !raw_;
    const bool same_size = element_bytes(operand) == lane_bytes(lane) && !converts;
    const bool float_negate = is_float_lane(lane) && modifier == FastOperands::kNegate;
    if (float_negate) f_.sign[i] = std::uint64_t{1} << (8 * lane_bytes(lane) - 1);
    // The direct form reads packed lanes or a scalar of the lane's own size.
    packed_[i] = stride == 1 && same_size && (modifier == 0 || float_negate);
    request_.flips_signs |= packed_[i] && float_negate;
    const bool scalar_directly = stride == 0 && same_size;
    if (!packed_[i] && !scalar_directly) request_.staged = true;
}

bool Selector::set_destination() {
    const Operand& dst = in_.dst;
    f_.destination = static_cast<std::uint16_t>(place_of(dst));
    f_.saturate = in_.saturate;
    const Op op = request_.op;
    // Conditions of these choose or compare; the others' are of the result.
    const bool own_condition =
        op == Op::Compare || op == Op::Minimum || op == Op::Maximum || op == Op::ConditionalSelect;
    if (!own_condition) f_.condition = in_.cond_mod;
    f_.signed_result = isa::is_signed(dst.type);
    const unsigned size = element_bytes(dst);
    // Conditions see the final element, which must then be the whole lane; logic keeps the lane an
    // extension of the element.
    const bool extended = (op == Op::And || op == Op::Or || op == Op::Xor) &&
                          all_of_type(dst.type) && !is_modified(in_.src[0]) &&
                          !is_modified(in_.src[1]);
    if (f_.condition != CondMod::None && size != lane_bytes(result_lane_) && !extended)
        return false;
    if (f_.condition != CondMod::None || f_.saturate) request_.staged = true;
    const unsigned stride =
        in_.align16 || in_.exec_size == 1 || dst.horz_stride == 0 ? 1 : dst.horz_stride;
    const bool converts =
        is_float_lane(result_lane_) != isa::is_float(dst.type) && !raw_ && op != Op::Compare;
    request_.null_destination = dst.is_null();
    if (!dst.is_null() && size == lane_bytes(result_lane_) && stride == 1 && !converts) return true;
    if (is_accumulator(dst)) return false;
    f_.scatter = (newer_host_ ? avx2::pick_scatter : base::pick_scatter)(result_lane_, dst.type,
                                                                         dst.is_null());
    if (op != Op::Compare || !dst.is_null()) request_.staged = true;
    return f_.scatter != nullptr;
}

/// Direct where there is such a function, staged for the rest.
void Selector::settle_form() {
    const bool scalars = request_.sources == 2 && request_.kind[0] != Kind::Packed &&
                         request_.kind[1] != Kind::Packed;
    if (scalars && request_.lanes != 1 && request_.op != Op::Select && request_.op != Op::Compare)
        request_.staged = true;
    const bool compares_elsewhere = !request_.null_destination || lane_bytes(request_.lane) == 8;
    if (request_.op == Op::Compare && request_.lanes != 1 && compares_elsewhere)
        request_.staged = true;
    if (request_.op == Op::Mad && request_.lane == Lane::Double) request_.staged = true;
    if (request_.lanes == 1 && request_.staged)
        request_.lanes = lane_bytes(request_.lane) == 8 ? 4 : 8;
    if (!request_.staged) return;
    for (unsigned i = 0; i < request_.sources; ++i)
        if (!packed_[i]) {
            const Type type = !is_accumulator(in_.src[i])       ? in_.src[i].type
                              : isa::is_signed(in_.src[i].type) ? Type::Q
                                                                : Type::UQ;
            f_.gather[i] = (newer_host_ ? avx2::pick_gather : base::pick_gather)(
                type, request_.lane, in_.src[i], in_.exec_size);
        }
}

/// Every byte the function touches lies in the register file, every element on its own size: what
/// does not is left to the general path, which wraps it around.
bool Selector::in_range() const {
    for (unsigned i = 0; i < request_.sources; ++i) {
        const Operand& operand = in_.src[i];
        if (request_.staged && !packed_[i] && f_.gather[i] == nullptr) return false;
        if (f_.immediate[i]) continue;
        const unsigned size = element_bytes(operand);
        unsigned last = 0;
        if (packed_[i]) {
            last = request_.op == Op::Plane ? 2 * request_.lanes - 1 : request_.lanes - 1;
        } else if (request_.kind[i] == Kind::Packed) {
            const unsigned columns = std::min<unsigned>(in_.exec_size, operand.width),
                           rows = in_.exec_size / columns;
            last = in_.align16
                       ? in_.exec_size - 1u
                       : (rows - 1) * operand.vert_stride + (columns - 1) * operand.horz_stride;
        }
        if (f_.source[i] % size != 0) return false;
        if (operand.is_grf() && f_.source[i] + (last + 1) * size > kFileBytes) return false;
    }
    if (in_.dst.is_null()) return true;
    const unsigned size = element_bytes(in_.dst);
    const unsigned step =
        f_.scatter && in_.dst.horz_stride && !in_.align16 ? in_.dst.horz_stride : 1;
    const unsigned last = f_.scatter ? (in_.exec_size - 1u) * step : request_.lanes - 1;
    // One channel is all that is written of a register outside the file: no wider lanes there.
    if (!in_.dst.is_grf() && !is_accumulator(in_.dst))
        return f_.scatter != nullptr || request_.lanes == 1;
    return f_.destination % size == 0 &&
           (is_accumulator(in_.dst) || f_.destination + (last + 1) * size <= kFileBytes);
}

Choice Selector::pick() const {
    const bool newer = newer_host_;
    if (lane_bytes(request_.lane) == 8)
        return newer ? avx2::pick_wide(request_) : base::pick_wide(request_);
    if (request_.op >= Op::RoundUp)
        return newer ? avx2::pick_math(request_) : base::pick_math(request_);
    if (request_.lane == Lane::Single || result_lane_ == Lane::Single)
        return newer ? avx2::pick_float(request_) : base::pick_float(request_);
    return newer ? avx2::pick_integer(request_) : base::pick_integer(request_);
}

/// May all lanes of the function be written without a look at channels and flags, once the
/// instruction's channels are known to be active? A predicate of sel chooses and masks nothing.
bool Selector::writes_every_lane() const {
    return f_.lanes == low_mask(request_.lanes) &&
           (f_.predicate == FastOperands::Predicate::None || request_.op == Op::Select);
}

}  // namespace gen9::eu::fast

namespace gen9::eu {

void fill_frame(DecodedInstruction& d) {
    const isa::Instruction& in = d.instruction;
    FastOperands& f = d.fast;
    f.lanes = low_mask(in.exec_size) & channel_enable_lanes(in);
    f.every_channel = in.no_mask ? ~std::uint32_t{0} : 0;
    f.channel_offset = in.channel_offset;
    f.predicate = in.pred_ctrl == isa::PredCtrl::None         ? FastOperands::Predicate::None
                  : in.pred_ctrl == isa::PredCtrl::Sequential ? FastOperands::Predicate::Sequential
                                                              : FastOperands::Predicate::Other;
    f.predicate_invert = in.pred_invert ? ~std::uint32_t{0} : 0;
    f.flag_register = in.flag_reg & 1;
    f.flag_shift = static_cast<std::uint8_t>(flag_shift(in));
}

void bind_fast(DecodedInstruction& d, Host host) {
    d.fast.general = d.execute;
    const bool newer = host == Host::Detected && fast::has_newer_host();
    fast::Selector selector(d, newer);
    const fast::Choice choice = selector.run();
    if (choice.alone != nullptr) d.execute = choice.alone;
    if (choice.masked == nullptr) return;
    d.form = selector.request();
    d.fast.masked = choice.masked;
    d.fast.full = selector.writes_every_lane() ? choice.full : choice.masked;
    if (d.fast.full != d.fast.masked && d.fast.every_channel == 0)
        d.fast.channels_needed = d.fast.lanes << d.fast.channel_offset;
}

}  // namespace gen9::eu
