// SPDX-License-Identifier: Apache-2.0
// The streamer between sockets: time, back-pressure and completion. What commands mean is tested on
// the core.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/cs/module_bench.h"

namespace gen9 {
namespace {

using namespace test;

TEST(CommandStreamer, RunsTheCapturedSubmission) {
    GEN9_COVERS("CS-133 CS-138 CS-140");
    Bench bench("bench");
    EXPECT_TRUE(bench.cs.idle());
    bench.ppgtt.put(kPreamble, preamble_batch());
    bench.ppgtt.put(kTask, task_batch());
    bench.run_ring(first_ring_commands());
    EXPECT_TRUE(bench.cs.idle()) << bench.cs.describe_waiting();
    EXPECT_FALSE(bench.environment.reporter.failed()) << bench.environment.log.at(0);
    EXPECT_EQ(bench.ppgtt.get<std::uint64_t>(kTag), 1u);
    ASSERT_EQ(bench.states.size(), 2u);
    ASSERT_EQ(bench.commands.size(), 3u);
    EXPECT_EQ(bench.commands[1].second, walker());
    EXPECT_EQ(bench.external.at(0x7034), 0x80000340u);
    EXPECT_EQ(bench.read(0x2234) & 0x100, 0x100u);
}

// The tag of the captured submission: the walker's work, then the second PIPE_CONTROL's parsing,
// its flush, its write.
TEST(CommandStreamer, PostSyncIsWrittenAfterTheLastThreadHasEndedAndTheFlush) {
    GEN9_COVERS("CS-56 CS-57 CS-59 CS-87");
    Bench bench("bench");
    bench.ppgtt.put(kPreamble, preamble_batch());
    bench.ppgtt.put(kTask, task_batch());
    bench.run_ring(first_ring_commands());
    ASSERT_EQ(bench.tag_writes.size(), 1u);
    EXPECT_EQ(bench.tag_writes[0], bench.commands[1].first + bench.work_delay + cycles(6) +
                                       bench.cache_latency + bench.memory_latency);
}

TEST(CommandStreamer, WorkOverlapsWithoutAPipeControl) {
    GEN9_COVERS("CS-67");
    Bench bench("bench");
    bench.run_ring(kSelect + walker() + walker() + kStall);
    ASSERT_EQ(bench.commands.size(), 2u);
    // The second is given as soon as the front end takes it, and not before.
    EXPECT_EQ(bench.commands[1].first, bench.commands[0].first + bench.accept_delay);
    EXPECT_TRUE(bench.cs.idle());
}

TEST(CommandStreamer, ItsSignalSaysHowMuchWorkIsUnderWay) {
    Bench bench("bench");
    SignalLog log(bench.environment.environment.signals);
    bench.run_ring(kSelect + walker() + walker() + kStall);
    ASSERT_EQ(bench.commands.size(), 2u);
    const auto under_way = [&](const sc_time& when, std::uint64_t later) {
        return log.value("bench.cs.outstanding",
                         static_cast<std::uint64_t>(when.to_seconds() * kHz + 0.5) + later);
    };
    const sc_time first = bench.commands[0].first, second = bench.commands[1].first;
    EXPECT_EQ(under_way(first, 1), 1u);
    EXPECT_EQ(under_way(second, 1), 2u);
    EXPECT_EQ(under_way(first + bench.work_delay, 20), 1u);
    EXPECT_EQ(under_way(second + bench.work_delay, 20), 0u);
}

TEST(CommandStreamer, CsStallBetweenTwoWalkersSeparatesThem) {
    GEN9_COVERS("CS-56 CS-69 CS-87");
    Bench bench("bench");
    bench.run_ring(kSelect + walker() + kStall + walker());
    ASSERT_EQ(bench.commands.size(), 2u);
    EXPECT_EQ(bench.commands[1].first, bench.commands[0].first + bench.work_delay + cycles(15));
}

// Threads may end while what they wrote still waits in a data port.
TEST(CommandStreamer, EndOfPipeWaitsForTheAccessesOfThreadsThatHaveEnded) {
    GEN9_COVERS("CS-53");
    Bench bench("bench");
    bench.settle_time = cycles(700);
    bench.run_ring(kSelect + walker() + kStall + walker() + kStall);
    ASSERT_EQ(bench.commands.size(), 2u);
    EXPECT_EQ(bench.commands[1].first,
              bench.commands[0].first + bench.work_delay + bench.settle_time + cycles(15));
}

TEST(CommandStreamer, BaseAddressChangeWaitsForTheWork) {
    GEN9_COVERS("CS-51");
    Bench bench("bench");
    bench.run_ring(kSelect + walker() + state_base_address() + walker());
    ASSERT_EQ(bench.commands.size(), 2u);
    EXPECT_GE(bench.commands[1].first, bench.commands[0].first + bench.work_delay);
}

TEST(CommandStreamer, TimestampsAroundWorkTellItsTime) {
    GEN9_COVERS("CS-19 CS-61 CS-62");
    Bench bench("bench");
    bench.work_delay = sc_time(1, sc_core::SC_MS);
    bench.ppgtt.map(kData, 0x1000);
    const auto stamp = [](std::uint64_t address) {
        return Words{0x7A000004, 0x0010C000, low(address), 0, 0, 0};
    };
    bench.run_ring(kSelect + stamp(kData) + walker() + kStall + stamp(kData + 8));
    const auto ticks =
        bench.ppgtt.get<std::uint64_t>(kData + 8) - bench.ppgtt.get<std::uint64_t>(kData);
    EXPECT_NEAR(static_cast<double>(ticks), 12000.0, 2.0);  // 83.333 ns each
}

TEST(CommandStreamer, ChannelsOfAWalkerAreCountedWhenItsWorkEnds) {
    GEN9_COVERS("CS-16 CS-22");
    Bench bench("bench");
    bench.ppgtt.map(0x9000, 0x1000);
    Words words = kSelect;
    append(words, walker());
    const auto store_count = [&](std::uint32_t address) {
        append(words, {0x12000002, 0x2290, address, 0});
    };
    store_count(0x9000);
    append(words, {0x7A000004, 0x00100000, 0, 0, 0, 0});
    store_count(0x9004);
    append(words, {0, 0});
    bench.run_ring(words);
    EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(0x9000), 0u);
    EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(0x9004), Bench::kChannels);
}

