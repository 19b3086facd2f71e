// SPDX-License-Identifier: Apache-2.0
// EUs with fewer registers than 128 for each slot, as the spawner finds them.
#include "tests/support/named_kernel.h"
#include "tests/unit/media/bench.h"

namespace gen9::media::test {
namespace registers {

constexpr ThreadTopology kTwoEus{1, 1, 2, 8};
constexpr std::uint64_t kCode = 0x50000;

/// A kernel that names `names` registers besides R0: g10, g11, ... and g127.
void put_kernel(ModuleBench& bench, unsigned start, unsigned names) {
    const auto code = gen9::test::named_kernel(10, names - 1);
    bench.memory.put(kCode + start, code.data(), code.size());
}

void put_code_base(ModuleBench& bench) {
    auto state = std::make_shared<PipelineState>(*bench.state);
    state->instruction_base = GpuAddr(kCode);
    bench.state = state;
}

/// A walker of 100 threads of such a kernel.
void add_walker(ModuleBench& bench, unsigned names) {
    put_code_base(bench);
    put_kernel(bench, 0x40, names);
    bench.memory.put(0, {});
    bench.preamble();
    bench.add(walker_command(bench.state, {.groups = {100, 1, 1}}));
}

std::uint64_t waited(const ModuleBench& bench, SendState activity) {
    return bench.spawner.stats().cycles[unsigned(activity)].value();
}

TEST(SpawnerRegisters, LimitWhatRunsAndAreWaitedFor) {
    // 100 of an EU: four threads of 24.
    ModuleBench bench(kTwoEus, Timing::Timed, {}, "bench", 0, {100, true, 8});
    bench.lifetime = [](const auto&) { return 1000u; };
    add_walker(bench, 20);
    const unsigned reads = bench.memory.reads;
    unsigned looks = 0;
    bench.mem_in.on_debug = [&, look = bench.mem_in.on_debug](tlm::tlm_generic_payload& p) {
        EXPECT_EQ(attributes_of(p).requester, Requester::StateCache);
        EXPECT_EQ(attributes_of(p).space, AddressSpace::Ppgtt);
        ++looks;
        return look(p);
    };
    bench.run(100'000);
    EXPECT_GT(looks, 0u);
    ASSERT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.threads.size(), 100u);
    EXPECT_EQ(bench.most_live, 8u);
    EXPECT_EQ(bench.memory.reads, reads + 1) << "the descriptor: looking takes no access";
    bench.spawner.settle();
    EXPECT_GT(waited(bench, SendState::WaitRegisters), 10'000u);
    EXPECT_EQ(waited(bench, SendState::WaitSlot), 0u);
}

// An EU has 100. Three threads of 24 leave 28, two leave 52: a thread with R0, the constants of its
// group and its own, and one register more, which is its kernel's, fits beside two if it takes 48.
TEST(SpawnerRegisters, OfTheDescriptorsConstantsKeepAWatermarkFlushBack) {
    ModuleBench bench({1, 1, 1, 8}, Timing::Timed, {}, "bench", 0, {100, true, 8});
    bench.lifetime = [](const auto& t) { return t.group[0] == 0 ? 2000u : 6000u; };
    put_code_base(bench);
    put_kernel(bench, 0x40, 20);
    put_kernel(bench, 0x800, 1);
    bench.memory.put(0, {});
    bench.memory.put(1, {.kernel_start = 0x800, .per_thread_rows = 16, .cross_thread_rows = 30});
    bench.memory.put(2, {.kernel_start = 0x800, .per_thread_rows = 17, .cross_thread_rows = 30});
    bench.preamble(3);
    bench.add(walker_command(bench.state, {.groups = {3, 1, 1}}));
    const auto fits = bench.add(flush_command(bench.state, 1, true));
    const auto large = bench.add(flush_command(bench.state, 2, true));
    bench.run(100'000);
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 3u);
    EXPECT_GE(bench.finished[fits], bench.threads[0].end);
    EXPECT_LT(bench.finished[fits], bench.threads[1].end);
    EXPECT_GE(bench.finished[large], bench.threads[1].end);
}

TEST(SpawnerRegisters, LimitNothingInFunctionalMode) {
    ModuleBench bench(kTwoEus, Timing::Functional, {}, "bench", 0, {16, true, 8});
    add_walker(bench, 20);
    bench.run(100'000);
    ASSERT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.threads.size(), 100u);
    EXPECT_EQ(bench.most_live, 16u);
}

TEST(SpawnerRegisters, OfWhichAnEuHasTooFewFailTheWalkerByName) {
    ModuleBench bench(kTwoEus, Timing::Timed, {}, "bench", 0, {16, true, 8});
    add_walker(bench, 20);
    bench.run(100'000);
    EXPECT_TRUE(bench.all_finished());
    EXPECT_TRUE(bench.commands.back().failed);
    EXPECT_TRUE(bench.threads.empty());
}

TEST(SpawnerRegisters, EnoughForAllSlotsChangeNothing) {
    ModuleBench bench(kTwoEus, Timing::Timed, {}, "bench", 0, {1024, true, 8});
    bench.lifetime = [](const auto&) { return 1000u; };
    add_walker(bench, 127);
    bench.run(100'000);
    ASSERT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.most_live, 16u);
    bench.spawner.settle();
    EXPECT_EQ(waited(bench, SendState::WaitRegisters), 0u);
}

}  // namespace registers
}  // namespace gen9::media::test
