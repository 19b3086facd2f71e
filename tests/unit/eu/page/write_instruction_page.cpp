// SPDX-License-Identifier: Apache-2.0
// write_instruction_page LEDGER.csv > docs/blocks/eu-instructions.md
#include <iostream>

#include "tests/unit/eu/page/instruction_page.h"

int main(int argc, char** argv) {
    if (argc != 2) {
        std::cerr << "usage: write_instruction_page LEDGER.csv\n";
        return 2;
    }
    std::cout << gen9::eu::test::instruction_page(argv[1]);
    return 0;
}
