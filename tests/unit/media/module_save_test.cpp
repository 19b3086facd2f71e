// SPDX-License-Identifier: Apache-2.0
// Walkers that are stopped inside their groups, and go on.
#include <bit>

#include "media/module.h"
#include "packets/gpgpu_payload.h"
#include "tests/support/covers.h"
#include "tests/unit/media/bench.h"

namespace gen9::media::test {
namespace {

constexpr ThreadTopology kTwoSubslices{1, 2, 2, 7};

/// One group of six threads with a barrier and 2 KB on each of two subslices, all running.
struct SaveBench : ModuleBench {
    std::size_t walker = 0;
    bool trusted = true;                        ///< the save area holds what was put there
    std::vector<ThreadSideband> first, second;  ///< of the threads, before and after
    std::map<std::uint16_t, std::array<std::uint64_t, 5>> resources;  ///< by FFTID; see `inspect`

    explicit SaveBench(std::uint64_t base = kSaveBase, unsigned slm_code = 2,
                       std::uint32_t engines = 3, unsigned alignment = 128, bool barrier = true,
                       unsigned groups = 2, bool high_priority = false)
        : ModuleBench(kTwoSubslices, Timing::Timed,
                      {"spawner.slm_save_alignment=" + std::to_string(alignment)}, "bench",
                      engines) {
        auto with_area = std::make_shared<PipelineState>(*state);
        with_area->context_save_base = GpuAddr(base);
        with_area->system_instruction_pointer = GpuAddr(0x500);
        state = with_area;
        memory.put(0, {.group_threads = 6,
                       .slm_code = slm_code,
                       .barrier = barrier,
                       .sampler_offset = 0x60,
                       .binding_table = 0x40,
                       .high_priority = high_priority});
        preamble();
        lifetime = [](const auto&) { return 200'000u; };
        inspect = [this](ThreadDispatch& d) {
            (d.restored ? second : first).push_back(d.sideband);
            namespace row = packets::GPGPU_PAYLOAD_HEADER;
            std::array<std::uint32_t, 8> r0;
            std::memcpy(r0.data(), d.payload[0].bytes, sizeof r0);
            const std::array<std::uint64_t, 5> held{
                row::SlmEnable.get(r0), row::SlmIndex.get(r0), row::BarrierEnable.get(r0),
                row::BarrierIdHigh.get(r0) << 4 | row::BarrierIdLow.get(r0), d.sideband.priority};
            const auto [at, is_new] = resources.emplace(d.sideband.fftid, held);
            EXPECT_EQ(is_new, !d.restored);
            if (trusted) {
                EXPECT_EQ(at->second, held);
            }
            if (!d.restored) d.hidden.accumulators[0][0] = std::uint8_t(d.sideband.fftid + 1);
            if (d.restored) {
                EXPECT_EQ(d.hidden.accumulators[0][0], d.sideband.fftid + 1);
            }
        };
        walker = add(walker_command(state, {.threads = {6, 1, 1}, .groups = {groups, 1, 1}}));
        while (threads.size() < 6 * groups)
            run(100);
        run(100);
    }
    unsigned saved_threads() const {
        unsigned count = 0;
        if (!commands[walker].remaining) return 0;
        for (const std::uint32_t bits : commands[walker].remaining->saved_threads)
            count += static_cast<unsigned>(std::popcount(bits));
        return count;
    }
    void come_back() {
        preamble();
        resume(walker);
        send_more();
    }
};

// 003:17316: whoever wants the one cannot have the other.
TEST(SaveWalk, AWalkerWithStackExceptionsThatCouldBeSavedIsReported) {
    GEN9_COVERS("PRE-19");
    ModuleBench bench;
    bench.memory.put(0, {.stack_exception = false});
    bench.memory.put(1, {.stack_exception = true});
    bench.preamble(2);
    const auto errors = [&](std::uint64_t base, std::uint64_t routine, unsigned descriptor) {
        auto state = std::make_shared<PipelineState>(*bench.state);
        state->context_save_base = GpuAddr(base);
        state->system_instruction_pointer = GpuAddr(routine);
        const auto before = bench.env.reporter.guest_errors();
        const std::size_t threads = bench.threads.size();
        bench.add(walker_command(state, {.descriptor = descriptor}));
        bench.send_more();
        bench.run(2000);
        EXPECT_EQ(bench.threads.size(), threads + 1) << "it runs all the same";
        return bench.env.reporter.guest_errors() - before;
    };
    EXPECT_EQ(errors(ModuleBench::kSaveBase, 0x500, 1), 1u);
    EXPECT_EQ(errors(ModuleBench::kSaveBase, 0x500, 0), 0u);
    EXPECT_EQ(errors(0, 0x500, 1), 0u) << "nowhere to save";
    EXPECT_EQ(errors(ModuleBench::kSaveBase, 0, 1), 0u) << "no routine";
}

// PRE-22, first half: no message to SLM is outstanding when its engine begins, and the walker is
// answered when the engines are done. PRE-13: where it goes.
TEST(SaveWalk, SlmIsSavedAfterTheLastThreadAndBeforeTheAnswer) {
    GEN9_COVERS("PRE-22");
    SaveBench bench;
    bench.save(bench.walker);
    bench.run(40);
    EXPECT_EQ(bench.save_notices.size(), 4u) << "an EU was not told";
    EXPECT_TRUE(bench.slm_orders.empty());
    bench.run(1000);
    EXPECT_EQ(bench.live, 0u);
    ASSERT_EQ(bench.slm_orders.size(), 2u);
    for (unsigned s = 0; s < 2; ++s) {
        EXPECT_EQ(bench.slm_orders[s].what, 0u) << "save";
        EXPECT_EQ(bench.slm_orders[s].address, ModuleBench::kSaveBase + 0x10000 * s);
        EXPECT_GT(bench.slm_orders[s].at, bench.save_notices.back().second);
    }
    EXPECT_EQ(bench.finished[bench.walker], ModuleBench::kNever);
    bench.answer(bench.slm_orders[1]);
    bench.run(1000);
    EXPECT_EQ(bench.finished[bench.walker], ModuleBench::kNever) << "one still saves";
    bench.answer(bench.slm_orders[0]);
    bench.run(1000);
    EXPECT_NE(bench.finished[bench.walker], ModuleBench::kNever);
    EXPECT_EQ(bench.saved_threads(), 12u);

    bench.come_back();
    bench.run(2000);
    ASSERT_EQ(bench.slm_orders.size(), 4u);
    EXPECT_EQ(bench.slm_orders[2].what, 8u) << "restore";
    EXPECT_TRUE(bench.second.empty()) << "a thread before its memory";
    bench.answer(bench.slm_orders[2]);
    bench.run(1000);
    EXPECT_TRUE(bench.second.empty());
    const Cycles answered = bench.clock.now();
    bench.answer(bench.slm_orders[3]);
    bench.run(1000);
    ASSERT_EQ(bench.second.size(), 12u);
    EXPECT_EQ(bench.threads[12].walker, 1u) << "what is left of it is a work of its own";
    EXPECT_EQ(bench.threads[12].sent, answered + Cycles(1))
        << "whether the dispatcher has run in the cycle of the answer or not";
    EXPECT_EQ(bench.spawner.stats().threads_restored.value(), 12u);
    for (const ThreadSideband& back : bench.second) {
        const auto same = [&](const ThreadSideband& t) { return t.fftid == back.fftid; };
        const auto before = std::ranges::find_if(bench.first, same);
        ASSERT_NE(before, bench.first.end());
        EXPECT_EQ(back.slm_base, before->slm_base);
        EXPECT_GT(back.slm_size, 0u);
        EXPECT_EQ(back.slm_size, before->slm_size);
        EXPECT_EQ(back.kernel_start.value, before->kernel_start.value);
        EXPECT_EQ(before->sampler_state_offset, 0x60u);
        EXPECT_EQ(back.sampler_state_offset, 0x60u);
        EXPECT_EQ(before->binding_table_offset, 0x40u);
        EXPECT_EQ(back.binding_table_offset, 0x40u);
        EXPECT_EQ(back.save_area.value, before->save_area.value);
    }
    // The barriers are set up for the groups that came back.
    std::uint32_t armed = 0;
    for (const auto& write : bench.barriers)
        if (write.count == 6) ++armed;
    EXPECT_EQ(armed, 4u);
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_FALSE(bench.env.reporter.failed());
}

// Two groups in a subslice, which hold different barriers and parts of its memory.
TEST(SaveWalk, EachGroupOfASubsliceHasItsOwnBack) {
    SaveBench bench(ModuleBench::kSaveBase, 2, 3, 128, true, 4, true);
    bench.save(bench.walker);
    bench.run(1000);
    for (const auto& order : std::vector(bench.slm_orders))
        bench.answer(order);
    bench.run(1000);
    ASSERT_EQ(bench.saved_threads(), 24u);
    bench.come_back();
    bench.run(8000);
    for (std::size_t i = 2; i < bench.slm_orders.size(); ++i)
        bench.answer(bench.slm_orders[i]);
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.second.size(), 24u);
    std::set<std::array<std::uint64_t, 5>> held;
    for (const auto& [fftid, resources] : bench.resources) {
        held.insert(resources);
        EXPECT_EQ(resources[4], 1u) << "the descriptor's priority";
    }
    EXPECT_EQ(held.size(), 2u) << "of each subslice";
    for (const ThreadSideband& back : bench.second)
        EXPECT_EQ(back.slm_base, 1024 * bench.resources.at(back.fftid)[1]);
    EXPECT_FALSE(bench.env.reporter.failed());
}

// Time goes on, though nothing is begun.
TEST(SaveWalk, ACommandThatIsWorkedOnMeanwhileWaitsForTheEndOfIt) {
    SaveBench bench;
    const std::size_t next = bench.add(walker_command(bench.state, {.threads = {6, 1, 1}}));
    bench.send_more();
    bench.run(2);  // of the four cycles that the front end works on a command
    bench.save(next);
    const auto begin = bench.clock.now();
    bench.run(1000);
    EXPECT_EQ((bench.clock.now() - begin).value, 1000u);
    ASSERT_EQ(bench.slm_orders.size(), 2u) << "the threads are saved";
    EXPECT_EQ(bench.first.size(), 12u) << "no thread of the next walker is sent";
    for (const auto& order : bench.slm_orders)
        bench.answer(order);
    bench.run(1000);
    EXPECT_NE(bench.finished[bench.walker], ModuleBench::kNever);
}

TEST(SaveWalk, WithoutSlmNoEngineIsAsked) {
    SaveBench bench(ModuleBench::kSaveBase, 0);
    bench.save(bench.walker);
    bench.run(2000);
    EXPECT_NE(bench.finished[bench.walker], ModuleBench::kNever);
    EXPECT_EQ(bench.saved_threads(), 12u);
    bench.come_back();
    bench.run();
    EXPECT_TRUE(bench.slm_orders.empty());
    EXPECT_EQ(bench.second.size(), 12u);
    EXPECT_TRUE(bench.all_finished());
}

// By one port: each access begins when the last one is done.
TEST(SaveWalk, WhatIsKeptOfThreadsIsWrittenAndReadOneBehindTheOther) {
    SaveBench bench(ModuleBench::kSaveBase, 0);
    std::vector<Cycles> writes, reads;
    bench.mem_in.on_blocking = [&, serve = bench.mem_in.on_blocking](auto& p, auto& delay) {
        if (p.get_address() >= ModuleBench::kSaveBase)
            (p.is_write() ? writes : reads)
                .push_back(bench.clock.now() + bench.clock.cycles(delay));
        serve(p, delay);
    };
    bench.save(bench.walker);
    bench.run(2000);
    bench.come_back();
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(writes.size(), 12u);
    ASSERT_EQ(reads.size(), 12u);
    for (std::size_t i = 1; i < 12; ++i) {
        EXPECT_GE(writes[i], writes[i - 1] + bench.memory_latency) << i;
        EXPECT_GE(reads[i], reads[i - 1] + bench.memory_latency) << i;
    }
}

// A child is no thread of a walker, and has no command to come back by (PRE-10).
class SaveBehindAChild : public testing::TestWithParam<bool> {};

TEST_P(SaveBehindAChild, ThatWaitsForASlotThreadsEndFirst) {
    const bool child = GetParam();
    ModuleBench bench({1, 1, 1, 7});
    auto with_area = std::make_shared<PipelineState>(*bench.state);
    with_area->context_save_base = GpuAddr(ModuleBench::kSaveBase);
    with_area->system_instruction_pointer = GpuAddr(0x500);
    bench.state = with_area;
    bench.memory.put(0, {});
    bench.preamble();
    bench.lifetime = [](const auto&) { return 5000u; };
    std::vector<ThreadSideband> sides;
    sides.reserve(8);
    bench.inspect = [&](ThreadDispatch& d) { sides.push_back(d.sideband); };
    const auto walker = bench.add(walker_command(bench.state, {.threads = {7, 1, 1}}));
    bench.run(2000);
    ASSERT_EQ(bench.live, 7u);
    Message spawn;
    spawn.sfid = Sfid::ThreadSpawner;
    spawn.descriptor = 0x02000001;
    spawn.length = 1;
    spawn.sender = &sides[3];
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    if (child) (*bench.msg_out[0])->nb_transport_fw(spawn, phase, delay);
    bench.run(100);
    bench.save(walker);
    bench.run(1000);
    EXPECT_EQ(bench.save_notices.empty(), child);
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.threads.size(), child ? 8u : 7u);
    EXPECT_EQ(bench.spawner.stats().threads_saved.value(), child ? 0u : 7u);
    EXPECT_FALSE(bench.env.reporter.failed());
}
INSTANTIATE_TEST_SUITE_P(Either, SaveBehindAChild, testing::Bool());

// There is nowhere to save them.
TEST(SaveWalk, WithoutAnAreaThreadsEndFirst) {
    SaveBench bench(0, 0);
    bench.save(bench.walker);
    bench.run(2000);
    EXPECT_TRUE(bench.save_notices.empty());
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.saved_threads(), 0u);
}

