// SPDX-License-Identifier: Apache-2.0
// Reports of the performance counters: layout, command, buffer.
#include "cs/command/performance.h"

#include <gtest/gtest.h>

#include "tests/unit/cs/context/contexts.h"

namespace gen9 {
namespace {

using namespace test;

constexpr std::uint32_t kControl = 0x2B00, kStatus = 0x2B08, kHead = 0x2B0C, kTail = 0x2B10,
                        kBuffer = 0x2B14, kEnable = 5 << 2 | 1;
constexpr std::uint32_t kReports = 0x800000;

Words report(std::uint64_t address, std::uint32_t id) {
    return {0x14000002, low(address), high(address), id};
}

// Where Linux and Mesa look for what: id, time, context, clocks, A0.., the high bytes at DWord 40,
// B at 48, C at 56.
TEST(PerformanceReport, HasTheLayoutThatSoftwareReads) {
    cs::PerformanceCounters counters;
    counters.clocks = 0x1'2345'6789;
    for (unsigned i = 0; i < 36; ++i)
        counters.a[i] = std::uint64_t{0x40 + i} << 32 | (1000 + i);
    const auto report = cs::performance_report(counters, kEnable, 0xABCD, 0x7'1111'2222, 42);
    const auto& words = report.words;
    EXPECT_EQ(report.size_bytes, 256u);
    EXPECT_EQ(words[0], 0xABCDu);
    EXPECT_EQ(words[1], 0x11112222u);
    EXPECT_EQ(words[2], 42u);
    EXPECT_EQ(words[3], 0x23456789u);
    for (unsigned i = 0; i < 36; ++i)
        EXPECT_EQ(words[4 + i], 1000 + i);
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(words.data());
    for (unsigned i = 0; i < 32; ++i)
        EXPECT_EQ(bytes[160 + i], 0x40 + i);
    for (unsigned i = 48; i < 64; ++i)
        EXPECT_EQ(words[i], 0u);
}

TEST(PerformanceReport, CountersCountFromTheStartAndNotWhileTheirGateIsShut) {
    cs::PerformanceCounters now;
    cs::CounterGate gate;
    EXPECT_TRUE(gate.open());
    const auto count = [&](std::uint64_t more) {
        now.clocks += more, now.a[3] += 2 * more;
        const cs::PerformanceCounters shown = gate.shown(now);
        EXPECT_EQ(shown.a[3], 2 * shown.clocks);
        return shown.clocks;
    };
    EXPECT_EQ(count(5), 5u);
    gate.set(false, now);
    EXPECT_FALSE(gate.open());
    EXPECT_EQ(count(100), 5u);
    gate.set(true, now);
    EXPECT_EQ(count(2), 7u);
    gate.set(false, now);
    EXPECT_EQ(count(1000), 7u);
    gate.set(true, now);
    EXPECT_EQ(count(1), 8u);
}

TEST_F(Interpreter, ReportPerfCountWritesAReportWithItsId) {
    engine.core.write_register(kControl, kEnable);
    engine.counters.a[7] = 5;
    engine.counters.a[35] = 6;
    run(Stream() << Words(8, 0) << report(kData + 64, 0x77));
    EXPECT_EQ(data(16), 0x77u);
    EXPECT_EQ(data(16 + 4 + 7), 5u);
    EXPECT_EQ(data(16 + 4 + 35), 6u);
    EXPECT_EQ(data(15), 0u);
    EXPECT_FALSE(engine.environment.reporter.failed());
    engine.counters.a[7] = 9;
    run(Stream() << report(kData + 64, 0x78));
    EXPECT_EQ(data(16 + 4 + 7), 9u) << "two reports bracket what is measured";
}

// OACONTROL bit 1: from the write on, whether a context runs or not.
TEST_F(Interpreter, CountersOfAnotherContextStandFromTheWriteOn) {
    engine.counters.a[7] = 10;
    engine.core.write_register(0x2364, 5);  // OACTXID
    engine.core.write_register(kControl, kEnable | 2);
    engine.counters.a[7] = 50;
    run(Stream() << report(kData, 1));
    EXPECT_EQ(data(4 + 7), 10u);
}

TEST_F(Interpreter, ReportPerfCountMayBeAskedForInTheGgttByTheRing) {
    engine.core.write_register(kControl, kEnable);
    engine.ggtt.map(kReports, 0x1000);
    run(Stream() << report(kReports + 1, 0x77));
    EXPECT_EQ(engine.ggtt.get<std::uint32_t>(kReports), 0x77u);
}

TEST_F(Interpreter, CountersThatAreOffReportZero) {
    engine.counters.a[7] = 5;
    engine.core.write_register(kControl, 5 << 2);
    run(Stream() << report(kData, 1));
    EXPECT_EQ(data(0), 1u);
    EXPECT_EQ(data(4 + 7), 0u);
}

// Sizes from Linux; places from the tests of its driver: 12 counters from A7 on, then B and C, or
// C0 to C3 and B. B and C are not modelled.
TEST(PerformanceReport, HasTheOtherLayoutsOfGen9) {
    cs::PerformanceCounters counters;
    counters.clocks = 77;
    for (unsigned i = 0; i < 36; ++i)
        counters.a[i] = std::uint64_t{0x40 + i} << 32 | (1000 + i);
    const auto layout = [&](std::uint32_t number) {
        return cs::performance_report(counters, number << 2 | 1, 0xABCD, 5, 42);
    };
    const struct {
        std::uint32_t number, bytes, a_counters;
    } layouts[] = {{0, 64, 12}, {2, 128, 12}, {7, 64, 0}};
    for (const auto& expected : layouts) {
        const auto report = layout(expected.number);
        EXPECT_EQ(report.size_bytes, expected.bytes) << expected.number;
        Words words = {0xABCD, 5, 42, 77};
        for (unsigned i = 0; i < expected.a_counters; ++i)
            words.push_back(1000 + 7 + i);
        words.resize(64);
        EXPECT_TRUE(std::equal(words.begin(), words.end(), report.words.begin()))
            << expected.number;
    }
    for (const std::uint32_t none : {1u, 3u, 4u, 6u})
        EXPECT_EQ(layout(none).size_bytes, 0u) << none;
}

TEST_F(Interpreter, AReportFillsTheBytesOfItsLayoutOnly) {
    for (const auto& [number, bytes] : {std::pair{0u, 64u}, {2u, 128u}, {5u, 256u}, {7u, 64u}}) {
        Engine e;
        e.core.write_register(kControl, number << 2 | 1);
        for (unsigned i = 0; i < 65; ++i)
            e.ppgtt.put<std::uint32_t>(kData + 4 * i, 0xCCCCCCCC);
        e.run_ring(report(kData, 1));
        EXPECT_NE(e.ppgtt.get<std::uint32_t>(kData + bytes - 4), 0xCCCCCCCCu) << number;
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData + bytes), 0xCCCCCCCCu) << number;
        EXPECT_FALSE(e.environment.reporter.failed());
    }
}

