// SPDX-License-Identifier: Apache-2.0
// What the plain streamer is told of the machine, and what it keeps.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "interconnect/payload/resource.h"
#include "tests/unit/rs/plain_core.h"

namespace gen9::test::plain {

using Tick = std::int64_t;         ///< a quarter of a cycle
inline constexpr Tick kCycle = 4;  ///< ticks
constexpr Tick edge(Tick at) {
    return (at + kCycle - 1) / kCycle * kCycle;
}

/// The parameters, and what the machine around it is like.
struct Facts {
    unsigned fetch_bytes = 256, products_ahead = 16, ahead_bytes = 65536;
    Tick parse = 1, dword = 1, issue = 1, message = 4;  ///< cycles
    bool keeps = false;                                 ///< at what blocks it
    bool steps = true;      ///< never ahead of the kernel's time, so that it can be halted
    unsigned latency = 40;  ///< most cycles of an access
    unsigned pause = 20;    ///< most cycles between two requests
};

/// Memory, and how long an access takes, which its place tells.
class Memory {
  public:
    void map(std::uint64_t page) { pages_[page >> 12]; }
    bool access(std::uint64_t at, std::uint8_t* bytes, std::size_t count, bool writes) {
        bool good = true;
        for (std::size_t n = 0; n < count; ++n) {
            const auto page = pages_.find(((at + n) & kAll) >> 12);
            if (page == pages_.end()) {
                good = false;
                continue;
            }
            std::uint8_t& byte = page->second[(at + n) & 0xFFF];
            if (writes)
                byte = bytes[n];
            else
                bytes[n] = byte;
        }
        return good;
    }
    void put(std::uint64_t at, std::uint32_t dword) {
        access(at, reinterpret_cast<std::uint8_t*>(&dword), 4, true);
    }
    static Tick latency(std::uint64_t at, bool writes, unsigned most_cycles) {
        // Writes are longer on their way, so that something is read that has not been written.
        const std::uint64_t mixed = ((at >> 6) * 2 + writes + 77) * 0x9E37'79B9'7F4A'7C15;
        return static_cast<Tick>((mixed >> 40) % (most_cycles * kCycle + 1)) * (writes ? 5 : 1);
    }

  private:
    std::map<std::uint64_t, std::array<std::uint8_t, 4096>> pages_;
};

struct Access {
    Tick begin;
    std::uint64_t at;
    std::size_t bytes;
    bool writes, fetches, global;
    std::uint64_t id;  ///< which of its commands, counted from 1
    std::vector<std::uint8_t> data;
    bool operator==(const Access&) const = default;
};
/// What somebody asks for, and what must come of it.
struct Ask {
    Tick at = 0, delay = 0;
    ResourceRequest request;
    bool looks = false;  ///< nothing is asked: cycles and words are looked at
    bool at_once = false;
    Tick answered = 0;
    bool failed = false;
    ResourceStop stop = ResourceStop::Sync;
    std::uint64_t stopped_at = 0;
    ResourceCounts unconsumed{};
    std::array<std::uint64_t, 7> cycles{};
    std::string waiting;
};
enum Why : unsigned { kIdle, kBusy, kFetch, kEngine, kRoom, kDrain, kContext };

}  // namespace gen9::test::plain
