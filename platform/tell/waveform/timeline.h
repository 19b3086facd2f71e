// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/signals.h"
#include "platform/tell/waveform/wave_file.h"

namespace gen9::platform {

/// Puts the changes of signals in the order of their cycles and writes them.
///
/// What is before the clock's present cycle cannot change any more and is written; the rest waits.
/// Of several values of a signal in one cycle the last told is written. A `set` drops what had been
/// told before of the cycles from its own on.
class Timeline : public SignalRecorder {
  public:
    struct Settings {
        std::uint64_t picoseconds = 1;         ///< of a cycle
        std::uint64_t from = 0;                ///< first cycle written
        std::uint64_t to = ~std::uint64_t{0};  ///< first cycle not written any more
        bool clock = true;                     ///< write a clock and a cycle counter
        bool only_opened = false;              ///< write only what is between `open` and `close`
    };
    /// `now` tells the present cycle of the clock.
    Timeline(WaveFile& file, const Settings& settings, std::function<std::uint64_t()> now);

    /// Watches a signal. All signals are watched before `begin`.
    void watch(SignalSet& set, Signal& signal);
    /// `scope`: of clock and cycle counter.
    void begin(const std::string& scope);
    /// A part of the run that is to be written begins or ends at a cycle, now or later.
    void open(std::uint64_t at) { gate(at, {Gate::Part, 1}); }
    void close(std::uint64_t at) { gate(at, {Gate::Part, -1}); }
    /// The run ends with cycle `last`: writes all up to there.
    void finish(std::uint64_t last);

    const std::vector<WaveVariable>& variables() const { return variables_; }
    /// Has anything been written, and from which cycle on?
    bool wrote() const { return first_written_ != kNone; }
    std::uint64_t first_written() const { return wrote() ? first_written_ : 0; }

  private:
    struct State {
        std::uint64_t value = 0, written = 0;
        std::uint64_t order = 0;  ///< of the last `set` that holds
        const Signal* signal = nullptr;
        bool touched = false;
    };
    /// Writing needs both the range of cycles and a part to be open.
    struct Gate {
        enum Kind : unsigned { Range, Part, Kinds } kind;
        int by;
    };

    void take() override { settle(now_()); }
    void gate(std::uint64_t at, Gate gate);
    /// Writes the cycles before `end`, which do not change any more.
    void settle(std::uint64_t end);
    /// Fills `sorted_`: by cycle, those of a cycle as they were told.
    void sort(std::span<const SignalChange> due);
    void apply(const SignalChange& change);
    void pass_gates(std::uint64_t cycle);
    void write(std::uint64_t cycle);
    void write_all(std::uint64_t cycle);
    /// Writes the clock up to the rising edge that begins a cycle.
    void rise(std::uint64_t cycle);
    void fall();
    std::string name_of(std::uint32_t signal) const {
        return variables_[signal].scope + "." + variables_[signal].name;
    }

    WaveFile& file_;
    Settings settings_;
    std::function<std::uint64_t()> now_;
    std::vector<WaveVariable> variables_;
    std::vector<State> states_;
    std::vector<std::uint32_t> touched_;
    std::vector<const SignalChange*> sorted_;
    std::vector<std::uint32_t> places_;
    std::vector<std::pair<std::uint64_t, Gate>> gates_;  ///< to come, by cycle
    std::array<int, Gate::Kinds> opened_{};
    bool open_ = false;
    bool unwritten_ = false;  ///< open, and the values there were have not been written
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    std::uint64_t first_written_ = kNone;
    std::uint64_t settled_ = 0;  ///< cycles before have been written
    std::uint64_t risen_ = 0;    ///< rising edges before this cycle's have been written
    bool high_ = false;          ///< the clock, as written
    std::uint32_t clock_ = 0, counter_ = 0;
};

}  // namespace gen9::platform
