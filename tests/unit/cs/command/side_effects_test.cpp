// SPDX-License-Identifier: Apache-2.0
// What a command leaves alone, and what it reports.
#include <gtest/gtest.h>

#include <tuple>

#include "cs/command/fetch.h"
#include "cs/command/interpreter.h"
#include "tests/unit/cs/stream.h"

namespace gen9 {
namespace {

using namespace test;

struct SideEffects : Interpreter {};

TEST_F(SideEffects, ABatchAskedToStartTheResourceStreamerRunsAndIsReported) {
    Words batch = sdi(kData, 7);
    append(batch, kEnd);
    engine.ppgtt.put(kBatch, batch);
    run(Stream() << start(kBatch, 0x500));
    EXPECT_EQ(data(0), 7u);
    EXPECT_EQ(engine.environment.reporter.not_modelled_uses(), 1u);
}

TEST_F(SideEffects, AnImmediateOfOneDwordLeavesTheNextAlone) {
    engine.ppgtt.put(kData, Words{1, 2, 3, 4, 5});
    run(Stream() << Words{0x13004002, low(kData), high(kData), 0xAAAA}
                 << Words{0x13004003, low(kData + 8), high(kData), 0xBBBB, 0xCCCC});
    EXPECT_EQ(data(0), 0xAAAAu);
    EXPECT_EQ(data(1), 2u);
    EXPECT_EQ(data(2), 0xBBBBu);
    EXPECT_EQ(data(3), 0xCCCCu);
    EXPECT_EQ(data(4), 5u);
}

TEST_F(SideEffects, StateBaseAddressLeavesTheSystemInstructionPointerAlone) {
    run(Stream() << kSelectGpgpu << Words{0x61020001, 0x500, 0} << state_base_address()
                 << Words{0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0} << walker());
    ASSERT_FALSE(engine.sent.empty());
    EXPECT_EQ(engine.sent.back().state->system_instruction_pointer.value, 0x500u);
}

TEST_F(SideEffects, ANoopMayStandInThePredicatedScope) {
    run(Stream() << Words{0x0080000F} << Words{0} << lri(0x2600, 5) << Words{0x00800000}
                 << lri(0x2608, 6));
    EXPECT_TRUE(engine.kinds().empty());
    EXPECT_EQ(engine.gpr(0), 0u) << "in the scope";
    EXPECT_EQ(engine.gpr(1), 6u);
}

TEST_F(SideEffects, AConditionalEndComparesInTheAddressSpaceItNames) {
    // 8 in one space and 0 in the other at one address; the batch ends where memory is not above 5.
    for (const bool global : {false, true})
        for (const std::uint32_t in_ggtt : {0u, 8u}) {
            Engine e;
            e.ppgtt.map(kData, 0x1000);
            e.ppgtt.put(0x30000, 8 - in_ggtt);
            e.ggtt.put(0x30000, in_ggtt);
            e.ggtt.put(0x60000, (Stream() << Words{0x1B200002u | global << 22, 5, 0x30000, 0}
                                          << sdi(kData, 1) << kEnd)
                                    .words);
            e.run_ring((Stream() << start(0x60000, 0)).words);
            const std::uint32_t compared = global ? in_ggtt : 8 - in_ggtt;
            EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData), compared > 5 ? 1u : 0u);
        }
}

TEST_F(SideEffects, AFlushOfDwordsWritesAndInvalidatesData) {
    run(Stream() << Words{0x13000002, 0, 0, 0} << Words{0x13040002, 0, 0, 0});
    std::vector<CacheControl> of_commands;  // a switch of contexts invalidates instructions as well
    for (const CacheControl& control : engine.controls)
        if (!control.invalidate_instruction && control.invalidate_data)
            of_commands.push_back(control);
    ASSERT_EQ(of_commands.size(), 2u);
    EXPECT_TRUE(of_commands[0].flush_data);
    EXPECT_FALSE(of_commands[0].invalidate_tlb);
    EXPECT_TRUE(of_commands[1].flush_data);
    EXPECT_TRUE(of_commands[1].invalidate_tlb);
}

TEST_F(SideEffects, AnUnknownRegisterIsSaidOnceAndKeepsItsValue) {
    const std::size_t before = engine.environment.log.size();
    run(Stream() << lri(0x2FF0, 5) << lri(0x2FF0, 6));
    EXPECT_EQ(engine.environment.log.size(), before + 1);
    EXPECT_EQ(engine.core.read_register(0x2FF0), 6u);
}

