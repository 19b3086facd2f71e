// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/check.h"
#include "common/units.h"

namespace gen9::dispatch {

/// The entries that MEDIA_VFE_STATE cuts the URB into. Free ones wait in a FIFO (TD-28): the one
/// that has been free for longest is given next.
class UrbEntries {
  public:
    /// All entries are free (MED-12).
    void build(unsigned entries) {
        total_ = entries;
        returning_.clear();
        free_.resize(entries);
        for (unsigned i = 0; i < entries; ++i)
            free_[i] = static_cast<std::uint8_t>(i);
    }
    unsigned total() const { return total_; }
    unsigned free() const { return static_cast<unsigned>(free_.size()); }

    unsigned allocate() {
        GEN9_CHECK(!free_.empty(), "a URB entry is given while none is free");
        const unsigned entry = free_.front();
        free_.erase(free_.begin());
        return entry;
    }
    /// The entry comes back at a cycle, which may be ahead.
    void release(unsigned entry, Cycles at) {
        GEN9_CHECK(entry < total_ && free_.size() + returning_.size() < total_,
                   "a URB entry comes back twice");
        const Return back{at, static_cast<std::uint8_t>(entry)};
        returning_.insert(std::upper_bound(returning_.begin(), returning_.end(), back), back);
    }
    /// Takes in what has come back by now.
    void collect(Cycles now) {
        while (!returning_.empty() && returning_.front().at <= now) {
            free_.push_back(returning_.front().entry);
            returning_.erase(returning_.begin());
        }
    }
    bool returning() const { return !returning_.empty(); }
    Cycles next_return() const { return returning_.front().at; }

  private:
    struct Return {
        Cycles at;
        std::uint8_t entry;
        auto operator<=>(const Return&) const = default;
    };
    unsigned total_ = 0;
    std::vector<std::uint8_t> free_;  ///< first to be given first
    std::vector<Return> returning_;   ///< earliest first
};

}  // namespace gen9::dispatch
