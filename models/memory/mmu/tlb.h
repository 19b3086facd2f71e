// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "common/filled_places.h"
#include "interconnect/payload/memory_request.h"

namespace gen9::memory {

/// A set-associative translation buffer for pages of 4 KB, 64 KB and 2 MB; least recently used
/// goes.
class Tlb {
  public:
    struct Entry {
        std::uint64_t page = 0;   ///< virtual address of the page
        std::uint64_t frame = 0;  ///< physical address of the page
        std::uint64_t last_use = 0;
        std::uint8_t shift = 0;  ///< 0: the entry is empty
        AddressSpace space = AddressSpace::Ppgtt;
        bool writable = false;
        std::uint8_t attribute = 0;  ///< the leaf's page attribute index
        std::uint64_t physical(std::uint64_t address) const {
            return frame | (address & ((std::uint64_t{1} << shift) - 1));
        }
    };

    Tlb(unsigned sets, unsigned ways);
    /// The entry that maps an address, or null.
    const Entry* find(AddressSpace space, std::uint64_t address);
    /// Puts a page in, and returns its entry.
    const Entry& insert(AddressSpace space, std::uint64_t address, std::uint64_t physical,
                        unsigned shift, bool writable, std::uint8_t attribute = 0);
    void drop_all();
    void drop(AddressSpace space);
    /// Drops the entry of one page, if held.
    void drop(AddressSpace space, std::uint64_t address);

  private:
    static constexpr unsigned kShifts[] = {12, 16, 21};
    Entry* set_of(std::uint64_t address, unsigned shift);

    std::vector<Entry> entries_;
    FilledPlaces filled_;
    unsigned sets_, ways_;
    std::uint64_t use_ = 0;
    bool in_use_[3]{};  ///< which sizes have ever been put in since the last drop
};

}  // namespace gen9::memory
