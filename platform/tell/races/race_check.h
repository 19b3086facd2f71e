// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "common/report.h"
#include "hdc/access/watcher.h"
#include "interconnect/payload/dispatch.h"
#include "interconnect/payload/work.h"
#include "platform/tell/launch_names.h"
#include "platform/tell/races/race_shadow.h"

namespace gen9::platform {

class Gpu;

/// RaceCheck: reports data races of the kernels that run (functional mode).
/// Role     hears of dispatches, barrier messages and accesses by data ports; names each pair of
///          instructions once
/// Not here which accesses race (RaceShadow)
class RaceCheck : public WorkObserver, public hdc::AccessWatcher {
  public:
    RaceCheck(Gpu& gpu, Reporter& reporter, const LaunchNames& names);
    ~RaceCheck() override;

    void work_began(const WorkRecord& work) override;
    void work_ended(const WorkRecord& work) override;
    void accesses(const Message& message, const hdc::Plan& plan, const SurfaceAt& surface) override;
    /// One line for the end of a run.
    std::string summary() const;

  private:
    struct Dispatches;
    struct Barriers;
    struct Instruction {
        GpuAddr address, base;  ///< base: what its IP counts from
    };
    void began(const ThreadDispatch& dispatch);
    void barrier(const Message& message);
    std::uint32_t slot_of(const ThreadAddress& place) const;
    /// Null: it is of no launch.
    const std::uint32_t* thread_of(const ThreadSideband& sender) const;
    std::uint32_t number_of(const Message& message);
    void note(RaceShadow::Access access, std::uint64_t address, unsigned bytes);
    void compare_lanes(const Message& message, const hdc::Plan& plan, std::uint32_t thread,
                       std::uint32_t instruction);
    void report(const RaceShadow::Other& before, const RaceShadow::Access& access);
    /// One of the two accesses, for a report.
    std::string text_of(std::uint32_t thread, std::uint32_t instruction,
                        RaceShadow::Kind kind) const;
    std::string kernel_of(std::uint32_t work) const;
    /// What the place of an access belongs to, for a report; empty: nobody knows.
    std::string owner_of(std::uint32_t work, std::uint64_t address) const;

    Gpu& gpu_;
    Reporter& reporter_;
    const LaunchNames& names_;
    RaceShadow shadow_;
    std::vector<std::unique_ptr<Dispatches>> dispatches_;
    std::vector<std::unique_ptr<Barriers>> barriers_;
    std::unordered_map<std::uint32_t, GpuAddr> running_;  ///< launches: where their kernel starts
    std::vector<std::optional<std::uint32_t>> threads_;   ///< by slot
    std::vector<Instruction> instructions_;
    std::unordered_map<std::uint64_t, std::uint32_t> numbers_;  ///< of these, by address
    using Kind = RaceShadow::Kind;
    std::set<std::tuple<std::uint64_t, std::uint64_t, Kind, Kind>> reported_;
    std::uint64_t launches_ = 0, accesses_ = 0;
    // Of the message whose accesses are noted.
    std::optional<std::uint8_t> index_;  ///< of the surface that it names, in the binding table
    std::uint64_t surface_base_ = 0;     ///< where this begins
    const SurfaceAt* surface_at_ = nullptr;
};

}  // namespace gen9::platform
