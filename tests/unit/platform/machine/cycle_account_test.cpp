// SPDX-License-Identifier: Apache-2.0
// Each block's cycles, whatever their reasons, add up to the run's.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "tests/unit/platform/replay_apart.h"

namespace gen9::platform {
namespace {

using boost::json::object;

std::uint64_t count(const object& counters, std::string_view name) {
    return counters.at(name).to_number<std::uint64_t>();
}

constexpr unsigned kBlocks = 24 + 4 + 8 * 3 + 6 + 12 + 1 + 3;

/// The cycles that a block accounts for, by the end of its name; 0 for one that keeps no account.
std::uint64_t accounted(std::string_view block, const object& counters) {
    const auto sum = [&](std::initializer_list<std::string_view> names) {
        std::uint64_t cycles = 0;
        for (const auto name : names)
            cycles += count(counters, name);
        return cycles;
    };
    if (block.starts_with("eu"))
        return sum({"busy", "idle", "stall_scoreboard", "stall_message", "stall_barrier",
                    "stall_dependency", "stall_fetch", "stall_send_queue", "stall_branch",
                    "stall_switch", "stall_pipe"});
    if (block.starts_with("bank"))
        return sum({"busy_cycles", "idle_cycles", "port_stalls", "atomic_stalls",
                    "super_queue_stalls", "memory_queue_stalls", "flush_stalls"});
    if (block.starts_with("hdc"))
        return sum({"busy_cycles", "stall_memory_cycles", "stall_slm_cycles", "stall_fence_cycles",
                    "stall_full_cycles", "front_end_cycles", "waiting_cycles", "idle_cycles"});
    if (block.starts_with("sampler"))
        return sum({"busy_cycles", "lookup_cycles", "stall_memory_cycles", "stall_full_cycles",
                    "waiting_cycles", "front_end_cycles", "return_cycles", "idle_cycles"});
    if (block == "vme")
        return sum({"busy_cycles", "fetch_cycles", "stall_memory_cycles", "stall_full_cycles",
                    "waiting_cycles", "front_end_cycles", "return_cycles", "idle_cycles"});
    if (block == "spawner")
        return sum({"idle_cycles", "sending_cycles", "front_end_cycles", "wait_urb_cycles",
                    "wait_slot_cycles", "wait_registers_cycles", "wait_slm_cycles",
                    "wait_barrier_cycles", "wait_handshake_cycles", "wait_payload_cycles",
                    "wait_drain_cycles", "wait_scoreboard_cycles", "wait_spawn_cycles",
                    "wait_fence_cycles"});
    if (block == "cs")
        return sum({"busy_cycles", "drain_cycles", "accept_cycles", "poll_cycles",
                    "streamer_cycles", "memory_cycles", "control_cycles"});
    if (block == "rs")
        return sum({"idle_cycles", "busy_cycles", "fetch_cycles", "engine_cycles", "room_cycles",
                    "drain_cycles", "context_cycles"});
    if (block == "icache")
        return sum({"busy_cycles", "fetching_cycles", "returning_cycles", "idle_cycles"});
    if (block == "slm") return sum({"busy_cycles", "returning_cycles", "idle_cycles"});
    if (block == "slm_crossbar")
        return sum(
            {"busy_cycles", "stalled_cycles", "memory_cycles", "passing_cycles", "idle_cycles"});
    if (block == "gateway")
        return sum({"busy_cycles", "returning_cycles", "barrier_cycles", "idle_cycles"});
    if (block == "interpolator") return sum({"busy_cycles", "returning_cycles", "idle_cycles"});
    if (block.ends_with("_cache"))
        return sum({"busy_cycles", "no_miss_cycles", "no_place_cycles", "no_room_cycles",
                    "waiting_cycles", "idle_cycles"});
    if (counters.contains("working_cycles"))  // a stage of the 3D pipe
        return sum({"working_cycles", "wait_memory_cycles", "wait_urb_cycles",
                    "wait_threads_cycles", "wait_next_cycles", "idle_cycles"});
    if (block == "render_target") return sum({"busy_cycles", "waiting_cycles", "idle_cycles"});
    if (block == "urb")
        return sum({"busy_cycles", "waiting_cycles", "returning_cycles", "idle_cycles"});
    if (block == "gti")
        return sum({"bandwidth_cycles", "passing_cycles", "downstream_cycles", "walking_cycles",
                    "memory_cycles", "returning_cycles", "idle_cycles"});
    if (block == "llc")
        return sum(
            {"busy_cycles", "stalled_cycles", "memory_cycles", "returning_cycles", "idle_cycles"});
    if (block == "dram")
        return sum({"transferring_cycles", "waiting_cycles", "returning_cycles", "idle_cycles"});
    return 0;
}

class CycleAccount : public testing::TestWithParam<const char*> {
  protected:
    void walk(const std::string& path, std::string_view block, const object& counters) {
        if (const std::uint64_t cycles = accounted_in(block, counters)) {
            ++blocks_;
            EXPECT_EQ(cycles, engine_cycles_) << path;
        }
        for (const auto& [name, value] : counters)
            if (value.is_object()) walk(path + "." + std::string(name), name, value.get_object());
    }
    static std::uint64_t accounted_in(std::string_view block, const object& counters) {
        const bool has_counters = !counters.empty() && !counters.begin()->value().is_object();
        return has_counters ? accounted(block, counters) : 0;
    }

    /// Replays a trace; `setting` of a parameter, or nothing.
    void replay(const char* trace, const char* setting) {
        const std::string replayed = test::replay_apart(trace, 0, setting);
        const auto end = replayed.rfind('}');
        ASSERT_NE(end, std::string::npos) << replayed;
        const auto statistics = boost::json::parse(replayed.substr(0, end + 1)).get_object();
        engine_cycles_ = count(statistics.at("totals").get_object(), "engine_cycles");
        ASSERT_GT(engine_cycles_, 0u);
        walk("", "", statistics.at("counters").get_object());
    }

    std::uint64_t engine_cycles_ = 0;
    unsigned blocks_ = 0;
};

TEST_P(CycleAccount, OfEveryBlockIsTheRuns) {
    replay(GetParam(), "");
    EXPECT_EQ(blocks_, kBlocks)
        << "EUs; banks of L3; instruction cache, data port, sampler, shared local memory, gateway, "
           "URB port, motion estimation and pixel interpolator of each subslice; spawner, rs, cs, "
           "gti, llc, dram; stages of the 3D pipe, render target, and their three caches";
}

using SharedLocalMemory = CycleAccount;
TEST_P(SharedLocalMemory, ItsCrossbarsIsTheRuns) {
    replay(GetParam(), "gpu.slm_banks=2");
    EXPECT_EQ(blocks_, kBlocks + 1) << "one more: the crossbar of the slice";
}
INSTANTIATE_TEST_SUITE_P(Traces, SharedLocalMemory, testing::Values("prefix_sum", "local_atomics"),
                         [](const auto& test) { return std::string(test.param); });

INSTANTIATE_TEST_SUITE_P(Traces, CycleAccount,
                         testing::Values("add_chars", "double_divide", "float_arithmetic",
                                         "global_atomics", "local_atomics", "nested_loops",
                                         "prefix_sum", "private_table", "image_samples",
                                         "media_walks", "media_children", "triangle"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
}  // namespace gen9::platform
