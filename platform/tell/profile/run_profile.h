// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <systemc>
#include <vector>

#include "eu/profile.h"
#include "interconnect/observe/access_observer.h"
#include "interconnect/payload/work.h"
#include "platform/tell/launch_names.h"
#include "platform/tell/profile/memory_use.h"

namespace gen9::platform {

/// Counts what each walker did, everywhere in the machine, for the statistics of timed mode.
/// Whatever a walker's threads cause is the walker's, wherever and whenever it is served, so that
/// walkers may overlap. All of them and what is outside add up to the counters of the blocks.
class RunProfile : public AccessObserver, public WorkObserver {
  public:
    /// Counts what all parts of a machine do. Call before anything is dispatched.
    void watch(sc_core::sc_object& machine);
    /// The walker that began first of those under way.
    std::optional<std::uint32_t> oldest() const {
        return under_way_.empty() ? std::nullopt : std::optional(under_way_.front());
    }
    const MemoryUse& memory(std::uint32_t work) const;
    /// Off: walkers that begin from now on have no part in the time, for they run in functional
    /// mode.
    void count_walkers(bool on) { counts_ = on; }

    using AccessObserver::served;
    void served(const Served& access) override;
    void work_began(const WorkRecord& work) override;
    void work_ended(const WorkRecord& work) override;
    /// Nothing is under way any more before a cycle, and all EUs have told.
    void settle(Cycles now) { eus_.settle(now); }

    /// Adds what is known of a walker to its entry. `threads`: hardware threads of the machine.
    void describe(const WorkRecord& work, unsigned threads, boost::json::object& entry) const;
    boost::json::object outside() const;
    /// Instructions, by the kernel that came to them first. `walkers`: all that have begun, and
    /// `entries` what the statistics say of each.
    boost::json::array code(std::span<const WorkRecord> all_work, const boost::json::array& entries,
                            const LaunchNames& names) const;

  private:
    eu::Profile eus_;
    std::deque<MemoryUse> memory_;  ///< by number
    MemoryUse outside_;
    std::uint32_t begun_ = 0;
    bool counts_ = true;
    std::vector<std::uint32_t> under_way_;  ///< in order of their beginning
};

}  // namespace gen9::platform