TEST(CommandStreamer, ContextTimeGrowsOnlyWhileTheContextRuns) {
    GEN9_COVERS("CS-20");
    Bench bench("bench");
    bench.work_delay = sc_time(1, sc_core::SC_MS);
    bench.run_ring(kSelect + walker() + kStall);
    const std::uint32_t first = bench.read(0x23A8);
    EXPECT_NEAR(first, 12000.0, 10.0);
    sc_core::sc_start(sc_time(5, sc_core::SC_MS));
    EXPECT_EQ(bench.read(0x23A8), first);
    EXPECT_GT(bench.read(0x2358), first + 60000u);
}

TEST(CommandStreamer, OneAluInstructionTakesOneCycle) {
    GEN9_COVERS("CS-43");
    Bench bench("bench");
    Words math(257, 0);
    math[0] = 0x0D0000FF;
    bench.run_ring(math);
    // 257 DWords parsed, 256 instructions, two context switches.
    EXPECT_EQ(bench.cs.stats.busy_cycles.value(), 257u + 256u + 2 * 500u);
}

TEST(CommandStreamer, AnAluInstructionThatDoesNotExistIsACommandError) {
    struct Machine : sc_core::sc_module {
        TestEnvironment environment;
        Clock clock{kHz};
        cs::AluModule alu{"alu", environment.environment, clock};
        InitiatorSocket<MemoryProtocol> out{"out"};
        explicit Machine(sc_core::sc_module_name machine_name) : sc_module(machine_name) {
            out.bind(alu.op_in);
        }
    } machine("machine");
    MemoryPool pool;
    // ADD of the two inputs, and an opcode that the table does not list (003:1358-1395).
    for (const auto& [instruction, wanted] :
         {std::pair{0x10000000u, tlm::TLM_OK_RESPONSE},
          std::pair{0x7FF00000u, tlm::TLM_COMMAND_ERROR_RESPONSE}}) {
        MemoryTransaction* const write = pool.get();
        write->access(tlm::TLM_WRITE_COMMAND, cs::kAluInstruction, 4);
        store(write->data, instruction);
        sc_time delay;
        machine.out->b_transport(*write, delay);
        EXPECT_EQ(write->get_response_status(), wanted);
        write->release();
    }
}

