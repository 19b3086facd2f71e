// SPDX-License-Identifier: Apache-2.0
// Accumulators as operands (003:19613-19733, 003:23700-23790).
#include "isa/rules/rule_checker.h"

namespace gen9::isa {

namespace {

bool is_special(const Operand& operand) {
    return is_accumulator(operand) && (operand.reg & 15) >= 2;
}
bool is_modified(const Operand& operand) {
    return operand.negate || operand.absolute;
}

}  // namespace

void RuleChecker::check_accumulators() {
    const bool source = any_source(is_accumulator), destination = is_accumulator(in_.dst);
    if (!source && !destination && !in_.acc_write && !info_.has(kAccRead) &&
        !info_.has(kAccWriteRequired))
        return;
    if (flow_ || send_ || info_.format == Format::Wait) {
        require(!source && !destination, "EU-084",
                "flow control, sends and wait do not use accumulators");
        return;
    }
    const auto placed = [](const Operand& o) {
        return !is_accumulator(o) || ((o.reg & 15) <= 9 && o.subreg % 16 == 0);
    };
    bool all_placed = placed(in_.dst);
    for (unsigned i = 0; i < in_.source_count; ++i)
        all_placed &= placed(in_.src[i]);
    require(all_placed, "EU-076", "accumulators are acc0 to acc9, addressed by halves");
    if (is_special(in_.dst) || any_source(is_special)) return check_special_accumulators();
    require(!is_ternary() || (!source && !destination), "EU-084",
            "three-source instructions have no explicit accumulator");
    require(!info_.has(kAccRead) || !source, "EU-084",
            "an implicit accumulator source excludes an explicit one");
    require(!in_.acc_write || !destination, "EU-084",
            "an implicit accumulator destination excludes an explicit one");
    if (source) check_accumulator_source();
    if (destination) {
        require(!source || in_.src[0].reg == in_.dst.reg, "EU-081",
                "accumulator source and destination must be the same register");
        require(in_.dst.type != Type::F || in_.source_count == 0 || in_.src[0].type != Type::DF,
                "EU-081", "doubles are not converted to singles into an accumulator");
        require(is_float(in_.dst.type) || size_bytes(in_.dst.type) != 2 ||
                    in_.dst.horz_stride != 2 || in_.dst.subreg % 4 == 0,
                "EU-081", "words with stride 2 are not written to odd places of an accumulator");
    }
    if (set_ == RuleSet::Narrow) {
        const auto second = [](const Operand& o) {
            return is_accumulator(o) && (o.reg & 15) == 1 && size_bytes(o.type) == 2;
        };
        require(!second(in_.dst) && !any_source(second), "EU-082",
                "acc1 is not used with halves and words");
    }
    check_accumulator_opcode();
}

// EU-080: region as the destination's; other OWords with equal types only.
void RuleChecker::check_accumulator_source() {
    for (unsigned i = 1; i < in_.source_count; ++i)
        require(!is_accumulator(in_.src[i]), "EU-080",
                "only the first source may be an accumulator");
    const Operand &source = in_.src[0], &dst = in_.dst;
    if (!is_accumulator(source)) return;
    require(!in_.align16 || source.swizzle == Operand{}.swizzle, "EU-080",
            "an accumulator is not swizzled");
    if (in_.align16 || in_.exec_size == 1 || !dst.is_grf() || dst.indirect) return;
    const bool scalar = source.vert_stride == 0 && source.horz_stride == 0;
    const unsigned step = source.width == 1 ? source.vert_stride : source.horz_stride;
    require(!scalar, "EU-080", "an accumulator's region must be the destination's");
    // Halves lie in the low or high words of a row of singles.
    const bool halves = dst.type == Type::HF || source.type == Type::HF;
    require(scalar || halves || size_bytes(source.type) != size_bytes(dst.type) ||
                step == dst.horz_stride,
            "EU-080", "an accumulator's region must be the destination's");
    require(source.subreg == dst.subreg % 32 || source.type == dst.type, "EU-080",
            "accumulator and destination may begin apart with equal types only");
    const unsigned dst_end = region_end(in_, dst, true);
    require(dst_end > 32 || region_end(in_, source, false) <= 32, "EU-080",
            "for a destination in one register the accumulator's part must lie in one too");
    if (is_float(source.type) && dst.type == Type::HF && dst.horz_stride == 1 && mixed_)
        require(source.subreg == 0, "EU-049",
                "an accumulator that becomes packed halves begins at its first element");
}

// EU-085: the table by opcode.
void RuleChecker::check_accumulator_opcode() {
    const bool source = any_source(is_accumulator), destination = is_accumulator(in_.dst);
    const bool modified =
        any_source([](const Operand& o) { return is_accumulator(o) && is_modified(o); });
    switch (in_.opcode) {
        case Opcode::Bfe:
        case Opcode::Bfi1:
        case Opcode::Bfi2:
        case Opcode::Bfrev:
        case Opcode::Cbit:
        case Opcode::Fbh:
        case Opcode::Fbl:
        case Opcode::Math:
            require(!source && !destination && !in_.acc_write, "EU-085",
                    "the opcode has no access to accumulators");
            break;
        case Opcode::Dp2:
        case Opcode::Dp3:
        case Opcode::Dp4:
        case Opcode::Dph:
        case Opcode::Line:
        case Opcode::Movi:
        case Opcode::Pln:
        case Opcode::Sad2:
        case Opcode::Sada2:
            require(!source, "EU-085", "the opcode's sources are not accumulators");
            break;
        case Opcode::Mul:
            require(!source || is_float(in_.src[0].type), "EU-085",
                    "integer sources of mul are not accumulators");
            break;
        case Opcode::And:
        case Opcode::Or:
        case Opcode::Xor:
        case Opcode::Not:
            require(!modified, "EU-085", "an accumulator source of logic has no modifier");
            break;
        case Opcode::Shl:
            require(!destination && !in_.acc_write, "EU-085", "shl writes no accumulator");
            break;
        case Opcode::Mov:
            require(!source || !destination, "EU-085", "mov has an accumulator on one side only");
            break;
        default:
            break;
    }
    require(!info_.has(kAccWriteRequired) || in_.acc_write, "EU-085", "the opcode needs AccWrEn");
    // EU-049: halves from an implicit accumulator lie in every second word.
    require(!info_.has(kAccRead) || !mixed_ || in_.dst.type != Type::HF ||
                in_.dst.horz_stride == 2 || in_.exec_size == 1,
            "EU-049", "halves computed with an implicit accumulator need stride 2");
}

// EU-086: acc2 to acc9 are moved whole, as DWords.
void RuleChecker::check_special_accumulators() {
    const auto dword = [](Type type) { return type == Type::D || type == Type::UD; };
    require(in_.opcode == Opcode::Mov && dword(in_.dst.type) && dword(in_.src[0].type) &&
                !is_modified(in_.src[0]) && !in_.saturate && in_.cond_mod == CondMod::None,
            "EU-086", "acc2 to acc9 are only moved, as DWords and unmodified");
}

}  // namespace gen9::isa
