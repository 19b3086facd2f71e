// SPDX-License-Identifier: Apache-2.0
// Register regions (003:20498-20707).
#include <algorithm>

#include "isa/rules/rule_checker.h"

namespace gen9::isa {

namespace {

constexpr unsigned kRegister = 32, kOWord = 16;

bool is_direct_grf(const Operand& operand) {
    return operand.is_grf() && !operand.indirect && !operand.multi_indirect;
}
bool is_half(const Operand& operand) {
    return operand.type == Type::HF;
}
/// The same element for every channel.
bool is_scalar(const Operand& operand) {
    return operand.replicate || (operand.vert_stride == 0 && operand.horz_stride == 0);
}
/// Elements from one channel to the next, 0 for a scalar, or -1 if rows differ from columns.
int step_of(const Instruction& in, const Operand& operand) {
    if (is_scalar(operand) || in.exec_size == 1) return 0;
    if (in.align16) return 1;
    if (operand.width == 1) return operand.vert_stride;
    if (in.exec_size <= operand.width || operand.vert_stride == operand.width * operand.horz_stride)
        return operand.horz_stride;
    return -1;
}

}  // namespace

unsigned region_end(const Instruction& in, const Operand& operand, bool destination) {
    const unsigned size = size_bytes(operand.type);
    unsigned last;
    if (in.align16) {
        last = operand.replicate ? 0 : in.exec_size - 1u;
        if (!destination && in.source_count < 3) last = last / 4 * operand.vert_stride + last % 4;
    } else if (destination) {
        last = (in.exec_size - 1u) * operand.horz_stride;
    } else {
        const unsigned width = std::clamp<unsigned>(operand.width, 1, in.exec_size);
        last = (in.exec_size / width - 1) * operand.vert_stride + (width - 1) * operand.horz_stride;
    }
    return operand.subreg + last * size + size;
}

bool is_packed(const Instruction& in, const Operand& operand) {
    if (in.exec_size == 1) return true;
    if (&operand == &in.dst) return in.align16 || operand.horz_stride == 1;
    return step_of(in, operand) == 1;
}

void RuleChecker::check_sizes() {
    unsigned widest = size_bytes(in_.dst.type);
    for (unsigned i = 0; i < in_.source_count; ++i)
        widest = std::max(widest, size_bytes(in_.src[i].type));
    require(in_.exec_size * widest <= 64, "EU-031",
            "execution size times the largest element must not exceed 64 bytes");
    require(!is_ternary() || in_.cond_mod == CondMod::None || in_.exec_size < 32, "EU-051",
            "three sources with a condition do not work on 32 channels");
}

void RuleChecker::check_source_regions() {
    if (in_.align16) return;
    for (unsigned i = 0; i < in_.source_count; ++i) {
        const Operand& source = in_.src[i];
        if (source.file == RegFile::Imm || source.is_null()) continue;
        // pln reads one or two pairs of registers, not its region (EU-247).
        if (in_.opcode == Opcode::Pln && i == 1) continue;
        check_source_region(source);
    }
}

void RuleChecker::check_source_region(const Operand& source) {
    const unsigned width = source.width, vert = source.vert_stride, horz = source.horz_stride;
    require(in_.exec_size >= width, "EU-033", "a row must not be wider than the execution size");
    require(width != 1 || horz == 0, "EU-035", "rows of one element have no horizontal stride");
    if (source.multi_indirect) return;
    require(in_.exec_size != width || width == 1 || horz == 0 || vert == width * horz, "EU-034",
            "a single row's vertical stride must be its length");
    require(in_.exec_size != 1 || width != 1 || (vert == 0 && horz == 0), "EU-035",
            "a single element has no strides");
    require(vert != 0 || horz != 0 || width == 1, "EU-036",
            "without strides a row has one element");
    if (!is_direct_grf(source) || in_.exec_size < width) return;
    const unsigned size = size_bytes(source.type);
    for (unsigned row = 0; row < in_.exec_size / width; ++row) {
        const unsigned begin = source.subreg + row * vert * size;
        const unsigned last = begin + (width - 1) * horz * size + size - 1;
        require(begin / kRegister == last / kRegister, "EU-037",
                "a row must not cross from one register into the next");
    }
    require((region_end(in_, source, false) - 1) / kRegister <= 1, "EU-038",
            "a source must not span more than two registers");
}

void RuleChecker::check_destination_region() {
    const Operand& dst = in_.dst;
    if (!is_direct_grf(dst)) return;
    require(in_.align16 || in_.exec_size == 1 || dst.horz_stride != 0, "EU-029",
            "a destination's stride must not be 0");
    const unsigned end = region_end(in_, dst, true);
    require((end - 1) / kRegister <= 1, "EU-038",
            "a destination must not span more than two registers");
    if (info_.format != Format::Math || is_macro() || end <= kRegister) return;
    const unsigned step = (in_.align16 ? 1u : dst.horz_stride) * size_bytes(dst.type);
    const unsigned in_first = (kRegister - dst.subreg + step - 1) / std::max(step, 1u);
    require(2 * in_first == in_.exec_size, "EU-039",
            "a math destination must be split evenly between its two registers");
}

/// 003:20702.
void RuleChecker::check_order(const Instruction& before) {
    const bool long_math = before.opcode == Opcode::Math &&
                           (before.math == MathFunction::Pow || before.math == MathFunction::Fdiv);
    require(!long_math || !is_direct_grf(in_.dst) || region_end(in_, in_.dst, true) <= kRegister,
            "EU-040", "no destination of two registers directly behind math pow and fdiv");
}

/// Destinations narrower than the execution type.
void RuleChecker::check_destination_alignment() {
    const Operand& dst = in_.dst;
    if (!is_direct_grf(dst) || in_.align16) return;
    const unsigned size = size_bytes(dst.type), step = dst.horz_stride * size;
    const bool many = in_.exec_size > 1;
    const bool compares = in_.opcode == Opcode::Cmp || in_.opcode == Opcode::Cmpn;
    const bool from_half = any_source(is_half) && !is_float(dst.type);
    const bool to_half = dst.type == Type::HF && in_.source_count != 0 &&
                         !any_source([](const Operand& o) { return is_float(o.type); });
    if ((from_half || to_half) && !compares && size < 4) {
        require(
            (!many || step == 4) && dst.subreg % 4 == 0, "EU-044",
            "between integers and halves the destination must be aligned to and step by DWords");
        return;
    }
    if (execution_bytes_ <= size || (size == 1 && is_raw_move())) return;
    if (mixed_ && dst.type == Type::HF && dst.horz_stride == 1) return;  // EU-048
    if (size == 1 && many && step == 1) {
        require(false, "EU-041", "only a raw mov writes packed bytes");
        return;
    }
    // Intel's compiler writes bytes of word channels with stride 4: wider steps work.
    require(!many || (step != 0 && step % execution_bytes_ == 0), "EU-032",
            "a destination narrower than the execution type must step by that type");
    const unsigned offset = dst.subreg % execution_bytes_;
    if (size == 1)
        require(offset <= 1, "EU-042",
                "bytes must lie in the lowest or second byte of the execution channel");
    else if (size == 2)
        require(offset == 0 || offset == 2, "EU-043",
                "words must lie in the lowest or second word of the execution channel");
    else
        require(offset == 0, "EU-032",
                "a destination narrower than the execution type must be aligned to that type");
}

void RuleChecker::check_mixed_floats() {
    if (!mixed_) return;
    if (in_.align16) {
        require(in_.exec_size <= 8, "EU-047", "mixed floats in Align16 have at most 8 channels");
        const auto aligned = [](const Operand& o) {
            return !is_half(o) || !o.is_grf() || o.replicate || o.subreg % kOWord == 0;
        };
        bool all = aligned(in_.dst);
        for (unsigned i = 0; i < in_.source_count; ++i)
            all &= aligned(in_.src[i]);
        require(all, "EU-047", "packed halves beside singles must be OWord aligned");
        require(!any_source(is_accumulator), "EU-047",
                "mixed floats in Align16 do not read accumulators");
        const bool still = any_source([](const Operand& o) {
            return is_half(o) && o.is_grf() && o.vert_stride == 0 && !o.replicate;
        });
        require(is_ternary() || !still, "EU-047",
                "halves beside singles in Align16 have a vertical stride");
        return;
    }
    check_mixed_align1();
}

void RuleChecker::check_mixed_align1() {
    const Operand& dst = in_.dst;
    const bool packed_half = is_half(dst) && in_.exec_size > 1 && dst.horz_stride == 1;
    require(!any_source([](const Operand& o) { return o.indirect || o.multi_indirect; }), "EU-048",
            "mixed floats have no indirect sources");
    if (packed_half && is_direct_grf(dst))
        require(dst.subreg % kOWord == 0, "EU-048", "packed halves must be OWord aligned");
    // A mov converts; it mixes nothing.
    if (in_.opcode != Opcode::Mov)
        require(in_.exec_size <= 8 || (is_half(dst) && !packed_half), "EU-048",
                "mixed floats have at most 8 channels");
    if (info_.format != Format::Math) return;
    for (unsigned i = 0; i < in_.source_count; ++i)
        require(!is_half(in_.src[i]) || in_.src[i].file == RegFile::Imm ||
                    step_of(in_, in_.src[i]) != 1,
                "EU-048", "halves of a mixed math instruction must step by DWords");
}

void RuleChecker::check_align16() {
    if (!in_.align16 || is_macro()) return;
    const Operand& dst = in_.dst;
    const bool wide = size_bytes(dst.type) == 8;
    bool narrow_source = false, resized = false, one_register = true, scattered = false;
    for (unsigned i = 0; i < in_.source_count; ++i) {
        const Operand& source = in_.src[i];
        narrow_source |= size_bytes(source.type) != 8;
        if (source.file == RegFile::Imm) continue;
        const bool pairs = (source.swizzle & 0x11) == 0;
        const bool seconds = (source.swizzle >> 2 & 0x33) == (source.swizzle & 0x33) + 0x11u;
        require(size_bytes(source.type) != 8 || source.replicate || (pairs && seconds), "EU-045",
                "64-bit elements are selected by pairs of channels");
        if (!is_direct_grf(source) || is_scalar(source)) continue;
        const unsigned end = region_end(in_, source, false);
        resized |= size_bytes(source.type) != size_bytes(dst.type);
        one_register &= end <= kRegister;
        scattered |= end > kRegister && source.subreg % kRegister != 0;
    }
    require(!wide || !narrow_source || in_.exec_size <= 2, "EU-045",
            "in Align16 a 64-bit destination of narrower sources has at most 2 channels");
    const auto low = dst.chan_enable & 3u, high = dst.chan_enable >> 2 & 3u;
    require(!wide || ((low == 0 || low == 3) && (high == 0 || high == 3)), "EU-045",
            "64-bit elements are enabled by pairs of channels");
    const Operand& first = in_.src[0];
    require(dst.type != Type::F || first.file != RegFile::Imm || first.type != Type::DF, "EU-045",
            "in Align16 an immediate double is not converted to a single");
    if (!is_direct_grf(dst)) return;
    one_register &= region_end(in_, dst, true) <= kRegister;
    require(!resized || one_register || mixed_, "EU-050",
            "in Align16 operands of different sizes must lie in one register each");
    require(!scattered, "EU-050",
            "in Align16 a destination register must have all its data from one source register");
}

void RuleChecker::check_indirect() {
    for (unsigned i = 0; i < in_.source_count; ++i) {
        const Operand& source = in_.src[i];
        require(!is_ternary() || (!source.indirect && !source.multi_indirect), "EU-064",
                "three-source instructions have no indirect operands");
        if (!source.multi_indirect) continue;
        require(i == 0, "EU-064", "only the first source may have several index registers");
        require(in_.exec_size < 32, "EU-064", "32 channels cannot have several index registers");
        const unsigned indices = in_.exec_size / std::max<unsigned>(source.width, 1);
        require(indices <= 1 || (source.addr_subreg % indices == 0 && indices <= 16), "EU-063",
                "a group of index registers must be aligned to its size");
    }
}

/// Narrow data paths: 64-bit data and DWord products (000:1583-1625).
void RuleChecker::check_narrow_wide_data() {
    if (set_ != RuleSet::Narrow) return;
    const auto dword = [](const Operand& o) {
        return !is_float(o.type) && size_bytes(o.type) == 4 && o.file != RegFile::Imm;
    };
    const bool product = in_.opcode == Opcode::Mul && in_.source_count == 2 && dword(in_.src[0]) &&
                         dword(in_.src[1]);
    const bool wide = size_bytes(in_.dst.type) == 8 ||
                      any_source([](const Operand& o) { return size_bytes(o.type) == 8; });
    if ((!wide && !product) || in_.align16) return;
    const auto arf = [](const Operand& o) { return o.file == RegFile::Arf && !o.is_null(); };
    const auto indirect = [](const Operand& o) { return o.indirect || o.multi_indirect; };
    require(!any_source(arf) && !arf(in_.dst), "EU-046",
            "64-bit data and DWord products use general registers only");
    require(!any_source(indirect) && !indirect(in_.dst), "EU-046",
            "64-bit data and DWord products are not addressed indirectly");
    require(!in_.no_dd_check && !in_.no_dd_clear, "EU-046",
            "64-bit data and DWord products have no dependency control");
    const unsigned dst_step = in_.dst.horz_stride * size_bytes(in_.dst.type);
    for (unsigned i = 0; i < in_.source_count; ++i) {
        const Operand& source = in_.src[i];
        if (!is_direct_grf(source) || is_scalar(source) || in_.exec_size == 1) continue;
        const int step = step_of(in_, source);
        require(step >= 0, "EU-046",
                "rows of 64-bit data and DWord products must follow each other evenly");
        require(step < 0 || !is_direct_grf(in_.dst) ||
                    static_cast<unsigned>(step) * size_bytes(source.type) == dst_step,
                "EU-046", "64-bit data and DWord products must step alike on both sides");
        require(!is_direct_grf(in_.dst) || source.subreg == in_.dst.subreg, "EU-046",
                "64-bit data and DWord products must begin alike on both sides");
    }
}

}  // namespace gen9::isa
