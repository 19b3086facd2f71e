// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/json/object.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "common/environment.h"
#include "platform/host/engine.h"
#include "platform/run/run_description.h"
#include "platform/run/timed_kernels.h"
#include "platform/tell/launch_names.h"
#include "platform/tell/tracks/windows.h"
#include "platform/tell/waveform/waveform.h"

namespace gen9 {
class Agenda;
}

namespace gen9::platform {

/// The options of a run.
struct RunOptions {
    Config config;
    RunDescription description;
    Timing timing = Timing::Timed;
    TimedKernels timed_kernels;  ///< in timed mode
    /// Of the host that run EUs, in functional mode.
    unsigned threads = 1;
    bool check_races = false;  ///< of kernels, in functional mode
    /// Not 0, in timed mode: of launches with more groups about so many are timed.
    std::uint64_t sample_groups = 0;
    WaveformOptions waveform;    ///< a GTKWave save file is put beside it
    std::string stats_path;      ///< JSON
    std::string report_path;     ///< HTML
    TrackOptions tracks;         ///< a timeline for Perfetto
    std::string trace_isa_path;  ///< text, one line per executed instruction
    struct SocketRecord {
        std::string socket, path;
    };
    std::vector<SocketRecord> records;  ///< sockets to be recorded; no path: not yet
    NameLaunch name_launch;             ///< may be empty: nobody knows names
    std::uint64_t max_cycles = 0;       ///< 0: no limit
    bool verbose = false;               ///< also says what was asked for without effect
    bool profile = false;               ///< what each kernel did is counted; timed mode only
    /// Not 0: with `profile`, a table of what happened in each interval of so many cycles is
    /// written beside the statistics.
    std::uint64_t sample_cycles = 0;
    bool progress = false;  ///< a line on standard error while the engine runs
};

/// Why a simulation has stopped for good.
enum class Stop : std::uint8_t {
    No,
    Hang,
    CycleLimit,   ///< RunOptions::max_cycles
    Interrupted,  ///< Engine::interrupt
    Unwanted,     ///< Engine::wanted
    Failure       ///< Environment::stop: RTL that differs from its model, or does not answer
};

/// One engine with its kernel: elaborates a Gpu, runs it when a door asks, and writes what was
/// asked for at the end. SystemC elaborates once per process, so there is at most one in a process.
/// Throws UserError when the options name parameters that do not exist or values that are not
/// allowed.
class Simulation : public Engine {
  public:
    explicit Simulation(RunOptions options);
    ~Simulation() override;

    void write_register(std::uint32_t offset, std::uint32_t value) override;
    std::uint32_t read_register(std::uint32_t offset) override;
    void write_gtt(std::uint32_t index, std::uint64_t entry) override;
    std::uint64_t read_gtt(std::uint32_t index) override;
    void write_memory(PhysAddr address, std::span<const std::uint8_t> bytes) override;
    void read_memory(PhysAddr address, std::span<std::uint8_t> bytes) override;
    bool attach_memory(PhysAddr address, std::span<std::uint8_t> bytes) override;
    void detach_memory(PhysAddr address, std::uint64_t bytes) override;
    bool attach_when_used(PhysAddr page, PageSource& source) override;
    void detach_when_used(PhysAddr page) override;
    void run() override;
    bool stopped() const override { return stop() != Stop::No; }
    /// A step counts as a cycle for RunOptions::max_cycles.
    bool goes_on(std::uint64_t steps) override;
    bool waits_for_host() const override;
    bool may_go_on() override;
    void give_up_waiting(const std::string& why) override;
    std::string describe_waiting() const override;
    void interrupt() noexcept override;

    /// Told by a running run() of bytes in memory, at a GGTT or PPGTT address, that the engine
    /// fills with what depends on time. May be empty.
    std::function<void(bool global, GpuAddr, std::size_t bytes)> on_time_written;

    Stop stop() const;

    /// Names the files of a simulation that was built before it was known which of the run's it is.
    /// Call before it is given anything.
    void name_files(const RunOptions& named);

    Reporter& reporter();
    /// In which order the modules of a cycle run: for tests that it cannot be seen.
    Agenda& agenda();
    /// Has a kernel begun?
    bool worked() const;
    /// A table of the kernels that ran, totals and speed: for a person, on standard error. Kernels
    /// that a stop has cut off are marked as unfinished. After finish().
    std::string summary() const;
    /// The same, what was run and every counter, for programs: docs/statistics.schema.json without
    /// what depends on the host. Functional mode has no cycles and no times.
    boost::json::object statistics() const;
    /// Writes the statistics file and completes the others. Call once, at the end.
    void finish();
    /// finish() could not write all files, which it has logged.
    bool files_lost() const;

  private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

/// The parameters of the platform these settings give, as a table: key, value, default, unit,
/// range, sentence, source. Instances that differ only by index are one row. `block`: as
/// parameter_table.
std::string parameters_text(const Config& config, bool markdown = false,
                            const std::string& block = "");

}  // namespace gen9::platform
