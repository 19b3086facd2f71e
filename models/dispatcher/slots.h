// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "common/check.h"
#include "interconnect/payload/thread_places.h"

namespace gen9::dispatcher {

/// The free thread slots of every EU; within an EU the lowest free slot is taken. Free are those
/// for which the EU has registers too, where these are counted. Those of an EU that is not in use
/// are not counted as free.
class Slots {
  public:
    /// An EU has so many `registers`, where threads take some.
    explicit Slots(const ThreadTopology& topology, unsigned registers = 0)
        : topology_(topology),
          free_mask_(topology.total_eus(), (1u << topology.threads) - 1),
          slots_left_(topology.total_eus(), static_cast<std::uint8_t>(topology.threads)),
          registers_left_(topology.total_eus(), static_cast<int>(registers)),
          registers_of_(topology.total_threads()),
          free_in_eu_(topology.total_eus(), static_cast<std::uint16_t>(topology.threads)),
          free_in_subslice_(topology.total_subslices(),
                            static_cast<std::uint16_t>(topology.threads_per_subslice())),
          live_in_subslice_(topology.total_subslices()),
          eus_by_free_(std::size_t{topology.total_subslices()} * (topology.threads + 1)),
          free_eus_(topology.total_subslices(), first(topology.eus)),
          free_subslices_(first(topology.total_subslices())),
          free_(topology.total_threads()),
          eus_(topology.eus) {
        for (unsigned s = 0; s < topology.total_subslices(); ++s)
            by_free(s)[topology.threads] = first(topology.eus);
    }

    /// From now on threads are sent to the first so many EUs of each subslice, and each takes so
    /// many registers; 0: registers are not counted. Those that run stay as they are.
    void use(unsigned eus, unsigned registers) {
        if (eus == eus_ && registers == registers_) return;
        counts_registers_ |= registers != 0;
        eus_ = eus;
        registers_ = registers;
        for (unsigned flat = 0; flat < topology_.total_eus(); ++flat)
            count_free(flat / topology_.eus, flat % topology_.eus, flat);
    }
    unsigned free() const { return free_; }
    unsigned live() const { return live_; }
    unsigned live(unsigned subslice) const { return live_in_subslice_[subslice]; }
    std::span<const std::uint16_t> per_subslice() const { return free_in_subslice_; }
    std::span<const std::uint16_t> per_eu(unsigned subslice) const {
        return {free_in_eu_.data() + subslice * topology_.eus, topology_.eus};
    }
    /// The subslices with free slots, and the EUs of one.
    std::uint32_t free_subslices() const { return free_subslices_; }
    std::uint32_t free_eus(unsigned subslice) const { return free_eus_[subslice]; }
    /// The EUs with the most free slots among some of a subslice.
    std::uint32_t most_free(unsigned subslice, std::uint32_t eus) const {
        const std::uint32_t* const by_free = &eus_by_free_[subslice * (topology_.threads + 1)];
        unsigned free = topology_.threads;
        while (free != 0 && (by_free[free] & eus) == 0)
            --free;
        return by_free[free] & eus;
    }
    /// The thread that runs there, or has run there last, takes so many registers.
    std::uint8_t registers_of(unsigned fftid) const { return registers_of_[fftid]; }
    /// So many slots would be free in some of a subslice's EUs if registers were not counted.
    unsigned free_of_registers(unsigned subslice, std::uint32_t eus = ~0u) const {
        unsigned free = 0;
        for (unsigned e = 0; e < eus_; ++e)
            if (eus >> e & 1)
                free +=
                    static_cast<unsigned>(std::popcount(free_mask_[subslice * topology_.eus + e]));
        return free;
    }

