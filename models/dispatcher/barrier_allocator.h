// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <optional>

#include "common/check.h"

namespace gen9::dispatcher {

/// The 32 barriers of one subslice (TD-46): the lowest free one is given, and it is free again only
/// when its group has retired (TD-47).
class BarrierAllocator {
  public:
    static constexpr unsigned kBarriers = 32;

    bool can_allocate() const { return used_ != ~0u; }
    std::optional<std::uint8_t> allocate() {
        if (!can_allocate()) return std::nullopt;
        const auto id = static_cast<std::uint8_t>(std::countr_one(used_));
        used_ |= 1u << id;
        return id;
    }
    /// A particular one, where several subslices must give the same (TD-50).
    void take(unsigned id) {
        GEN9_CHECK(id < kBarriers && !(used_ >> id & 1), "a barrier is given twice");
        used_ |= 1u << id;
    }
    std::uint32_t used_ids() const { return used_; }
    void free(unsigned id) {
        GEN9_CHECK(id < kBarriers && (used_ >> id & 1), "barrier freed twice");
        used_ &= ~(1u << id);
    }
    unsigned used() const { return static_cast<unsigned>(std::popcount(used_)); }

  private:
    std::uint32_t used_ = 0;
};

}  // namespace gen9::dispatcher
