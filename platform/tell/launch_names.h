// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <boost/json/object.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "interconnect/payload/work.h"

namespace gen9::platform {

/// The place in a source that an instruction comes from.
struct SourcePlace {
    unsigned line = 0;  ///< from 1; 0: from none
    std::string file;   ///< empty: what the program gave as text, without a name
    std::string text;   ///< of the line, if it is known
    bool operator==(const SourcePlace&) const = default;
};

/// An argument of a kernel whose memory a launch accesses.
struct LaunchArgument {
    unsigned number = 0;
    std::string name;          ///< empty: it is not known
    std::uint8_t surface = 0;  ///< its index in the binding table
};

/// The name that a program gives a launch.
struct LaunchName {
    std::string kernel;
    bool by_driver = false;  ///< a kernel of the driver's own: the rest is not known
    unsigned program = 0;
    std::string build_options;
    std::vector<std::uint64_t> global_size, local_size;  ///< no local size: the driver chose it
    unsigned context = 0, queue = 0, event = 0;
    /// The place of the instruction at an offset, if the program was built with debug information.
    std::function<SourcePlace(std::uint64_t offset)> source;
    std::vector<LaunchArgument> arguments;  ///< of a surface each, as far as they are known
};

/// Adds it to the launch's entry in the statistics.
void add_to(boost::json::object& entry, const LaunchName& name);

/// Finds the name of a launch by the address of its kernel and the groups it starts. Each call is
/// for another launch.
using NameLaunch = std::function<std::optional<LaunchName>(
    GpuAddr kernel_start, const std::array<std::uint32_t, 3>& groups)>;

/// Names walkers when they begin.
class LaunchNames : public WorkObserver {
  public:
    explicit LaunchNames(NameLaunch name) : name_(std::move(name)) {}

    /// May be told twice of the walker that begins: before, and when it does.
    void work_began(const WorkRecord& work) override;
    void work_ended(const WorkRecord&) override {}
    /// Null: it has no name.
    const LaunchName* of(std::uint32_t work) const {
        const auto found = names_.find(work);
        return found != names_.end() ? &found->second : nullptr;
    }

  private:
    const NameLaunch name_;
    std::uint32_t asked_ = 0;                    ///< those before have been looked for
    std::map<std::uint32_t, LaunchName> names_;  ///< by number of the walker
};

}  // namespace gen9::platform
