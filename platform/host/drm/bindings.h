// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <iterator>
#include <map>
#include <unordered_map>

namespace gen9::drm {

/// Keeps which buffers are where in an address space. A buffer is at one place at most, and what is
/// put over another takes its place, as in the kernel driver.
class Bindings {
  public:
    struct Place {
        std::uint32_t id;
        std::uint64_t size;
    };

    /// Finds the place of a buffer; null: it has none.
    const std::uint64_t* find(std::uint32_t id) const {
        const auto found = address_.find(id);
        return found == address_.end() ? nullptr : &found->second;
    }
    /// Finds the buffer at an address, and where it begins; null: there is none.
    const std::pair<const std::uint64_t, Place>* at(std::uint64_t address) const {
        auto found = places_.upper_bound(address);
        if (found == places_.begin()) return nullptr;
        --found;
        return address - found->first < found->second.size ? &*found : nullptr;
    }
    /// Calls evicted(address, Place) for all that leaves its place.
    template <class Evicted>
    void bind(std::uint32_t id, std::uint64_t address, std::uint64_t size, Evicted&& evicted) {
        remove(id, evicted);
        auto next = places_.lower_bound(address);
        if (next != places_.begin()) {
            const auto before = std::prev(next);
            if (before->first + before->second.size > address) next = before;
        }
        while (next != places_.end() && next->first < address + size) {
            evicted(next->first, next->second);
            address_.erase(next->second.id);
            next = places_.erase(next);
        }
        places_.emplace(address, Place{id, size});
        address_.emplace(id, address);
    }
    void bind(std::uint32_t id, std::uint64_t address, std::uint64_t size) {
        bind(id, address, size, [](std::uint64_t, const Place&) {});
    }
    /// The lowest aligned place from `begin` to `end` where nothing is, but for what is(id) not
    /// there any more; `end`: there is none.
    template <class Is>
    std::uint64_t hole(std::uint64_t begin, std::uint64_t end, std::uint64_t size,
                       std::uint64_t alignment, Is&& is) const {
        std::uint64_t at = (begin + alignment - 1) / alignment * alignment;
        for (const auto& [address, place] : places_) {
            if (at < address && size <= address - at) break;
            const std::uint64_t behind = address + place.size;
            if (behind > at && is(place.id)) at = (behind + alignment - 1) / alignment * alignment;
        }
        return at < end && size <= end - at ? at : end;
    }
    template <class Evicted>
    void remove(std::uint32_t id, Evicted&& evicted) {
        const auto found = address_.find(id);
        if (found == address_.end()) return;
        const auto place = places_.find(found->second);
        evicted(place->first, place->second);
        places_.erase(place);
        address_.erase(found);
    }
    void remove(std::uint32_t id) {
        remove(id, [](std::uint64_t, const Place&) {});
    }

  private:
    std::map<std::uint64_t, Place> places_;
    std::unordered_map<std::uint32_t, std::uint64_t> address_;
};

}  // namespace gen9::drm
