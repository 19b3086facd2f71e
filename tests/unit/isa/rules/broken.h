// SPDX-License-Identifier: Apache-2.0
// Instructions that keep or break a rule, and the rules that one breaks.
#pragma once
#include <string>
#include <vector>

#include "isa/rules/rules.h"
#include "isa/text/assemble.h"

namespace gen9::isa {

using Ids = std::vector<std::string>;

inline Ids broken(const Instruction& in, RuleSet set = RuleSet::Full) {
    Ids ids;
    for (const BrokenRule& rule : broken_rules(in, set))
        if (ids.empty() || ids.back() != rule.id) ids.push_back(rule.id);
    return ids;
}
inline const Ids kNone;

/// mov (channels) dst src
inline Instruction mov(unsigned channels, const Reg& dst, Type to, const Reg& src, Type from) {
    return Inst(Opcode::Mov).exec(channels).dst(dst, to).src(src, from);
}
inline Instruction add(unsigned channels, const Reg& dst, Type to, const Reg& a, Type ta,
                       const Reg& b, Type tb) {
    return Inst(Opcode::Add).exec(channels).dst(dst, to).src(a, ta).src(b, tb);
}
inline Reg packed(unsigned reg, unsigned element = 0) {
    return grf(reg, element).region(8, 8, 1);
}

}  // namespace gen9::isa
