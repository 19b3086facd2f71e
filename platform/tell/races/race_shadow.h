// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "common/units.h"

namespace gen9::platform {

/// RaceShadow: which threads have accessed each place of memory last.
/// Role     finds two accesses of one launch to a place that nothing orders: at least one is a plain
///          write, and they are of threads of different groups, or of one group without a barrier
///          between them
/// Order    of threads in the same slot the later one begins when the earlier has ended; their
///          accesses are in order, for that is where a thread's private memory goes
/// Memory   a cell for each DWord of a page that is accessed, or for each byte once a part of a
///          DWord is; `most_bytes` in all
class RaceShadow {
  public:
    static constexpr std::size_t kMostBytes = std::size_t{512} << 20;
    explicit RaceShadow(std::size_t most_bytes = kMostBytes) : most_bytes_(most_bytes) {}

    enum class Kind : std::uint8_t { Read, Write, Atomic };
    struct Thread {
        std::uint32_t work = 0;  ///< number of the launch
        std::array<std::uint32_t, 3> group{};
        std::uint32_t number = 0;    ///< in its group
        std::uint32_t slot = 0;      ///< of the machine
        std::uint16_t barriers = 0;  ///< that it has come to
    };
    struct Access {
        std::uint32_t thread = 0;       ///< as begin_thread gave it
        std::uint32_t instruction = 0;  ///< number below kMostInstructions
        Kind kind = Kind::Read;
        bool slm = false;
        std::uint64_t address = 0;
        unsigned bytes = 0;
    };
    static constexpr std::uint32_t kMostInstructions = 1 << 16;
    /// Who accessed the place before.
    struct Other {
        std::uint32_t thread;
        std::uint32_t instruction;
        Kind kind;
    };

    std::uint32_t begin_thread(const Thread& thread) {
        threads_.push_back(thread);
        return static_cast<std::uint32_t>(threads_.size() - 1);
    }
    /// The thread comes to a barrier of its group.
    void barrier(std::uint32_t thread) { ++threads_[thread].barriers; }
    const Thread& thread(std::uint32_t number) const { return threads_[number]; }
    /// Notes an access; gives those that race with it.
    const std::vector<Other>& note(const Access& access);
    /// Forgets all: no thread is under way.
    void clear();

    /// Accesses that were not watched, because memory was at its limit.
    std::uint64_t unwatched() const { return unwatched_; }
    std::size_t bytes() const { return bytes_; }

  private:
    struct Entry {
        std::uint32_t thread = ~std::uint32_t{0};  ///< none
        std::uint16_t barriers = 0, instruction = 0;
    };
    /// Of each kind the last by two threads, of different groups where there are such.
    struct Cell {
        std::array<std::array<Entry, 2>, 3> last;
    };
    struct Page {
        std::vector<Cell> cells;
        bool by_byte = false;
    };
    /// Null: there is no room for it.
    Page* page_of(const Access& access);
    bool split(Page& page);
    bool grow(std::size_t bytes);
    void look(const Cell& cell, const Access& access, const Thread& mine);
    void keep(Cell& cell, const Access& access, const Thread& mine) const;
    /// Is the entry of the same launch, and in local memory of the same group?
    bool lives(const Entry& entry, const Access& access, const Thread& mine) const;
    bool unordered(const Entry& entry, const Access& access, const Thread& mine) const;
    bool same_group(const Entry& a, const Thread& mine) const {
        return threads_[a.thread].group == mine.group;
    }

    const std::size_t most_bytes_;
    std::size_t bytes_ = 0;
    std::uint64_t unwatched_ = 0;
    std::vector<Thread> threads_;
    std::unordered_map<std::uint64_t, Page> pages_;  ///< by page number, those of SLM with bit 63
    std::vector<Other> found_;
};

}  // namespace gen9::platform