TEST(CommandStreamer, EveryCycleOfASubmissionHasOneReason) {
    Bench bench("bench");
    bench.ppgtt.put(kPreamble, preamble_batch());
    bench.ppgtt.put(kTask, task_batch());
    bench.submit(first_ring_commands());
    sc_core::sc_start(cycles(10'000'000), sc_core::SC_EXIT_ON_STARVATION);
    ASSERT_TRUE(bench.cs.idle());
    const cs::CsStats& stats = bench.cs.stats;
    EXPECT_EQ(stats.busy_cycles.value() + stats.memory_cycles.value() +
                  stats.control_cycles.value() + stats.accept_cycles.value() +
                  stats.drain_cycles.value() + stats.poll_cycles.value(),
              bench.clock.now().value);
}

// What other blocks change in theirs is what is read.
TEST(CommandStreamer, ARegisterOfAnotherBlockIsReadThere) {
    Bench bench("bench");
    bench.write(0x7034, 0xFFFF0340);
    bench.external[0x7034] = 0x1240;
    EXPECT_EQ(bench.read(0x7034), 0x1240u);
}

// Beside them nothing would run ahead of the kernel's time.
TEST(CommandStreamer, ItsProcessesAreNoStrangers) {
    Bench bench("bench");
    sc_core::sc_start(cycles(1));
    EXPECT_TRUE(bench.clock.agenda().alone());
}

TEST(CommandStreamer, FunctionalModeLeavesTheSameMemory) {
    Bench bench("bench", Timing::Functional);
    bench.ppgtt.put(kPreamble, preamble_batch());
    bench.ppgtt.put(kTask, task_batch());
    bench.run_ring(first_ring_commands());
    EXPECT_TRUE(bench.cs.idle());
    EXPECT_EQ(bench.ppgtt.get<std::uint64_t>(kTag), 1u);
    EXPECT_EQ(bench.ggtt.get<std::uint32_t>(kContext + 0x1014), 0x1Cu);
    EXPECT_EQ(bench.commands.size(), 3u);
}

// A walker of 1,000 cycles and a draw of 3,000 are in their pipes at the same time.
TEST(CommandStreamer, WorkOfOnePipeIsNotWaitedForWithTheOthers) {
    Bench bench("bench", Timing::Timed, {}, true);
    bench.ppgtt.map(0x9000, 0x1000);
    const Words draw = {0x7B000005, 4, 3, 0, 1, 0, 0};
    const auto stamp = [](std::uint32_t address) { return Words{0x12000002, 0x2358, address, 0}; };
    // What only draws use waits for the draw; a stall waits for both.
    bench.run_ring(kSelect + walker() + draw + stamp(0x9000) + Words{0x78180000, 1} +
                   stamp(0x9004) + Words{0x79000002, 0, 0, 0} + stamp(0x9008) + walker() +
                   stamp(0x900C) + Words{0x79000002, 0, 0, 0} + stamp(0x9010) + kStall +
                   stamp(0x9014));
    const auto at = [&](std::uint32_t address) { return bench.ppgtt.get<std::uint32_t>(address); };
    ASSERT_EQ(bench.commands.size(), 3u);
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 0u);
    // Ticks of 12 MHz: 83 cycles.
    EXPECT_LT(at(0x9004) - at(0x9000), 3u) << "pipelined";
    EXPECT_GT(at(0x9008) - at(0x9004), 30u) << "the drawing rectangle is not";
    EXPECT_LT(at(0x9010) - at(0x900C), 3u) << "no draw is in flight";
    EXPECT_GT(at(0x9014) - at(0x9010), 8u) << "but a walker is";
    EXPECT_EQ(bench.read(0x2290), 2 * Bench::kChannels);
}

