// SPDX-License-Identifier: Apache-2.0
/// Small buffers lie together in files, so that a program may have far more of them than it may
/// have open files, and the machine far more than it may have mappings.
/// Role     a slab is a file of slots of one size. Buffers that another process sees lie in none. A
///          slot that the program has mapped is used again when its last mapping is gone.
#pragma once
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "platform/host/drm/library/objects/connection.h"
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
        bool mapped = false;         ///< by the program, once
    };

    /// A slot of zeros, without a slab when there is no room.
    Slot take(std::uint64_t bytes, const Connection& connection);
    /// Gives a slot back that the machine uses until the end of a submission.
    void give_back(Slot slot, std::uint64_t last_use, const Connection& connection);
    /// The mappings that the program has of a slot show the beginning of this file from now on.
    static void move_mappings(const Slot& slot, const OwnDescriptor& file);
    /// In a forked child: slots are the parent's to give.
    void forget();

  private:
    static constexpr unsigned kSizes = 5;  ///< from a page to kLargestSlot, powers of two
    static constexpr std::uint32_t kSlots = 16384;
    static constexpr std::size_t kFirstLook = 64;
    struct Leaving {
        Slot slot;
        std::uint64_t last_use;
    };
    static unsigned size_of(std::uint64_t bytes);
    void collect(const Connection& connection);
    void look_at_mappings();
    void free(const Slot& slot);

    std::array<std::vector<std::shared_ptr<Slab>>, kSizes> with_room_;
    std::deque<Leaving> leaving_;
    /// Given back, and mapped when they were last looked at; and how many are too many not to look.
    std::vector<Slot> still_mapped_;
    std::size_t look_at_ = kFirstLook;
};

}  // namespace gen9::drm
