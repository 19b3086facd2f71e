// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gen9::drm {

/// A configuration of the performance counters (a metrics set): registers and their values.
/// Role     a program adds it, and all programs of the run may use it: it is a file in the run's
///          folder, and a folder of the name of its UUID in `metrics`, as sysfs has it.
/// Spec     Public: Linux i915 (i915_perf.c, i915_query.c)
struct CounterSet {
    using Registers = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    static constexpr std::size_t kUuidBytes = 36;
    static constexpr std::uint32_t kMostRegisters = 1 << 16;  ///< of each purpose
    std::array<char, kUuidBytes> uuid{};
    Registers mux, boolean, flex;
};

/// EADDRINUSE: there is one of this UUID; ENOSPC: there are too many; EACCES: the run's folder is
/// another user's. `number`: of the new one, from 2.
int add_counter_set(const CounterSet& set, std::uint64_t& number);
/// ENOENT: there is none.
int remove_counter_set(std::uint64_t number);
bool read_counter_set(std::uint64_t number, CounterSet& set);
/// 0: there is none.
std::uint64_t counter_set_of(const std::array<char, CounterSet::kUuidBytes>& uuid);
/// Their numbers, in order.
std::vector<std::uint64_t> counter_sets();

}  // namespace gen9::drm
