// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "isa/opcodes.h"
#include "isa/rules/rules.h"

namespace gen9::isa {

/// One instruction held against the rules. Facts that several rules ask for are found once.
class RuleChecker {
  public:
    RuleChecker(const Instruction& in, RuleSet set);
    std::vector<BrokenRule> run(const Instruction* before);

  private:
    // rules.cpp
    void check_types();
    void check_math_types();
    void check_coherency();
    void check_message();
    // rules_region.cpp
    void check_sizes();
    void check_source_regions();
    void check_source_region(const Operand& source);
    void check_destination_region();
    void check_order(const Instruction& before);
    void check_destination_alignment();
    void check_mixed_floats();
    void check_mixed_align1();
    void check_align16();
    void check_indirect();
    void check_narrow_wide_data();
    // rules_accumulator.cpp
    void check_accumulators();
    void check_accumulator_source();
    void check_accumulator_opcode();
    void check_special_accumulators();

    void require(bool holds, const char* id, const char* text);
    bool any_source(bool (*property)(const Operand&)) const;
    bool is_raw_move() const;
    bool is_ternary() const { return in_.source_count == 3; }
    /// madm, invm, rsqrtm: what would be swizzles names special accumulators.
    bool is_macro() const;

    const Instruction& in_;
    const OpcodeInfo& info_;
    const RuleSet set_;
    bool send_, flow_;
    /// Bytes of the execution type (EU-121).
    unsigned execution_bytes_ = 2;
    bool mixed_ = false;  ///< singles and halves together
    std::vector<BrokenRule> broken_;
};

/// Bytes from the start of the operand's first register to the end of its last element, for a
/// destination or source addressed directly.
unsigned region_end(const Instruction& in, const Operand& operand, bool destination);
inline bool is_accumulator(const Operand& operand) {
    return operand.is_arf(Arf::Accumulator);
}

}  // namespace gen9::isa
