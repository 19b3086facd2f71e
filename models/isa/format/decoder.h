// SPDX-License-Identifier: Apache-2.0
/// The decoder behind decode(): one object per native word. Private to this folder.
#pragma once
#include "isa/format/fields.h"
#include "isa/instruction.h"
#include "isa/opcodes.h"

namespace gen9::isa {

/// Decodes one native word. Each step returns false after noting why the bits mean nothing.
class Decoder {
  public:
    Decoder(const NativeWord& word, const OpcodeInfo& row) : word_(word), row_(row) {
        inst_.opcode = row.opcode;
    }

    bool run();
    Instruction& instruction() { return inst_; }
    const char* why() const { return why_; }

  private:
    bool header();
    bool operands();
    bool one_source();
    bool two_source();
    bool three_source();
    bool math();
    bool jmpi();
    bool branch_register(bool pair);
    bool call();
    bool jip_of_second_source();
    bool ret();
    bool send();
    bool sends();

    bool destination();
    bool source(unsigned index, const SourceFields& fields, bool immediate_allowed);
    bool immediate(Operand& operand, std::uint64_t type_code);
    bool register_source(Operand& operand, const SourceFields& fields);
    void special_accumulator(Operand& operand, const Field& field) {
        operand.special_acc = static_cast<std::uint8_t>(get(field));
    }
    bool three_source_operand(unsigned index, Type type);

    std::uint64_t get(const Field& field) const { return field.get(word_); }
    std::uint8_t get8(const Field& field) const {
        return static_cast<std::uint8_t>(field.get(word_));
    }
    bool flag(const Field& field) const { return field.get(word_) != 0; }
    /// Address immediate in bytes; the Align16 form leaves out the low four bits (EU-060).
    std::int16_t addr_imm(const Field& field) const {
        const std::uint64_t value = get(field);
        return static_cast<std::int16_t>(field.width() == 10 ? sign_extend(value, 10)
                                                             : sign_extend(value << 4, 10));
    }
    bool fail(const char* why) {
        why_ = why;
        return false;
    }

    const NativeWord& word_;
    const OpcodeInfo& row_;
    Instruction inst_;
    const char* why_ = "";
};

}  // namespace gen9::isa
