// SPDX-License-Identifier: Apache-2.0
#include "isa/rules/rules.h"

#include <algorithm>
#include <cstring>

#include "common/bits.h"
#include "isa/rules/rule_checker.h"

namespace gen9::isa {

bool BrokenRule::operator==(const BrokenRule& other) const {
    return std::strcmp(id, other.id) == 0 && std::strcmp(text, other.text) == 0;
}

std::vector<BrokenRule> broken_rules(const Instruction& in, RuleSet set,
                                     const Instruction* before) {
    return RuleChecker(in, set).run(before);
}

RuleChecker::RuleChecker(const Instruction& in, RuleSet set)
    : in_(in), info_(info(in.opcode)), set_(set) {
    send_ = info_.format == Format::Send || info_.format == Format::Sends;
    flow_ = info_.has(kBranch);
    bool single = in.dst.type == Type::F, half = in.dst.type == Type::HF, other = false;
    for (unsigned i = 0; i < in.source_count; ++i) {
        const Type type = in.src[i].type;
        execution_bytes_ = std::max(execution_bytes_, size_bytes(type));
        single |= type == Type::F || type == Type::VF;
        half |= type == Type::HF;
        other |= !is_float(type);
    }
    mixed_ = single && half && !other;
}

std::vector<BrokenRule> RuleChecker::run(const Instruction* before) {
    const bool operates = info_.format == Format::OneSource || info_.format == Format::TwoSource ||
                          info_.format == Format::ThreeSource || info_.format == Format::Math;
    require(!flow_ || !in_.align16, "EU-052", "flow control must use Align1");
    if (operates) {
        check_sizes();
        check_source_regions();
        check_destination_region();
        if (before != nullptr) check_order(*before);
        check_destination_alignment();
        check_mixed_floats();
        check_align16();
        check_indirect();
        check_narrow_wide_data();
        check_types();
        check_coherency();
    }
    check_accumulators();
    if (send_) check_message();
    return std::move(broken_);
}

void RuleChecker::require(bool holds, const char* id, const char* text) {
    if (holds) return;
    const BrokenRule rule{id, text};
    if (std::find(broken_.begin(), broken_.end(), rule) == broken_.end()) broken_.push_back(rule);
}

bool RuleChecker::any_source(bool (*property)(const Operand&)) const {
    return std::any_of(in_.src.begin(), in_.src.begin() + in_.source_count, property);
}

/// The same type on both sides, no modifiers (EU-126); of bytes the sign plays no part.
bool RuleChecker::is_raw_move() const {
    const Operand& source = in_.src[0];
    return in_.opcode == Opcode::Mov && size_bytes(source.type) == size_bytes(in_.dst.type) &&
           is_float(source.type) == is_float(in_.dst.type) && !source.negate && !source.absolute &&
           !in_.saturate;
}

bool RuleChecker::is_macro() const {
    return info_.has(kSpecialAcc) || (info_.format == Format::Math && uses_special_acc(in_.math));
}

// EU-119, EU-122, EU-133 (003:20306, 003:20489-20491, 003:23605).
void RuleChecker::check_types() {
    const auto one_byte = [](const Operand& o) { return size_bytes(o.type) == 1; };
    const auto quad = [](const Operand& o) { return o.type == Type::Q || o.type == Type::UQ; };
    const auto is_double = [](const Operand& o) { return o.type == Type::DF; };
    bool floats = false, integers = false, doubles = false, others = false, packed = false;
    for (unsigned i = 0; i < in_.source_count; ++i) {
        const Type type = in_.src[i].type;
        (is_float(type) ? floats : integers) = true;
        (type == Type::DF ? doubles : others) = true;
        packed |= type == Type::V || type == Type::UV || type == Type::VF;
    }
    if (info_.format == Format::Math) check_math_types();
    require(!floats || !integers, "EU-122", "float and integer sources do not mix");
    require(!floats || !doubles || !others, "EU-122", "float sources must have one type");
    const bool bytes = any_source(one_byte) || one_byte(in_.dst);
    require(!bytes || (!any_source(quad) && !quad(in_.dst)), "EU-122",
            "64-bit integers do not mix with bytes");
    const bool no_way_to_double = bytes ||
                                  any_source([](const Operand& o) { return o.type == Type::HF; }) ||
                                  in_.dst.type == Type::HF;
    require(!no_way_to_double || (!any_source(is_double) && !is_double(in_.dst)), "EU-133",
            "bytes and halves are not converted from or to doubles");
    if (!packed || !in_.dst.is_grf() || in_.dst.indirect) return;
    require(in_.dst.subreg % 16 == 0, "EU-119",
            "the destination of a packed immediate must be 128-bit aligned");
    const unsigned step =
        in_.align16 || in_.exec_size == 1 ? 0 : in_.dst.horz_stride * size_bytes(in_.dst.type);
    // DWord destinations of V and UV are what Intel's compiler writes for offsets of DWords.
    const bool vf = any_source([](const Operand& o) { return o.type == Type::VF; });
    require(step == 0 || (vf ? step == 4 : step == 2 || step == 4), "EU-119",
            "the destination of a packed immediate must step by its elements");
}

// EU-255 (003:24065-24089).
void RuleChecker::check_math_types() {
    const auto all_of = [&](std::initializer_list<Type> types) {
        return std::all_of(in_.src.begin(), in_.src.begin() + in_.source_count,
                           [&](const Operand& source) {
                               return std::ranges::find(types, source.type) != types.end();
                           });
    };
    const bool divides = in_.math == MathFunction::IntDivBoth ||
                         in_.math == MathFunction::IntQuotient ||
                         in_.math == MathFunction::IntRemainder;
    if (divides)
        require(all_of({Type::D}) || all_of({Type::UD}), "EU-255",
                "the sources of an integer division must be D, or UD");
    else if (uses_special_acc(in_.math))
        require(all_of({Type::F}) || all_of({Type::DF}), "EU-255",
                "the sources of invm and rsqrtm must be F, or DF");
    else
        require(all_of({Type::F, Type::HF}), "EU-255",
                "the sources of a math function must be F or HF");
    // 003:24069: a second operand belongs to some functions only.
    require(in_.source_count == 2 || in_.src[1].is_null(), "EU-255",
            "the second source of a math function with one source must be null");
}

// Explicit use of sr and cr is coherent with their implicit use only across a thread switch
// (003:19976, 003:20066).
void RuleChecker::check_coherency() {
    if (in_.thread_ctrl == ThreadCtrl::Switch) return;
    const auto state = [](const Operand& o) { return o.is_arf(Arf::State); };
    const auto control = [](const Operand& o) { return o.is_arf(Arf::Control); };
    require(!state(in_.dst) && !any_source(state), "EU-098",
            "the state register as an operand needs {Switch}");
    require(!control(in_.dst) && !any_source(control), "EU-104",
            "the control register as an operand needs {Switch}");
}

// EU-188..EU-193, EU-202 (003:24353-24401). Of a descriptor in a register nothing is known.
void RuleChecker::check_message() {
    require(!in_.saturate && !in_.acc_write && in_.cond_mod == CondMod::None, "EU-192",
            "a send has no saturation, accumulator write or condition");
    require(!in_.no_dd_clear && !in_.no_dd_check, "EU-192", "a send has no dependency control");
    require(!in_.end_of_thread || in_.src[0].indirect || in_.src[0].reg >= 112, "EU-202",
            "the payload of a thread's last message must lie in r112 to r127");
    if (in_.descriptor_from_a0) return;
    const unsigned response = bits(in_.descriptor, 24, 20), length = bits(in_.descriptor, 28, 25);
    require(!in_.dst.is_null() || response == 0, "EU-188",
            "without a destination a message has no response");
    require(in_.dst.is_null() || response != 0, "EU-189",
            "with a destination a message has a response");
    if (in_.dst.is_null() || in_.dst.indirect || in_.src[0].indirect) return;
    const unsigned first = in_.dst.reg, source = in_.src[0].reg;
    const bool overlap = first < source + length && source < first + response;
    require(!overlap || first + response <= 127, "EU-193",
            "r127 takes no answer of a send whose source and destination overlap");
}

}  // namespace gen9::isa
