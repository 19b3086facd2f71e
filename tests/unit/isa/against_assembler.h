// SPDX-License-Identifier: Apache-2.0
/// Random instructions against the public assembler: our text of each must be its text, its bytes
/// of that text must be our bytes, and decoding and encoding must give the bytes back.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "isa/instruction.h"

namespace gen9::isa::test {

/// A kind of legal instruction that the assembler has no text for, or a wrong one.
struct Exclusion {
    const char* name;
    const char* reason;
    enum Kind : std::uint8_t {
        Refused,     ///< it prints nothing
        Misread,     ///< it prints what `as_assembler_reads` says
        Unreadable,  ///< it prints something else
        TextOnly,    ///< it prints the right text and does not assemble that text to these bytes
    } kind;
};
/// The exclusion an instruction falls under, or null: the assembler must print it as it is.
const Exclusion* exclusion_of(const Instruction& instruction);
/// What the assembler takes the bits of an instruction it misreads for.
Instruction as_assembler_reads(Instruction instruction);

struct Report {
    struct Row {
        std::size_t compared = 0;  ///< same text, same bytes
        std::size_t excluded = 0;
    };
    std::map<std::string, Row> rows;                ///< by "mnemonic, form"
    std::map<std::string, std::size_t> exclusions;  ///< by name
    std::map<std::string, std::size_t> table_rows;  ///< compaction: opcodes that met "table index"
    std::size_t failures = 0;
    std::vector<std::string> first_failures;

    void fail(const std::string& text);
    std::size_t compared() const;
    /// Fewest instructions any opcode and form were compared with, or excluded as a whole.
    std::size_t fewest() const;
    std::string text() const;
};

/// Draws about `count` instructions, the same number for every opcode and form.
Report compare_with_assembler(std::uint64_t seed, std::size_t count);

/// Compact words: for every opcode that has them and every row of every table `per_row` words that
/// use it, the rest random. Those the assembler accepts must read and expand as it says.
Report compare_compact_words(std::uint64_t seed, std::size_t per_row);
Report compare_compact_word(std::uint64_t word);

}  // namespace gen9::isa::test
