// SPDX-License-Identifier: Apache-2.0
#include "l3/bank/partition.h"

#include <algorithm>
#include <span>

#include "l3/registers.h"

namespace gen9::l3 {
namespace {
constexpr unsigned kSlmWays = 32;    // 64 KB of each bank (L3-16)
constexpr unsigned kLeastWays = 16;  // 32 KB of each bank: 128 KB on GT2 (L3-79)
// Beside local memory's ways, all that the documented values give out (L3-13 to L3-15).
constexpr unsigned kUnits = 64;
}  // namespace

Partition decode_partition(std::uint32_t l3cntlreg, const BankShape& shape) {
    const auto ways = [&](const packets::Field& field) {
        return static_cast<unsigned>(field.get(std::span(&l3cntlreg, 1))) * shape.ways_per_unit;
    };
    Partition p;
    p.slm = l3cntlreg::SLMEnable.get(std::span(&l3cntlreg, 1));
    p.slm_ways = p.slm ? kSlmWays : 0;
    p.urb_ways = ways(l3cntlreg::URBAllocation);
    p.ro_ways = ways(l3cntlreg::ROAllocation);
    p.dc_ways = ways(l3cntlreg::DCAllocation);
    p.all_ways = ways(l3cntlreg::AllAllocation);

    if (p.all_ways && (p.dc_ways || p.ro_ways))
        p.problem = "All together with DC or RO (L3-80)";
    else if (!p.all_ways && !p.ro_ways)
        p.problem = "neither All nor RO (L3-81)";
    else if ((p.all_ways && p.all_ways < kLeastWays) || (p.dc_ways && p.dc_ways < kLeastWays))
        p.problem = "All or DC below its least size (L3-79)";
    if (p.all_ways) p.dc_ways = p.ro_ways = 0;

    // A bank may be larger than drivers know of.
    const unsigned known = kSlmWays + kUnits * shape.ways_per_unit;
    if (shape.ways > known)
        (p.all_ways ? p.all_ways : p.dc_ways ? p.dc_ways : p.ro_ways) += shape.ways - known;

    if (p.lines_ways() > shape.tagged_ways) {
        if (p.problem.empty()) p.problem = "more ways for lines than have tags (L3-05)";
        p.all_ways = std::min(p.all_ways, shape.tagged_ways);
        p.dc_ways = std::min(p.dc_ways, shape.tagged_ways);
        p.ro_ways = std::min(p.ro_ways, shape.tagged_ways - p.dc_ways);
    }
    const unsigned asked = p.slm_ways + p.urb_ways + p.lines_ways();
    if (asked > shape.ways) {
        if (p.problem.empty()) p.problem = "more ways than a bank has (L3-13)";
        unsigned over = asked - shape.ways;
        for (unsigned* part : {&p.urb_ways, &p.all_ways, &p.dc_ways, &p.ro_ways}) {
            const unsigned less = std::min(over, *part);
            *part -= less;
            over -= less;
        }
    }
    return p;
}

}  // namespace gen9::l3
