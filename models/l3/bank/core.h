// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "l3/bank/partition.h"
#include "l3/bank/policy_replacement.h"
#include "l3/types.h"

namespace gen9::l3 {

/// An access within one line.
struct LineAccess {
    bool write = false;
    unsigned offset = 0, size = 0;  ///< bytes, within the line
    std::uint8_t* data = nullptr;
    const std::uint8_t* enables =
        nullptr;  ///< of a write; repeated with `enable_period`; null: all
    unsigned enable_period = 0;
    LaneAccess* lanes = nullptr;  ///< instead of data
    Requester requester = Requester::DataPort;
    ThreadAddress thread;
    std::uint8_t mocs = 0;
    bool owned = false;  ///< a coherent line is fetched before it is written (L3-58)
    bool whole = false;  ///< so is a line that is written in part, if writes wait for all of it

    bool is_write() const { return lanes ? lanes->kind == LaneAccess::Kind::Write : write; }
    bool is_atomic() const { return lanes && lanes->kind == LaneAccess::Kind::Atomic; }
    /// Bytes read or written, bit i = byte i of the line.
    std::uint64_t touched() const { return lanes || enables ? touched_each() : run(offset, size); }
    /// Bytes that must be there before it can be done: none for a write, as a rule.
    std::uint64_t needed() const {
        const auto all = ~std::uint64_t{0};
        if (is_write()) return owned ? all : whole ? all & ~touched() : 0;
        return touched();
    }
    /// A run of bytes.
    static constexpr std::uint64_t run(unsigned first, unsigned count) {
        return (count >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1) << first;
    }

  private:
    std::uint64_t touched_each() const;
};

/// A modified line, or part of one, on its way to memory.
struct Victim {
    LineKey key;
    std::uint64_t dirty = 0;  ///< bytes to be written; 0: nothing
    std::uint8_t data[kLineBytes];
    Requester requester = Requester::DataPort;  ///< last writer, for fault reports
    ThreadAddress thread;
    std::uint8_t mocs = 0;
};

/// BankCore: lines of one L3 bank (core; when things happen is in module.h).
/// Role     tags, bytes, modified bytes, choice of victims; performs accesses on lines.
/// Not here misses in flight (super_queue.h), order and time (module.h)
/// Spec     L3-05, L3-07..09, L3-22, L3-39..43, L3-72; 003:18293-18335, 003:18549-18601
///
/// Each byte of a line is valid or not: a write puts its line in without fetching the rest, a later
/// read of bytes that are not there fetches it and keeps what was written.
class BankCore {
  public:
    static constexpr unsigned kSets = 32;  ///< of the machine: a way of 2 KB is 32 lines
    static constexpr int kNone = -1;

    /// `banks`: over how many banks lines are spread, so that a bank's lines fill all its sets.
    /// `sets`: at most 256.
    BankCore(unsigned banks, std::string replacement, unsigned sets = kSets);

    /// Gives the ways out anew. Lines held are dropped: call flush() first.
    void set_partition(const Partition& partition);
    /// Has it been told of a partition? In functional mode alone it is not.
    bool has_partition() const { return ways_ != 0; }
    /// Has lines of a class a place at all?
    bool caches(LineClass c) const { return pool_of(c).ways != 0; }

    unsigned set_of(LineKey key) const {
        return static_cast<unsigned>(banks_.quotient(key.number()) % sets_);
    }
    unsigned way_of(int slot) const { return static_cast<unsigned>(slot) % ways_; }
    /// The line's slot, or kNone.
    int find(LineKey key) const {
        const std::uint16_t recent = recent_[recent_of(key)];
        return recent < lines_.size() && lines_[recent].key == key ? recent : search(key);
    }
    bool covers(int slot, std::uint64_t bytes) const {
        return (bytes & ~lines_[static_cast<std::size_t>(slot)].valid) == 0;
    }
    /// Puts an empty line in; the way is the pool's policy's choice. True if `victim` must be
    /// written.
    int allocate(LineKey key, LineClass c, Victim& victim);
    /// Grows whenever a line leaves.
    std::uint64_t removals() const { return removals_; }
    /// Gives a line its missing bytes from memory.
    void fill(int slot, const std::uint8_t* data);
    /// Performs an access whose needed() bytes are covered.
    void perform(int slot, const LineAccess& access) {
        if (hits_count_) count_hit(slot);
        if (access.lanes || access.write)
            change(slot, access);
        else
            std::memcpy(access.data, bytes(slot) + access.offset, access.size);
    }
    /// Copies the valid bytes of a run within the line over `data`.
    void overlay(int slot, unsigned offset, std::span<std::uint8_t> data) const;
    /// Replaces bytes behind everybody's back (debug access).
    void patch(int slot, unsigned offset, std::span<const std::uint8_t> data);

