// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

namespace gen9::l3 {

/// The shape of a bank, a product's facts.
struct BankShape {
    unsigned ways = 96;          ///< logical ways of 2 KB, SLM and URB included (L3-05)
    unsigned tagged_ways = 64;   ///< of which may hold lines
    unsigned ways_per_unit = 1;  ///< bank ways per unit of L3CNTLREG (2 on single-bank parts)
};

/// The ways of 2 KB (32 lines) that L3CNTLREG gives a bank.
struct Partition {
    bool slm = false;
    unsigned slm_ways = 0, urb_ways = 0;
    unsigned all_ways = 0, dc_ways = 0, ro_ways = 0;
    /// The fault of the value, in a sentence; empty when it is legal. The rest is then clamped to
    /// what the bank has.
    std::string problem;
    unsigned lines_ways() const { return all_ways + dc_ways + ro_ways; }
};

/// Decodes a value (L3-13..16, L3-75..81; 003:18832-18911).
Partition decode_partition(std::uint32_t l3cntlreg, const BankShape& shape);

}  // namespace gen9::l3
