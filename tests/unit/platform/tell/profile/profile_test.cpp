// SPDX-License-Identifier: Apache-2.0
// What launches did, with what belongs to none, adds up to what the blocks have counted.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <map>

#include "tests/unit/platform/replay_apart.h"

namespace gen9::platform {
namespace {

using boost::json::array;
using boost::json::object;
using boost::json::value;
using Counts = std::map<std::string, std::uint64_t>;

/// Adds all numbers of a tree by the path of their names; indices of arrays are not names.
void add(const value& tree, const std::string& path, Counts& to) {
    if (tree.is_object())
        for (const auto& [name, part] : tree.get_object())
            add(part, path.empty() ? std::string(name) : path + "." + std::string(name), to);
    else if (tree.is_int64() || tree.is_uint64())
        to[path] += tree.to_number<std::uint64_t>();
}

std::uint64_t with_prefix(const Counts& counts, const std::string& prefix) {
    std::uint64_t sum = 0;
    for (const auto& [name, count] : counts)
        if (name.starts_with(prefix)) sum += count;
    return sum;
}

/// Sum over all clients of what they have at a level.
std::uint64_t at_level(const Counts& counts, const std::string& level, const std::string& what) {
    std::uint64_t sum = 0;
    for (const auto& [name, count] : counts)
        if (name.starts_with("memory.clients.") && name.ends_with("." + level + "." + what))
            sum += count;
    return sum;
}

class ProfileSums : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        const std::string replayed = test::replay_apart(GetParam());
        const auto end = replayed.rfind('}');
        ASSERT_NE(end, std::string::npos) << replayed;
        root_ = boost::json::parse(replayed.substr(0, end + 1)).get_object();
        for (const value& kernel : root_.at("kernels").get_array())
            add(kernel, "", all_);
        add(root_.at("outside"), "", all_);
    }
    /// Of all blocks whose name begins with a word.
    std::uint64_t counter(std::string_view block, std::string_view name) const {
        return counter(block, name, "", root_.at("counters"));
    }
    static std::uint64_t counter(std::string_view block, std::string_view name,
                                 std::string_view within, const value& tree) {
        std::uint64_t sum = 0;
        for (const auto& [key, part] : tree.get_object())
            if (part.is_object())
                sum += counter(block, name, key, part);
            else if (within.starts_with(block) && key == name)
                sum += part.to_number<std::uint64_t>();
        return sum;
    }

    object root_;
    Counts all_;  ///< of the launches and what is outside
};

TEST_P(ProfileSums, OfTheEusCyclesByUse) {
    const std::pair<const char*, const char*> uses[] = {{"busy", "busy"},
                                                        {"no_thread", "idle"},
                                                        {"scoreboard", "stall_scoreboard"},
                                                        {"message", "stall_message"},
                                                        {"barrier", "stall_barrier"},
                                                        {"dependency", "stall_dependency"},
                                                        {"fetch", "stall_fetch"},
                                                        {"send_queue", "stall_send_queue"},
                                                        {"branch", "stall_branch"},
                                                        {"switch", "stall_switch"},
                                                        {"pipe", "stall_pipe"}};
    Counts code;
    for (const value& kernel : root_.at("code").get_array())
        for (const value& instruction : kernel.at("instructions").get_array())
            add(instruction, "", code);
    for (const auto& [use, name] : uses) {
        const std::uint64_t counted = counter("eu", name);
        EXPECT_EQ(all_[std::string("eu.cycles.") + use], counted) << use;
        EXPECT_EQ(code[std::string("cycles.") + use], name == std::string("idle") ? 0 : counted)
            << use;
    }
    EXPECT_EQ(code["executions"], counter("eu", "instructions"));
    EXPECT_EQ(code["lanes_active"], all_["eu.lanes_active"]);
    EXPECT_LE(all_["eu.lanes_active"], all_["eu.lanes_possible"]);
}

