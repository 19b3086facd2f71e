// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <deque>
#include <utility>
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
        o.ordered = true;
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
        if (o.returning.empty())
            o.next_return = at;
        else if (back < o.returning.back())
            o.ordered = false;
        o.next_return = std::min(o.next_return, at);
        o.returning.push_back(back);
    }
    /// Takes in what has come back by now: the earliest first, of one cycle the least entry.
    void collect(unsigned owner, Cycles now) {
        Owner& o = owners_[owner];
        if (!o.returning.empty() && o.next_return <= now) take_in(o, now);
        if (o.fenced) drop_fence(o);
    }
    bool returning(unsigned owner) const { return !owners_[owner].returning.empty(); }
    Cycles next_return(unsigned owner) const { return owners_[owner].next_return; }
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
        std::vector<Return> returning;
        bool ordered = true;                ///< `returning`: earliest first
        Cycles next_return;                 ///< the earliest of them, if there is one
        std::vector<std::uint64_t> marked;  ///< a bit for each entry; only set meanwhile
    };
    static void put_in_order(Owner& o) {
        const auto of_one_cycle = [&](const Return& back) { return back.at == o.next_return; };
        if (!std::ranges::all_of(o.returning, of_one_cycle)) {
            std::ranges::sort(o.returning);
            return;
        }
        // In functional mode many come back in a cycle: they are marked, and found in order.
        constexpr unsigned kWord = 64;
        o.marked.resize((o.part.entries + kWord - 1) / kWord);
        for (const Return& back : o.returning)
            o.marked[back.entry / kWord] |= std::uint64_t{1} << back.entry % kWord;
        auto at = o.returning.begin();
        for (unsigned word = 0; word < o.marked.size(); ++word)
            for (std::uint64_t left = std::exchange(o.marked[word], 0); left != 0; left &= left - 1)
                (at++)->entry = static_cast<std::uint16_t>(
                    word * kWord + static_cast<unsigned>(std::countr_zero(left)));
    }
    static void take_in(Owner& o, Cycles now) {
        if (!o.ordered) put_in_order(o);
        o.ordered = true;
        auto at = o.returning.begin();
        for (; at != o.returning.end() && at->at <= now; ++at)
            o.free.push_back(at->entry);
        o.out -= static_cast<unsigned>(at - o.returning.begin());
        o.returning.erase(o.returning.begin(), at);
        if (!o.returning.empty()) o.next_return = o.returning.front().at;
    }
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
