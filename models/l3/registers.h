// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "packets/fields.h"

namespace gen9::l3 {

namespace l3cntlreg {
using packets::Field;
using packets::Kind;
inline constexpr const char* kSource = "003:18832-18938; Public: mesa gen9.xml L3CNTLREG";
inline constexpr Field SLMEnable{"SLM Enable", 0, 0, 0, Kind::Bool, kSource};
inline constexpr Field URBAllocation{"URB Allocation", 0, 7, 1, Kind::Uint, kSource};
inline constexpr Field GPGPUL3CreditModeEnable{
    "GPGPU L3 Credit Mode Enable", 0, 8, 8, Kind::Bool, kSource};
inline constexpr Field ErrorDetectionBehaviorControl{
    "Error Detection Behavior Control", 0, 9, 9, Kind::Bool, kSource};
inline constexpr Field Reserved10{"Reserved", 0, 10, 10, Kind::Mbz, kSource};
inline constexpr Field ROAllocation{"RO Allocation", 0, 17, 11, Kind::Uint, kSource};
inline constexpr Field DCAllocation{"DC Allocation", 0, 24, 18, Kind::Uint, kSource};
inline constexpr Field AllAllocation{"All Allocation", 0, 31, 25, Kind::Uint, kSource};
inline constexpr const Field* kRows[] = {&SLMEnable,
                                         &URBAllocation,
                                         &GPGPUL3CreditModeEnable,
                                         &ErrorDetectionBehaviorControl,
                                         &Reserved10,
                                         &ROAllocation,
                                         &DCAllocation,
                                         &AllAllocation};
inline constexpr packets::Structure kStructure{"L3CNTLREG", 1, kRows};
}  // namespace l3cntlreg

/// One half of an LNCF MOCS register (0xB020 + 4i holds entries 2i and 2i + 1).
namespace lncf_mocs {
using packets::Field;
using packets::Kind;
inline constexpr const char* kSource = "Public: Linux i915 intel_mocs.c";
inline constexpr Field ESC{"ESC", 0, 0, 0, Kind::Bool, kSource};
inline constexpr Field SCC{"SCC", 0, 3, 1, Kind::Uint, kSource};
inline constexpr Field L3CacheabilityControl{
    "L3 Cacheability Control", 0, 5, 4, Kind::Enum, kSource};
inline constexpr std::uint32_t kUncached = 1, kWriteBack = 3;
}  // namespace lncf_mocs

/// The L3's registers (names in 003:18227-18289, offsets Public: Linux i915). All read back what
/// was written; those named here also act.
class Registers {
  public:
    static constexpr std::uint32_t kL3Cntlreg = 0x7034;
    static constexpr std::uint32_t kLncfFirst = 0xB000, kLbcfLast = 0xB1FC;
    static constexpr std::uint32_t kMocsFirst = 0xB020, kMocsRegisters = 32;
    static constexpr std::uint32_t kL3Sqcreg4 = 0xB118;
    static constexpr std::uint32_t kGlobalInvalidation = 0xB404;
    /// L3SQCREG4 bit: atomics that are not IA coherent run in L3 (L3-55).
    static constexpr std::uint32_t kAtomicsInL3 = 1u << 22;
    static constexpr std::uint32_t kDefaultPartition = 0x60000160;

    static bool owns(std::uint32_t offset) {
        return offset == kL3Cntlreg || (offset >= kLncfFirst && offset <= kLbcfLast) ||
               offset == kGlobalInvalidation;
    }
    std::uint32_t read(std::uint32_t offset) const { return *find(offset); }
    void write(std::uint32_t offset, std::uint32_t value) {
        *const_cast<std::uint32_t*>(find(offset)) = value;
    }

    bool atomics_in_l3() const { return read(kL3Sqcreg4) & kAtomicsInL3; }
    /// Does a memory object control state (bits 6:1 the table's index) pass L3 by?
    bool uncached(std::uint8_t mocs) const {
        const unsigned index = mocs >> 1 & 63;
        const std::uint32_t half = read(kMocsFirst + index / 2 * 4) >> (index % 2 * 16);
        return lncf_mocs::L3CacheabilityControl.get(std::span(&half, 1)) == lncf_mocs::kUncached;
    }

  private:
    const std::uint32_t* find(std::uint32_t offset) const {
        if (offset == kL3Cntlreg) return &partition_;
        if (offset == kGlobalInvalidation) return &global_invalidation_;
        return &block_[(offset - kLncfFirst) / 4];
    }
    static constexpr std::array<std::uint32_t, (kLbcfLast - kLncfFirst) / 4 + 1> reset_block() {
        std::array<std::uint32_t, (kLbcfLast - kLncfFirst) / 4 + 1> block{};
        block[(kL3Sqcreg4 - kLncfFirst) / 4] = kAtomicsInL3;
        return block;
    }
    std::uint32_t partition_ = kDefaultPartition;
    std::uint32_t global_invalidation_ = 0;
    std::array<std::uint32_t, (kLbcfLast - kLncfFirst) / 4 + 1> block_ = reset_block();
};

}  // namespace gen9::l3