TEST_F(SideEffects, ACommandMayLieAcrossTwoFetches) {
    for (unsigned before = 8; before <= 16; ++before) {
        Engine e({.fetch_bytes = 64});
        e.ppgtt.map(kData, 0x1000);
        e.run_ring((Stream() << Words(before, 0) << sdi(kData, 0xABCD) << lri(0x2600, 7)).words);
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData), 0xABCDu) << before;
        EXPECT_EQ(e.gpr(0), 7u) << before;
        EXPECT_TRUE(e.kinds().empty());
    }
}

TEST_F(SideEffects, OnlyTheBlockAfterTheOneInHandIsFetchedInSequence) {
    struct Sequence : FakeBus {
        std::vector<bool> sequential;
        bool fetch(AddressSpace, GpuAddr, std::span<std::uint8_t>, bool follows) override {
            sequential.push_back(follows);
            return true;
        }
    } bus;
    cs::FetchBuffer buffer(64);
    const auto at = [&](std::uint64_t address, AddressSpace space = AddressSpace::Ppgtt) {
        buffer.dword(bus, space, GpuAddr(address));
        return bus.sequential.back();
    };
    EXPECT_FALSE(at(0x1000)) << "the first";
    EXPECT_TRUE(at(0x1040));
    EXPECT_FALSE(at(0x2000)) << "elsewhere";
    EXPECT_FALSE(at(0x2040, AddressSpace::Ggtt)) << "in another space";
    buffer.drop();
    EXPECT_FALSE(at(0x2080, AddressSpace::Ggtt)) << "after a jump";
    EXPECT_EQ(bus.sequential.size(), 5u);
}

// A write into the block in hand has it read again: of any byte of it, and of none beside it.
TEST_F(SideEffects, TheBlockInHandIsReadAgainWhenItHasBeenWritten) {
    struct Counting : FakeBus {
        unsigned fetches = 0;
        bool fetch(AddressSpace, GpuAddr, std::span<std::uint8_t>, bool) override {
            return ++fetches != 0;
        }
    } bus;
    cs::FetchBuffer buffer(64);
    const auto read_again = [&](std::uint64_t address, std::uint64_t bytes) {
        buffer.dword(bus, AddressSpace::Ppgtt, GpuAddr(0x1000));
        const unsigned before = bus.fetches;
        buffer.written(GpuAddr(address), bytes);
        buffer.dword(bus, AddressSpace::Ppgtt, GpuAddr(0x103C));
        return bus.fetches != before;
    };
    EXPECT_TRUE(read_again(0x1000, 4));
    EXPECT_TRUE(read_again(0x1020, 1));
    EXPECT_TRUE(read_again(0x103F, 8));
    EXPECT_TRUE(read_again(0xFFC, 5));
    EXPECT_TRUE(read_again(0xF00, 0x1000));
    EXPECT_FALSE(read_again(0xFFC, 4));
    EXPECT_FALSE(read_again(0x1040, 4));
    EXPECT_FALSE(read_again(0x2000, 64));
}

// What differs from run to run is told to whoever records them: where a time was written.
struct Recorded : Engine {
    using Times = std::vector<std::tuple<AddressSpace, std::uint64_t, std::size_t>>;
    Times times;  ///< and how many bytes
    void wrote_time(AddressSpace space, GpuAddr address, std::size_t bytes) override {
        times.emplace_back(space, address.value, bytes);
    }
};
// What an error in the stream shows of it: the block in hand, and nothing that has to be read.
TEST(FetchBuffer, ShowsTheBlockInHandOnly) {
    FakeBus bus;
    for (std::uint32_t i = 0; i < 64; ++i)
        bus.ppgtt.put(0x1000 + 4 * i, 100 + i);
    cs::FetchBuffer buffer(64);
    const auto shows = [&](std::uint64_t address, AddressSpace space = AddressSpace::Ppgtt) {
        return buffer.peek(space, GpuAddr(address));
    };
    EXPECT_EQ(shows(0), std::nullopt) << "nothing has been fetched";
    ASSERT_EQ(buffer.dword(bus, AddressSpace::Ppgtt, GpuAddr(0x1048)), 118u);
    EXPECT_EQ(shows(0x103C), std::nullopt);
    EXPECT_EQ(shows(0x1040), 116u);
    EXPECT_EQ(shows(0x107C), 131u);
    EXPECT_EQ(shows(0x1080), std::nullopt);
    EXPECT_EQ(shows(0x1040, AddressSpace::Ggtt), std::nullopt);
    buffer.drop();
    EXPECT_EQ(shows(0x1040), std::nullopt);
}