TEST_P(ProfileSums, OfEachLaunchsInstructionsAndCycles) {
    for (const value& kernel : root_.at("kernels").get_array()) {
        Counts counts;
        add(kernel, "", counts);
        EXPECT_EQ(with_prefix(counts, "eu.issues."), counts["instructions"]);
        EXPECT_EQ(with_prefix(counts, "eu.classes."), counts["instructions"]);
        EXPECT_EQ(with_prefix(counts, "occupancy.spawner."), counts["cycles"]);
        EXPECT_EQ(counts["occupancy.spawner.idle"], 0u);
        EXPECT_GT(counts["occupancy.thread_cycles"], 0u);
        EXPECT_LE(counts["occupancy.thread_cycles"], counts["occupancy.possible"]);
        std::uint64_t messages = 0;
        for (const auto& [name, latency] : kernel.at("latency").get_object()) {
            Counts bins;
            std::uint64_t sum = 0;
            for (const value& bin : latency.at("bins").get_array())
                sum += bin.to_number<std::uint64_t>();
            EXPECT_EQ(sum, latency.at("count").to_number<std::uint64_t>()) << name;
            messages += sum;
        }
        EXPECT_EQ(messages, counts["messages"]);
    }
}

TEST_P(ProfileSums, OfEveryMemory) {
    const auto expect = [&](const std::string& level, std::uint64_t accesses, std::uint64_t hits) {
        EXPECT_EQ(at_level(all_, level, "accesses"), accesses) << level;
        EXPECT_EQ(at_level(all_, level, "hits"), hits) << level;
    };
    expect("cache",
           counter("icache", "hits") + counter("icache", "misses") + counter("icache", "joined") +
               counter("sampler", "lookups"),
           counter("icache", "hits") + counter("sampler", "lookups") -
               counter("sampler", "misses") - counter("sampler", "merged"));
    // Who asks L3 knows how often; states are read outside of time, which its counters leave out.
    const auto l3 = [&](const std::string& client) {
        return all_["memory.clients." + client + ".l3.accesses"];
    };
    EXPECT_EQ(l3("data_port") + l3("constant"), counter("hdc", "lines"));
    EXPECT_EQ(l3("sampler"), counter("sampler", "misses"));
    EXPECT_EQ(l3("instruction"), counter("icache", "misses"));
    EXPECT_EQ(at_level(all_, "l3", "hits") - all_["memory.clients.state.l3.hits"] -
                  counter("bank", "urb_accesses"),
              counter("bank", "hits"));
    expect("llc",
           counter("llc", "read_hits") + counter("llc", "read_misses") + counter("llc", "writes") +
               counter("llc", "uncached"),
           counter("llc", "read_hits") + counter("llc", "writes"));
    EXPECT_EQ(at_level(all_, "llc", "bytes"), all_["memory.gti.read_bytes"] +
                                                  all_["memory.gti.written_bytes"] +
                                                  64 * counter("gti", "walk_fetches"));
    EXPECT_EQ(all_["memory.dram.read_bytes"], counter("dram", "read_bytes"));
    EXPECT_EQ(all_["memory.dram.written_bytes"], counter("dram", "written_bytes"));
    EXPECT_EQ(all_["memory.slm.accesses"],
              counter("slm", "reads") + counter("slm", "writes") + counter("slm", "atomics"));
    EXPECT_EQ(all_["memory.slm.bytes"], counter("slm", "bytes"));
    EXPECT_EQ(all_["l3_bytes"], counter("hdc", "l3_bytes"));
    EXPECT_EQ(all_["slm_bytes"], counter("hdc", "slm_bytes"));
    EXPECT_EQ(all_["memory.slm.conflict_cycles"], counter("slm", "conflict_cycles"));
    EXPECT_EQ(all_["memory.atomics.slm"] + all_["memory.atomics.l3"],
              counter("hdc", "atomic_lanes"));
}

INSTANTIATE_TEST_SUITE_P(Traces, ProfileSums,
                         testing::Values("add_chars", "global_atomics", "local_atomics",
                                         "nested_loops", "prefix_sum", "private_table",
                                         "image_samples", "media_walks", "media_children"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace gen9::platform
