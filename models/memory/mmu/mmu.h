// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "memory/mmu/page_table.h"
#include "memory/mmu/tlb.h"

namespace gen9::memory {

/// Mmu: translation of a render engine's addresses (core of the GTI).
/// Role     GGTT entries, page directory pointers, translation buffer, fault registers.
/// Not here time and sockets (gti.h)
/// Spec     host-interface guide 3; register layouts Public: Linux i915
class Mmu {
  public:
    /// The asker, for fault reports.
    struct Origin {
        Requester requester;
        ThreadAddress thread;
    };
    struct Answer {
        bool ok = false;
        bool writable = false;
        std::uint8_t attribute = 0;    ///< the page's index into the private PAT
        std::uint8_t table_reads = 0;  ///< 0: the translation buffer knew
        std::uint8_t page_shift = 12;  ///< of a walk: 12, 16 or 21
        PhysAddr address;
        Translation fault;  ///< why not, when !ok
    };

    Mmu(const PhysicalMemory& memory, unsigned tlb_sets, unsigned tlb_ways);

    Answer translate(AddressSpace space, GpuAddr address, bool write);
    /// The same without touching the translation buffer.
    Answer peek(AddressSpace space, GpuAddr address, bool write) const;

    /// Bytes before and behind a page.
    struct Reach {
        std::uint64_t before = 0, behind = 0;
    };
    /// The pages around a translated one that go on as it does, from it to both sides, at least up to
    /// `most` if the tables say so and not too many of them must be read. What has been found stands until
    /// the translation buffer drops it.
    Reach reach(AddressSpace space, GpuAddr page, const Answer& answer, const Reach& most);

    GlobalTable& global_table() { return global_; }
    const GlobalTable& global_table() const { return global_; }
    const PageDirectories& roots() const { return roots_; }
    void set_roots(const PageDirectories& roots);
    void drop_all() {
        tlb_.drop_all();
        runs_ = {};
    }
    void drop_global(GpuAddr page) {
        tlb_.drop(AddressSpace::Ggtt, page.value);
        runs_ = {};
    }

    /// Enters a fault in the registers unless one is held already. True the first time for its
    /// page.
    bool record(AddressSpace space, GpuAddr address, const Translation& fault);
    std::uint32_t fault_register() const { return fault_; }
    std::uint32_t fault_data0() const { return fault_data0_; }
    std::uint32_t fault_data1() const { return fault_data1_; }
    void clear_fault() { fault_ = 0; }

    static std::string place(AddressSpace space, GpuAddr address, const Origin& origin);
    static std::string text(GpuAddr address, bool write, const Translation& fault);

  private:
    /// Addresses from one on whose translation is one distance away.
    struct Run {
        std::uint64_t first = 0, end = 0, distance = 0;
        AddressSpace space = AddressSpace::Ggtt;
        bool writable = false;
    };

    Translation find(AddressSpace space, GpuAddr address) const;

    const PhysicalMemory* memory_;
    GlobalTable global_;
    PageDirectories roots_;
    Tlb tlb_;
    std::array<Run, 8> runs_{};
    unsigned next_run_ = 0;  ///< is replaced
    std::set<std::pair<AddressSpace, std::uint64_t>> faulted_pages_;
    std::uint32_t fault_ = 0, fault_data0_ = 0, fault_data1_ = 0;
};

}  // namespace gen9::memory
