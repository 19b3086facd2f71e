// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "common/counter_sum.h"
#include "interconnect/walker_observer.h"
#include "platform/group_sample.h"
#include "platform/launch_names.h"

namespace gen9::platform {

/// Keeps what each walker did, with the memory traffic that fell into its time.
class KernelLog : public WalkerObserver {
  public:
    struct Kernel {
        WalkerRecord walker;
        const LaunchName* name = nullptr;  ///< if it is known
        bool finished = true;
        bool timed = true;   ///< it ran in timed mode
        bool chosen = true;  ///< its cycles count: it did not only warm the caches
        const GroupSample::Estimate* estimate = nullptr;  ///< if only some groups were timed
        std::uint64_t l3_bytes = 0, slm_bytes = 0;
        std::uint64_t l3_hits = 0, l3_misses = 0;
    };

    /// Made when all sets are registered: the counters are looked up here and not per kernel.
    explicit KernelLog(const StatRegistry& stats);
    void walker_began(const WalkerRecord& walker) override;
    void walker_ended(const WalkerRecord& walker) override;

    /// What it took, as far as that is known.
    static std::uint64_t cycles(const Kernel& kernel);
    /// For the statistics. If it was not timed it has no cycles and no hits, which mean nothing
    /// then.
    static boost::json::object to_json(const Kernel& kernel);
    /// Has a walker begun?
    bool empty() const { return kernels_.empty() && open_.empty(); }
    /// Those that have ended, then those that have not, as they are now.
    std::vector<Kernel> kernels(const std::vector<WalkerRecord>& unfinished = {}) const;
    /// Kernels of one name that started at one address with one width, added up in order of first
    /// appearance.
    struct Row {
        std::string label;  ///< the name, or where it has none the address
        bool named = false;
        GpuAddr kernel_start;
        std::uint32_t simd_width = 0;
        std::uint64_t launches = 0, unfinished = 0, groups = 0, threads = 0, instructions = 0,
                      messages = 0, cycles = 0;
        std::uint64_t timed_launches = 0, timed_instructions = 0;  ///< those the cycles are of
        std::uint64_t l3_bytes = 0, slm_bytes = 0;
    };
    static std::vector<Row> rows(const std::vector<Kernel>& kernels);

  private:
    struct Traffic {
        std::uint64_t l3_bytes, slm_bytes, hits, misses;
    };
    Traffic traffic() const;
    /// The kernel of a walker that is under way, with the traffic since it began.
    Kernel opened(const WalkerRecord& walker) const;
    const CounterSum l3_bytes_, slm_bytes_, l3_hits_, l3_misses_;
    std::vector<std::pair<std::uint32_t, Traffic>> open_;
    std::vector<Kernel> kernels_;
};

}  // namespace gen9::platform
