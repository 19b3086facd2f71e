// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <deque>
#include <string>

#include "common/signals.h"
#include "common/stats.h"

namespace gen9::l3 {

/// Why a bank served nothing although somebody wanted something.
enum class Stall : std::uint8_t {
    None,
    Port,         ///< data array port or tag slot taken, or the same set in one cycle (L3-25..30)
    AtomicUnit,   ///< the atomic units are busy (L3-35, S-26)
    SuperQueue,   ///< no room for a request to wait for its line
    MemoryQueue,  ///< no room for a fetch or a victim
    Flush,        ///< a flush or invalidation holds back what came after it (L3-66, L3-67)
};
inline constexpr unsigned kStalls = 6;
/// The words for a bank's cycle: a Stall, or after them busy.
inline constexpr const char* kBankActivityWords[] = {
    "idle", "port", "atomic unit", "super queue", "memory queue", "flush", "busy"};
static_assert(std::size(kBankActivityWords) == kStalls + 1);

/// The counters of each bank. Busy, stalled and idle cycles add up to the cycles accounted for.
struct BankStats : StatSet {
    using StatSet::StatSet;
    Counter reads{*this, "reads", "requests", "Reads served."};
    Counter writes{*this, "writes", "requests", "Writes served."};
    Counter atomics{*this, "atomics", "requests", "Atomic requests served."};
    Counter hits{*this, "hits", "requests", "Requests that found their bytes at first lookup."};
    Counter misses{*this, "misses", "requests", "Requests that fetched a line."};
    Counter merges{*this, "merges", "requests", "Requests that joined a line on its way."};
    Counter urb_accesses{*this, "urb_accesses", "requests", "Accesses of the URB's lines."};
    Counter bypasses{*this, "bypasses", "requests", "Requests that passed L3 by."};
    Counter fills{*this, "fills", "lines", "Lines filled from memory."};
    Counter evictions{*this, "evictions", "lines",
                      "Modified lines written to memory to make room."};
    Counter flushed_lines{*this, "flushed_lines", "lines",
                          "Modified lines that flushes and invalidations wrote to memory."};
    Counter dropped_lines{*this, "dropped_lines", "lines", "Lines that they dropped."};
    Counter bytes_read{*this, "bytes_read", "bytes", "Bytes read by clients."};
    Counter bytes_written{*this, "bytes_written", "bytes", "Bytes written by clients."};
    Counter busy_cycles{*this, "busy_cycles", "cycles",
                        "Cycles in which the bank served or filled something."};
    Counter idle_cycles{*this, "idle_cycles", "cycles",
                        "Cycles in which nothing could have been served."};
    Counter port_stalls{*this, "port_stalls", "cycles", "Cycles lost to ports and tag slots."};
    Counter atomic_stalls{*this, "atomic_stalls", "cycles", "Cycles lost to busy atomic units."};
    Counter super_queue_stalls{*this, "super_queue_stalls", "cycles",
                               "Cycles lost to a full super queue."};
    Counter memory_queue_stalls{*this, "memory_queue_stalls", "cycles",
                                "Cycles lost to a full queue to memory."};
    Counter flush_stalls{*this, "flush_stalls", "cycles",
                         "Cycles in which requests waited for a flush or invalidation."};
    Counter& of(Stall reason) {
        switch (reason) {
            case Stall::Port:
                return port_stalls;
            case Stall::AtomicUnit:
                return atomic_stalls;
            case Stall::SuperQueue:
                return super_queue_stalls;
            case Stall::MemoryQueue:
                return memory_queue_stalls;
            case Stall::Flush:
                return flush_stalls;
            case Stall::None:
                break;
        }
        return idle_cycles;
    }
};

struct L3Stats : StatSet {
    using StatSet::StatSet;
    Counter flushes{*this, "flushes", "events", "Flushes and invalidations."};
    Counter snoops{*this, "snoops", "requests", "Snoops of coherent lines."};
};

/// The result of a lookup of a client's request.
enum class Lookup : std::uint8_t {
    None,
    Hit,
    Place,  ///< not there, but a place for what is written
    Miss,
    Merge,   ///< its line is on its way
    Bypass,  ///< it passes L3 by
};
inline constexpr const char* kLookupWords[] = {"none", "hit",   "place taken",
                                               "miss", "merge", "bypass"};

/// One of the lookups of tags in a cycle.
struct LookupSignals {
    LookupSignals(SignalSet& set, const std::string& number)
        : result(set, "lookup" + number, kLookupWords, "What the lookup of a request finds."),
          set(set, "set" + number, 8, SignalForm::Decimal, "Set of the last lookup."),
          way(set, "way" + number, 8, SignalForm::Decimal, "Way of the last line found or placed."),
          line(set, "line" + number, 64, SignalForm::Hex, "Address of the last lookup's line.") {}
    Signal result, set, way, line;
};

struct BankSignals : SignalSet {
    BankSignals(std::string path, unsigned lookups_per_cycle) : SignalSet(std::move(path)) {
        for (unsigned i = 0; i < std::max(lookups_per_cycle, 2u); ++i)
            lookups.emplace_back(*this, std::to_string(i));
    }
    Signal activity{*this, "activity", kBankActivityWords, "What the cycle is used for."};
    Signal busy{*this, "busy", "The bank serves or fills something."};
    Signal waiting{*this, "waiting", 8, SignalForm::Decimal,
                   "Requests that wait in the super queue."};
    Signal lines_in_flight{*this, "lines_in_flight", 8, SignalForm::Decimal,
                           "Lines in the super queue."};
    Signal fetching{*this, "fetching", 8, SignalForm::Decimal,
                    "Lines in the super queue that memory has been asked for."};
    Signal held{*this, "held", 8, SignalForm::Decimal,
                "Lines in the super queue that wait for a flush."};
    Signal hits{*this, "hits", 8, SignalForm::Decimal, "Requests found this cycle."};
    Signal misses{*this, "misses", 8, SignalForm::Decimal, "Requests missed this cycle."};
    std::deque<LookupSignals> lookups;  ///< of a cycle, in their order
    Signal to_memory{*this, "to_memory", 8, SignalForm::Decimal,
                     "Requests on their way to memory."};
};

}  // namespace gen9::l3
