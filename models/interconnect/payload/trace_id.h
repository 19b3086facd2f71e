// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

namespace gen9 {

/// Identifies a transaction from its birth to its end, in waveforms and timelines; 0: none.
/// Bits 47:32 name the unit that began it, bits 31:0 count that unit's transactions, so an id does
/// not depend on the order in which the modules of a cycle run. Whatever a transaction causes
/// carries its id: the memory accesses of a message, the fetch of a missed line, its page walk.
using TraceId = std::uint64_t;

/// Units that begin transactions. An execution unit's is `Eu` plus its flat number.
enum class TraceSource : std::uint16_t {
    CommandStreamer = 1,
    Spawner = 2,
    L3 = 3,
    Host = 4,
    ResourceStreamer = 5,
    Eu = 0x100
};
constexpr const char* to_text(TraceSource source) {
    switch (source) {
        case TraceSource::CommandStreamer:
            return "command streamer";
        case TraceSource::Spawner:
            return "spawner";
        case TraceSource::L3:
            return "L3";
        case TraceSource::Host:
            return "host";
        case TraceSource::ResourceStreamer:
            return "resource streamer";
        case TraceSource::Eu:
            return "execution unit";
    }
    return nullptr;
}

/// Hands out the ids of one unit.
class TraceIds {
  public:
    explicit TraceIds(TraceSource source, unsigned index = 0)
        : base_(static_cast<TraceId>(static_cast<std::uint32_t>(source) + index) << 32) {}
    TraceId next() { return base_ | ++count_; }
    /// As if `n` ids had been handed out.
    void skip(std::uint32_t n) { count_ += n; }

  private:
    TraceId base_;
    std::uint32_t count_ = 0;
};

}  // namespace gen9
