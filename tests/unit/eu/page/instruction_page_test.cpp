// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/eu/page/instruction_page.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace gen9::eu::test {
namespace {

TEST(InstructionPage, IsWhatTheTablesSay) {
    std::ifstream file(GEN9_INSTRUCTION_PAGE);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(page, instruction_page(GEN9_LEDGER))
        << "renew it: write_instruction_page docs/ledger.csv > docs/blocks/eu-instructions.md";
}

TEST(InstructionPage, EveryOpcodeHasALedgerRowAndAnExecutorForItsTypes) {
    const std::string page = instruction_page(GEN9_LEDGER);
    EXPECT_EQ(page.find("no such row"), std::string::npos);
    EXPECT_EQ(page.find("all but "), std::string::npos) << "a type without an executor";
}

}  // namespace
}  // namespace gen9::eu::test
