// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/isa/random_instructions.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "common/check.h"
#include "isa/types.h"

namespace gen9::isa::test {
namespace {

using enum Form;
constexpr Form kNothing[] = {Plain};
constexpr Form kOneSource[] = {Plain,    Architecture,  Immediate, Immediate64,
                               Indirect, MultiIndirect, Align16};
constexpr Form kNarrowOneSource[] = {Plain,    Architecture,  Immediate,
                                     Indirect, MultiIndirect, Align16};
constexpr Form kBytesOrWords[] = {Plain, Architecture, Indirect, MultiIndirect, Align16};
constexpr Form kTwoSource[] = {Plain, Architecture, Immediate, Indirect, MultiIndirect, Align16};
constexpr Form kIndexed[] = {Indirect, MultiIndirect};
constexpr Form kThreeSource[] = {Plain, Scalar, Swizzled};
constexpr Form kMixedThreeSource[] = {Plain, Scalar, Swizzled, Half};
constexpr Form kMath[] = {Plain, Immediate, Align16};
constexpr Form kWait[] = {Architecture};
constexpr Form kSend[] = {Immediate, FromA0, Indirect};
constexpr Form kSends[] = {Immediate, FromA0, ExtendedA0, Indirect};
constexpr Form kOffset[] = {Offset};
constexpr Form kRegister[] = {Register};
constexpr Form kOffsetOrRegister[] = {Offset, Register};

constexpr TypeSet kWide = set_of({Type::UQ, Type::Q, Type::DF});
constexpr TypeSet kNoImmediate = set_of({Type::UB, Type::B});

bool has_wide_source(const OpcodeInfo& row) {
    return std::ranges::any_of(row.types, [](const TypePair& p) { return (p.src & kWide) != 0; });
}
bool has_immediate(const TypePair& pair) {
    return (pair.src & static_cast<TypeSet>(~(kWide | kNoImmediate))) != 0;
}

std::uint8_t byte(unsigned value) {
    return static_cast<std::uint8_t>(value);
}

}  // namespace

const char* name(Form form) {
    constexpr const char* names[] = {
        "plain",  "architecture", "immediate", "immediate64", "indirect",    "vxh",    "align16",
        "scalar", "swizzled",     "half",      "a0",          "extended a0", "offset", "register"};
    return names[static_cast<unsigned>(form)];
}

std::span<const Form> forms_of(const OpcodeInfo& row) {
    switch (row.format) {
        case Format::NoOperands:
            return kNothing;
        case Format::OneSource:
            if (row.opcode == Opcode::Movi) return kIndexed;
            if (has_wide_source(row)) return kOneSource;
            return std::ranges::any_of(row.types, has_immediate)
                       ? std::span<const Form>(kNarrowOneSource)
                       : kBytesOrWords;
        case Format::TwoSource:
            return std::ranges::any_of(row.types, has_immediate) ? std::span<const Form>(kTwoSource)
                                                                 : kBytesOrWords;
        case Format::ThreeSource:
            if (row.has(kSpecialAcc)) return kNothing;
            return row.opcode == Opcode::Mad ? std::span<const Form>(kMixedThreeSource)
                                             : kThreeSource;
        case Format::Math:
            return kMath;
        case Format::Wait:
            return kWait;
        case Format::Send:
            return kSend;
        case Format::Sends:
            return kSends;
        case Format::Branch1:
        case Format::Branch2:
            return kOffset;
        case Format::Ret:
            return kRegister;
        case Format::Jmpi:
        case Format::BranchRegister1:
        case Format::BranchRegister2:
        case Format::Call:
            return kOffsetOrRegister;
    }
    return {};
}

std::span<const MathFunction> math_functions() {
    using enum MathFunction;
    static constexpr MathFunction all[] = {Inv,         Log,          Exp,  Sqrt, Rsq,
                                           Sin,         Cos,          Fdiv, Pow,  IntDivBoth,
                                           IntQuotient, IntRemainder, Invm, Rsqtm};
    return all;
}

Instruction Generator::make(const OpcodeInfo& row, Form form, std::uint32_t pc, std::uint32_t end) {
    Instruction inst;
    switch (row.format) {
        case Format::NoOperands:
            inst.opcode = row.opcode;
            inst.breakpoint = row.opcode == Opcode::Nop && one_in(2);
            return inst;
        case Format::OneSource:
        case Format::TwoSource: {
            const TypePair* pair = nullptr;
            for (;;) {
                pair = &row.types[below(static_cast<unsigned>(row.types.size()))];
                if (form == Form::Immediate && !has_immediate(*pair)) continue;
                if (form == Form::Immediate64 && (pair->src & kWide) == 0) continue;
                return two_source(row, form, *pair, row.sources);
            }
        }
        case Format::ThreeSource:
            return three_source(row, form);
        case Format::Math:
            return math(math_functions()[below(static_cast<unsigned>(math_functions().size()))],
                        form);
        case Format::Wait:
            return wait();
        case Format::Send:
            return send(row.opcode, form);
        case Format::Sends:
            return sends(row.opcode, form);
        default:
            return branch(row, form, pc, end);
    }
}

/// Everything before the operands; `widest_bytes` is the largest element (EU-031).
void Generator::header(Instruction& inst, const OpcodeInfo& row, unsigned widest_bytes) {
    inst.opcode = row.opcode;
    unsigned sizes = 6;
    while ((1u << (sizes - 1)) * widest_bytes > 64)
        --sizes;
    inst.exec_size = byte(1u << below(sizes));
    const unsigned step = std::max<unsigned>(inst.exec_size, 4);
    inst.channel_offset = byte(step * below(32 / step));
    inst.no_mask = one_in(3);
    if (row.has(kPredicate) && one_in(3)) {
        inst.pred_ctrl = static_cast<PredCtrl>(1 + below(13));
        inst.pred_invert = one_in(2);
    }
    if (row.has(kCondModifier) && one_in(3)) {
        inst.cond_mod = pick({CondMod::Z, CondMod::NZ, CondMod::G, CondMod::GE, CondMod::L,
                              CondMod::LE, CondMod::O, CondMod::U});
    }
    if (inst.pred_ctrl != PredCtrl::None || inst.cond_mod != CondMod::None) {
        inst.flag_reg = byte(below(2));
        inst.flag_subreg = byte(below(2));
    }
    inst.saturate = row.has(kSaturate) && one_in(4);
    inst.acc_write = row.has(kAccWriteRequired) || (row.has(kAccWrite) && one_in(6));
    inst.no_dd_check = one_in(10);
    inst.no_dd_clear = one_in(10);
    inst.breakpoint = one_in(20);
    if (one_in(8)) inst.thread_ctrl = pick({ThreadCtrl::Atomic, ThreadCtrl::Switch});
}

Type Generator::type_in(TypeSet set, bool register_only) {
    for (;;) {
        const auto type = static_cast<Type>(below(14));
        const bool packed = type == Type::V || type == Type::UV || type == Type::VF;
        if (contains(set, type) && !(register_only && packed)) return type;
    }
}

/// EU-030, EU-032, EU-038: at most two registers, elements spaced by the execution type.
Operand Generator::destination(Type type, unsigned exec_size, unsigned execution_bytes) {
    const unsigned size = size_bytes(type);
    Operand dst;
    dst.type = type;
    dst.file = RegFile::Grf;
    dst.reg = byte(below(127));
    const unsigned ratio = std::clamp(execution_bytes / size, 1u, 4u);
    unsigned stride = ratio;
    if (ratio == 1 && one_in(4)) stride = 1u << below(3);
    const unsigned room = 64u - std::min(64u, (exec_size - 1) * stride * size + size);
    const unsigned unit = size * ratio;
    dst.horz_stride = byte(stride);
    dst.subreg = byte(std::min(below(32), room) / unit * unit);
    return dst;
}

/// EU-033..EU-038.
Operand Generator::source(Type type, unsigned exec_size) {
    const unsigned size = size_bytes(type);
    Operand operand;
    operand.type = type;
    operand.file = RegFile::Grf;
    operand.reg = byte(below(127));
    operand.subreg = byte(below(32) / size * size);
    for (;;) {
        const unsigned width = std::min(1u << below(5), exec_size);
        unsigned horizontal = width == 1 ? 0 : pick({0u, 1u, 2u, 4u});
        const unsigned code = below(7);
        unsigned vertical = code == 0 ? 0 : 1u << (code - 1);
        if (width == exec_size && horizontal != 0) vertical = width * horizontal;
        if (exec_size == 1) vertical = 0;
        if (vertical > 32) continue;
        if (vertical == 0 && horizontal == 0 && width != 1) continue;
        const unsigned row_bytes = (width - 1) * horizontal * size + size;
        bool fits = true;
        for (unsigned row = 0; row < exec_size / width; ++row) {
            const unsigned start = operand.subreg + row * vertical * size;
            fits &= start / 32 == (start + row_bytes - 1) / 32 && start + row_bytes <= 64;
        }
        if (!fits) {
            operand.subreg = byte(operand.subreg / 2 / size * size);
            continue;
        }
        operand.width = byte(width);
        operand.horz_stride = byte(horizontal);
        operand.vert_stride = byte(vertical);
        return operand;
    }
}

void Generator::make_indirect(Operand& operand) {
    operand.reg = operand.subreg = 0;
    operand.indirect = true;
    operand.addr_subreg = byte(below(16));
    operand.addr_imm = static_cast<std::int16_t>(static_cast<int>(below(1024)) - 512);
}

void Generator::make_architecture(Operand& operand) {
    constexpr std::uint8_t registers[] = {0x00, 0x10, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26,
                                          0x27, 0x28, 0x29, 0x30, 0x31, 0x40, 0x50, 0x51, 0x52,
                                          0x53, 0x54, 0x55, 0x56, 0x57, 0x60, 0x70, 0x71, 0x80,
                                          0x90, 0xA0, 0xB0, 0xC0, 0xD0, 0xD1, 0xD2, 0xD3, 0xF0};
    operand.file = RegFile::Arf;
    operand.reg = pick(registers);
    const unsigned size = size_bytes(operand.type);
    operand.subreg = byte(one_in(2) ? 0 : below(32) / size * size);
}

void Generator::modify(Operand& operand, const OpcodeInfo& row) {
    if (row.has(kSourceModifier)) {
        operand.negate = one_in(4);
        operand.absolute = one_in(4);
    } else if (row.has(kLogicModifier)) {
        operand.negate = one_in(4);
    }
}

/// Small numbers, round floats and the extremes are what code is full of; the rest is noise.
std::uint64_t Generator::immediate_bits(Type type) {
    switch (below(4)) {
        case 0:
            return bits();
        case 1:
            return static_cast<std::uint64_t>(static_cast<int>(below(2001)) - 1000);
        case 2: {
            constexpr double values[] = {0.0,      -0.0,      1.0, -1.0,  0.5,
                                         INFINITY, -INFINITY, NAN, 1e-40, 65504.0};
            const double value = pick(values);
            if (type == Type::DF) return std::bit_cast<std::uint64_t>(value);
            if (type == Type::F) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
            constexpr std::uint16_t halves[] = {0x0000, 0x8000, 0x3C00, 0xBC00, 0x3800,
                                                0x7C00, 0xFC00, 0x7E00, 0x0001, 0x7BFF};
            return pick(halves);
        }
        default: {
            const double value = (static_cast<int>(below(4000)) - 2000) / 16.0;
            if (type == Type::DF) return std::bit_cast<std::uint64_t>(value);
            return std::bit_cast<std::uint32_t>(static_cast<float>(value));
        }
    }
}

Operand Generator::immediate(Type type) {
    Operand operand;
    operand.file = RegFile::Imm;
    operand.type = type;
    const std::uint64_t value = immediate_bits(type);
    operand.immediate = size_bytes(type) == 8 ? value : value & 0xFFFFFFFF;
    // EU-116: words are stored twice.
    if (size_bytes(type) == 2 && type != Type::V && type != Type::UV)
        operand.immediate = (value & 0xFFFF) * 0x10001;
    return operand;
}

Instruction Generator::two_source(const OpcodeInfo& row, Form form, const TypePair& pair,
                                  unsigned sources) {
    Instruction inst;
    const Type dst_type = type_in(pair.dst);
    std::array<Type, 2> types{};
    unsigned execution = 1;
    for (unsigned i = 0; i < sources; ++i) {
        const bool last = i + 1 == sources;
        TypeSet set = pair.src;
        if (last && form == Form::Immediate)
            set = static_cast<TypeSet>(set & ~(kWide | kNoImmediate));
        if (last && form == Form::Immediate64) set &= kWide;
        types[i] = type_in(set, !last || form != Form::Immediate);
        if (i == 1 && row.opcode == Opcode::Smov) types[i] = Type::UD;  // EU-223
        execution = std::max(execution, size_bytes(types[i]));
    }
    header(inst, row, std::max(execution, size_bytes(dst_type)));
    inst.source_count = byte(sources);
    inst.dst = destination(dst_type, inst.exec_size, execution);
    for (unsigned i = 0; i < sources; ++i) {
        const bool last = i + 1 == sources;
        if (last && (form == Form::Immediate || form == Form::Immediate64)) {
            inst.src[i] = immediate(types[i]);
            continue;
        }
        inst.src[i] = source(types[i], inst.exec_size);
        modify(inst.src[i], row);
    }
    const auto one_of_the_operands = [&]() -> Operand& {
        const unsigned place = below(sources + 1);
        return place == 0 ? inst.dst : inst.src[place - 1];
    };
    if (form == Form::Architecture) {
        // EU-070: destination or first source.
        const unsigned which = 1 + below(3);
        if ((which & 1) != 0) make_architecture(inst.dst);
        if ((which & 2) != 0) make_architecture(inst.src[0]);
    } else if (form == Form::Indirect) {
        make_indirect(row.opcode == Opcode::Movi ? inst.src[0] : one_of_the_operands());
        if (row.opcode != Opcode::Movi && one_in(2)) make_indirect(one_of_the_operands());
    } else if (form == Form::MultiIndirect) {
        make_indirect(inst.src[0]);
        inst.src[0].multi_indirect = true;
        inst.src[0].vert_stride = 0;
    } else if (one_in(12)) {
        inst.dst = {};
        inst.dst.type = dst_type;
        inst.dst.horz_stride = 1;
    }
    if (form == Form::Align16) align16(inst);
    return inst;
}

/// The same operands in Align16: rows of four, origins on 16 bytes, swizzles and channel enables.
void Generator::align16(Instruction& inst) {
    inst.align16 = true;
    if (inst.pred_ctrl != PredCtrl::None) inst.pred_ctrl = static_cast<PredCtrl>(1 + below(7));
    inst.exec_size = std::max<std::uint8_t>(inst.exec_size, 4);
    inst.channel_offset = byte(inst.exec_size * below(32u / inst.exec_size));
    const auto place = [&](Operand& operand) {
        const unsigned half = below(2);
        if (operand.file != RegFile::Grf) return;
        operand.subreg = byte(16 * half);
        if (!one_in(5)) return;
        make_indirect(operand);
        operand.addr_imm = static_cast<std::int16_t>(operand.addr_imm & ~15);
    };
    inst.dst.horz_stride = 1;
    place(inst.dst);
    if (one_in(2)) inst.dst.chan_enable = byte(1 + below(15));
    for (unsigned i = 0; i < inst.source_count; ++i) {
        Operand& operand = inst.src[i];
        if (operand.file == RegFile::Imm) continue;
        place(operand);
        operand.vert_stride = one_in(8) ? 0 : size_bytes(operand.type) == 8 && one_in(2) ? 2 : 4;
        operand.width = operand.vert_stride == 2 ? 2 : 4;
        operand.horz_stride = 1;
        if (one_in(2)) operand.swizzle = byte(below(256));
    }
}

Instruction Generator::math(MathFunction function, Form form) {
    if (uses_special_acc(function)) return special(function);
    const OpcodeInfo& row = info(Opcode::Math);
    const bool integer = function == MathFunction::IntDivBoth ||
                         function == MathFunction::IntQuotient ||
                         function == MathFunction::IntRemainder;
    // EU-255: integers do not mix signs; floats may mix F and HF.
    const Type one = pick({Type::UD, Type::D});
    const TypePair integers{set_of({one}), set_of({one})};
    const TypePair floats{set_of({Type::F, Type::HF}), set_of({Type::F, Type::HF})};
    Instruction inst = two_source(row, form, integer ? integers : floats,
                                  math_sources(static_cast<unsigned>(function)));
    inst.math = function;
    // Its operands are general registers, directly addressed.
    const auto direct = [](Operand& operand) {
        if (operand.file == RegFile::Imm) return;
        operand.file = RegFile::Grf;
        operand.indirect = false;
        operand.addr_subreg = 0;
        operand.addr_imm = 0;
    };
    direct(inst.dst);
    for (unsigned i = 0; i < inst.source_count; ++i)
        direct(inst.src[i]);
    return inst;
}

/// INVM, RSQRTM (EU-264).
Instruction Generator::special(MathFunction function) {
    Instruction inst;
    header(inst, info(Opcode::Math), 8);
    inst.align16 = true;
    inst.pred_ctrl = PredCtrl::None;
    inst.pred_invert = false;
    inst.saturate = false;
    inst.math = function;
    const Type type = pick({Type::F, Type::DF});
    inst.exec_size = byte(type == Type::DF ? 4 : pick({4u, 8u}));
    inst.channel_offset = byte(inst.exec_size * below(32u / inst.exec_size));
    inst.flag_reg = byte(below(2));
    inst.flag_subreg = byte(below(2));
    inst.source_count = byte(math_sources(static_cast<unsigned>(function)));
    const auto operand = [&](bool source) {
        Operand result;
        result.file = RegFile::Grf;
        result.type = type;
        result.reg = byte(below(128));
        result.special_acc = byte(below(9));
        // Assemblers leave the destination's stride 0.
        result.horz_stride = source ? 1 : 0;
        if (source) result.vert_stride = result.width = type == Type::DF ? 2 : 4;
        return result;
    };
    inst.dst = operand(false);
    for (unsigned i = 0; i < inst.source_count; ++i)
        inst.src[i] = operand(true);
    return inst;
}

Operand Generator::three_source_operand(Type type) {
    Operand operand;
    operand.file = RegFile::Grf;
    operand.type = type;
    operand.reg = byte(below(127));
    // EU-057: no RepCtrl of 64-bit operands; a repeated pair (xyxy, zwzw) is their scalar.
    const bool wide = size_bytes(type) == 8;
    operand.replicate = !wide && one_in(3);
    if (wide && one_in(3)) operand.swizzle = pick({std::uint8_t{0x44}, std::uint8_t{0xEE}});
    operand.vert_stride = byte(operand.replicate ? 0 : 4);
    operand.width = byte(operand.replicate ? 1 : 4);
    operand.horz_stride = byte(operand.replicate ? 0 : 1);
    const unsigned unit = std::max(2u, size_bytes(type));
    operand.subreg = byte(wide ? 16 * below(2) : below(32) / unit * unit);
    return operand;
}

Instruction Generator::three_source(const OpcodeInfo& row, Form form) {
    Instruction inst;
    const TypePair& pair = row.types[below(static_cast<unsigned>(row.types.size()))];
    Type type = type_in(pair.src);
    Type dst_type = type_in(pair.dst);
    if (form == Form::Half) {
        type = pick({Type::F, Type::HF});
        dst_type = pick({Type::F, Type::HF});
    }
    header(inst, row, std::max(size_bytes(type), size_bytes(dst_type)));
    inst.align16 = true;
    if (inst.pred_ctrl != PredCtrl::None)
        inst.pred_ctrl = pick({PredCtrl::Sequential, PredCtrl::Any4H, PredCtrl::All4H});
    const bool wide = dst_type == Type::DF;
    inst.exec_size = byte(wide ? pick({2u, 4u, 8u}) : pick({4u, 8u, 16u}));
    if (form == Form::Scalar) inst.exec_size = wide ? 2 : 4;
    const unsigned step = std::max<unsigned>(inst.exec_size, 4);
    inst.channel_offset = byte(step * below(32 / step));
    inst.dst.file = RegFile::Grf;
    inst.dst.type = dst_type;
    inst.dst.horz_stride = 1;
    inst.dst.reg = byte(below(127));
    inst.dst.subreg = byte(16 * below(2));
    inst.source_count = 3;
    for (unsigned i = 0; i < 3; ++i) {
        const bool other = i > 0 && form == Form::Half && one_in(2);
        const Type mixed = type == Type::F ? Type::HF : Type::F;
        inst.src[i] = three_source_operand(other ? mixed : type);
        modify(inst.src[i], row);
    }
    if (row.has(kSpecialAcc)) {
        inst.dst.subreg = 0;
        inst.dst.special_acc = byte(below(9));
        for (Operand& operand : inst.src) {
            operand.replicate = false;
            operand.swizzle = Operand{}.swizzle;
            operand.vert_stride = operand.width = 4;
            operand.horz_stride = 1;
            operand.subreg = 0;
            operand.special_acc = byte(below(9));
        }
    } else if (form == Form::Scalar) {
        inst.dst.chan_enable = byte(wide ? pick({0x3u, 0xCu}) : 1u << below(4));
    } else if (form == Form::Swizzled) {
        // EU-045: 64-bit channels are pairs.
        constexpr unsigned pairs[] = {0x3, 0xC, 0xF};
        if (one_in(2)) inst.dst.chan_enable = byte(wide ? pick(pairs) : 1 + below(15));
        constexpr unsigned kSwapped = 0x4E;
        for (Operand& operand : inst.src)
            if (!operand.replicate && one_in(2))
                operand.swizzle = byte(size_bytes(operand.type) == 8 ? kSwapped : below(256));
    }
    return inst;
}

}  // namespace gen9::isa::test
