// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <set>

#include "common/report.h"
#include "cs/bus.h"
#include "cs/command/stream_pointers.h"
#include "cs/context/execlists.h"
#include "cs/no_effect.h"
#include "cs/registers/registers.h"

namespace gen9::cs {

/// Register accesses with their effects: registers that the file holds, registers that are computed
/// when they are read, registers of other blocks, and the submission port.
class Mmio {
  public:
    Mmio(RegisterFile& file, Execlists& execlists, Bus& bus, Reporter& reporter)
        : no_effect(reporter), file_(file), execlists_(execlists), bus_(bus), reporter_(reporter) {}

    std::uint32_t read(std::uint32_t offset);
    /// Reads as read() does, but only within the streamer: for inspection.
    std::uint32_t peek(std::uint32_t offset) const;
    /// True: the write completed a submission, or gives the ring's head another place.
    bool write(std::uint32_t offset, std::uint32_t value, unsigned byte_disables, Writer writer);

    /// The stream's state, which registers show to a reader from outside.
    struct Stream {
        const StreamPointers* next = nullptr;
        const StreamPointers* command = nullptr;  ///< in execution
        const bool* streamer_runs = nullptr;
    };
    void show(const Stream& stream) { stream_ = stream; }

    /// A context runs from now on: CTX_TIMESTAMP counts on top of what the register holds (CS-20),
    /// and the watchdog from 0, if it is on.
    void start_context_clock();
    /// Both clocks stop, and CTX_TIMESTAMP holds the sum.
    void stop_context_clock();
    /// Tick of TIMESTAMP at which CTX_TIMESTAMP would have been 0 (before the first one, maybe).
    std::int64_t context_start() const;
    /// MI_ARB_ON_OFF, for EXECLIST_STATUS.
    bool arbitration = true;
    /// Rings are submitted by their tail; there are no lists (CS-141).
    bool ring_mode() const;
    /// The host has moved the tail of an enabled ring since this was reset.
    bool ring_asked = false;
    /// Write offsets of stream output that the stream, a restore or a reset has set: the next draw
    /// with stream output takes them along. A bit for each buffer.
    std::uint8_t stream_offsets_set = 0xF;
    NoEffectLog no_effect;

  private:
    std::uint32_t context_time() const;
    void name_unknown(std::uint32_t offset);
    std::uint32_t units_done() const;
    void start_watchdog();
    void set_alarm();
    void set_sampling();
    RegisterFile& file_;
    Execlists& execlists_;
    Bus& bus_;
    Reporter& reporter_;
    /// Registers without a row that were read or written and said so on the log.
    static constexpr std::size_t kUnknownShown = 32;
    std::set<std::uint32_t> unknown_;
    bool context_clock_runs_ = false;
    std::uint64_t context_clock_start_ = 0;
    std::optional<std::uint64_t> watchdog_start_;  ///< it counts since then
    Stream stream_;
    std::uint64_t sampling_ = 0;  ///< ticks between reports of the performance counters
};

/// TIMESTAMP has 36 bits (CS-19).
constexpr std::uint64_t timestamp_value(std::uint64_t ticks) {
    return ticks & 0xF'FFFF'FFFF;
}

}  // namespace gen9::cs