    /// Takes the modified bytes of a slot out, leaving the line clean. False if it has none.
    bool clean(int slot, Victim& victim);
    bool dirty(int slot) const { return lines_[static_cast<std::size_t>(slot)].dirty != 0; }
    void drop(int slot);
    /// Calls `write` with each modified line of the classes, leaving them clean. Returns how many.
    /// Coherent lines of data only if asked for: they can be seen where they are.
    std::uint64_t clean_all(ClassSet classes, bool coherent,
                            const std::function<void(const Victim&)>& write);
    /// Drops lines of the classes; those modified are written first. Returns how many.
    std::uint64_t drop_all(ClassSet classes, bool coherent,
                           const std::function<void(const Victim&)>& write);
    /// Gives each line its bytes anew; drops those of which `read` gives none.
    void refresh(const std::function<bool(LineKey, std::uint8_t* data)>& read);
    std::uint64_t dirty_lines() const;
    std::uint64_t valid_lines() const;

  private:
    struct alignas(32) Line {
        LineKey key;
        std::uint64_t valid = 0, dirty = 0;
        LineClass line_class = LineClass::Data;
        Requester requester = Requester::DataPort;
        std::uint8_t mocs = 0;
        ThreadAddress thread;
    };
    struct Pool {
        unsigned first = 0, ways = 0;
        std::unique_ptr<Replacement> policy;
    };
    const Pool& pool_of(LineClass c) const {
        return c == LineClass::Data || shared_ ? data_pool_ : read_only_pool_;
    }
    Pool& pool_of_way(unsigned way) {
        return read_only_pool_.ways && way >= read_only_pool_.first ? read_only_pool_ : data_pool_;
    }
    int search(LineKey key) const;
    void count_hit(int slot);
    void change(int slot, const LineAccess& access);
    /// A physical tag with the data of the data port (L3-57).
    bool is_coherent(std::size_t slot) const {
        return keys_[slot].space() == AddressSpace::Physical &&
               lines_[slot].line_class == LineClass::Data;
    }
    static std::size_t recent_of(LineKey key) {
        return (key.number() ^ key.number() >> 10) % kRecent;
    }
    std::uint8_t* bytes(int slot) { return &data_[static_cast<std::size_t>(slot) * kLineBytes]; }
    const std::uint8_t* bytes(int slot) const {
        return &data_[static_cast<std::size_t>(slot) * kLineBytes];
    }

    Divisor banks_;
    unsigned sets_;
    unsigned ways_ = 0;
    bool shared_ = false;      ///< one pool for all classes ("All")
    bool hits_count_ = false;  ///< for the choice of victims
    std::uint64_t removals_ = 0;
    std::vector<Line> lines_;         ///< slot = set * ways + way
    std::vector<std::uint8_t> data_;  ///< by slot
    std::vector<LineKey> keys_;       ///< by slot, once more: so a search reads only tags
    Pool data_pool_, read_only_pool_;
    std::string replacement_;
    // The place where a line was when it was last looked for, because a search goes over all ways
    // of a set. By a hash of the line; a slot that holds another line by now says nothing.
    static constexpr std::size_t kRecent = 1024;
    mutable std::array<std::uint16_t, kRecent> recent_{};
    mutable LineKey absent_;  ///< a line that was looked for in vain, and has not come since
};

}  // namespace gen9::l3
