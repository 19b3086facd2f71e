// SPDX-License-Identifier: Apache-2.0
/// Small buffers lie together in files, so that a program may have far more of them than it may
/// have open files, and the machine far more than it may have mappings.
/// Role     a slab is a file of slots of one size. Only buffers that no mapping and no other
/// process
///          sees lie in one: their slots can be used again.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "platform/host/drm/library/connection.h"
#include "platform/host/drm/protocol.h"

namespace gen9::drm {

class Slabs {
  public:
    static constexpr std::uint64_t kLargestSlot = 64 << 10;  ///< bytes

    struct Slab {
        std::shared_ptr<OwnDescriptor> file;
        std::uint64_t slot_bytes = 0;
        std::uint32_t begun = 0;                ///< slots that have been used
        std::vector<std::uint64_t> given_back;  ///< offsets of those that are free again
        std::uint32_t used = 0;
    };
    struct Slot {
        std::shared_ptr<Slab> slab;  ///< null: none
        std::uint64_t offset = 0;    ///< in its file, bytes
    };

    /// A slot of zeros, without a slab when there is no room.
    Slot take(std::uint64_t bytes, const Connection& connection);
    /// Gives a slot back that the machine uses until the end of a submission.
    void give_back(Slot slot, std::uint64_t last_use, const Connection& connection);
    /// In a forked child: slots are the parent's to give.
    void forget();

  private:
    static constexpr unsigned kSizes = 5;  ///< from a page to kLargestSlot, powers of two
    static constexpr std::uint32_t kSlots = 16384;
    struct Leaving {
        Slot slot;
        std::uint64_t last_use;
    };
    static unsigned size_of(std::uint64_t bytes);
    void collect(const Connection& connection);
    void free(const Slot& slot);

    std::array<std::vector<std::shared_ptr<Slab>>, kSizes> with_room_;
    std::deque<Leaving> leaving_;
};

}  // namespace gen9::drm
