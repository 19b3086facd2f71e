// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace gen9::memory {

/// A kind of memory: its parts and its speed, a row of the table in dram_kinds.cpp. Times are in
/// clocks of the memory, `clock_ps` each; data moves on both edges. Every kind has 128 bits of
/// data: two channels of 64, bursts of 8 and rows of 8 KB, or four of 32, 16 and 4 KB. A burst is a
/// line.
struct DramKind {
    const char* name;
    unsigned clock_ps;
    unsigned channel_bits;
    unsigned rank_bits;     ///< of a channel's ranks
    unsigned bank_bits;     ///< of a rank's banks, the bits of the group first
    unsigned group_bits;    ///< 0: no bank groups
    unsigned read, write;   ///< from the column command to its data (RL, WL)
    unsigned rcd, rp, ras;  ///< activate to column; precharge; activate to precharge
    unsigned rrd_s, rrd_l,
        faw;                ///< activate to activate of another or the same group; four of them
    unsigned ccd_s, ccd_l;  ///< column to column
    unsigned rtp, wr;       ///< read to precharge; end of written data to precharge
    unsigned wtr_s, wtr_l;  ///< end of written data to a read
    unsigned refi, rfc;     ///< refresh interval and time of all banks

    static const std::vector<DramKind>& all();
    unsigned channels() const { return 1u << channel_bits; }
    unsigned ranks() const { return 1u << rank_bits; }
    unsigned burst() const { return 2 * channels(); }  ///< clocks of a line's data
    /// The kind of a name, or null.
    static const DramKind* named(const std::string& name);
};

/// The place of a line.
struct DramPlace {
    unsigned channel, bank, group;
    std::uint64_t row;
    unsigned rank = 0;
};
/// Exclusive-or of address bits, as on Skylake (Public: Pessl et al., DRAMA, USENIX Security 2016,
/// table 2, DDR4 with two channels of one module of two ranks). For kinds with fewer banks the
/// first functions; Assumed: the second bit of four channels, which no document tells, gives lines
/// in turn.
DramPlace place_of(std::uint64_t address, const DramKind& kind);

}  // namespace gen9::memory
