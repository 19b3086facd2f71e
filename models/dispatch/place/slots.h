// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "common/check.h"
#include "dispatch/types.h"

namespace gen9::dispatch {

/// The free thread slots of every EU; within an EU the lowest free slot is taken.
class Slots {
  public:
    explicit Slots(const Topology& topology)
        : topology_(topology),
          free_mask_(topology.total_eus(), (1u << topology.threads) - 1),
          free_in_eu_(topology.total_eus(), static_cast<std::uint16_t>(topology.threads)),
          free_in_subslice_(topology.total_subslices(),
                            static_cast<std::uint16_t>(topology.threads_per_subslice())),
          free_(topology.total_threads()) {}

    unsigned free() const { return free_; }
    unsigned live() const { return topology_.total_threads() - free_; }
    std::span<const std::uint16_t> per_subslice() const { return free_in_subslice_; }
    std::span<const std::uint16_t> per_eu(unsigned subslice) const {
        return {free_in_eu_.data() + subslice * topology_.eus, topology_.eus};
    }

    Place take(unsigned subslice, unsigned eu) {
        const unsigned flat = subslice * topology_.eus + eu;
        GEN9_CHECK(free_mask_[flat] != 0, "an EU was given more threads than it has slots");
        const auto slot = static_cast<std::uint8_t>(std::countr_zero(free_mask_[flat]));
        free_mask_[flat] &= free_mask_[flat] - 1;
        --free_in_eu_[flat];
        --free_in_subslice_[subslice];
        --free_;
        return {static_cast<std::uint8_t>(subslice), static_cast<std::uint8_t>(eu), slot};
    }
    bool is_free(const Place& place) const {
        return free_mask_[place.flat_eu(topology_)] >> place.slot & 1;
    }
    /// A particular one, which is free.
    void take(const Place& place) {
        const unsigned flat = place.flat_eu(topology_);
        GEN9_CHECK(is_free(place), "a slot is given twice");
        free_mask_[flat] &= ~(1u << place.slot);
        --free_in_eu_[flat];
        --free_in_subslice_[place.subslice];
        --free_;
    }
    void give(const Place& place) {
        const unsigned flat = place.flat_eu(topology_);
        GEN9_CHECK(!(free_mask_[flat] >> place.slot & 1), "a thread retired twice");
        free_mask_[flat] |= 1u << place.slot;
        ++free_in_eu_[flat];
        ++free_in_subslice_[place.subslice];
        ++free_;
    }

  private:
    Topology topology_;
    std::vector<std::uint32_t> free_mask_;  ///< per EU, bit = slot
    std::vector<std::uint16_t> free_in_eu_, free_in_subslice_;
    unsigned free_;
};

}  // namespace gen9::dispatch