TEST_F(Interpreter, ALayoutOfReportsThatDoesNotExistIsReported) {
    engine.core.write_register(kControl, 3 << 2 | 1);
    run(Stream() << report(kData, 1) << sdi(kData + 0x100, 1));
    EXPECT_EQ(engine.kinds(), std::vector<std::string>{"cs: performance report"});
    EXPECT_EQ(data(0), 0u);
    EXPECT_EQ(data(64), 1u) << "the stream goes on";
}

// OACONTROL bit 1, OACTXID: what other contexts do in between is not counted.
struct CountedContext : Contexts {
    std::uint32_t tail = 0, tail2 = 0;
    std::uint64_t reported(unsigned n) {
        return engine.ppgtt.get<std::uint32_t>(kData + 0x100 * n + 4 * (4 + 7));
    }
    /// Each command parsed counts 1 on A7.
    void play(std::uint32_t control, std::uint32_t context) {
        engine.ppgtt.map(kData, 0x2000);
        engine.on_parsed = [this] { ++engine.counters.a[7]; };
        engine.core.write_register(kControl, control);
        engine.core.write_register(0x2364, context);
        add(tail, report(kData + 0x100, 1) + report(kData + 0x200, 2));
        engine.submit(submission(kContext, 7));
        engine.core.run();
        add(tail2, Words(20, 0) + report(kData + 0x300, 3), kRing2, kContext2);
        engine.submit(submission(kContext2, 9));
        engine.core.run();
        add(tail, report(kData + 0x400, 4));
        engine.submit(submission(kContext, 7));
        engine.core.run();
    }
};

TEST_F(CountedContext, TheOthersAreLeftOutOfItsCounters) {
    play(kEnable | 2, 7);
    EXPECT_EQ(reported(2), reported(1) + 1);
    EXPECT_EQ(reported(3), reported(2)) << "they stand still";
    EXPECT_EQ(reported(4), reported(2) + 1);
    EXPECT_FALSE(engine.environment.reporter.failed());
}

