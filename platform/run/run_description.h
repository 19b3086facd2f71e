// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/json/object.hpp>
#include <string>
#include <vector>

#include "common/params.h"
#include "common/stats.h"

namespace gen9::platform {

/// The facts of a run that statistics name.
struct RunDescription {
    std::string version, revision;     ///< of the model; the revision is that of its sources
    std::string command;               ///< the subcommand
    std::vector<std::string> program;  ///< with its arguments; of a replay the capture
    std::string device;
    Config product;  ///< the settings that the device alone gives
    std::vector<std::string> plugins;
};

/// The parameters whose values are not those of the product, with both values. Instances that
/// differ only by index are one entry if all of them have the same value.
boost::json::array changed_settings(const std::vector<const ParamSet*>& sets,
                                    const Config& product);

/// How large the machine is, and the most that its parts can do in a cycle, from its parameters.
/// What a part does not say, because another model stands there, is left out.
boost::json::object machine_description(const std::vector<const ParamSet*>& sets);

boost::json::object to_json(const RunDescription& run, const std::vector<const ParamSet*>& sets);

/// The machine that runs the model: its name, processor and system.
boost::json::object host_description();
/// The time of day in UTC: 2024-05-31T12:00:00Z.
std::string time_of_day();

/// The counters of StatRegistry::to_json but for those in cycles, which mean nothing in functional
/// mode.
boost::json::object counters_without_cycles(const StatRegistry& stats);

}  // namespace gen9::platform