TEST(CommandStreamer, ControlReachesEverySocketAndWaitsForTheSlowest) {
    GEN9_COVERS("CS-54 CS-57");
    Bench bench("bench");
    bench.run_ring({0x7A000004, 0x00100C2C, 0, 0, 0, 0});
    ASSERT_EQ(bench.controls.size(), 4u);  // load, invalidate, flush, save
    EXPECT_TRUE(bench.controls[1].invalidate_instruction && bench.controls[1].invalidate_constant &&
                bench.controls[1].invalidate_state);
    EXPECT_TRUE(bench.controls[2].flush_data && bench.controls[2].invalidate_texture);
    EXPECT_EQ(bench.cs.stats.control_cycles.value(), 400u);
}

TEST(CommandStreamer, ControlIsLeftOutWhereItMeansNothingAndNobodyLooks) {
    struct Counting : SocketObserver<MemoryProtocol> {
        unsigned seen = 0;
        void passed(const tlm::tlm_generic_payload&, const tlm::tlm_phase& phase,
                    const sc_time&) override {
            seen += phase == tlm::BEGIN_REQ;
        }
    } observer;
    Bench bench("bench");
    const Words stream = {0x7A000004, 0x00100C2C, 0, 0, 0, 0};
    bench.run_ring(stream);
    std::size_t concerned = 0;
    for (const CacheControl& control : bench.controls)
        concerned += control.invalidate_texture;
    EXPECT_LT(concerned, bench.controls.size());
    EXPECT_EQ(bench.choosy_controls.size(), concerned);
    for (const CacheControl& control : bench.choosy_controls)
        EXPECT_TRUE(control.invalidate_texture);

    bench.controls.clear();
    bench.choosy_controls.clear();
    bench.cs.control_out[2]->observe(observer);
    bench.run_ring(stream);
    EXPECT_GE(bench.choosy_controls.size(), bench.controls.size());
    EXPECT_EQ(observer.seen, bench.choosy_controls.size());
}