// Its registers come by the system routine; R0 says nothing of a group that holds nothing.
TEST(SaveWalk, AThreadThatComesBackBeginsWithNothingOfWhoHadItsSlot) {
    SaveBench bench(ModuleBench::kSaveBase, 0, 3, 128, false);
    bench.save(bench.walker);
    bench.run(2000);
    ASSERT_EQ(bench.saved_threads(), 12u);
    std::vector<Grf> headers;
    bench.inspect = [&, before = bench.inspect](ThreadDispatch& d) {
        before(d);
        if (d.restored) headers.push_back(d.payload[0]);
    };
    bench.come_back();
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    ASSERT_EQ(headers.size(), 12u);
    EXPECT_EQ(bench.spawner.stats().threads_saved.value(), 12u);
    EXPECT_EQ(bench.spawner.stats().threads_restored.value(), 12u);
    for (const Grf& header : headers)
        for (const std::uint8_t byte : header.bytes)
            EXPECT_EQ(byte, 0);
}

TEST(SaveWalk, WithoutAnEngineGroupsWithSlmEndFirst) {
    SaveBench bench(ModuleBench::kSaveBase, 2, 1);
    bench.save(bench.walker);
    bench.run(2000);
    EXPECT_TRUE(bench.save_notices.empty());
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.saved_threads(), 0u);
    EXPECT_FALSE(bench.env.reporter.failed());
}

