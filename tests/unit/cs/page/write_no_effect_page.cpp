// SPDX-License-Identifier: Apache-2.0
// write_no_effect_page > docs/blocks/cs-no-effect.md
#include <iostream>

#include "tests/unit/cs/page/no_effect_page.h"

int main() {
    std::cout << gen9::cs::test::no_effect_page();
    return 0;
}
