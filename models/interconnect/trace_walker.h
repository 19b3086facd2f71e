// SPDX-License-Identifier: Apache-2.0
/// Bits 63:48 of a TraceId name the walker that the transaction serves: its number modulo 65535,
/// plus 1; 0: none. Whatever a thread's messages and fetches cause carries them.
#pragma once
#include "interconnect/trace_id.h"

namespace gen9 {

inline constexpr unsigned kTraceWalkerShift = 48;
inline constexpr std::uint32_t kTraceWalkers = 0xFFFF;

/// The id of what serves a walker.
constexpr TraceId for_walker(TraceId id, std::uint32_t number) {
    return id | TraceId{number % kTraceWalkers + 1} << kTraceWalkerShift;
}
/// The walker of an id: the last with that number modulo 65535 of the first `count` walkers;
/// `count` if there is none.
constexpr std::uint32_t walker_of(TraceId id, std::uint32_t count) {
    const auto tag = static_cast<std::uint32_t>(id >> kTraceWalkerShift);
    if (tag == 0 || count == 0) return count;
    const std::uint32_t last = count - 1;
    const std::uint32_t back = (last % kTraceWalkers + kTraceWalkers - (tag - 1)) % kTraceWalkers;
    return back <= last ? last - back : count;
}

}  // namespace gen9
