// SPDX-License-Identifier: Apache-2.0
// What is said of RTL with faults: the response of id 3 never comes, and RevSub subtracts the wrong
// way.
#include <gtest/gtest.h>

#include "platform/cosim/beside.h"
#include "platform/cosim/slm_rtl.h"
#include "slm/module.h"
#include "tests/support/environment.h"
#include "tests/support/memory_initiator.h"

namespace gen9::platform {
namespace {

struct Bench {
    test::TestEnvironment environment;
    Clock clock{1'000'000'000};
    std::vector<std::string> stops;
    test::MemoryInitiator from{"from", clock};
    explicit Bench(Timing timing = Timing::Timed) : environment(timing) {
        environment.environment.stop = [this](const std::string& text) { stops.push_back(text); };
    }
    ~Bench() { from.clear(); }
};

TEST(BrokenRtl, AResponseThatNeverComesIsNamedWithThePinsAfterABoundedTime) {
    Bench bench;
    SlmRtl rtl("rtl", bench.environment.environment, bench.clock);
    bench.from.mem_out.bind(rtl.mem_in);
    for (unsigned i = 0; i < 6; ++i)
        bench.from.send(bench.from.read(64 * i));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    EXPECT_EQ(bench.from.ended.size(), 3u);
    ASSERT_EQ(bench.stops.size(), 1u);
    EXPECT_LT(bench.clock.now().value, 10'001u);
    for (const char* part : {"rtl: the RTL has not answered for 384 cycles", "request_ready 1",
                             "read_valid 0", "3 responses owed", "address 0xc0"})
        EXPECT_NE(bench.stops[0].find(part), std::string::npos) << part << ": " << bench.stops[0];
}

TEST(BrokenRtl, AWrongOperationIsFoundBesideTheModel) {
    Bench bench;
    Beside beside("beside", bench.environment.environment, bench.clock);
    slm::Slm model("model", bench.environment.environment, bench.clock);
    SlmRtl rtl("rtl", bench.environment.environment, bench.clock);
    bench.from.mem_out.bind(beside.mem_in);
    beside.model_out.bind(model.mem_in);
    beside.rtl_out.bind(rtl.mem_in);
    bench.from.send(bench.from.atomic(0, AtomicOp::Sub, 4, 4, 5));
    bench.from.send(bench.from.atomic(0, AtomicOp::RevSub, 4, 4, 7));
    sc_core::sc_start();
    EXPECT_TRUE(bench.stops.empty());
    bench.from.send(bench.from.atomic(0, AtomicOp::Inc, 1, 4, 0), 1000);
    sc_core::sc_start();
    // 7 - (0 - 5) = 12 in the model.
    ASSERT_FALSE(bench.stops.empty());
    EXPECT_NE(
        bench.stops[0].find("transaction 3: lane 0 is 0xc in the model, 0xfffffff4 in the RTL"),
        std::string::npos)
        << bench.stops[0];
}

}  // namespace
}  // namespace gen9::platform
