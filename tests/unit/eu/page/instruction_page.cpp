// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/eu/page/instruction_page.h"

#include <array>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <vector>

#include "eu/execute/executor.h"
#include "eu/execute/families.h"
#include "isa/opcodes.h"
#include "isa/text/disassemble.h"
#include "tests/unit/isa/random_instructions.h"

namespace gen9::eu::test {
namespace {

using isa::Format;
using isa::OpcodeInfo;
using isa::TypeSet;

/// The last two columns of a ledger row by its id.
std::map<std::string, std::string> references(const std::string& path) {
    std::map<std::string, std::string> result;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string> cells{""};
        bool quoted = false;
        for (const char c : line) {
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.emplace_back();
            } else {
                cells.back() += c;
            }
        }
        if (cells.size() > 5) result[cells[0]] = cells[5];
    }
    return result;
}

const char* format_name(Format format) {
    constexpr const char* names[] = {"no operands",
                                     "1 source",
                                     "2 sources",
                                     "3 sources",
                                     "math",
                                     "jmpi",
                                     "offset",
                                     "two offsets",
                                     "offset or register",
                                     "two offsets or register",
                                     "call",
                                     "return",
                                     "wait",
                                     "send",
                                     "split send"};
    return names[static_cast<unsigned>(format)];
}
const char* pipe_name(Pipe pipe) {
    constexpr const char* names[] = {"FPU or EM", "EM", "branch", "send", "none"};
    return names[static_cast<unsigned>(pipe)];
}
const char* latency_name(LatencyClass latency) {
    constexpr const char* names[] = {
        "simple", "64-bit", "DWord multiply",   "mad",    "mad 64-bit", "dot",    "interpolate",
        "math",   "pow",    "integer division", "branch", "send",       "control"};
    return names[static_cast<unsigned>(latency)];
}

template <class Container>
std::string joined(const Container& parts, const char* separator) {
    std::string text;
    for (const auto& part : parts)
        text += (text.empty() ? "" : separator) + std::string(part);
    return text;
}

/// Register types of a set; the packed immediates stand for the types they expand to.
std::string types(TypeSet set) {
    std::vector<std::string> names;
    for (unsigned i = 0; i <= static_cast<unsigned>(isa::Type::HF); ++i)
        if (isa::contains(set, static_cast<isa::Type>(i)))
            names.emplace_back(isa::type_name(static_cast<isa::Type>(i)));
    return joined(names, " ");
}
std::string type_pairs(const OpcodeInfo& row) {
    std::vector<std::string> pairs;
    for (const isa::TypePair& pair : row.types)
        pairs.push_back(pair.dst == pair.src ? types(pair.dst)
                                             : types(pair.dst) + " ← " + types(pair.src));
    return pairs.empty() ? "–" : joined(pairs, "; ");
}

std::string modifiers(const OpcodeInfo& row) {
    constexpr std::pair<isa::OpcodeFlag, const char*> letters[] = {
        {isa::kPredicate, "P"},      {isa::kCondModifier, "C"},  {isa::kSaturate, "S"},
        {isa::kSourceModifier, "M"}, {isa::kLogicModifier, "N"}, {isa::kAccWriteRequired, "A!"},
        {isa::kAccRead, "a"},        {isa::kSpecialAcc, "X"},    {isa::kBranchCtrl, "B"}};
    std::vector<std::string> names;
    for (const auto& [flag, letter] : letters)
        if (row.has(flag)) names.emplace_back(letter);
    if (row.has(isa::kAccWrite) && !row.has(isa::kAccWriteRequired)) names.emplace_back("A");
    return names.empty() ? "–" : joined(names, " ");
}

/// What the executor makes of an opcode, from legal instructions of all its forms.
struct Execution {
    std::set<std::string> pipes, latencies, refused;
    unsigned drawn = 0, illegal = 0;

