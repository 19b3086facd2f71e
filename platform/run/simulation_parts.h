// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <boost/json.hpp>
#include <chrono>

#include "eu/crew.h"
#include "platform/machine/gpu.h"
#include "platform/run/chosen_walkers.h"
#include "platform/run/progress.h"
#include "platform/run/simulation.h"
#include "platform/tell/instruction_trace.h"
#include "platform/tell/kernel_log.h"
#include "platform/tell/profile/run_profile.h"
#include "platform/tell/profile/time_series.h"
#include "platform/tell/races/race_check.h"
#include "platform/tell/recording/socket_recorder.h"
#include "platform/tell/tracks/track_recorder.h"

namespace gen9::platform {

/// The host's end of the register bus.
struct HostBus : sc_core::sc_module {
    explicit HostBus(sc_core::sc_module_name name) : sc_module(name) {}
    InitiatorSocket<MemoryProtocol> reg_out{"reg_out"};
};

/// Tells several observers of walkers.
struct WorkObservers : WorkObserver {
    std::vector<WorkObserver*> observers;
    void work_began(const WorkRecord& work) override {
        for (WorkObserver* observer : observers)
            observer->work_began(work);
    }
    void work_ended(const WorkRecord& work) override {
        for (WorkObserver* observer : observers)
            observer->work_ended(work);
    }
};

/// A simulation is made of these. simulation.cpp runs it, simulation_results.cpp says what came of
/// it.
struct Simulation::Parts {
    Parts(RunOptions given, const std::function<bool()>& still_wanted);

    void open_records() {
        for (std::size_t i = 0; i < recorders.size(); ++i)
            if (const auto& path = options.records[i].path; !path.empty()) recorders[i]->open(path);
    }
    void open_trace(const std::string& path);
    /// Has several threads of the host run the EUs, if the options say so.
    void gather_crew();
    void open_waveform(const std::string& path) {
        if (!path.empty()) waveform->open(path);
    }
    void open_tracks(const std::string& path) {
        if (!path.empty()) tracks->open(path);
    }
    void list_observers() {
        work_observers.observers = {&log, waveform.get(), tracks.get(), &names};
        if (profile) work_observers.observers.push_back(profile.get());
        if (chosen) work_observers.observers.push_back(chosen.get());
        if (races) work_observers.observers.push_back(races.get());
        if (options.progress) work_observers.observers.push_back(launch.get());
    }
    std::uint32_t access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t value);
    void show_progress();
    /// Keeps the end of a waveform, for a failure, where none was asked for.
    void keep_signals();
    /// Makes the process that ends a chunk when something has failed.
    void stop_soon();
    void fail(const std::string& text);
    void begin_watch();
    Cycles next_chunk() const;
    /// Has the spawner ask for the mode of each walker, if not all are timed.
    void choose_walkers();
    void check_timing();
    /// Changes the mode, if that is what all the machine waits for.
    bool change_timing();
    /// Looks at the engine and at the host, and stops what cannot or must not go on.
    void look();
    /// The same of engines that work without time.
    bool look_beside(std::uint64_t steps);
    void look_whether_wanted();
    /// Stops what the host has asked to stop, or does not want any more.
    void look_at_host();
    /// Does only a write of the host's let the engine go on?
    bool waits_for_host() const;
    std::string since_text() const {
        return " (the submission began at cycle " + std::to_string(begun.value) + ")";
    }
    void end(Stop why, const std::string& text);
    /// Ends an interval of the time series, if it is over.
    void sample(bool last);
    /// Adds what only counting by walker knows.
    void describe(const WorkRecord& work, boost::json::object& entry) const;
    std::vector<KernelLog::Kernel> kernels() const;
    /// Are launches left out?
    bool mixed() const {
        return options.timing == Timing::Timed &&
               (options.timed_kernels.chooses() || options.sample_groups != 0);
    }
    const char* timing_word() const {
        if (mixed()) return "mixed";
        return options.timing == Timing::Timed ? "timed" : "functional";
    }
    /// The host named physical memory that does not exist; a read then gives what was there before.
    void refuse(PhysAddr address, const char* what);

    RunOptions options;
    const std::function<bool()>& wanted;
    ProgressLine line{options.progress};
    Reporter reporter;
    StatRegistry stats;
    Environment environment{options.config, reporter, stats, options.timing};
    std::unique_ptr<RunProfile> profile;
    std::unique_ptr<TimeSeries> overview, series;  ///< for the statistics; asked for
    std::unique_ptr<Gpu> gpu;
    std::unique_ptr<eu::Crew> crew;  ///< with several threads of the host
    std::unique_ptr<HostBus> host;
    KernelLog log;
    LaunchNames names{options.name_launch};
    WorkObservers work_observers;
    std::unique_ptr<Waveform> waveform;
    std::unique_ptr<TrackRecorder> tracks;
    std::unique_ptr<LaunchProgress> launch;
    std::unique_ptr<ChosenWalkers> chosen;
    std::unique_ptr<InstructionTrace> trace;
    std::unique_ptr<RaceCheck> races;
    std::vector<std::unique_ptr<SocketRecorder>> recorders;  ///< as in `options`
    MemoryPool pool;
    TraceIds trace_ids{TraceSource::Host};
    Stop stop = Stop::No;
    sc_core::sc_event failed;
    std::string failure;  ///< the first
    bool signals_kept = false, files_lost = false;
    Cycles begun, progressed;  ///< of this submission: its first cycle, the last look with progress
    bool waiting = false;      ///< for the host: run() returned in the middle of a submission
    std::uint64_t progress = 0;             ///< at that look
    std::uint64_t steps_beside = 0;         ///< of engines that work without time
    std::atomic<bool> interrupted = false;  ///< set by a signal handler
    double host_seconds = 0;                ///< of the submissions that have ended
    std::chrono::steady_clock::time_point submitted;
    std::string started = time_of_day();
    std::chrono::steady_clock::time_point last_asked = std::chrono::steady_clock::now();
};

}  // namespace gen9::platform