// Also where it lies in the block that its start was in.
TEST_F(SideEffects, ABatchIsFetchedWhenItBegins) {
    engine.ppgtt.put(kBatch, start(kBatch + 0x40));
    engine.ppgtt.put(kBatch + 0x40, (Stream() << sdi(kData, 1) << kEnd).words);
    unsigned parsed = 0;
    engine.on_parsed = [&] {
        if (++parsed == 2) engine.ppgtt.put(kBatch + 0x40, sdi(kData, 2));
    };
    run(Stream() << start(kBatch));
    EXPECT_EQ(data(0), 2u);
}

TEST_F(SideEffects, EachTimeThatIsWrittenIsTold) {
    using Times = Recorded::Times;
    const auto told = [](const Words& command) {
        Recorded e;
        e.ppgtt.map(kData, 0x1000);
        e.ggtt.map(kData, 0x1000);
        e.core.write_register(0x2080, kStatusPage);
        e.core.write_register(0x2B00, 1u << 5 | 1);  // OACONTROL: reports of 64 bytes
        e.run_ring(command);
        return e.times;
    };
    const auto one = [](AddressSpace space, std::size_t bytes) {
        return Times{{space, kData, bytes}};
    };
    constexpr auto kGlobal = AddressSpace::Ggtt, kOwn = AddressSpace::Ppgtt;
    const auto at = low(kData);
    EXPECT_EQ(told({0x1300C002, at, 0, 0}), one(kOwn, 8)) << "MI_FLUSH_DW";
    EXPECT_EQ(told({0x1300C002, at | 4, 0, 0}), one(kGlobal, 8));
    EXPECT_EQ(told({0x13004003, at, 0, 1, 2}), Times{}) << "a value";
    EXPECT_EQ(told(pipe_control(0xC000, kData)), one(kOwn, 8));
    EXPECT_EQ(told(pipe_control(0xC000 | 1u << 24, kData)), one(kGlobal, 8));
    EXPECT_EQ(told(pipe_control(0x4000, kData, 5)), Times{});
    // In a status page: of the global one, or of the context's, at an offset.
    const auto in_page = [](std::uint64_t page) {
        return Times{{AddressSpace::Ggtt, page + 0x80, 8}};
    };
    EXPECT_EQ(told({0x1320C002, 0x84, 0, 0}), in_page(kStatusPage)) << "MI_FLUSH_DW";
    EXPECT_EQ(told({0x1320C002, 0x80, 0, 0}), in_page(kContext));
    EXPECT_EQ(told(pipe_control(0x0130C000, 0x80)), in_page(kStatusPage));
    EXPECT_EQ(told(pipe_control(0x0030C000, 0x80)), in_page(kContext));
    for (const std::uint32_t time : {0x2358u, 0x235Cu, 0x23A8u})
        EXPECT_EQ(told(srm(time, kData)), one(kOwn, 4)) << time;
    EXPECT_EQ(told(srm(0x2600, kData)), Times{});
    EXPECT_EQ(told(sdi(kData, 1)), Times{});
    EXPECT_EQ(told({0x14000002, at, 0, 0}), one(kOwn, 64)) << "MI_REPORT_PERF_COUNT";
}

