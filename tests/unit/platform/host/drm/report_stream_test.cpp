// SPDX-License-Identifier: Apache-2.0
// The stream of performance reports: what the session makes of a program's messages, and of what
// the OA unit has written. Rules are those of i915 (i915_perf.c).
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>

#include "common/bits.h"
#include "platform/host/graphics_memory.h"
#include "tests/unit/platform/host/drm/session_bench.h"

namespace gen9::drm {
namespace {

using platform::FileDescriptor;

constexpr std::uint32_t kControl = 0x2B00, kStatus = 0x2B08, kHead = 0x2B0C, kTail = 0x2B10,
                        kBuffer = 0x2B14, kWide = 5 << 2, kBytes = 256, kBufferBytes = 16 << 20;
constexpr std::uint32_t kKnown = 1u << 16, kTimer = 1u << 19, kSwitch = 1u << 22;

struct ReportStreamTest : test::SessionBench {
    FileDescriptor program;

    ReportStreamTest() { greet(); }
    void open(std::uint32_t context = kNoContext, std::uint64_t timer = 1,
              std::uint32_t layout = kWide) {
        int ends[2];
        ASSERT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends), 0);
        program = FileDescriptor(ends[0]);
        send({.kind = Kind::StreamOpen, .id = layout, .context = context, .number = timer},
             FileDescriptor(ends[1]));
    }
    void run(bool on = true) { send({.kind = Kind::StreamRun, .number = on}); }
    std::uint32_t buffer() { return engine.registers[kBuffer] & ~0xFFFu; }
    /// The OA unit writes reports, each of its reason and its context.
    void report(std::initializer_list<std::array<std::uint32_t, 2>> reports) {
        for (const auto& [reason, context] : reports) {
            std::array<std::uint8_t, kBytes> bytes{};
            store(bytes.data(), reason);
            store(bytes.data() + 4, ++time);
            store(bytes.data() + 8, context);
            const std::uint32_t tail = engine.registers[kTail];
            engine.write_memory(global(tail), bytes);
            engine.registers[kTail] = buffer() + (tail - buffer() + kBytes) % kBufferBytes;
        }
    }
    /// Records: the type, and of a report the reason, the time and the context.
    using Record = std::vector<std::uint32_t>;
    std::vector<Record> read() const {
        std::vector<Record> all;
        std::uint32_t words[66];
        for (ssize_t got = 0; (got = recv(program.get(), words, sizeof words, 0)) > 0;) {
            EXPECT_EQ(words[1] >> 16, got) << "the size of a record";
            if (got == 8)
                all.push_back({words[0]});
            else
                all.push_back({words[0], words[2], words[3], words[4]});
        }
        return all;
    }
    std::uint32_t time = 0;
};

TEST_F(ReportStreamTest, TheUnitIsSetUpWhenItRuns) {
    open();
    EXPECT_EQ(engine.registers[kControl], 0u);
    run();
    EXPECT_EQ(engine.registers[kControl], kWide | 1u);
    EXPECT_EQ(engine.registers[kBuffer] & 0xFFF, 7u << 3 | 1) << "16 MB of global memory";
    EXPECT_EQ(buffer() % kBufferBytes, 0u);
    EXPECT_EQ(engine.registers[kHead], buffer());
    EXPECT_EQ(engine.registers[kTail], buffer());
    run(false);
    EXPECT_EQ(engine.registers[kControl], 0u);
    send({.kind = Kind::StreamGone});
    EXPECT_EQ(engine.registers[kBuffer], 0u);
    EXPECT_FALSE(session.ended());
}

