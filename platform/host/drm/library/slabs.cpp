// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/slabs.h"

#include <fcntl.h>

#include <algorithm>
#include <bit>

namespace gen9::drm {

/// Index of the smallest slots that have room for so many bytes.
unsigned Slabs::size_of(std::uint64_t bytes) {
    return static_cast<unsigned>(std::bit_width((bytes - 1) / kPage));
}

Slabs::Slot Slabs::take(std::uint64_t bytes, const Connection& connection) {
    collect(connection);
    const unsigned size = size_of(bytes);
    auto& slabs = with_room_[size];
    if (slabs.empty()) {
        auto made = std::make_shared<Slab>();
        made->slot_bytes = kPage << size;
        made->file = std::make_shared<OwnDescriptor>(
            make_memory("i915-small", std::uint64_t{kSlots} * made->slot_bytes));
        if (!*made->file) return {};
        slabs.push_back(std::move(made));
    }
    const auto slab = slabs.back();
    Slot slot{slab, 0};
    if (slab->given_back.empty()) {
        slot.offset = slab->begun++ * slab->slot_bytes;
    } else {
        slot.offset = slab->given_back.back();
        slab->given_back.pop_back();
    }
    if (++slab->used == kSlots) slabs.pop_back();
    return slot;
}

void Slabs::give_back(Slot slot, std::uint64_t last_use, const Connection& connection) {
    leaving_.push_back({std::move(slot), last_use});
    collect(connection);
}

void Slabs::collect(const Connection& connection) {
    for (; !leaving_.empty() && connection.completed(leaving_.front().last_use);
         leaving_.pop_front())
        free(leaving_.front().slot);
}

void Slabs::free(const Slot& slot) {
    const auto& slab = slot.slab;
    auto& slabs = with_room_[size_of(slab->slot_bytes)];
    const bool was_full = slab->used == kSlots;
    // A slot that cannot be made zero again is not used again.
    if (fallocate(slab->file->get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                  static_cast<off_t>(slot.offset), static_cast<off_t>(slab->slot_bytes)) != 0)
        return;
    slab->given_back.push_back(slot.offset);
    if (was_full) slabs.push_back(slab);
    if (--slab->used == 0) slabs.erase(std::find(slabs.begin(), slabs.end(), slab));
}

void Slabs::forget() {
    *this = Slabs();
}

}  // namespace gen9::drm