TEST(CommandStreamer, SubmissionWhileTheContextRunsIsRunInOneGo) {
    GEN9_COVERS("CS-139");
    Bench bench("bench");
    bench.ppgtt.map(kData, 0x1000);
    const Words first = kSelect + walker() + kStall, second = {0x10000002, low(kData), 0, 1};
    bench.run_ring(first, cycles(1500));
    EXPECT_FALSE(bench.cs.idle());
    bench.ggtt.put(kRing + 4 * first.size(), second);
    bench.ggtt.put<std::uint32_t>(kContext + 0x101C,
                                  static_cast<std::uint32_t>(4 * (first.size() + second.size())));
    for (const std::uint32_t value : submission())
        bench.write(0x2230, value);
    sc_core::sc_start(cycles(100'000));
    EXPECT_TRUE(bench.cs.idle());
    EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(kData), 1u);
    EXPECT_EQ(bench.cs.stats.contexts.value(), 1u);
}

TEST(CommandStreamer, WorkThatNeverEndsIsNamed) {
    Bench bench("bench");
    bench.work_delay = sc_time(1000, sc_core::SC_SEC);
    bench.run_ring(kSelect + walker() + kStall);
    EXPECT_FALSE(bench.cs.idle());
    EXPECT_FALSE(bench.cs.stopped());
    EXPECT_NE(bench.cs.describe_waiting().find("PIPE_CONTROL: waits for 1 pipeline command"),
              std::string::npos);
}

TEST(CommandStreamer, EndlessBatchGivesTheKernelItsTime) {
    Bench bench("bench");
    bench.ppgtt.put(kPreamble, Words{0x18800101, low(kPreamble), high(kPreamble)});
    bench.run_ring(first_ring_commands(), cycles(100'000));
    EXPECT_EQ(bench.clock.now().value, 100'000u);
    EXPECT_FALSE(bench.cs.idle());
    EXPECT_LE(bench.cs.progress(), 3u);
}

TEST(CommandStreamer, ErrorInTheStreamStopsIt) {
    GEN9_COVERS("CS-149");
    Bench bench("bench");
    bench.run_ring({0x0F800000, 0});
    EXPECT_TRUE(bench.cs.stopped());
    EXPECT_FALSE(bench.cs.idle());
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 1u);
    EXPECT_NE(bench.environment.log.at(0).find("0f800000"), std::string::npos)
        << bench.environment.log.at(0);
}

TEST(CommandStreamer, FrontEndMayAcceptAndEndAtOnceWithDelays) {
    Bench bench("bench");
    bench.answer_at_once = true;
    bench.run_ring(kSelect + walker() + walker() + kStall + walker());
    ASSERT_EQ(bench.commands.size(), 3u);
    EXPECT_EQ(bench.commands[1].first, bench.commands[0].first + bench.accept_delay);
    EXPECT_EQ(bench.commands[2].first, bench.commands[1].first + bench.work_delay + cycles(15));
    EXPECT_TRUE(bench.cs.idle());
}

TEST(CommandStreamer, RegisterPortRefusesWhatIsNotADword) {
    Bench bench("bench");
    std::uint32_t value = 0;
    const auto access = [&](std::uint64_t address, unsigned bytes) {
        tlm::tlm_generic_payload payload;
        payload.set_command(tlm::TLM_READ_COMMAND);
        payload.set_address(address);
        payload.set_data_ptr(reinterpret_cast<std::uint8_t*>(&value));
        payload.set_data_length(bytes);
        sc_time delay;
        bench.host->b_transport(payload, delay);
        return payload.get_response_status();
    };
    EXPECT_EQ(access(0x2358, 4), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(access(0x2358, 2), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(access(0x2359, 4), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(access(0x800000, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(CommandStreamer, DebugTransportReadsWithoutEffects) {
    Bench bench("bench");
    std::uint32_t value = 0;
    tlm::tlm_generic_payload payload;
    payload.set_command(tlm::TLM_READ_COMMAND);
    payload.set_address(0x2080);
    payload.set_data_ptr(reinterpret_cast<std::uint8_t*>(&value));
    payload.set_data_length(4);
    EXPECT_EQ(bench.host->transport_dbg(payload), 4u);
    EXPECT_EQ(value, kStatusPage);
    payload.set_command(tlm::TLM_WRITE_COMMAND);
    EXPECT_EQ(bench.host->transport_dbg(payload), 0u);
}

TEST(CommandStreamer, NextBlockIsFetchedWhileOneIsExecuted) {
    Bench bench("bench", Timing::Timed,
                {"cs.fetch_bytes=64", "cs.dword_cycles=4", "cs.parse_cycles=4"});
    // 64 NOOPs: four blocks of sixteen, each longer in execution (64 cycles) than in flight (40).
    const std::uint64_t before = bench.cs.stats.memory_cycles.value();
    bench.run_ring(Words(64, 0));
    const std::uint64_t with_blocks = bench.cs.stats.memory_cycles.value() - before;
    EXPECT_EQ(bench.cs.stats.fetches.value(), 4u);
    // Image read once and written in five pieces, two writes for each of two status events, and the
    // first block: the others are hidden.
    EXPECT_EQ(with_blocks, 40u * (1 + 5 + 2 * 2 + 1));
}

// Each command's facts from the cycle of its parsing, though the streamer runs ahead of the kernel;
// each ALU instruction's in its own cycle.
TEST(CommandStreamer, SignalsFollowTheStreamCycleByCycle) {
    Bench bench("bench");
    SignalLog log(bench.environment.environment.signals);
    bench.ppgtt.map(kData, 0x1000);
    bench.ppgtt.put(0x6000'0000, Words{0x0D000005, 0x08008000, 0x08008401, 0x10100000, 0x10000000,
                                       0x18000831, 0x18000C33, 0x05000000});
    const Words set = {0x11000007, 0x2600, 0xFFFFFFFF, 0x2604, 0xFFFFFFFF, 0x2608, 1, 0x260C, 0};
    bench.run_ring(set + Words{0x11000001, 0x2418, 1} + Words{0x18800101, 0x6000'0000, 0} +
                   Words{0});
    const std::string cs = "bench.cs.";
    const auto names = cs::command_words();
    std::uint64_t math = 0;
    std::vector<std::string> commands;
    std::vector<std::uint64_t> ids;
    const std::uint64_t end = bench.clock.now().value;
    for (std::uint64_t cycle = 1; cycle < std::min<std::uint64_t>(end, 4000); ++cycle) {
        const std::uint64_t id = log.value(cs + "command_id", cycle);
        if (id == log.value(cs + "command_id", cycle - 1)) continue;
        commands.emplace_back(names[log.value(cs + "command", cycle)]);
        ids.push_back(id);
        if (commands.back() == "MI_MATH") math = cycle;
    }
    EXPECT_EQ(commands, (std::vector<std::string>{"MI_LOAD_REGISTER_IMM", "MI_LOAD_REGISTER_IMM",
                                                  "MI_BATCH_BUFFER_START", "MI_MATH",
                                                  "MI_BATCH_BUFFER_END", "MI_NOOP"}));
    for (std::size_t i = 1; i < ids.size(); ++i)
        EXPECT_EQ(ids[i], ids[i - 1] + 1);
    ASSERT_GT(math, 0u);
    const auto at = [&](const char* name, std::uint64_t cycle) {
        return log.value(cs + name, cycle);
    };
    EXPECT_EQ(at("level", math), 1u);
    EXPECT_EQ(at("level", math - 1), 0u);
    EXPECT_EQ(at("batch_address", math), 0x6000'0000u);
    EXPECT_EQ(at("header", math), 0x0D000005u);
    EXPECT_EQ(at("ring_head", math), 4u * (set.size() + 6));
    EXPECT_EQ(at("predicate", math), 1u);
    // Seven DWords are parsed, one a cycle; then the instructions run, one a cycle.
    const std::uint64_t first = math + 7;
    const char* words[] = {"LOAD", "LOAD", "SUB", "ADD", "STORE", "STORE"};
    for (unsigned i = 0; i < 6; ++i)
        EXPECT_STREQ(cs::alu_words()[at("alu.opcode", first + i)], words[i]);
    EXPECT_EQ(at("alu.gpr0", math), ~0ull) << "as the stream has set it";
    EXPECT_EQ(at("alu.gpr1", math), 1u);
    EXPECT_EQ(at("alu.srca", first), ~0ull);
    EXPECT_EQ(at("alu.srcb", first), 0u);
    EXPECT_EQ(at("alu.srcb", first + 1), 1u);
    EXPECT_EQ(at("alu.zf", first + 1), 0u);
    EXPECT_EQ(at("alu.accu", first + 2), ~0ull - 1);
    EXPECT_EQ(at("alu.zf", first + 2), 0u);
    EXPECT_EQ(at("alu.cf", first + 2), 0u);
    EXPECT_EQ(at("alu.accu", first + 3), 0u);
    EXPECT_EQ(at("alu.zf", first + 3), 1u);
    EXPECT_EQ(at("alu.cf", first + 3), 1u);
    EXPECT_EQ(at("alu.gpr3", first + 4), 0u);
    EXPECT_EQ(at("alu.gpr3", first + 5), ~0ull);
    EXPECT_EQ(at("alu.gpr0", first), ~0ull);
}

// Busy, memory and the other activities add up to their counters.
TEST(CommandStreamer, ItsActivityAgreesWithItsCountersAtEveryCycle) {
    Bench bench("bench");
    SignalLog log(bench.environment.environment.signals);
    bench.ppgtt.put(kPreamble, preamble_batch());
    bench.ppgtt.put(kTask, task_batch());
    bench.run_ring(first_ring_commands(), cycles(20'000));
    std::array<std::uint64_t, 8> sums{};
    for (std::uint64_t cycle = 0; cycle < 20'000; ++cycle)
        ++sums[log.value("bench.cs.activity", cycle)];
    const auto of = [&](cs::Activity a) { return sums[static_cast<std::size_t>(a)]; };
    EXPECT_EQ(of(cs::Activity::Busy), bench.cs.stats.busy_cycles.value());
    EXPECT_EQ(of(cs::Activity::Memory), bench.cs.stats.memory_cycles.value());
    EXPECT_EQ(of(cs::Activity::Control), bench.cs.stats.control_cycles.value());
    EXPECT_EQ(of(cs::Activity::Accept), bench.cs.stats.accept_cycles.value());
    EXPECT_EQ(of(cs::Activity::Drain), bench.cs.stats.drain_cycles.value());
    EXPECT_GT(of(cs::Activity::Busy), 0u);
    EXPECT_GT(of(cs::Activity::Drain), 0u);
}

}  // namespace
}  // namespace gen9
