// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "common/environment.h"
#include "interconnect/kernel/clock.h"
#include "interconnect/payload/work.h"
#include "platform/tell/waveform/links.h"
#include "platform/tell/waveform/timeline.h"

namespace gen9::platform {

/// The choice of what a waveform shows.
struct WaveformOptions {
    std::string path;                      ///< ends in .vcd or .fst; empty: no waveform
    std::vector<std::string> scopes;       ///< patterns of module names; none: all
    std::uint64_t from = 0;                ///< first cycle
    std::uint64_t to = ~std::uint64_t{0};  ///< first cycle that is not shown any more
    /// Launches, by number ("3", counted from 0) or start address ("0x12345678c0"); none: all
    /// cycles
    std::vector<std::string> kernels;
    /// Not 0: the last cycles only, and only if Waveform::keep is called; for the report of what
    /// nobody expected.
    std::uint64_t last_cycles = 0;
};

/// The signals of a machine and of its sockets, and the waveform of a run when one is asked for:
/// every module's signals under its name, with a GTKWave save file beside it that opens on the
/// engine's main signals. The file depends on nothing but the run.
class Waveform : public WorkObserver {
  public:
    /// `modules`: their signals. Throws UserError for options that cannot be.
    Waveform(WaveformOptions options, const std::vector<SignalSet*>& modules, const Clock& clock);
    ~Waveform() override;
    /// Call when the machine is elaborated and has not run. Throws UserError when the file cannot
    /// be written.
    void open(const std::string& path);
    /// With WaveformOptions::last_cycles: the run ends with what was to be seen.
    void keep() { keep_ = true; }
    /// The run has ended. Gives what is to be said to the user, or nothing.
    std::string close();

    void work_began(const WorkRecord& work) override;
    void work_ended(const WorkRecord& work) override;

  private:
    bool chosen(const WorkRecord& work) const;
    bool in_scope(const std::string& module) const;
    void find_sets();
    WaveformOptions options_;
    const std::vector<SignalSet*>& modules_;
    const Clock& clock_;
    std::vector<std::unique_ptr<Link>> links_;
    std::vector<SignalSet*> sets_;  ///< those in scope, modules first
    std::unique_ptr<WaveFile> file_;
    std::unique_ptr<Timeline> timeline_;
    bool keep_ = false;
};

}  // namespace gen9::platform
