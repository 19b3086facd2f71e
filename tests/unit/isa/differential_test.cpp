// SPDX-License-Identifier: Apache-2.0
// Random legal instructions, compact words and branches: our text against the public assembler's.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "isa/format/decode.h"
#include "isa/opcodes.h"
#include "isa/text/assemble.h"
#include "isa/text/disassemble.h"
#include "tests/support/covers.h"
#include "tests/support/sample.h"
#include "tests/unit/isa/against_assembler.h"
#include "tests/unit/isa/golden.h"
#include "tests/unit/isa/iga.h"

namespace gen9::isa::test {
namespace {

using Words = std::vector<std::vector<std::uint8_t>>;

std::vector<std::uint8_t> vector_of(const std::array<std::uint8_t, 16>& bytes) {
    return {bytes.begin(), bytes.end()};
}

// The comparison itself can fail: a word the assembler refuses is missing, others keep their place,
// and different words have different texts.
TEST(Differential, TheJudgeRefusesAndTellsApart) {
    const auto mov = [](unsigned reg) {
        return vector_of(
            Inst(Opcode::Mov).exec(8).dst(grf(reg), Type::F).src(grf(2), Type::F).bytes());
    };
    std::vector<std::uint8_t> undefined(16, 0);
    undefined[0] = 0x0B;
    const TemporaryDirectory directory;
    const auto texts = iga_words({mov(1), undefined, mov(3)}, directory);
    ASSERT_EQ(texts.size(), 2U);
    EXPECT_FALSE(texts.contains(1));
    EXPECT_NE(texts.at(0), texts.at(2));
    EXPECT_EQ(texts.at(2), "mov (8|M0) r3.0<1>:f r2.0<8;8,1>:f");
}

TEST(Differential, GoldenWordsReadAsWritten) {
    GEN9_COVERS("EU-298 EU-299 EU-300");
    Words words;
    std::vector<std::string> expected;
    for (const Golden& golden : golden_words()) {
        if (info(golden.built.opcode).has(kBranch)) continue;  // labels: see the branch tests
        words.push_back(vector_of(golden.bytes()));
        expected.emplace_back(golden.text);
    }
    const TemporaryDirectory directory;
    const auto theirs = iga_words(words, directory);
    ASSERT_EQ(theirs.size(), words.size());
    for (const auto& [index, text] : theirs)
        EXPECT_EQ(without_comment(text), expected[index]);
}

/// The function a message comment names: after the lengths, up to the operation.
std::string function_of(const std::string& text) {
    const auto first = text.find("; ");
    if (first == std::string::npos) return "";
    return text.substr(first + 2, text.find(';', first + 2) - first - 2);
}

TEST(Differential, FunctionIdsHaveTheAssemblersNames) {
    GEN9_COVERS("EU-187");
    // The ids the PRM leaves unused have no name.
    constexpr unsigned ids[] = {0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
    Words words;
    for (const unsigned id : ids)
        words.push_back(vector_of(Inst(Opcode::Send)
                                      .exec(8)
                                      .dst(null(), Type::UD)
                                      .src(grf(10), Type::UD)
                                      .message(id, 0x02000000)
                                      .bytes()));
    const TemporaryDirectory directory;
    const auto theirs = iga_words(words, directory);
    std::set<std::string> names;
    for (const auto& [index, text] : theirs) {
        const std::string ours = disassemble(decode(words[index]).instruction);
        EXPECT_EQ(function_of(ours), function_of(text)) << ids[index];
        names.insert(function_of(text));
    }
    EXPECT_EQ(theirs.size(), std::size(ids));
    EXPECT_EQ(names.size(), std::size(ids));
}

/// What a report has beyond its numbers, for the log of a failure.
void expect_none_failed(const Report& report) {
    EXPECT_EQ(report.failures, 0U);
    for (const std::string& failure : report.first_failures)
        ADD_FAILURE() << failure;
}

/// Exclusions and how much each may take: a new one, or one that has grown, shows.
void expect_within(const std::map<std::string, std::size_t>& found,
                   const std::map<std::string, std::size_t>& most) {
    for (const auto& [name, number] : found) {
        const auto limit = most.find(name);
        ASSERT_NE(limit, most.end()) << name << " is no known exclusion";
        EXPECT_LE(number, limit->second) << name;
    }
}

TEST(Differential, RandomInstructionsOfEveryOpcodeAndFormReadAndAssembleAlike) {
    GEN9_COVERS(
        "EU-298 EU-299 EU-300 EU-027 EU-028 EU-029 EU-053 EU-057 EU-058 EU-059 EU-060 EU-061 "
        "EU-062 "
        "EU-069 EU-070 EU-087 EU-113 EU-114 EU-115 EU-116 EU-120 EU-123 EU-124 EU-156 EU-158 "
        "EU-159 "
        "EU-166 EU-182 EU-183 EU-184 EU-185 EU-186 EU-215 EU-251 EU-253 EU-269 EU-270 EU-304");
    const unsigned count = gen9::test::rounds(270'000);
    const Report report = compare_with_assembler(1, count);
    expect_none_failed(report);
    EXPECT_GT(report.compared(), count / 27 * 20);
    EXPECT_GT(report.fewest(), count / 2700) << report.text();
    expect_within(report.exclusions, {
                                         {"acc2 to acc9 outside the macros", 10'000},
                                         {"align16 channel enable", 22'000},
                                         {"align16 read as align1", 12'500},
                                         {"align16 swizzle or stride", 12'500},
                                         {"call and ret with :ud", 2'400},
                                         {"send with a type of an indirect operand", 1'300},
                                         {"send with dependency control", 2'600},
                                         {"three-source channel enable", 1'900},
                                         {"three-source swizzle", 2'100},
                                     });
    RecordProperty("instructions", static_cast<int>(report.compared()));
}

TEST(Differential, CompactWordsOfEveryOpcodeAndTableRowReadAndExpandAlike) {
    GEN9_COVERS("EU-301 EU-302 EU-303");
    const Report report = compare_compact_words(1, gen9::test::rounds(9));
    expect_none_failed(report);
    EXPECT_EQ(report.rows.size(), 48U) << report.text();
    EXPECT_GT(report.fewest(), gen9::test::rounds(60)) << report.text();
    // Every row of every table is met, and by how many opcodes the assembler takes it.
    EXPECT_EQ(report.table_rows.size(), 5 * 32 + 4 + 4U);
    expect_within(report.exclusions, {
                                         {"acc2 to acc9 in Align16 outside the macros", 100},
                                         {"acc2 to acc9 outside the macros", 400},
                                         {"align16 read as align1", 250},
                                         {"call and ret with :ud", 250},
                                         {"ret of a number", 80},
                                         {"wait or branch in Align16", 350},
                                     });
    RecordProperty("words", static_cast<int>(report.compared()));
}

TEST(Differential, AnAlign16DestinationOfStrideZeroReadsAsOne) {
    // Row 20 of the data types, which the assembler seldom takes with Align16.
    const Report report = compare_compact_word(0xA952'20BB'E0D2'8904);
    expect_none_failed(report);
    EXPECT_EQ(report.exclusions.at("align16 read as align1"), 1U);
}

}  // namespace
}  // namespace gen9::isa::test