// Linux: reports of the context, the one behind the last of them, and all comings and goings.
TEST_F(ReportStreamTest, AStreamOfOneContextHidesTheOthers) {
    open(6);
    run();
    report({{kSwitch | kKnown, 3},
            {kTimer | kKnown, 3},
            {kSwitch | kKnown, 7},
            {kTimer | kKnown, 7},
            {kTimer | kKnown, 3},
            {kTimer | kKnown, 3},
            {kSwitch, 7}});
    send({.kind = Kind::StreamMore});
    constexpr std::uint32_t kHidden = ~0u;
    const std::vector<Record> expected = {{1, kSwitch | kKnown, 1, kHidden},
                                          {1, kSwitch | kKnown, 3, 7},
                                          {1, kTimer | kKnown, 4, 7},
                                          {1, kTimer | kKnown, 5, kHidden},
                                          {1, kSwitch, 7, kHidden}};
    EXPECT_EQ(read(), expected);
    EXPECT_EQ(engine.registers[kHead], buffer() + 7 * kBytes);
}

TEST_F(ReportStreamTest, AStreamOfAllHasAll) {
    open();
    run();
    report({{kSwitch | kKnown, 3}, {kTimer | kKnown, 3}, {kSwitch, 3}});
    send({.kind = Kind::StreamMore});
    const std::vector<Record> expected = {
        {1, kSwitch | kKnown, 1, 3}, {1, kTimer | kKnown, 2, 3}, {1, kSwitch, 3, ~0u}};
    EXPECT_EQ(read(), expected);
}

TEST_F(ReportStreamTest, WhatDoesNotFitIntoTheSocketStaysInTheBuffer) {
    open();
    run();
    constexpr unsigned kReports = 5000;
    for (unsigned n = 0; n < kReports; ++n)
        report({{kTimer | kKnown, n}});
    unsigned next = 0;
    for (unsigned asked = 0; asked < kReports && next < kReports; ++asked) {
        send({.kind = Kind::StreamMore});
        const auto records = read();
        EXPECT_LT(records.size(), kReports) << "it all fits: the test says nothing";
        for (const Record& record : records)
            EXPECT_EQ(record[3], next++) << "in their order, each once";
        EXPECT_EQ(engine.registers[kHead], buffer() + next * kBytes);
    }
    EXPECT_EQ(next, kReports);
}

TEST_F(ReportStreamTest, ReportsGoRoundTheBuffer) {
    open();
    run();
    engine.registers[kTail] = buffer() + kBufferBytes - kBytes;
    send({.kind = Kind::StreamMore});
    while (!read().empty())
        send({.kind = Kind::StreamMore});
    EXPECT_EQ(engine.registers[kHead], engine.registers[kTail]);
    report({{kTimer | kKnown, 1}, {kTimer | kKnown, 2}, {kTimer | kKnown, 3}});
    send({.kind = Kind::StreamMore});
    EXPECT_EQ(read().size(), 3u);
    EXPECT_EQ(engine.registers[kHead], buffer() + 2 * kBytes);
}

TEST_F(ReportStreamTest, LostReportsAreTold) {
    open();
    run();
    report({{kTimer | kKnown, 1}});
    engine.registers[kStatus] = 1;
    send({.kind = Kind::StreamMore});
    EXPECT_EQ(read(), (std::vector<Record>{{2}, {1, kTimer | kKnown, 1, 1}}));
    EXPECT_EQ(engine.registers[kStatus], 0u);
    // An overflow: all that is there is lost, and it begins anew.
    report({{kTimer | kKnown, 1}});
    engine.registers[kStatus] = 3;
    send({.kind = Kind::StreamMore});
    EXPECT_EQ(read(), std::vector<Record>{{3}});
    EXPECT_EQ(engine.registers[kStatus], 0u);
    EXPECT_EQ(engine.registers[kTail], buffer());
    EXPECT_EQ(engine.registers[kControl], kWide | 1u);
    report({{kTimer | kKnown, 4}});
    send({.kind = Kind::StreamMore});
    EXPECT_EQ(read(), (std::vector<Record>{{1, kTimer | kKnown, 3, 4}}));
}

TEST_F(ReportStreamTest, ReportsAreThereWhenTheEndOfASubmissionIsTold) {
    open();
    run();
    complete_submissions();
    const auto complete = engine.work;
    engine.work = [&](platform::test::FakeEngine& ran) {
        report({{kSwitch | kKnown, 1}});
        complete(ran);
    };
    send({.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0x1000, .number = 1});
    EXPECT_EQ(progress->completed, 1u);
    EXPECT_EQ(read().size(), 1u);
}

