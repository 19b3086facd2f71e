// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/check.h"

namespace gen9::dispatcher {

/// The spawner's half of barriers over several subslices (TD-52: 003:17388-17391): which gateways
/// take part, and which have reported that their local share has arrived.
class GlobalBarriers {
  public:
    struct Entry {
        std::uint8_t id = 0;
        std::uint32_t subslices = 0, reported = 0;
        std::vector<std::uint16_t> shares;  ///< by subslice
    };

    void begin(std::uint8_t id, const std::vector<std::uint16_t>& shares) {
        Entry entry{id, 0, 0, shares};
        for (unsigned s = 0; s < shares.size(); ++s)
            if (shares[s]) entry.subslices |= 1u << s;
        entries_.push_back(entry);
    }
    /// A gateway reports. Where it was the last, the round is complete: all are to be told, and the
    /// next round begins. Null otherwise, and for a barrier that has been given up.
    const Entry* report(std::uint8_t id, unsigned subslice) {
        const auto entry = find(id, subslice);
        if (entry == entries_.end()) return nullptr;
        entry->reported |= 1u << subslice;
        if (entry->reported != entry->subslices) return nullptr;
        entry->reported = 0;
        return &*entry;
    }
    bool known(std::uint8_t id, unsigned subslice) { return find(id, subslice) != entries_.end(); }
    /// The group has ended. False when the barrier is not a global one.
    bool end(std::uint8_t id, unsigned subslice) {
        const auto entry = find(id, subslice);
        if (entry == entries_.end()) return false;
        entries_.erase(entry);
        return true;
    }

  private:
    /// One id may be in use twice, in different subslices.
    std::vector<Entry>::iterator find(std::uint8_t id, unsigned subslice) {
        return std::ranges::find_if(
            entries_, [=](const Entry& e) { return e.id == id && (e.subslices >> subslice & 1); });
    }
    std::vector<Entry> entries_;
};

}  // namespace gen9::dispatcher