// Each counter by what the stream is made of.
TEST_F(SideEffects, CommandsAreCountedByTheirKinds) {
    const Words math = {0x0D000002, 0x08008000, 0x08008401, 0x10000000}, interrupt = {0x01000000};
    const std::vector<Words> second{sdi(kData, 1), math, kEnd};
    const std::vector<Words> first{start(kBatch + 0x1000, 1u << 22 | 0x100), interrupt, kEnd};
    const std::vector<Words> ring{pipe_control(0), start(kBatch), pipe_control(0), math, Words{0}};
    const auto joined = [](const std::vector<Words>& commands) {
        Words all;
        for (const Words& command : commands)
            append(all, command);
        return all;
    };
    engine.ppgtt.put(kBatch, joined(first));
    engine.ppgtt.put(kBatch + 0x1000, joined(second));
    Engine idle;  // what a context itself costs
    idle.run_ring({0});
    engine.run_ring(joined(ring));
    const cs::CsStats &now = engine.stats, &before = idle.stats;
    const std::size_t commands = ring.size() + first.size() + second.size();
    const std::size_t dwords = joined(ring).size() + joined(first).size() + joined(second).size();
    EXPECT_EQ(now.commands.value() - before.commands.value(), commands - 1);
    EXPECT_EQ(now.dwords.value() - before.dwords.value(), dwords - 1);
    EXPECT_EQ(now.batches.value() - before.batches.value(), 2u);
    EXPECT_EQ(now.pipe_controls.value() - before.pipe_controls.value(), 2u);
    EXPECT_EQ(now.alu_instructions.value(), 2u * 3);
    EXPECT_EQ(now.interrupts.value() - before.interrupts.value(), 1u);
    EXPECT_EQ(now.submissions.value(), 1u);
    EXPECT_EQ(now.contexts.value(), 1u);
    EXPECT_EQ(now.pipeline_commands.value(), 0u);
    Engine work;
    work.run_ring((Stream() << kSelectGpgpu << walker()).words);
    EXPECT_EQ(work.sent.size(), 1u);
    EXPECT_EQ(work.stats.pipeline_commands.value(), work.sent.size() + work.states.size());
}

