// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/launch_names.h"

#include <boost/json.hpp>

namespace gen9::platform {

void add_to(boost::json::object& entry, const LaunchName& name) {
    const auto sizes = [](const std::vector<std::uint64_t>& of) {
        return boost::json::array(of.begin(), of.end());
    };
    entry["name"] = name.kernel;
    if (name.by_driver) return;
    entry["program"] = name.program;
    entry["build_options"] = name.build_options;
    entry["global_size"] = sizes(name.global_size);
    if (!name.local_size.empty()) entry["local_size"] = sizes(name.local_size);
    entry["context"] = name.context;
    entry["queue"] = name.queue;
    entry["event"] = name.event;
}

void LaunchNames::work_began(const WorkRecord& work) {
    if (!name_ || work.number < asked_ || work.is_draw()) return;
    asked_ = work.number + 1;
    if (auto name = name_(work.kernel_start, work.groups))
        names_.emplace(work.number, std::move(*name));
}

}  // namespace gen9::platform
