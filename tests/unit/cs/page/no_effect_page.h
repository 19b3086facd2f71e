// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace gen9::cs::test {

/// docs/blocks/cs-no-effect.md, from the tables.
std::string no_effect_page();

}  // namespace gen9::cs::test
