// SPDX-License-Identifier: Apache-2.0
// Region rules against the public assembler, which warns of some of them: whatever it warns of is a
// broken rule here. It looks at less (first rows only, scalars' strides only in SIMD1, source sizes
// only), so the reverse does not hold.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <random>
#include <set>

#include "isa/rules/rules.h"
#include "isa/text/assemble.h"
#include "isa/text/disassemble.h"
#include "tests/support/covers.h"
#include "tests/unit/isa/iga.h"

namespace gen9::isa::test {
namespace {

using Random = std::mt19937;

template <class T>
T pick(Random& random, std::initializer_list<T> values) {
    return values.begin()[random() % values.size()];
}

/// A mov of any size, types and region; half of them follow the simpler rules.
Instruction random_move(Random& random) {
    const auto channels = pick<unsigned>(random, {1, 2, 4, 8, 8, 16, 16, 32});
    const auto type = pick(random, {Type::UD, Type::W, Type::UB, Type::F, Type::DF, Type::HF});
    auto width = pick<unsigned>(random, {1, 2, 4, 8, 16}),
         vert = pick<unsigned>(random, {0, 1, 2, 4, 8, 16, 32}),
         horz = pick<unsigned>(random, {0, 1, 1, 2, 4});
    if (random() % 2) {
        width = std::min(channels, width);
        if (width == 1) horz = 0;
        vert = std::min(width == 1 ? (channels == 1 ? 0 : 1) : width * horz, 32u);
    }
    const unsigned element = random() % 2 ? 0 : random() % (32 / size_bytes(type));
    return Inst(Opcode::Mov)
        .exec(channels)
        .no_mask()
        .dst(grf(40), type)
        .src(grf(10, element).region(vert, width, horz), type);
}

/// The digits and inner points behind a word, "1.1" of "Restriction 1.1: ..."; empty without it.
std::string number_behind(const std::string& message, const std::string& word) {
    const std::size_t at = message.find(word);
    if (at == std::string::npos) return {};
    const std::size_t first = at + word.size();
    std::string number =
        message.substr(first, message.find_first_not_of("0123456789.", first) - first);
    while (!number.empty() && number.back() == '.')
        number.pop_back();
    return number;
}

/// Rows by the assembler's numbers, and by line.
std::vector<std::set<std::string>> warnings(const std::string& text, std::size_t lines) {
    static const std::map<std::string, std::string> kRows{
        {"1.1", "EU-031"}, {"2.1", "EU-033"}, {"2.2", "EU-034"}, {"2.4", "EU-035"},
        {"2.5", "EU-035"}, {"2.6", "EU-036"}, {"2.8", "EU-037"}};
    std::vector<std::set<std::string>> rows(lines);
    std::size_t line = 0;
    for (const std::string& message : lines_of(text)) {
        const std::string where = number_behind(message, "line ");
        if (!where.empty()) line = std::stoul(where) - 1;
        const std::string restriction = number_behind(message, "Restriction ");
        if (!restriction.empty()) rows.at(line).insert(kRows.at(restriction));
    }
    return rows;
}

TEST(RulesAgainstIga, WhateverTheAssemblerWarnsOfIsBroken) {
    GEN9_COVERS("EU-031 EU-033 EU-034 EU-035 EU-036 EU-037");
    Random random(1);
    const TemporaryDirectory directory;
    const std::string file = directory.path() + "/moves.asm";
    std::vector<Instruction> moves;
    std::ofstream out(file);
    for (unsigned i = 0; i < 2000; ++i) {
        moves.push_back(random_move(random));
        out << disassemble(moves.back(), 0) << '\n';
    }
    out.close();
    run(std::string(GEN9_IGA64) + " -p=9 -a " + file + " -o " + directory.path() + "/moves.bin > " +
        file + ".log 2>&1");
    const auto expected = warnings(read_file(file + ".log"), moves.size());
    std::map<std::string, unsigned> agreed;
    for (std::size_t i = 0; i < moves.size(); ++i) {
        std::set<std::string> ours;
        for (const BrokenRule& rule : broken_rules(moves[i]))
            ours.insert(rule.id);
        // Of a row wider than the instruction, and of strides of one element, one rule says enough.
        const Operand& source = moves[i].src[0];
        if (ours.contains("EU-033")) continue;
        for (const std::string& row : expected[i]) {
            const bool same = row == "EU-034" && source.width == 1 && ours.contains("EU-035");
            EXPECT_TRUE(same || ours.contains(row)) << disassemble(moves[i], 0) << ": " << row;
            ++agreed[row];
        }
    }
    for (const char* row : {"EU-031", "EU-034", "EU-035", "EU-036", "EU-037"})
        EXPECT_GT(agreed[row], 10u) << row;
}

}  // namespace
}  // namespace gen9::isa::test
