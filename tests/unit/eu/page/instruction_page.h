// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace gen9::eu::test {

/// docs/blocks/eu-instructions.md as the opcode table, the executor and the ledger have it now.
/// `ledger` is the path of docs/ledger.csv.
std::string instruction_page(const std::string& ledger);

}  // namespace gen9::eu::test
