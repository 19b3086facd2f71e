// SPDX-License-Identifier: Apache-2.0
/// Rules of the PRM an instruction can break although its bits decode: regions, alignment, types,
/// accumulators, messages. The hardware checks none of them (EU-212, EU-297): what breaks one is
/// undefined. Compilers obey them; the EU says once per address what does not. EU-014 (a second
/// half that reads what its first half writes) is not among them: Intel's compiler writes that.
/// Spec     EU-031..EU-052, EU-063, EU-064, EU-068, EU-076..EU-086, EU-098, EU-104, EU-119,
///          EU-122, EU-133, EU-188..EU-193, EU-202, EU-255; 003:20498-20720, 003:23700-23790
#pragma once
#include <vector>

#include "isa/instruction.h"

namespace gen9::isa {

struct BrokenRule {
    const char* id;    ///< ledger row
    const char* text;  ///< the rule, as a sentence
    bool operator==(const BrokenRule& other) const;
};

/// Width of the 64-bit data paths: with narrow ones a few rules more hold (000:1583-1625).
enum class RuleSet : std::uint8_t { Full, Narrow };

/// The rules `in` breaks, in order of the rows, each once. Instructions that are illegal as a whole
/// break none. `before`: the instruction in front of it in memory, if known.
std::vector<BrokenRule> broken_rules(const Instruction& in, RuleSet set = RuleSet::Full,
                                     const Instruction* before = nullptr);

/// Are the region's elements adjacent, without gap, overlap or replication (EU-068)? Of the
/// destination if `operand` is `in.dst`, else of a source.
bool is_packed(const Instruction& in, const Operand& operand);

}  // namespace gen9::isa
