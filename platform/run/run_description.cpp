// SPDX-License-Identifier: Apache-2.0
#include "platform/run/run_description.h"

#include <sys/utsname.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <cmath>
#include <ctime>
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>
#include <thread>

#include "common/units.h"
#include "memory/dram/dram_kinds.h"
#include "platform/machine/parameters.h"

namespace gen9::platform {
namespace {

/// A value as ParamBase::value_text writes it.
std::string text_of(const boost::json::value& value) {
    if (value.is_bool()) return value.get_bool() ? "1" : "0";
    return value.is_string() ? std::string(value.get_string()) : boost::json::serialize(value);
}

/// In a cycle of the engine. `bytes` in a cycle of `own_hz`, or of the engine if that is 0: flat
/// memory's.
double dram_bytes_per_cycle(const std::string& kind, std::uint64_t bytes, std::uint64_t own_hz,
                            std::uint64_t hz) {
    constexpr double kPicoseconds = 1e12;
    const auto engine = static_cast<double>(hz);
    if (const memory::DramKind* const row = memory::DramKind::named(kind))
        return kLineBytes * row->channels() * kPicoseconds / (row->burst() * row->clock_ps) /
               engine;
    return static_cast<double>(bytes) * (own_hz ? static_cast<double>(own_hz) / engine : 1.0);
}

/// A number or a list as such, else a string.
boost::json::value value_of(const std::string& text) {
    boost::json::error_code error;
    auto value = boost::json::parse(text, error);
    return error ? boost::json::value(text) : value;
}

struct Instance {
    std::string name, value, product;
    const char* unit;
    bool changed() const { return value != product; }
    boost::json::value entry(const std::string& as) const {
        return {{"name", as},
                {"value", value_of(value)},
                {"product", value_of(product)},
                {"unit", unit}};
    }
};

std::string processor() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("model name"))
            return line.substr(std::min(line.size(), line.find(':') + 2));
    return "";
}

}  // namespace

boost::json::array changed_settings(const std::vector<const ParamSet*>& sets,
                                    const Config& product) {
    std::vector<std::string> order;
    std::map<std::string, std::vector<Instance>> instances;
    const ParameterNames names(sets);
    for (const ParamSet* set : sets)
        for (const ParamBase* param : set->params()) {
            const std::string full = set->path() + "." + param->info().name;
            const auto* given = product.find(full);
            auto& same = instances[names.without_indices(set->path()) + "." + param->info().name];
            if (same.empty())
                order.push_back(names.without_indices(set->path()) + "." + param->info().name);
            same.push_back({full, param->value_text(),
                            given ? text_of(given->value) : param->default_text(),
                            param->info().unit});
        }
    boost::json::array changed;
    for (const std::string& name : order) {
        const auto& all = instances[name];
        const bool alike = std::ranges::all_of(all, [&](const Instance& one) {
            return one.value == all[0].value && one.product == all[0].product;
        });
        if (alike && all[0].changed()) changed.push_back(all[0].entry(name));
        for (const Instance& one : all)
            if (!alike && one.changed()) changed.push_back(one.entry(one.name));
    }
    return changed;
}

boost::json::object machine_description(const std::vector<const ParamSet*>& sets) {
    const auto each = [&](const char* pattern) {
        std::vector<std::uint64_t> values;
        for (const ParamSet* set : sets)
            for (const ParamBase* param : set->params())
                if (Config::matches(pattern, set->path() + "." + param->info().name))
                    values.push_back(std::stoull(param->value_text()));
        return values;
    };
    const auto sum = [&](const char* pattern) {
        const auto values = each(pattern);
        return std::accumulate(values.begin(), values.end(), std::uint64_t{0});
    };
    const auto text = [&](const char* pattern) {
        for (const ParamSet* set : sets)
            for (const ParamBase* param : set->params())
                if (Config::matches(pattern, set->path() + "." + param->info().name))
                    return param->value_text();
        return std::string();
    };
    constexpr std::uint64_t kLine = 64;
    // A unit takes `simple_unit` cycles for a register, which is eight channels of 32 bits.
    constexpr std::uint64_t kChannels = 8;
    std::uint64_t channels = 0;
    const auto fpus = each("eu.fpus"), em = each("eu.em_units"), cycles = each("eu.simple_unit");
    for (std::size_t eu = 0; eu < cycles.size(); ++eu)
        channels += (fpus[eu] + em[eu]) * kChannels / cycles[eu];
    const std::uint64_t slices = sum("gpu.slices"), subslices = slices * sum("gpu.subslices");
    boost::json::object machine;
    const auto say = [&](const char* name, std::uint64_t value) {
        if (value != 0) machine[name] = value;
    };
    say("slices", slices);
    say("subslices", subslices);
    say("eus", each("eu.threads").size());
    say("threads", sum("eu.threads"));
    say("fpus", sum("eu.fpus"));
    say("em_units", sum("eu.em_units"));
    say("channels_per_cycle", channels);
    say("l3_bytes_per_cycle", kLine * slices * sum("gpu.l3_banks"));
    // A subslice's read pipe and its write pipe take a request of 64 bytes each.
    say("slm_bytes_per_cycle", 2 * kLine * subslices);
    say("gti_bytes_per_cycle", 2 * sum("gti.ring_bytes_per_cycle"));
    if (const double bytes = dram_bytes_per_cycle(text("dram.kind"), sum("dram.bytes_per_cycle"),
                                                  sum("dram.clock_hz"), sum("gpu.clock_hz"));
        bytes > 0) {
        // A whole number as one.
        if (bytes == std::floor(bytes))
            say("dram_bytes_per_cycle", static_cast<std::uint64_t>(bytes));
        else
            machine["dram_bytes_per_cycle"] = bytes;
    }
    return machine;
}

boost::json::object to_json(const RunDescription& run, const std::vector<const ParamSet*>& sets) {
    boost::json::object root;
    root["model"] = {{"name", "gen9sim"}, {"version", run.version}, {"revision", run.revision}};
    root["command"] = run.command;
    root["program"] = boost::json::value_from(run.program);
    root["device"] = run.device;
    root["settings"] = changed_settings(sets, run.product);
    root["machine"] = machine_description(sets);
    root["plugins"] = boost::json::value_from(run.plugins);
    return root;
}

boost::json::object host_description() {
    utsname system{};
    uname(&system);
    return {{"name", system.nodename},
            {"processor", processor()},
            {"threads", std::thread::hardware_concurrency()},
            {"system", std::string(system.sysname) + " " + system.release}};
}

std::string time_of_day() {
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm utc{};
    gmtime_r(&now, &utc);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

boost::json::object counters_without_cycles(const StatRegistry& stats) {
    boost::json::object root = stats.to_json();
    for (const StatSet* set : stats.sets()) {
        boost::json::object* at = &root;
        std::istringstream path(set->path());
        for (std::string part; std::getline(path, part, '.');)
            at = &at->at(part).get_object();
        for (const NamedCounter& counter : set->counters())
            if (std::string(counter.unit).ends_with("cycles")) at->erase(counter.name);
    }
    return root;
}

}  // namespace gen9::platform
