// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "common/units.h"
#include "interconnect/payload/memory_request.h"
#include "interconnect/payload/trace_id.h"

namespace gen9::line_cache {

/// Which line it is. Addresses are those of the unit: nothing is translated above the GTI.
struct LineName {
    std::uint64_t address = 0;
    AddressSpace space = AddressSpace::Ppgtt;
    std::uint8_t stream = 0;  ///< lines of different streams are different lines
    bool operator==(const LineName&) const = default;
};

/// An access within one line.
struct LineAccess {
    bool write = false;
    unsigned offset = 0, size = 0;
    std::uint64_t touched = 0;     ///< bytes of the line that are read or written
    std::uint8_t* data = nullptr;  ///< of the first byte
    LaneAccess* lanes = nullptr;   ///< instead of data

    /// Bytes that must be there before it can be done. A write needs none.
    std::uint64_t needed() const { return write ? 0 : touched; }
};

/// LineStore: tags, bytes, valid and modified bytes of one part (core; when things happen is in
/// module.h).
/// Role     finds lines, chooses the line that makes room, performs accesses
/// Not here fetches and writes under way, order and time (module.h)
///
/// Each byte of a line is valid or not: a write puts its line in without fetching the rest. Only
/// modified bytes are written back, so several caches may hold parts of a line.
class LineStore {
  public:
    struct Line {
        LineName name;
        bool used = false;     ///< it holds a line
        bool awaited = false;  ///< and is being fetched
        std::uint64_t valid = 0, dirty = 0;
        std::uint64_t last_use = 0;
        // Of the last write, for who asks whose bytes they are.
        ThreadAddress thread;
        TraceId trace_id = 0;
        std::uint8_t mocs = 0;
        bool coherent = false, uncached = false;
        std::array<std::uint8_t, kLineBytes> data{};
    };

    LineStore(std::uint64_t bytes, std::uint64_t ways);

    /// The line, used now; or null.
    Line* find(const LineName& name);
    /// Where a line can be put that is not here: a free place, or that of the line which was used
    /// longest ago. Null: all lines of the set are being fetched.
    Line* place(const LineName& name);
    /// Puts an empty line into a place.
    void put(Line& place, const LineName& name);
    /// Its valid bytes do not become others.
    static void fill(Line& line, const std::uint8_t* bytes);
    /// All bytes that it needs are valid.
    static void perform(Line& line, const LineAccess& access);

    std::vector<Line>& lines() { return lines_; }
    std::uint64_t dirty_lines() const;

  private:
    Line* set_of(const LineName& name) {
        return &lines_[name.address / kLineBytes % sets_ * ways_];
    }
    std::uint64_t ways_, sets_, clock_ = 0;
    std::vector<Line> lines_;  ///< by set, then way
};

}  // namespace gen9::line_cache
