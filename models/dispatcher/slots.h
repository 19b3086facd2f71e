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
          registers_left_(topology.total_eus(), static_cast<int>(registers)),
          registers_of_(topology.total_threads()),
          free_in_eu_(topology.total_eus(), static_cast<std::uint16_t>(topology.threads)),
          free_in_subslice_(topology.total_subslices(),
                            static_cast<std::uint16_t>(topology.threads_per_subslice())),
          live_in_subslice_(topology.total_subslices()),
          free_(topology.total_threads()),
          eus_(topology.eus) {}

    /// From now on threads are sent to the first so many EUs of each subslice, and each takes so
    /// many registers; 0: registers are not counted. Those that run stay as they are.
    void use(unsigned eus, unsigned registers) {
        if (eus == eus_ && registers == registers_) return;
        eus_ = eus;
        registers_ = registers;
        for (unsigned flat = 0; flat < topology_.total_eus(); ++flat)
            count_free(flat);
    }
    unsigned free() const { return free_; }
    unsigned live() const { return live_; }
    unsigned live(unsigned subslice) const { return live_in_subslice_[subslice]; }
    std::span<const std::uint16_t> per_subslice() const { return free_in_subslice_; }
    std::span<const std::uint16_t> per_eu(unsigned subslice) const {
        return {free_in_eu_.data() + subslice * topology_.eus, topology_.eus};
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
        take(place);
        return place;
    }
    bool is_free(const ThreadPlace& place) const {
        return free_mask_[place.flat_eu(topology_)] >> place.slot & 1;
    }
    /// Takes a particular one, which is free.
    void take(const ThreadPlace& place) {
        const unsigned flat = place.flat_eu(topology_);
        GEN9_CHECK(is_free(place), "a slot is given twice");
        free_mask_[flat] &= ~(1u << place.slot);
        registers_of_[place.fftid(topology_)] = static_cast<std::uint8_t>(registers_);
        count(place, 1);
    }
    void give(const ThreadPlace& place) {
        const unsigned flat = place.flat_eu(topology_);
        GEN9_CHECK(!(free_mask_[flat] >> place.slot & 1), "a thread retired twice");
        free_mask_[flat] |= 1u << place.slot;
        count(place, -1);
    }

  private:
    void count(const ThreadPlace& place, int taken) {
        const unsigned flat = place.flat_eu(topology_);
        auto& live = live_in_subslice_[place.subslice];
        live = static_cast<std::uint16_t>(live + taken);
        live_ += static_cast<unsigned>(taken);
        registers_left_[flat] -= taken * registers_of_[place.fftid(topology_)];
        count_free(flat);
    }
    void count_free(unsigned flat) {
        unsigned free = 0;
        if (flat % topology_.eus < eus_) {
            free = static_cast<unsigned>(std::popcount(free_mask_[flat]));
            if (registers_ != 0)
                free = std::min(
                    free, static_cast<unsigned>(std::max(registers_left_[flat], 0)) / registers_);
        }
        const unsigned more = free - free_in_eu_[flat];
        auto& in_subslice = free_in_subslice_[flat / topology_.eus];
        free_in_eu_[flat] = static_cast<std::uint16_t>(free);
        in_subslice = static_cast<std::uint16_t>(in_subslice + more);
        free_ += more;
    }

    ThreadTopology topology_;
    std::vector<std::uint32_t> free_mask_;    ///< per EU, bit = slot
    std::vector<int> registers_left_;         ///< per EU; below 0 where threads came back to it
    std::vector<std::uint8_t> registers_of_;  ///< by FFTID
    std::vector<std::uint16_t> free_in_eu_, free_in_subslice_, live_in_subslice_;
    unsigned free_, live_ = 0;
    unsigned eus_, registers_ = 0;
};

}  // namespace gen9::dispatcher
