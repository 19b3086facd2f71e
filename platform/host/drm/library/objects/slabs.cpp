// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/library/objects/slabs.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <set>
#include <tuple>

#include "platform/host/drm/library/process/process_maps.h"
#include "platform/host/drm/library/process/real.h"

namespace gen9::drm {
namespace {

using FileName = std::pair<dev_t, ino_t>;

FileName name_of(const OwnDescriptor& file) {
    struct stat status {};
    return real().fstat(file.get(), &status) == 0 ? FileName{status.st_dev, status.st_ino}
                                                  : FileName{};
}

}  // namespace

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
         leaving_.pop_front()) {
        auto& slot = leaving_.front().slot;
        if (slot.mapped)
            still_mapped_.push_back(std::move(slot));
        else
            free(slot);
    }
    if (still_mapped_.size() >= look_at_) look_at_mappings();
}

/// Frees slots whose mappings are gone. Mappings are long to look through: the next time is when
/// twice as many slots wait as were left.
void Slabs::look_at_mappings() {
    std::set<std::tuple<dev_t, ino_t, std::uint64_t>> mapped;  // at the smallest slots' distances
    std::set<FileName> slabs;
    for (const Slot& slot : still_mapped_)
        slabs.insert(name_of(*slot.slab->file));
    const bool listed = for_each_mapped_range([&](const MappedRange& range) {
        if (slabs.contains({range.device, range.inode}))
            for (std::uint64_t at = 0; at < range.end - range.begin; at += kPage)
                mapped.emplace(range.device, range.inode, range.offset + at);
        return true;
    });
    std::erase_if(still_mapped_, [&](const Slot& slot) {
        const auto [device, inode] = name_of(*slot.slab->file);
        const auto next = mapped.lower_bound({device, inode, slot.offset});
        const bool still = next != mapped.end() &&
                           *next < std::tuple{device, inode, slot.offset + slot.slab->slot_bytes};
        if (listed && !still) free(slot);
        return listed && !still;
    });
    look_at_ = std::max(kFirstLook, 2 * still_mapped_.size());
}

void Slabs::move_mappings(const Slot& slot, const OwnDescriptor& file) {
    const FileName name = name_of(*slot.slab->file);
    struct Move {
        std::uint64_t at, size, offset;
        int protection;
    };
    std::vector<Move> moves;
    for_each_mapped_range([&](const MappedRange& range) {
        if (FileName{range.device, range.inode} != name) return true;
        const std::uint64_t begin = std::max(range.offset, slot.offset);
        const std::uint64_t end =
            std::min(range.offset + (range.end - range.begin), slot.offset + slot.slab->slot_bytes);
        if (begin < end)
            moves.push_back({range.begin + (begin - range.offset), end - begin, begin - slot.offset,
                             range.protection});
        return true;
    });
    for (const Move& move : moves)
        real().mmap(reinterpret_cast<void*>(move.at), move.size, move.protection,
                    MAP_SHARED | MAP_FIXED, file.get(), static_cast<off_t>(move.offset));
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
