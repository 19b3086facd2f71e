// SPDX-License-Identifier: Apache-2.0
#include "platform/cosim/beside.h"

#include <gtest/gtest.h>

#include "slm/module.h"
#include "tests/support/environment.h"
#include "tests/support/foreign.h"
#include "tests/support/memory_initiator.h"

namespace gen9::platform {
namespace {

/// Two models, of which the second plays the RTL.
struct BesideBench {
    test::TestEnvironment environment;
    Clock clock{1'000'000'000};
    std::vector<std::string> stops;
    Beside beside;
    slm::Slm model, rtl;
    test::MemoryInitiator from{"from", clock};

    explicit BesideBench(std::vector<std::string> settings = {})
        : environment(Timing::Timed, std::move(settings)),
          beside("beside", environment.environment, clock),
          model("model", environment.environment, clock),
          rtl("rtl", environment.environment, clock) {
        environment.environment.stop = [this](const std::string& text) { stops.push_back(text); };
        from.mem_out.bind(beside.mem_in);
        beside.model_out.bind(model.mem_in);
        beside.rtl_out.bind(rtl.mem_in);
    }
    ~BesideBench() { from.clear(); }
    /// Changes a byte on one side only.
    void damage(std::uint64_t address) {
        auto* t = from.write(address, 1, 0x55);
        beside.rtl_out->transport_dbg(*t);
        t->release();
    }
    MemoryTransaction* lanes(LaneAccess::Kind kind, unsigned stride = 4) {
        auto* t = from.atomic(0x100, AtomicOp::Add, 16, stride, 3);
        t->attributes.lanes.kind = kind;
        return t;
    }
    void expect_stop(const std::string& text) {
        ASSERT_FALSE(stops.empty());
        EXPECT_NE(stops[0].find(text), std::string::npos) << stops[0];
    }
};
using Kind = LaneAccess::Kind;

TEST(Beside, WhatIsAlikeIsCountedAndTheModelAnswers) {
    BesideBench bench;
    bench.from.send(bench.lanes(Kind::Write));
    auto* atomic = bench.from.send(bench.lanes(Kind::Atomic, 64));
    auto* read = bench.from.send(bench.lanes(Kind::Read));
    sc_core::sc_start();
    EXPECT_EQ(bench.beside.agreed(), 3u);
    EXPECT_TRUE(bench.stops.empty());
    EXPECT_TRUE(bench.beside.idle());
    EXPECT_EQ(atomic->attributes.lanes.result[0], 3u);
    EXPECT_EQ(read->attributes.lanes.result[0], 6u);
}

TEST(Beside, ADifferenceInALaneNamesTransactionLaneAndValues) {
    BesideBench bench;
    bench.damage(0x104);
    bench.from.send(bench.lanes(Kind::Read))->attributes.trace_id = 0x100000007;
    sc_core::sc_start();
    bench.expect_stop("differ in transaction 1: lane 1 is 0x0 in the model, 0x55 in the RTL");
    bench.expect_stop("id 0x100000007, address 0x100, read, 16 lanes of 4 bytes at 0x0 0x4");
    EXPECT_EQ(bench.beside.agreed(), 0u);
}

TEST(Beside, ADifferenceInABytesRunIsFound) {
    BesideBench bench;
    bench.damage(0x13F);
    bench.from.send(bench.from.read(0x100));
    sc_core::sc_start();
    bench.expect_stop("byte 63 is 0x0 in the model, 0x55 in the RTL");
}

TEST(Beside, ADifferenceOfOneCycleIsFound) {
    BesideBench bench({"model.latency=40", "rtl.latency=41"});
    bench.from.send(bench.lanes(Kind::Write), 10);
    sc_core::sc_start();
    bench.expect_stop("the model answers at cycle 50, the RTL at cycle 51");
}

TEST(Beside, ADifferenceInAcceptanceIsFound) {
    BesideBench bench({"model.queue=2", "rtl.queue=1"});
    for (int i = 0; i < 4; ++i)
        bench.from.send(bench.lanes(Kind::Read, 64));
    sc_core::sc_start();
    bench.expect_stop("the model takes it at cycle 1, the RTL at cycle 2");
    EXPECT_EQ(bench.from.ended.size(), 4u);
}

TEST(Beside, BlockingAccessesAreComparedInTimeAndData) {
    BesideBench bench({"model.latency=80", "rtl.latency=81"});
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bench.from.block(bench.lanes(Kind::Read));
    bench.expect_stop("the model answers at cycle 80, the RTL at cycle 81");
}

TEST(Beside, DebugReadsAreComparedToo) {
    BesideBench bench;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bench.damage(0x20);
    auto* t = bench.from.read(0x20, 1);
    EXPECT_EQ(bench.from.mem_out->transport_dbg(*t), 1u);
    t->release();
    bench.expect_stop("byte 0 is 0x0 in the model, 0x55 in the RTL");
}

TEST(Beside, AnInitiatorThatTakesItsTimeToEndResponsesRaisesNoFalseAlarm) {
    test::TestEnvironment environment;
    Clock clock(1'000'000'000);
    std::vector<std::string> stops;
    environment.environment.stop = [&stops](const std::string& text) { stops.push_back(text); };
    Beside beside("beside", environment.environment, clock);
    slm::Slm model("model", environment.environment, clock),
        rtl("rtl", environment.environment, clock);
    test::ForeignInitiator slow("slow", 0, 64, sc_core::sc_time(1.3, sc_core::SC_NS));
    slow.out.bind(beside.mem_in);
    beside.model_out.bind(model.mem_in);
    beside.rtl_out.bind(rtl.mem_in);
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
    EXPECT_TRUE(slow.done());
    EXPECT_EQ(slow.wrong, 0u);
    EXPECT_FALSE(slow.overlap);
    EXPECT_TRUE(stops.empty()) << stops[0];
    EXPECT_EQ(beside.agreed(), 128u);
    EXPECT_TRUE(beside.idle());
}

}  // namespace
}  // namespace gen9::platform
