// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "common/check.h"
#include "dispatch/types.h"

namespace gen9::dispatch {

/// The free thread slots of every EU; within an EU the lowest free slot is taken. Those of an EU
/// that is not in use are not counted as free.
class Slots {
  public:
    explicit Slots(const Topology& topology)
        : topology_(topology),
          free_mask_(topology.total_eus(), (1u << topology.threads) - 1),
          free_in_eu_(topology.total_eus(), static_cast<std::uint16_t>(topology.threads)),
          free_in_subslice_(topology.total_subslices(),
                            static_cast<std::uint16_t>(topology.threads_per_subslice())),
          live_in_subslice_(topology.total_subslices()),
          free_(topology.total_threads()),
          eus_(topology.eus) {}

    /// From now on threads are sent to the first so many EUs of each subslice. Those that run
    /// elsewhere stay.
    void use(unsigned eus) {
        if (eus == eus_) return;
        eus_ = eus;
        free_ = 0;
        for (unsigned s = 0; s < topology_.total_subslices(); ++s) {
            free_in_subslice_[s] = 0;
            for (unsigned e = 0; e < topology_.eus; ++e) {
                const unsigned flat = s * topology_.eus + e;
                free_in_eu_[flat] =
                    static_cast<std::uint16_t>(e < eus_ ? std::popcount(free_mask_[flat]) : 0);
                free_in_subslice_[s] =
                    static_cast<std::uint16_t>(free_in_subslice_[s] + free_in_eu_[flat]);
            }
            free_ += free_in_subslice_[s];
        }
    }
    unsigned free() const { return free_; }
    unsigned live() const { return live_; }
    unsigned live(unsigned subslice) const { return live_in_subslice_[subslice]; }
    std::span<const std::uint16_t> per_subslice() const { return free_in_subslice_; }
    std::span<const std::uint16_t> per_eu(unsigned subslice) const {
        return {free_in_eu_.data() + subslice * topology_.eus, topology_.eus};
    }

    Place take(unsigned subslice, unsigned eu) {
        const unsigned flat = subslice * topology_.eus + eu;
        GEN9_CHECK(free_mask_[flat] != 0, "an EU was given more threads than it has slots");
        const auto slot = static_cast<std::uint8_t>(std::countr_zero(free_mask_[flat]));
        const Place place{static_cast<std::uint8_t>(subslice), static_cast<std::uint8_t>(eu), slot};
        take(place);
        return place;
    }
    bool is_free(const Place& place) const {
        return free_mask_[place.flat_eu(topology_)] >> place.slot & 1;
    }
    /// A particular one, which is free.
    void take(const Place& place) {
        const unsigned flat = place.flat_eu(topology_);
        GEN9_CHECK(is_free(place), "a slot is given twice");
        free_mask_[flat] &= ~(1u << place.slot);
        count(place, 1);
    }
    void give(const Place& place) {
        const unsigned flat = place.flat_eu(topology_);
        GEN9_CHECK(!(free_mask_[flat] >> place.slot & 1), "a thread retired twice");
        free_mask_[flat] |= 1u << place.slot;
        count(place, -1);
    }

  private:
    void count(const Place& place, int taken) {
        const auto add = [](std::uint16_t& to, int n) { to = static_cast<std::uint16_t>(to + n); };
        add(live_in_subslice_[place.subslice], taken);
        live_ += static_cast<unsigned>(taken);
        if (place.eu >= eus_) return;
        add(free_in_eu_[place.flat_eu(topology_)], -taken);
        add(free_in_subslice_[place.subslice], -taken);
        free_ -= static_cast<unsigned>(taken);
    }

    Topology topology_;
    std::vector<std::uint32_t> free_mask_;  ///< per EU, bit = slot
    std::vector<std::uint16_t> free_in_eu_, free_in_subslice_, live_in_subslice_;
    unsigned free_, live_ = 0;
    unsigned eus_;
};

}  // namespace gen9::dispatch
