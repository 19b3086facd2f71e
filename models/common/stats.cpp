// SPDX-License-Identifier: Apache-2.0
#include "common/stats.h"

#include <boost/json.hpp>
#include <sstream>

#include "common/config.h"
#include "common/counter_sum.h"

namespace gen9 {

Counter::Counter(StatSet& set, const char* name, const char* unit, const char* sentence) {
    set.counters_.push_back({this, name, unit, sentence});
}

CounterSum::CounterSum(const StatRegistry& registry, const std::string& pattern) {
    for (const auto* set : registry.sets())
        for (const NamedCounter& counter : set->counters())
            if (Config::matches(pattern, set->path() + "." + counter.name))
                counters_.push_back(counter.counter);
}

std::uint64_t StatRegistry::sum(const std::string& pattern) const {
    return CounterSum(*this, pattern).value();
}

boost::json::object StatRegistry::to_json() const {
    boost::json::object root;
    for (const auto* set : sets_) {
        boost::json::object* at = &root;
        std::istringstream path(set->path());
        for (std::string part; std::getline(path, part, '.');) {
            auto& next = (*at)[part];
            if (!next.is_object()) next = boost::json::object{};
            at = &next.get_object();
        }
        for (const NamedCounter& counter : set->counters())
            (*at)[counter.name] = counter.value();
    }
    return root;
}

}  // namespace gen9
