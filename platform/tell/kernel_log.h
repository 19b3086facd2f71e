// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/json/object.hpp>
#include <deque>
#include <string>
#include <systemc>
#include <vector>

#include "interconnect/observe/message_bytes.h"
#include "interconnect/payload/work.h"
#include "platform/tell/group_sample.h"
#include "platform/tell/launch_names.h"

namespace gen9::platform {

/// Keeps what each walker did, with what its messages to the data ports access.
class KernelLog : public WorkObserver {
  public:
    struct Kernel {
        WorkRecord work;
        const LaunchName* name = nullptr;  ///< if it is known
        bool finished = true;
        bool timed = true;   ///< it ran in timed mode
        bool chosen = true;  ///< its cycles count: it did not only warm the caches
        const GroupSample::Estimate* estimate = nullptr;  ///< if only some groups were timed
        MessageBytes bytes;
    };

    /// Has all data ports of a machine count. Call before anything is dispatched.
    void watch(sc_core::sc_object& machine);
    /// A port's, which counts by itself: several threads of the host may run ports at once.
    BytesByWork& add_port() { return ports_.emplace_back(); }
    void work_began(const WorkRecord& work) override;
    void work_ended(const WorkRecord& work) override;

    /// It took so many cycles, as far as that is known.
    static std::uint64_t cycles(const Kernel& kernel);
    /// For the statistics. If it was not timed it has no cycles, which mean nothing then.
    static boost::json::object to_json(const Kernel& kernel);
    /// Has a walker begun?
    bool empty() const { return !begun_; }
    /// Lists those that have ended, then those that have not, as they are now.
    std::vector<Kernel> kernels(const std::vector<WorkRecord>& unfinished = {}) const;
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
        MessageBytes bytes;
    };
    static std::vector<Row> rows(const std::vector<Kernel>& kernels);

  private:
    bool begun_ = false;
    std::deque<BytesByWork> ports_;
    std::vector<WorkRecord> ended_;
};

}  // namespace gen9::platform