TEST_F(CountedContext, WithoutTheBitAllCount) {
    play(kEnable, 7);
    EXPECT_EQ(reported(3), reported(2) + 21);
    EXPECT_EQ(reported(4), reported(3) + 1);
}

TEST_F(CountedContext, AnotherOneThanTheTwoCountsNothing) {
    play(kEnable | 2, 8);
    for (unsigned n = 1; n <= 4; ++n)
        EXPECT_EQ(reported(n), 0u) << n;
}

struct ReportBuffer : Interpreter {
    ReportBuffer() {
        engine.ggtt.map(kReports, 0x20000);
        engine.core.write_register(kBuffer, kReports | 1);
        engine.core.write_register(kHead, kReports);
        engine.core.write_register(kTail, kReports);
        engine.core.write_register(kControl, kEnable);
    }
};

// i915 tells from these what other contexts did; Mesa waits for one behind the last of its work.
TEST_F(ReportBuffer, ComingsAndGoingsAreReportedUnlessDebugSaysNo) {
    run(Stream());
    EXPECT_EQ(engine.core.read_register(kTail), kReports + 512);
    EXPECT_EQ(engine.ggtt.get<std::uint32_t>(kReports), 1u << 22 | 1u << 16) << "the context comes";
    EXPECT_EQ(engine.ggtt.get<std::uint32_t>(kReports + 256), 1u << 22) << "the engine gets idle";
    run(Stream() << Words{0});
    EXPECT_EQ(engine.ggtt.get<std::uint32_t>(kReports + 512), 1u << 22 | 1u << 16)
        << "again, though it was still loaded";
    EXPECT_EQ(engine.core.read_register(kTail), kReports + 1024);

    Engine quiet;
    quiet.core.write_register(0x2B04, 2u << 16 | 2);
    quiet.core.write_register(kBuffer, kReports | 1);
    quiet.core.write_register(kHead, kReports);
    quiet.core.write_register(kTail, kReports);
    quiet.core.write_register(kControl, kEnable);
    quiet.run_ring({0});
    EXPECT_EQ(quiet.core.read_register(kTail), kReports);
}

TEST_F(ReportBuffer, ReportsGoRoundAndStopAtTheHead) {
    run(Stream());
    for (unsigned n = 2; n < 511; ++n) {
        const auto next = engine.core.sample();
        ASSERT_TRUE(next.has_value());
        EXPECT_EQ(next->place.value, kReports + 256 * n);
        EXPECT_EQ(next->report.words[0], 1u << 19) << "no context runs";
    }
    EXPECT_EQ(engine.core.read_register(kStatus), 0u);
    EXPECT_FALSE(engine.core.sample().has_value()) << "full";
    EXPECT_EQ(engine.core.read_register(kStatus), 3u) << "report lost, buffer overflow";
    engine.core.write_register(kHead, kReports + 512);
    EXPECT_EQ(engine.core.sample()->place.value, kReports + 256 * 511);
    EXPECT_EQ(engine.core.sample()->place.value, kReports) << "a buffer of 128 KB";
    EXPECT_FALSE(engine.core.sample().has_value());
}

TEST_F(ReportBuffer, ReportsLieAsCloseAsTheirLayoutSays) {
    for (const auto& [number, bytes] : {std::pair{0u, 64u}, {2u, 128u}, {7u, 64u}}) {
        engine.core.write_register(kTail, kReports);
        engine.core.write_register(kControl, number << 2 | 1);
        EXPECT_EQ(engine.core.sample()->place.value, kReports);
        const auto next = engine.core.sample();
        EXPECT_EQ(next->place.value, kReports + bytes) << number;
        EXPECT_EQ(next->report.size_bytes, bytes) << number;
    }
    engine.core.write_register(kControl, 4 << 2 | 1);
    EXPECT_FALSE(engine.core.sample().has_value()) << "no such layout";
}

TEST_F(ReportBuffer, TheTimerIsTheContexts) {
    run(Stream() << lri(0x2360, 3 << 2 | 2) << Words{0});
    EXPECT_EQ(engine.sampled, (std::vector<std::uint64_t>{16, 0}))
        << "2^(3 + 1) ticks, until the context left the engine";
}

}  // namespace
}  // namespace gen9
