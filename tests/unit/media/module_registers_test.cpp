// SPDX-License-Identifier: Apache-2.0
// EUs with fewer registers than 128 for each slot, as the spawner finds them.
#include "isa/text/assemble.h"
#include "tests/unit/media/bench.h"

namespace gen9::media::test {
namespace registers {

constexpr ThreadTopology kTwoEus{1, 1, 2, 8};
constexpr std::uint64_t kCode = 0x50000;

/// A kernel at 0x40 that names `names` registers besides R0, and a walker of 100 threads.
void add_walker(ModuleBench& bench, unsigned names) {
    auto state = std::make_shared<PipelineState>(*bench.state);
    state->instruction_base = GpuAddr(kCode);
    bench.state = state;
    isa::Program p;
    for (unsigned i = 0; i + 1 < names; ++i)
        p << isa::Inst(isa::Opcode::Mov)
                 .exec(8)
                 .dst(isa::grf(10 + i), isa::Type::D)
                 .src(isa::imm(1));
    p << isa::Inst(isa::Opcode::Send)
             .exec(8)
             .dst(isa::null(), isa::Type::UD)
             .src(isa::grf(127), isa::Type::UD)
             .message(7, 0x02000010)
             .eot();
    const auto code = p.bytes();
    bench.memory.put(kCode + 0x40, code.data(), code.size());
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