    void add(const isa::Instruction& instruction) {
        const DecodedInstruction d = prepare(instruction, 0);
        ++drawn;
        pipes.insert(pipe_name(d.pipe));
        latencies.insert(latency_name(d.latency));
        if (d.execute != execute_illegal || instruction.opcode == isa::Opcode::Illegal) return;
        ++illegal;
        refused.insert(std::string(isa::type_name(instruction.dst.type)) + " ← " +
                       isa::type_name(instruction.src[0].type));
    }
    std::string modelled() const {
        if (illegal == 0) return "yes";
        return "all but " + joined(refused, ", ");
    }
};

constexpr unsigned kDraws = 400;

std::string line(std::initializer_list<std::string> cells) {
    return "| " + joined(cells, " | ") + " |\n";
}

constexpr const char* kHead =
    "# Execution unit: instructions\n"
    "\n"
    "Generated by `instruction_page` (tests/unit/eu) from the opcode table of `models/isa`, the "
    "executor of `models/eu` and\n"
    "`docs/ledger.csv`; a test fails when it is stale. What the columns do not say, `eu.md` and "
    "`isa.md` do.\n"
    "\n"
    "Modifiers: P predicate, C conditional modifier, S saturation, M negate and absolute of "
    "sources, N bitwise not of sources, A AccWrEn allowed,\n"
    "A! AccWrEn demanded, a reads the accumulator unasked, X special accumulators, B BranchCtrl. "
    "Types are destination ← sources, or one set for both;\n"
    "the packed immediates V and UV count as words, VF as F. Latency classes are those of `gen9sim "
    "params eu`; \"executed\" was found by preparing legal\n"
    "instructions of every form and type pair. An opcode that is not listed, and any with bit 7 "
    "set, is illegal (EU-215).\n"
    "\n";

}  // namespace

std::string instruction_page(const std::string& ledger) {
    const auto reference = references(ledger);
    const auto source = [&](const char* id) {
        const auto found = reference.find(id);
        return found == reference.end() ? std::string("no such row") : found->second;
    };
    isa::test::Generator generate(1);
    std::string text = kHead;
    text += line({"opcode", "mnemonic", "form", "compact", "types", "modifiers", "unit", "latency",
                  "executed", "ledger", "PRM"});
    text += "|---|---|---|---|---|---|---|---|---|---|---|\n";
    const auto hex = [](unsigned code) {
        std::ostringstream out;
        out << "0x" << std::hex << std::uppercase << (code < 16 ? "0" : "") << code;
        return out.str();
    };
    for (const OpcodeInfo& row : isa::opcode_table()) {
        Execution execution;
        for (const isa::test::Form form : isa::test::forms_of(row))
            for (unsigned i = 0; i < kDraws; ++i)
                execution.add(generate.make(row, form, 0, 1024));
        const bool exists = row.opcode != isa::Opcode::Illegal;
        text +=
            line({hex(row.code), row.mnemonic, format_name(row.format),
                  row.has(isa::kCompactable) ? "yes" : "no", type_pairs(row), modifiers(row),
                  joined(execution.pipes, ", "), joined(execution.latencies, ", "),
                  exists ? execution.modelled() : "as illegal", row.source, source(row.source)});
    }
    text += "\nMath functions (FC, bits 27:24; EU-254, " + source("EU-254") + ").\n\n";
    text += line({"FC", "name", "sources", "types", "latency", "executed"});
    text += "|---|---|---|---|---|---|\n";
    for (const isa::MathFunction function : isa::test::math_functions()) {
        Execution execution;
        std::set<std::string> pairs;
        for (const isa::test::Form form : isa::test::forms_of(isa::info(isa::Opcode::Math))) {
            for (unsigned i = 0; i < kDraws; ++i) {
                const isa::Instruction inst = generate.math(function, form);
                if (inst.src[0].file != isa::RegFile::Imm)
                    pairs.insert(isa::type_name(inst.src[0].type));
                execution.add(inst);
            }
        }
        text += line({hex(static_cast<unsigned>(function)), isa::math_name(function),
                      std::to_string(isa::math_sources(static_cast<unsigned>(function))),
                      joined(pairs, " "), joined(execution.latencies, ", "), execution.modelled()});
    }
    return text;
}

}  // namespace gen9::eu::test