// Without SLM there is nothing to align.
struct Alignment {
    std::uint64_t base;
    unsigned slm_code, kilobytes, notes;
};
class SaveAlignment : public testing::TestWithParam<Alignment> {};
TEST_P(SaveAlignment, AnAreaThatIsNotAlignedIsUsedAndNamed) {
    GEN9_COVERS("PRE-21");
    const Alignment& row = GetParam();
    SaveBench bench(ModuleBench::kSaveBase + row.base, row.slm_code, 3, row.kilobytes);
    bench.save(bench.walker);
    bench.run(2000);
    for (const auto& order : std::vector(bench.slm_orders))
        bench.answer(order);
    bench.run(1000);
    EXPECT_EQ(bench.saved_threads(), 12u);
    EXPECT_EQ(bench.env.log.size(), row.notes);
    EXPECT_FALSE(bench.env.reporter.failed());
}
INSTANTIATE_TEST_SUITE_P(Rows, SaveAlignment,
                         testing::Values(Alignment{0x20000, 2, 128, 0},
                                         Alignment{0x10000, 2, 128, 1},
                                         Alignment{0x10000, 2, 64, 0},  // GT1
                                         Alignment{0x08000, 2, 64, 1},
                                         Alignment{0x01000, 0, 128, 0}));

// What memory says of a group is not trusted.
TEST(SaveWalk, ASavedGroupWhoseSlmCannotBeIsReported) {
    SaveBench bench;
    bench.save(bench.walker);
    bench.run(1000);
    for (const auto& order : std::vector(bench.slm_orders))
        bench.answer(order);
    bench.run(1000);
    bench.trusted = false;
    for (const ThreadSideband& thread : bench.first) {
        const std::uint64_t at = thread.save_area.value - ModuleBench::kSaveBase + 0x1800 + 4 * 11;
        bench.save_area[at + 2] = 63;  // granule
    }
    bench.come_back();
    bench.run(2000);
    for (std::size_t i = 2; i < bench.slm_orders.size(); ++i)
        bench.answer(bench.slm_orders[i]);
    bench.run();
    EXPECT_GT(bench.env.reporter.guest_errors(), 0u);
    EXPECT_TRUE(bench.all_finished());
}

}  // namespace
}  // namespace gen9::media::test
