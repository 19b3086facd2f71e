// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/cs/page/no_effect_page.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace gen9::cs::test {
namespace {

TEST(NoEffectPage, IsWhatTheTablesSay) {
    std::ifstream file(GEN9_NO_EFFECT_PAGE);
    const std::string page{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(page, no_effect_page())
        << "renew it: write_no_effect_page > docs/blocks/cs-no-effect.md";
}

}  // namespace
}  // namespace gen9::cs::test