/// MI_FLUSH_DW's post-sync operation: 1 writes what it holds, 3 the time; of 8 bytes if it has room
/// for them.
TEST_F(SideEffects, AFlushOfDwordsWritesBehindTheWork) {
    using Written = std::array<std::uint64_t, 3>;
    const std::uint64_t unset = 0xCCCC'CCCC'CCCC'CCCC;
    const auto written = [&](const Words& command) {
        Engine e;
        e.ppgtt.put(kData, unset);
        e.ggtt.put(kData, unset);
        e.ggtt.put(kStatusPage + 0x80, unset);
        e.core.write_register(0x2080, kStatusPage);
        e.run_ring(command);
        EXPECT_FALSE(e.environment.reporter.failed());
        return Written{e.ppgtt.get<std::uint64_t>(kData), e.ggtt.get<std::uint64_t>(kData),
                       e.ggtt.get<std::uint64_t>(kStatusPage + 0x80)};
    };
    const auto at = low(kData);
    EXPECT_EQ(written({0x13004003, at, 0, 0x11111111, 0x22222222}),
              (Written{0x22222222'11111111ull, unset, unset}));
    EXPECT_EQ(written({0x13004002, at, 0, 0x11111111}),
              (Written{0xCCCCCCCC'11111111ull, unset, unset}))
        << "a DWord";
    EXPECT_EQ(written({0x13004003, at | 4, 0, 0x11111111, 0x22222222}),
              (Written{unset, 0x22222222'11111111ull, unset}))
        << "in the GGTT";
    EXPECT_EQ(written({0x13204003, 0x80 | 4, 0, 0x11111111, 0x22222222}),
              (Written{unset, unset, 0x22222222'11111111ull}))
        << "in the status page";
    EXPECT_EQ(written({0x13000003, at, 0, 0x11111111, 0x22222222}), (Written{unset, unset, unset}))
        << "no operation";
    Engine late;
    late.ppgtt.put(kData, unset);
    late.time = 0x5'0000'0000;
    late.run_ring({0x1300C002, at, 0, 0});
    EXPECT_EQ(late.ppgtt.get<std::uint64_t>(kData) >> 32, 5u) << "all of the time";
    // The work has ended, and its data are in memory, before the write.
    run(Stream() << kSelectGpgpu << walker() << Words{0x13004002, at, 0, 1});
    const auto end = std::ranges::find(engine.journal, "write " + std::to_string(kData) + " 4");
    ASSERT_NE(end, engine.journal.end());
    EXPECT_EQ(*(end - 1), "flush");
    EXPECT_EQ(*(end - 2), "drain");
}

TEST_F(SideEffects, TheReservedOperationOfAFlushWritesNothing) {
    run(Stream() << Words{0x13008003, low(kData), 0, 1, 2} << sdi(kData + 8, 1));
    EXPECT_EQ(data64(0), 0u);
    EXPECT_EQ(data(2), 1u);
    EXPECT_EQ(engine.kinds(), std::vector<std::string>{"cs: MI_FLUSH_DW"});
}

TEST_F(SideEffects, AFlushOfDwordsNotifiesWhenItHasWritten) {
    engine.core.write_register(0x20A8, ~1u);
    std::size_t at_write = 1;
    engine.on_write = [&](GpuAddr address) {
        if (address.value == kData) at_write = engine.interrupts.size();
    };
    run(Stream() << Words{0x13004102, low(kData), 0, 1});
    EXPECT_EQ(at_write, 0u);
    EXPECT_EQ(engine.interrupts, std::vector<unsigned>{0});
}

TEST_F(SideEffects, ALoadedContextFindsNothingCached) {
    run(Stream() << Words{0});
    ASSERT_FALSE(engine.controls.empty());
    const CacheControl& c = engine.controls.front();
    EXPECT_TRUE(c.flush_data && c.invalidate_data && c.invalidate_instruction &&
                c.invalidate_state && c.invalidate_constant && c.invalidate_texture &&
                c.invalidate_tlb);
}

TEST_F(SideEffects, AFlushWritesAndInvalidatesDataBehindTheWork) {
    run(Stream() << kSelectGpgpu << walker() << Words{0x02000000});
    unsigned flushes = 0;
    for (const CacheControl& control : engine.controls)
        if (!control.invalidate_instruction && control.flush_data && control.invalidate_data)
            ++flushes;
    EXPECT_EQ(flushes, 1u);
    const auto work = std::ranges::find(engine.journal, "drain");
    ASSERT_NE(work, engine.journal.end());
    EXPECT_EQ(*(work + 1), "flush");
}

TEST_F(SideEffects, AStoreAtAnIndexStaysInItsPage) {
    engine.ggtt.map(kStatusPage, 0x2000);
    // MI_STORE_DATA_INDEX of two DWords at the page's last one.
    run(Stream() << Words{0x10800002, 0xFFC, 0x1111, 0x2222});
    EXPECT_EQ(engine.ggtt.get<std::uint32_t>(kStatusPage + 0xFFC), 0x1111u);
    EXPECT_EQ(engine.ggtt.get<std::uint32_t>(kStatusPage + 0x1000), 0u);
}

TEST_F(SideEffects, TheStatusPagesAddressHas20Bits) {
    for (unsigned bit = 0; bit < 12; ++bit) {
        Engine e;
        e.core.write_register(0x2080, kStatusPage | 1u << bit);
        e.run_ring({0});
        Engine plain;
        plain.run_ring({0});
        for (std::uint32_t at = 0; at < 0x1000; at += 4)
            ASSERT_EQ(e.ggtt.get<std::uint32_t>(kStatusPage + at),
                      plain.ggtt.get<std::uint32_t>(kStatusPage + at))
                << bit << " " << at;
    }
}

TEST_F(SideEffects, CommandsAreCountedOnceEach) {
    engine.ppgtt.put(kBatch, (Stream() << sdi(kData, 7) << kEnd).words);
    run(Stream() << Words{0} << start(kBatch) << lri(0x2600, 1));
    EXPECT_EQ(engine.stats.commands.value(), 5u);
    EXPECT_EQ(engine.stats.dwords.value(), 1u + 3 + 4 + 1 + 3);
}

TEST_F(SideEffects, ADrainThatIsOverIsNoLongerWaitedFor) {
    std::vector<std::string> seen;
    engine.on_drain = [&] { seen.push_back(engine.core.describe()); };
    engine.on_parsed = [&] { seen.push_back(engine.core.describe()); };
    run(Stream() << Words{0x13000002, 0, 0, 0} << Words{0});
    ASSERT_GE(seen.size(), 3u);
    EXPECT_EQ(seen[0].find("waits"), std::string::npos) << seen[0];
    EXPECT_NE(seen[1].find("waits for 0 pipeline command(s) to end"), std::string::npos) << seen[1];
    EXPECT_EQ(seen[2].find("waits"), std::string::npos) << seen[2];
}

}  // namespace
}  // namespace gen9
