// SPDX-License-Identifier: Apache-2.0
// What the plain dispatcher keeps of groups, threads and sockets.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/dispatcher/asks.h"

namespace gen9::dispatcher::test {

inline constexpr std::uint64_t kNever = ~std::uint64_t{0};
/// A group that has been begun.
struct PlainGroup {
    unsigned first = 0, subslices = 0, barrier = 0, granule = 0, slm_kb = 0, running = 0;
    bool has_barrier = false, complete = false, several = false;
    std::vector<unsigned> shares;  ///< threads to come, of a group over several subslices
    unsigned to_come = 0;
    const Ask* ask = nullptr;  ///< that it began with
    std::vector<ThreadPlace> kept;
};
/// A thread that runs, or a place that is kept.
struct PlainThread {
    unsigned port, ask, registers, thread;
    PlainGroup* group;
    std::uint64_t retires;       ///< kNever: a place that is kept
    std::uint64_t answered = 0;  ///< its messages have been
};
/// A socket and its requests.
struct PlainPort {
    std::vector<Ask> asks;
    unsigned next = 0;
    std::uint64_t next_at = kNever, ready = 0, waits_since = 0, open_ends = kNever;
    bool pending = false, begun = false, shown_any = false;
    unsigned sent = 0;
    SendState shown = SendState::kCount;
    std::string told;
    PlainGroup *group = nullptr, *open = nullptr;
    std::uint64_t group_ready = 0;
    bool held = false;  ///< its source said so when it was asked last
    std::map<std::pair<unsigned, int>, std::uint64_t> let_go;  ///< by ask and thread
    std::map<unsigned, unsigned> retired, sent_of;             ///< by ask
    unsigned current() const { return next - 1; }
    const Ask& ask() const { return asks[next - 1]; }
};

}  // namespace gen9::dispatcher::test