/// MI_LOAD_REGISTER_IMM in front of the batch.
TEST_F(ReportStreamTest, EachContextSetsItsOwnRegistersOnce) {
    const auto settings = [&](std::uint32_t context, std::uint64_t number) {
        send({.kind = Kind::Submit,
              .vm = 1,
              .context = context,
              .address = 0x1000,
              .number = number});
        const auto ring = ring_of_last_submission();
        std::vector<std::uint32_t> pairs;
        if (ring.empty() || ring[0] >> 23 != 0x11000000u >> 23) return pairs;
        pairs.assign(ring.begin() + 1, ring.begin() + 2 + (ring[0] & 0xFF));
        return pairs;
    };
    complete_submissions();
    EXPECT_EQ(settings(1, 1), Record{}) << "no stream, no command";
    open(kNoContext, 9 << 2 | 3);
    send({.kind = Kind::StreamSet, .id = 0xE458, .number = 0x5004});
    send({.kind = Kind::StreamSet, .id = 0x9888, .number = 0x1234});
    EXPECT_EQ(engine.registers[0x9888], 0x1234u) << "the engine's, at once";
    EXPECT_EQ(settings(2, 2), (Record{0x2360, 9 << 2 | 3, 0xE458, 0x5004}));
    send({.kind = Kind::StreamGone});
    EXPECT_EQ(settings(3, 3), (Record{0x2360, 0, 0xE458, 0}));
    EXPECT_FALSE(session.ended());
}

/// A session of its own.
struct Other : ReportStreamTest {
    void TestBody() override {}
};

TEST_F(ReportStreamTest, WhatMakesNoSenseEndsTheSession) {
    const auto refused = [](auto&& ask) {
        Other one;
        ask(one);
        return one.session.ended();
    };
    const auto set = [](std::uint32_t offset, std::uint64_t value) {
        return [=](ReportStreamTest& one) {
            one.open();
            one.send({.kind = Kind::StreamSet, .id = offset, .number = value});
        };
    };
    EXPECT_FALSE(refused(set(0x27AC, 1)));
    EXPECT_TRUE(refused(set(0x27B0, 1))) << "a register that is not for it";
    EXPECT_TRUE(refused(set(0x2B00, 1))) << "that of the unit itself";
    EXPECT_TRUE(refused(set(0x9888, 1ull << 32)));
    EXPECT_TRUE(refused([](auto& one) { one.open(kNoContext, 1, 3 << 2); })) << "no such layout";
    EXPECT_TRUE(refused([](auto& one) { one.open(kNoContext, 1, kWide | 2); }));
    EXPECT_TRUE(refused([](auto& one) { one.open(kNoContext, 0x100); })) << "no such timer";
    EXPECT_TRUE(refused([](auto& one) { one.open(), one.open(); })) << "a second one";
    EXPECT_TRUE(refused([](auto& one) { one.run(); })) << "none is open";
    EXPECT_TRUE(refused([](auto& one) { one.send({.kind = Kind::StreamGone}); }));
    EXPECT_TRUE(refused([](auto& one) {
        one.send({.kind = Kind::StreamOpen, .id = kWide, .number = 1}, test::make_file(kPage));
    })) << "no socket";
    EXPECT_FALSE(refused([](auto& one) { one.send({.kind = Kind::StreamMore}); }));
}

// The program has closed its end: nothing stops, and no signal ends the server.
TEST_F(ReportStreamTest, AProgramThatDoesNotReadAnyMoreIsNoTrouble) {
    open();
    run();
    program.close();
    report({{kTimer | kKnown, 1}});
    send({.kind = Kind::StreamMore});
    send({.kind = Kind::StreamGone});
    EXPECT_FALSE(session.ended());
    open();
    run();
    EXPECT_EQ(engine.registers[kControl], kWide | 1u);
}

}  // namespace
}  // namespace gen9::drm
