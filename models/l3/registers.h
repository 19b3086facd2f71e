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

/// L3SQCREG1: credits of the super queue, in pairs (Public: Linux i915).
namespace l3sqcreg1 {
using packets::Field;
using packets::Kind;
inline constexpr const char* kSource = "Public: Linux i915 L3SQCREG1";
inline constexpr Field HighPriorityCredits{"High Priority Credits", 0, 18, 14, Kind::Uint, kSource};
inline constexpr Field GeneralCredits{"General Priority Credits", 0, 23, 19, Kind::Uint, kSource};
}  // namespace l3sqcreg1

/// The L3's registers (names in 003:18227-18289, offsets Public: Linux i915). All read back what
/// was written; those named here also act.
class Registers {
  public:
    static constexpr std::uint32_t kL3Cntlreg = 0x7034;
    static constexpr std::uint32_t kLncfFirst = 0xB000, kLpfcLast = 0xB4FC;
    static constexpr std::uint32_t kMocsFirst = 0xB020, kMocsRegisters = 32;
    static constexpr std::uint32_t kLncfScratch = 0xB008, kL3Sqcreg1 = 0xB100, kL3Sqcreg4 = 0xB118,
                                   kL3Scratch1 = 0xB11C, kL3Config = 0xB120;
    static constexpr std::uint32_t kGlobalInvalidation = 0xB404;
    static constexpr std::uint32_t kHdcChicken0 = 0x7300;
    /// HDC_CHICKEN0 bit: all data port accesses are non-coherent.
    static constexpr std::uint32_t kForceNonCoherent = 1u << 4;
    /// LNCF scratch bit: the node's half of the switch below.
    static constexpr std::uint32_t kNodeAtomicsInL3 = 1u << 0;
    /// L3SQCREG4 bit: atomics that are not IA coherent run in L3 (L3-55).
    static constexpr std::uint32_t kAtomicsInL3 = 1u << 22;
    /// L3SQCREG4 bit: a flush writes coherent lines as well (L3-81).
    static constexpr std::uint32_t kFlushCoherentLines = 1u << 21;
    static constexpr std::uint32_t kDefaultPartition = 0x60000160;

    static bool owns(std::uint32_t offset) {
        return offset == kL3Cntlreg || offset == kHdcChicken0 ||
               (offset >= kLncfFirst && offset <= kLpfcLast);
    }
    std::uint32_t read(std::uint32_t offset) const { return *find(offset); }
    void write(std::uint32_t offset, std::uint32_t value) {
        auto& held = *const_cast<std::uint32_t*>(find(offset));
        // HDC_CHICKEN0 is masked by its high half.
        held = offset == kHdcChicken0 ? (held & ~(value >> 16)) | (value & value >> 16) : value;
        uncached_ = find_uncached();
    }
    /// A legal write of which something is not modelled.
    struct Lacking {
        const char* id = nullptr;  ///< ledger row; null: nothing is lacking
        const char* text = nullptr;
    };
    Lacking lacking(std::uint32_t offset, std::uint32_t value) const;

    /// Atomics run in L3 only if node and super queue both let them (guide 3.5).
    bool atomics_in_l3() const {
        return (read(kL3Sqcreg4) & kAtomicsInL3) && (read(kLncfScratch) & kNodeAtomicsInL3);
    }
    bool flushes_coherent_lines() const { return read(kL3Sqcreg4) & kFlushCoherentLines; }
    /// Requests the super queue's credits allow to wait in a bank.
    std::uint64_t super_queue_credits() const {
        const std::uint32_t value = read(kL3Sqcreg1);
        const std::span<const std::uint32_t> dwords(&value, 1);
        return 2 * (std::uint64_t{l3sqcreg1::GeneralCredits.get(dwords)} +
                    l3sqcreg1::HighPriorityCredits.get(dwords));
    }
    /// Does a memory object control state (bits 6:1 the table's index) pass L3 by?
    bool uncached(std::uint8_t mocs) const { return uncached_ >> (mocs >> 1 & 63) & 1; }

  private:
    const std::uint32_t* find(std::uint32_t offset) const {
        if (offset == kL3Cntlreg) return &partition_;
        if (offset == kHdcChicken0) return &hdc_chicken0_;
        return &block_[(offset - kLncfFirst) / 4];
    }
    std::uint64_t find_uncached() const;
    /// LNCF, LBCF and LPFC, one after the other.
    using Block = std::array<std::uint32_t, (kLpfcLast - kLncfFirst) / 4 + 1>;
    static constexpr Block reset_block() {
        Block block{};
        block[(kLncfScratch - kLncfFirst) / 4] = kNodeAtomicsInL3;
        block[(kL3Sqcreg1 - kLncfFirst) / 4] = 31u << 19 | 1u << 14;  // as Linux programs it
        block[(kL3Sqcreg4 - kLncfFirst) / 4] = kAtomicsInL3;
        return block;
    }
    std::uint32_t partition_ = kDefaultPartition;
    std::uint32_t hdc_chicken0_ = kForceNonCoherent;
    Block block_ = reset_block();
    std::uint64_t uncached_ = find_uncached();  ///< by index of the table, as the registers say
};

}  // namespace gen9::l3
