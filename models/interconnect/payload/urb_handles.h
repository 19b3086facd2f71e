// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "common/check.h"
#include "common/units.h"

namespace gen9 {

/// One owner's part of the URB: entries of equal size, named by handles.
struct UrbPartition {
    std::uint32_t first_row = 0;  ///< of 32 bytes
    std::uint32_t entry_rows = 0;
    unsigned entries = 0;
    bool operator==(const UrbPartition&) const = default;
};

/// The URB handles of fixed functions. Each owns a partition, whose free entries wait in a FIFO
/// (TD-28): the one that has been free for longest is given next. A new partition of an owner takes
/// the place of the old one when all handles of that are back; until then none is given (the
/// fence).
class UrbHandles {
  public:
    explicit UrbHandles(unsigned owners = 1) : owners_(owners) {}

    /// The owner's part from now on, or from when the fence falls.
    void partition(unsigned owner, const UrbPartition& partition) {
        Owner& o = owners_[owner];
        o.next = partition;
        o.fenced = true;
        drop_fence(o);
    }
    /// The handles that are out are gone, and all entries are free (MED-12).
    void reset(unsigned owner) {
        Owner& o = owners_[owner];
        o.out = 0;
        o.returning.clear();
        if (o.fenced)
            drop_fence(o);
        else
            fill(o);
    }
    bool fenced(unsigned owner) const { return owners_[owner].fenced; }
    unsigned total(unsigned owner) const { return owners_[owner].part.entries; }
    unsigned free(unsigned owner) const {
        const Owner& o = owners_[owner];
        return o.fenced ? 0 : static_cast<unsigned>(o.free.size());
    }

    unsigned allocate(unsigned owner) {
        GEN9_CHECK(free(owner) != 0, "a URB entry is given while none is free");
        Owner& o = owners_[owner];
        const unsigned entry = o.free.front();
        o.free.pop_front();
        ++o.out;
        return entry;
    }
    /// The entry comes back at a cycle, which may be ahead.
    void release(unsigned owner, unsigned entry, Cycles at) {
        Owner& o = owners_[owner];
        GEN9_CHECK(entry < o.part.entries && o.returning.size() < o.out,
                   "a URB entry comes back twice");
        const Return back{at, static_cast<std::uint16_t>(entry)};
        if (o.returning.empty() || o.returning.back() < back)
            o.returning.push_back(back);
        else
            o.returning.insert(std::upper_bound(o.returning.begin(), o.returning.end(), back),
                               back);
    }
    /// Takes in what has come back by now.
    void collect(unsigned owner, Cycles now) {
        Owner& o = owners_[owner];
        while (!o.returning.empty() && o.returning.front().at <= now) {
            o.free.push_back(o.returning.front().entry);
            o.returning.pop_front();
            --o.out;
        }
        if (o.fenced) drop_fence(o);
    }
    bool returning(unsigned owner) const { return !owners_[owner].returning.empty(); }
    Cycles next_return(unsigned owner) const { return owners_[owner].returning.front().at; }
    /// Place of an entry in the URB, in rows.
    std::uint32_t row(unsigned owner, unsigned entry) const {
        const UrbPartition& part = owners_[owner].part;
        return part.first_row + entry * part.entry_rows;
    }

  private:
    struct Return {
        Cycles at;
        std::uint16_t entry;
        auto operator<=>(const Return&) const = default;
    };
    struct Owner {
        UrbPartition part, next;
        bool fenced = false;             ///< `next` waits for `out` to be 0
        unsigned out = 0;                ///< entries given, and not back
        std::deque<std::uint16_t> free;  ///< first to be given first
        std::deque<Return> returning;    ///< earliest first
    };
    static void fill(Owner& o) {
        o.free.clear();
        for (unsigned i = 0; i < o.part.entries; ++i)
            o.free.push_back(static_cast<std::uint16_t>(i));
    }
    static void drop_fence(Owner& o) {
        if (o.out != 0) return;
        o.part = o.next;
        o.fenced = false;
        fill(o);
    }
    std::vector<Owner> owners_;
};

}  // namespace gen9
