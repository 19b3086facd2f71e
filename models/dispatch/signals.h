// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <string>
#include <vector>

#include "common/signals.h"
#include "dispatch/types.h"

namespace gen9::dispatch {

struct SpawnerSignals : SignalSet {
    SpawnerSignals(std::string path, const Topology& topology)
        : SignalSet(std::move(path)),
          threads(topology.total_subslices()),
          groups(topology.total_subslices()),
          slm_kilobytes(topology.total_subslices()) {
        add("activity", activity, 4);
        add("walkers", walkers, 8);
        for (unsigned s = 0; s < topology.total_subslices(); ++s) {
            add_indexed("threads", s, threads[s], 8);
            add_indexed("groups", s, groups[s], 6);
            add_indexed("slm_kilobytes", s, slm_kilobytes[s], 7);
        }
    }
    std::uint32_t activity = 0;  ///< enum Activity
    std::uint32_t walkers = 0;   ///< with threads running or still to be sent
    /// By flat subslice number: threads running, groups tracked, SLM given out.
    std::vector<std::uint32_t> threads, groups, slm_kilobytes;

  private:
    void add_indexed(const char* name, unsigned index, const std::uint32_t& value, unsigned width) {
        names_.push_back(std::string(name) + "_subslice" + std::to_string(index));
        add(names_.back().c_str(), value, width);
    }
    std::deque<std::string> names_;
};

}  // namespace gen9::dispatch
