// SPDX-License-Identifier: Apache-2.0
#include "l3/registers.h"

namespace gen9::l3 {

Registers::Lacking Registers::lacking(std::uint32_t offset, std::uint32_t value) const {
    switch (offset) {
        case kL3Cntlreg:  // all fields act, or are hints (docs/blocks/l3.md)
            return {};
        case kHdcChicken0:
            if (value >> 16 & ~value & kForceNonCoherent)
                return {"L3-57",
                        "IA coherent lines (HDC_CHICKEN0 bit 4 cleared): all data port "
                        "accesses stay GPU coherent"};
            return {};
        case kGlobalInvalidation:
        case kLncfScratch:
        case kL3Sqcreg1:
        case kL3Sqcreg4:
        case kL3Scratch1:
        case kL3Config:
            return {};
        default:
            break;
    }
    if (offset >= kMocsFirst && offset < kMocsFirst + kMocsRegisters * 4) return {};
    // Arbitration, error and timer controls: names only in the seeds.
    if (value != read(offset)) return {"L3-02", "an L3 control register keeps its value only"};
    return {};
}

std::uint64_t Registers::find_uncached() const {
    std::uint64_t found = 0;
    for (unsigned index = 0; index < 64; ++index) {
        const std::uint32_t half = read(kMocsFirst + index / 2 * 4) >> (index % 2 * 16);
        const std::uint32_t control = lncf_mocs::L3CacheabilityControl.get(std::span(&half, 1));
        found |= std::uint64_t{control == lncf_mocs::kUncached} << index;
    }
    return found;
}

}  // namespace gen9::l3
