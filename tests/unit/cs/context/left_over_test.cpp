// SPDX-License-Identifier: Apache-2.0
// What is left of one context, wait, draw or command when the next one comes: nothing.
#include <algorithm>

#include "tests/unit/cs/context/contexts.h"

namespace gen9 {
namespace {

using namespace test;

// The sum of a counter over the slices, which no image holds, is that of the slices' own counts.
TEST_F(Contexts, SumsOfSlicesAreTheContextsOwn) {
    constexpr std::uint32_t kSum = 0x2348;
    std::uint32_t tail = 0, tail2 = 0;
    const auto sum = [&] { return engine.core.read_register(kSum); };
    add(tail, lri(0x2244, 0x00010000) + lri(0x22C8, 7) + lri(0x22F0, 20));
    engine.submit();
    engine.core.run();
    engine.core.count_draw({.ps_invocations = 100});
    EXPECT_EQ(sum(), 127u);
    add(tail2, lri(0x2244, 0x00010000), kRing2, kContext2);
    engine.submit(submission(kContext2, 9));
    engine.core.run();
    EXPECT_EQ(sum(), 0u) << "a new context";
    add(tail, Words{0});
    engine.submit();
    engine.core.run();
    EXPECT_EQ(sum(), 27u) << "as it was saved";
    engine.core.count_draw({.ps_invocations = 100});
    // A ring without execlists.
    engine.core.write_register(0x229C, 0x80000000);
    engine.core.write_register(0x2038, kRing2);
    engine.core.write_register(0x2034, 0);
    engine.core.write_register(0x203C, 0x3001);
    engine.ggtt.put(kRing2, Words{0, 0});
    engine.core.write_register(0x2030, 8);
    engine.core.run();
    EXPECT_EQ(sum(), 0u);
}

// A context that was preempted in a batch goes on there, whatever its workaround batches are.
TEST_F(Contexts, WorkaroundBatchesLeaveTheContextWhereItWas) {
    engine.ppgtt.map(kBatch, 0x1000);
    engine.ggtt.put(0x200000, count(kData + 12) + kEnd);
    engine.ggtt.put(0x201000, Words(16, 0));
    engine.ggtt.put(kContext + 0x1000 + 4 * 0x18, Words{0x21C0, 0x200001, 0x21C4, 0x201001});
    std::uint32_t tail = 0, tail2 = 0;
    engine.ppgtt.put(kBatch, count() + Words{0x02800000} + count(kData + 4) + kEnd);
    add(tail, start(kBatch) + count(kData + 8));
    add(tail2, Words{0}, kRing2, kContext2);
    engine.on_write = [&](GpuAddr address) {
        if (address.value != kData) return;
        engine.on_write = nullptr;
        engine.submit(submission(kContext2, 9));
    };
    engine.submit();
    engine.core.run();
    EXPECT_EQ(engine.stats.preemptions.value(), 1u);
    EXPECT_EQ(data(1), 0u);
    engine.submit();
    engine.core.run();
    EXPECT_EQ(data(0), 1u) << "not from the batch's beginning";
    EXPECT_EQ(data(1), 1u);
    EXPECT_EQ(data(2), 1u);
    EXPECT_EQ(data(3), 2u) << "with each load";
}

// Of the rules between GPGPU and media work, too (TD-61).
TEST(LeftOver, AnotherContextsWorkIsNotMixedWithIt) {
    const Words object = Words{0x69040301} + Words{0x71000004, 0, 0, 0, 0, 0};
    const auto mixed = [&](bool same_context) {
        Engine engine({.strict = true});
        write_context(engine.ggtt, kContext2, kRing2);
        const Words second = kSelectGpgpu + walker();
        if (same_context) {
            engine.run_ring(kSelectGpgpu + object + second);
        } else {
            engine.run_ring(kSelectGpgpu + object);
            engine.ggtt.put(kRing2, second);
            engine.set_tail(static_cast<std::uint32_t>(4 * second.size()), kContext2);
            engine.submit(submission(kContext2, 9));
            engine.core.run();
        }
        return std::ranges::any_of(engine.environment.log, [](const std::string& line) {
            return line.find("TD-61") != std::string::npos;
        });
    };
    EXPECT_TRUE(mixed(true));
    EXPECT_FALSE(mixed(false));
}

/// Its pipes give commands back with what the last ones had.
struct UsedAgain : Engine {
    PipelineCommand used;
    PipelineCommand& new_command() override {
        used.failed = true;
        used.channels = 99;
        used.counts.ia_vertices = used.counts.ps_depth = 99;
        used.resumes.emplace();
        used.remaining.emplace();
        used.resumes_draw.emplace();
        used.remaining_draw.emplace();
        used.stream_offsets.value[1] = 99;
        return used;
    }
};
TEST(LeftOver, ACommandThatIsUsedAgainHasNothingOfTheLast) {
    UsedAgain engine;
    engine.with_draws = true;
    engine.run_ring(kSelectGpgpu + walker() + Words{0x69040300} +
                    Words{0x7B000005, 0, 3, 0, 1, 0, 0});
    ASSERT_EQ(engine.sent.size(), 1u);
    ASSERT_EQ(engine.draws.size(), 1u);
    for (const PipelineCommand* const command : {&engine.sent[0], &engine.draws[0]}) {
        EXPECT_FALSE(command->failed);
        EXPECT_EQ(command->channels, 0u);
        EXPECT_EQ(command->counts.ia_vertices + command->counts.ps_depth, 0u);
        EXPECT_FALSE(command->resumes || command->remaining);
        EXPECT_FALSE(command->resumes_draw || command->remaining_draw);
        EXPECT_EQ(command->stream_offsets.value[1], 0u);
    }
}

TEST_F(Contexts, ARingThatIsNotEnabledIsNamedByItsContext) {
    std::uint32_t tail = 0;
    add(tail, count());
    // RING_CTL of the image.
    engine.ggtt.put<std::uint32_t>(kContext + 0x1000 + 4 * 0xB, 0x3000);
    engine.submit();
    engine.core.run();
    EXPECT_EQ(data(0), 0u);
    ASSERT_EQ(engine.environment.log.size(), 1u);
    EXPECT_NE(engine.environment.log[0].find("context 0x40000"), std::string::npos)
        << engine.environment.log[0];
}

/// Notes where its memory is read, and what it says of itself while it gives commands.
struct Noting : Engine {
    std::vector<std::pair<std::uint64_t, std::size_t>> reads;
    std::vector<std::string> said;
    bool read(AddressSpace space, GpuAddr address, std::span<std::uint8_t> bytes) override {
        reads.emplace_back(address.value, bytes.size());
        return Engine::read(space, address, bytes);
    }
    void send(packets::Pipe pipe, PipelineCommand& command) override {
        said.push_back(core.describe());
        Engine::send(pipe, command);
    }
};

// Of what an image holds a load reads each part once; of the two palettes, which few contexts have,
// the first DWord before.
TEST(LeftOver, ALoadReadsEachPartOfItsImageOnce) {
    Noting engine;
    write_context(engine.ggtt, kContext2, kRing2);
    engine.ggtt.put(kRing2, Words{0, 0});
    engine.set_tail(8, kContext2);
    // A chroma key and a filter's size: the sampler's other section.
    engine.run_ring(lri(0x2244, 0x00010000) + Words{0x79110000, 0x1C} + Words{0x79040002, 0, 1, 2});
    engine.submit(submission(kContext2, 9));
    engine.core.run();
    engine.reads.clear();
    engine.submit();
    engine.core.run();
    EXPECT_FALSE(engine.environment.reporter.failed());
    std::vector<std::uint64_t> dwords;
    for (const auto& [address, bytes] : engine.reads)
        for (std::uint64_t at = address; at < address + bytes; at += 4)
            if (at >= kContext + 0x1000 && at < kContext + 0x1000 + 4 * 0x1690)
                dwords.push_back((at - kContext - 0x1000) / 4);
    std::ranges::sort(dwords);
    EXPECT_EQ(std::ranges::adjacent_find(dwords), dwords.end());
    for (const std::uint64_t dword : {0x51u, 0x43Cu, 0x44Du, 0x451u, 0x553u, 0x1420u})
        EXPECT_TRUE(std::ranges::binary_search(dwords, dword)) << dword;
    EXPECT_FALSE(std::ranges::binary_search(dwords, 0x452u)) << "it has no palette";
}

// Media state that a load gives is no command's of the stream.
TEST(LeftOver, WhatALoadGivesBelongsToNoCommand) {
    Noting engine;
    write_context(engine.ggtt, kContext2, kRing2);
    engine.ggtt.put(kRing2, Words{0, 0});
    engine.set_tail(8, kContext2);
    const Words pools = {0x70050004, 0, 0, 0, 0, 0};
    engine.run_ring(lri(0x2244, 0x00010000) + kSelectGpgpu + pools + Words{0});
    const std::size_t given = engine.said.size();
    EXPECT_NE(engine.said.back().find("MEDIA_POOL_STATE"), std::string::npos);
    engine.submit(submission(kContext2, 9));
    engine.core.run();
    engine.submit();
    engine.core.run();
    ASSERT_GE(engine.said.size(), given + 4) << "no pools; then its front end, pools, descriptors";
    for (const auto& [address, bytes] : engine.reads)
        EXPECT_NE(address >> 12, (0x2'0002'2000u + 0x1000) >> 12) << "descriptors are not read";
    for (std::size_t i = given; i < engine.said.size(); ++i) {
        EXPECT_EQ(engine.said[i].find("MEDIA_"), std::string::npos) << engine.said[i];
        EXPECT_EQ(engine.said[i].find("MI_"), std::string::npos) << engine.said[i];
    }
}

TEST_F(Contexts, WhatThePipeHasTakenIsNoLongerWaitedFor) {
    std::vector<std::string> said;
    engine.on_parsed = [&] { said.push_back(engine.core.describe()); };
    std::uint32_t tail = 0;
    add(tail, kSelectGpgpu + walker() + Words{0} + pipe_control(0x00100000) + Words{0});
    engine.submit();
    engine.core.run();
    EXPECT_EQ(engine.sent.size(), 1u);
    ASSERT_GE(said.size(), 8u);
    for (const std::string& text : said)
        EXPECT_EQ(text.find("waits"), std::string::npos) << text;
}

// CS-83 is a rule of the media and GPGPU pipes, and not of the 3D pipe.
TEST(PipeUse, AWriteBehindNoStallIsReportedOfGpgpuAndMediaWorkOnly) {
    for (const auto& [select, errors] : {std::pair{0u, 0}, {1u, 1}, {2u, 1}}) {
        Engine engine({.strict = true});
        engine.ppgtt.map(kData, 0x1000);
        engine.run_ring(Words{0x69040300u | select} + Words{0} + pipe_control(0x4000, kData, 5));
        EXPECT_EQ(std::ranges::count_if(
                      engine.environment.log,
                      [](const std::string& line) { return line.find("CS-83") != line.npos; }),
                  errors)
            << select;
    }
}

// The second of two flushes waits for what the first has begun (CS-132), and more do no harm.
TEST(PipeUse, L3MayBeDividedBehindTwoFlushesOrMore) {
    for (unsigned flushes = 0; flushes < 5; ++flushes) {
        cs::PipeUse use;
        use.given(cs::PipeUse::Work::Gpgpu);
        for (unsigned n = 0; n < flushes; ++n)
            use.pipe_control(true, true);
        EXPECT_EQ(use.may_divide_l3(), flushes >= 2) << flushes;
    }
}

// They come one behind the other; what comes behind both does no harm, until there is work again.
TEST(PipeUse, TheTwoFlushesFollowEachOther) {
    cs::PipeUse use;
    EXPECT_TRUE(use.may_divide_l3()) << "nothing has run";
    use.given(cs::PipeUse::Work::Gpgpu);
    EXPECT_FALSE(use.may_divide_l3());
    use.pipe_control(true, true);
    use.pipe_control(true, false);
    use.pipe_control(true, true);
    EXPECT_FALSE(use.may_divide_l3()) << "one stands between them";
    use.pipe_control(true, true);
    EXPECT_TRUE(use.may_divide_l3());
    use.pipe_control(true, false);
    EXPECT_TRUE(use.may_divide_l3());
    use.given(cs::PipeUse::Work::Media);
    EXPECT_FALSE(use.may_divide_l3());
}

// Each wait has its interrupt, and reads its word, whatever the one before waited for.
TEST_F(Contexts, EachWaitIsOneOfItsOwn) {
    std::uint32_t tail = 0;
    const Words of_register = {0x0E01C002, 5, 0x2600, 0},
                of_memory = {0x0E00C002, 1, low(kData), 0};
    const Words for_signal = {0x0E004002, 1, low(kData), 0};
    add(tail, of_register + of_memory + for_signal + count(kData + 8));
    engine.core.write_register(0x20A8, ~(1u << 11));
    unsigned polls = 0;
    std::vector<std::string> said;
    engine.on_poll = [&] {
        said.push_back(engine.core.describe());
        if (++polls == 1) engine.core.write_register(0x2600, 5);
        if (polls == 2) engine.ppgtt.put<std::uint32_t>(kData, 1);
        if (polls == 10) engine.submit(submission(kContext2, 9));
    };
    engine.on_parsed = [&] { said.push_back(engine.core.describe()); };
    engine.submit();
    engine.core.run();
    EXPECT_EQ(polls, 2u);
    EXPECT_EQ(data(2), 1u);
    EXPECT_EQ(engine.interrupts, (std::vector<unsigned>{11, 11}));
    ASSERT_EQ(said.size(), 6u);  // four commands and two polls
    EXPECT_NE(said[1].find("register 0x2600 == 0x5"), std::string::npos) << said[1];
    EXPECT_NE(said[3].find("memory at 0x50000000 == 0x1"), std::string::npos) << said[3];
    for (const unsigned i : {0u, 2u, 4u, 5u})
        EXPECT_EQ(said[i].find("waits"), std::string::npos) << said[i];
}

}  // namespace
}  // namespace gen9