    ThreadPlace take(unsigned subslice, unsigned eu) {
        const unsigned flat = subslice * topology_.eus + eu;
        GEN9_CHECK(free_mask_[flat] != 0, "an EU was given more threads than it has slots");
        const auto slot = static_cast<std::uint8_t>(std::countr_zero(free_mask_[flat]));
        const ThreadPlace place{static_cast<std::uint8_t>(subslice), static_cast<std::uint8_t>(eu),
                                slot};
        take(place, flat);
        return place;
    }
    bool is_free(const ThreadPlace& place) const {
        return free_mask_[place.flat_eu(topology_)] >> place.slot & 1;
    }
    /// Takes a particular one, which is free.
    void take(const ThreadPlace& place) {
        GEN9_CHECK(is_free(place), "a slot is given twice");
        take(place, place.flat_eu(topology_));
    }
    void give(const ThreadPlace& place) {
        const unsigned flat = place.flat_eu(topology_);
        GEN9_CHECK(!(free_mask_[flat] >> place.slot & 1), "a thread retired twice");
        free_mask_[flat] |= 1u << place.slot;
        ++slots_left_[flat];
        count(place, flat, -1);
    }

  private:
    void take(const ThreadPlace& place, unsigned flat) {
        free_mask_[flat] &= ~(1u << place.slot);
        --slots_left_[flat];
        if (counts_registers_)
            registers_of_[place.fftid(topology_)] = static_cast<std::uint8_t>(registers_);
        count(place, flat, 1);
    }
    static std::uint32_t first(unsigned units) {
        return static_cast<std::uint32_t>((std::uint64_t{1} << units) - 1);
    }
    void count(const ThreadPlace& place, unsigned flat, int taken) {
        auto& live = live_in_subslice_[place.subslice];
        live = static_cast<std::uint16_t>(live + taken);
        live_ += static_cast<unsigned>(taken);
        if (counts_registers_)
            registers_left_[flat] -= taken * registers_of_[place.fftid(topology_)];
        count_free(place.subslice, place.eu, flat);
    }
    void count_free(unsigned subslice, unsigned eu, unsigned flat) {
        unsigned free = 0;
        if (eu < eus_) {
            free = slots_left_[flat];
            if (registers_ != 0)
                free = std::min(
                    free, static_cast<unsigned>(std::max(registers_left_[flat], 0)) / registers_);
        }
        const unsigned before = free_in_eu_[flat], more = free - before;
        auto& in_subslice = free_in_subslice_[subslice];
        free_in_eu_[flat] = static_cast<std::uint16_t>(free);
        in_subslice = static_cast<std::uint16_t>(in_subslice + more);
        free_ += more;
        const std::uint32_t bit = 1u << eu;
        std::uint32_t* const by_number = by_free(subslice);
        by_number[before] &= ~bit;
        by_number[free] |= bit;
        free_eus_[subslice] = (free_eus_[subslice] & ~bit) | (free != 0 ? bit : 0u);
        const std::uint32_t its = 1u << subslice;
        free_subslices_ = (free_subslices_ & ~its) | (in_subslice != 0 ? its : 0u);
    }
    std::uint32_t* by_free(unsigned subslice) {
        return &eus_by_free_[subslice * (topology_.threads + 1)];
    }

    ThreadTopology topology_;
    std::vector<std::uint32_t> free_mask_;    ///< per EU, bit = slot
    std::vector<std::uint8_t> slots_left_;    ///< per EU: bits of it
    std::vector<int> registers_left_;         ///< per EU; below 0 where threads came back to it
    std::vector<std::uint8_t> registers_of_;  ///< by FFTID
    std::vector<std::uint16_t> free_in_eu_, free_in_subslice_, live_in_subslice_;
    /// Per subslice and number of free slots: the EUs that have so many.
    std::vector<std::uint32_t> eus_by_free_;
    std::vector<std::uint32_t> free_eus_;  ///< per subslice
    std::uint32_t free_subslices_;
    unsigned free_, live_ = 0;
    unsigned eus_, registers_ = 0;
    bool counts_registers_ = false;  ///< threads have taken some at any time
};

}  // namespace gen9::dispatcher
