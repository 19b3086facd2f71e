// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "interconnect/payload/memory_request.h"

namespace gen9::memory {

/// The last level cache's half of the memory object control states, and the private page
/// attributes they may defer to (DP-034; Public: Linux i915, GEN9_GFX_MOCS and GEN8_PRIVATE_PAT).
///
/// The age and target fields are replacement hints and a choice between LLC and eDRAM, of which
/// only the LLC is here: they change nothing.
class Cacheability {
  public:
    static constexpr unsigned kMocsEntries = 64, kPatRegisters = 2;

    /// `as_linux`: the control states are those Linux gives every context, whatever is written.
    explicit Cacheability(bool as_linux) : as_linux_(as_linux) {}

    /// `mocs`: as it travels with an access, the entry's index in bits 6:1.
    LlcPolicy policy(std::uint8_t mocs, std::uint8_t attribute) const {
        const unsigned index = mocs >> 1 & 63;
        const std::uint32_t control = (as_linux_ ? linux_control(index) : mocs_[index]) & 3;
        return control ? of_control(control) : of_page(attribute);  // 0: as the page says
    }
    LlcPolicy of_page(std::uint8_t attribute) const {
        // Memory types: uncached, write combining, write through, write back.
        const std::uint32_t type = pat_[attribute >> 2 & 1] >> (attribute & 3) * 8 & 3;
        return type == 3   ? LlcPolicy::WriteBack
               : type == 2 ? LlcPolicy::WriteThrough
                           : LlcPolicy::Uncached;
    }
    std::uint32_t& mocs(unsigned index) { return mocs_[index]; }
    std::uint32_t& pat(unsigned index) { return pat_[index]; }
    std::uint32_t mocs(unsigned index) const { return mocs_[index]; }
    std::uint32_t pat(unsigned index) const { return pat_[index]; }

  private:
    // Entry 0 is uncached, 2 write back, all others leave it to the page (Public: Linux i915,
    // intel_mocs.c, Skylake).
    static std::uint32_t linux_control(unsigned index) {
        return index == 0 ? 1 : index == 2 ? 3 : 0;
    }
    static LlcPolicy of_control(std::uint32_t control) {
        return control == 1   ? LlcPolicy::Uncached
               : control == 2 ? LlcPolicy::WriteThrough
                              : LlcPolicy::WriteBack;
    }
    bool as_linux_;
    /// Reset: every entry defers to the page, and every page attribute is write back (Assumed).
    std::array<std::uint32_t, kMocsEntries> mocs_{};
    std::array<std::uint32_t, kPatRegisters> pat_{0x03030303, 0x03030303};
};

}  // namespace gen9::memory
