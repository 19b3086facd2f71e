// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <random>
#include <set>
#include <sstream>

#include "common/bits.h"
#include "isa/branch.h"
#include "isa/format/compaction.h"
#include "isa/format/decode.h"
#include "isa/format/encode.h"
#include "isa/opcodes.h"
#include "isa/text/disassemble.h"
#include "tests/unit/isa/against_assembler.h"
#include "tests/unit/isa/iga.h"

namespace gen9::isa::test {
namespace {

struct Table {
    const char* name;
    std::uint8_t high, low;
    unsigned rows() const { return 1u << (high - low + 1); }
};
constexpr std::array<Table, 5> kBasic{{{"control", 12, 8},
                                       {"datatype", 17, 13},
                                       {"subreg", 22, 18},
                                       {"src0", 34, 30},
                                       {"src1", 39, 35}}};
constexpr std::array<Table, 2> kThree{{{"src3_control", 9, 8}, {"src3_source", 11, 10}}};

std::span<const Table> tables_of(const OpcodeInfo& row) {
    return row.format == Format::ThreeSource ? std::span<const Table>(kThree) : kBasic;
}

/// What the text of the compact form says more than that of its expansion.
std::string without_compacted(std::string text) {
    for (const char* form : {" {Compacted}", "Compacted,", ",Compacted"}) {
        const auto at = text.find(form);
        if (at == std::string::npos) continue;
        return text.erase(at, std::string(form).size());
    }
    return text;
}

class Comparison {
  public:
    Comparison(std::uint64_t seed, std::size_t per_row) : random_(seed), per_row_(per_row) {}
    Report run();
    Report of_word(std::uint64_t word);

  private:
    std::uint64_t draw(const OpcodeInfo& row);
    void draw_words(const OpcodeInfo& row);
    void compare(const OpcodeInfo& row);
    void fail(std::uint64_t word, const std::string& text) {
        std::ostringstream out;
        out << "compact word " << std::hex << word << ": " << text;
        report_.fail(out.str());
    }

    std::mt19937_64 random_;
    std::size_t per_row_;
    Report report_;
    std::vector<std::uint64_t> compact_;
};

/// Random indices and registers; bits the compact forms keep zero are zero.
std::uint64_t Comparison::draw(const OpcodeInfo& row) {
    std::uint64_t word = (random_() & ~std::uint64_t{0x7F}) | row.code;
    if (row.format == Format::ThreeSource) {
        word &= ~std::uint64_t{0x0FF80000};
    } else {
        word &= ~std::uint64_t{0x10000080};
        const bool condition =
            row.format == Format::Math || (row.has(kCondModifier) && random_() % 4 == 0);
        if (!condition) word &= ~std::uint64_t{0x0F000000};
        if (!row.has(kAccWrite)) word &= ~std::uint64_t{0x00800000};
        if (random_() % 8 == 0) word |= 0x80;
    }
    const auto both_registers = [&](Arf kind) {
        const std::uint64_t reg = static_cast<std::uint64_t>(kind) << 4;
        word = with_bits(with_bits(word, 47, 40, reg), 55, 48, reg);
    };
    if (row.format == Format::Wait) both_registers(Arf::Notification);
    if (row.format == Format::Jmpi) {
        // Only this form is taken: no modifiers, and an offset to beyond what is read.
        both_registers(Arf::Ip);
        word &= ~std::uint64_t{0x087C'1F80};
        word = with_bits<std::uint64_t>(with_bits<std::uint64_t>(word, 34, 30, 0), 39, 35, 0xF);
    }
    return word | 1u << 29;
}

void Comparison::draw_words(const OpcodeInfo& row) {
    compact_.clear();
    for (const Table& table : tables_of(row))
        for (unsigned index = 0; index < table.rows(); ++index)
            for (std::size_t i = 0; i < per_row_; ++i)
                compact_.push_back(
                    with_bits<std::uint64_t>(draw(row), table.high, table.low, index));
}

void Comparison::compare(const OpcodeInfo& row) {
    std::vector<std::vector<std::uint8_t>> small, native;
    for (const std::uint64_t word : compact_) {
        std::vector<std::uint8_t> bytes(8);
        store(bytes.data(), word);
        small.push_back(bytes);
        const auto expanded = expand(word, row).to_bytes();
        native.emplace_back(expanded.begin(), expanded.end());
    }
    const TemporaryDirectory directory;
    const auto short_texts = iga_words(small, directory), long_texts = iga_words(native, directory);
    std::set<std::pair<std::string, unsigned>> met;
    for (const auto& [index, theirs] : short_texts) {
        const DecodeResult result = decode(small[index]);
        if (!result.ok && row.format == Format::Ret) {
            ++report_.exclusions["ret of a number"];  // it has no such source: 003:23679
            continue;
        }
        if (!result.ok) {
            fail(compact_[index], "refused: " + theirs + ": " + result.why);
            continue;
        }
        const auto expansion = long_texts.find(index);
        // A target relative to the next instruction is another one after 16 bytes than after 8.
        const bool relative = row.format == Format::Jmpi;
        if (expansion == long_texts.end() ||
            (!relative && without_compacted(theirs) != expansion->second)) {
            fail(compact_[index],
                 theirs + "\n  expansion " +
                     (expansion == long_texts.end() ? "refused" : expansion->second));
            continue;
        }
        for (const Table& table : tables_of(row))
            met.emplace(table.name, static_cast<unsigned>(bits<std::uint64_t>(
                                        compact_[index], table.high, table.low)));
        const Exclusion* const exclusion = exclusion_of(result.instruction);
        const bool misread = exclusion != nullptr && exclusion->kind == Exclusion::Misread;
        const bool compared = exclusion == nullptr || exclusion->kind != Exclusion::Unreadable;
        std::string ours =
            disassemble(misread ? as_assembler_reads(result.instruction) : result.instruction);
        // A target outside is a number there, from the instruction itself, and a label here.
        if (const auto label = ours.find(" L"); relative && label != std::string::npos) {
            const auto offset = static_cast<std::int32_t>(branch_target(result.instruction, 0));
            ours.replace(label + 1, ours.find(' ', label + 1) - label - 1, std::to_string(offset));
        }
        if (compared && ours != theirs)
            fail(compact_[index], "\n  theirs " + theirs + "\n  ours   " + ours);
        auto& counts = report_.rows[row.mnemonic];
        ++(compared ? counts.compared : counts.excluded);
        if (exclusion != nullptr) ++report_.exclusions[exclusion->name];
    }
    for (const auto& [table, index] : met)
        ++report_.table_rows[std::string(table) + " " + std::to_string(index)];
}

Report Comparison::run() {
    for (const OpcodeInfo& row : opcode_table()) {
        if (!row.has(kCompactable)) continue;
        draw_words(row);
        compare(row);
    }
    return report_;
}

Report Comparison::of_word(std::uint64_t word) {
    compact_ = {word};
    for (const OpcodeInfo& row : opcode_table())
        if (row.has(kCompactable) && row.code == (word & 0x7F)) compare(row);
    return report_;
}

}  // namespace

Report compare_compact_words(std::uint64_t seed, std::size_t per_row) {
    return Comparison(seed, per_row).run();
}

Report compare_compact_word(std::uint64_t word) {
    return Comparison(0, 0).of_word(word);
}

}  // namespace gen9::isa::test
