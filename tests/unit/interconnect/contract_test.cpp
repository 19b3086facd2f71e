// SPDX-License-Identifier: Apache-2.0
// The contract of docs/architecture.md, one instance per module with a memory target socket.
#include <gtest/gtest.h>

#include <memory>
#include <ostream>

#include "tests/unit/interconnect/memory_devices.h"
#ifdef GEN9_RTL
#include "tests/unit/interconnect/rtl_devices.h"
#endif

namespace gen9::test {
namespace {

struct Case {
    const char* name;
    std::unique_ptr<MemoryDevice> (*make)(const char* name, Timing timing);
};
/// The name of the instance in ctest.
void PrintTo(const Case& which, std::ostream* out) {
    *out << which.name;
}
template <class Device>
std::unique_ptr<MemoryDevice> make(const char* name, Timing timing) {
    return std::make_unique<Device>(name, timing);
}

class MemoryTargetContract : public testing::TestWithParam<Case> {
  protected:
    struct Machine {
        std::unique_ptr<MemoryDevice> device;
        MemoryContract contract;
        Machine(const Case& which, const char* name, Timing timing, std::uint32_t seed)
            : device(which.make(name, timing)),
              contract((std::string(name) + "_from").c_str(), device->clock, device->traffic,
                       seed) {
            device->bind(contract.mem_out);
        }
        void expect_kept() {
            contract.end();
            EXPECT_TRUE(contract.findings.sentences.empty()) << contract.findings.text();
            EXPECT_TRUE(device->idle());
            EXPECT_EQ(device->environment.reporter.guest_errors(), 0u);
        }
    };
    static void run(unsigned cycles) {
        sc_core::sc_start(sc_core::sc_time(cycles, sc_core::SC_NS));
    }
};

TEST_P(MemoryTargetContract, EachRequestEndsOnceAndBothModesLeaveTheSameState) {
    Machine timed(GetParam(), "timed", Timing::Timed, 1);
    Machine functional(GetParam(), "functional", Timing::Functional, 1);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    timed.contract.begin();
    functional.contract.begin();
    functional.contract.run_blocking();
    timed.contract.run_timed();
    run(1'000'000);
    timed.expect_kept();
    functional.expect_kept();
    EXPECT_EQ(timed.contract.memory(), functional.contract.memory());
    EXPECT_EQ(timed.contract.held() > 0, timed.device->refuses());
}

class MemoryBehindContract : public MemoryTargetContract {};

TEST_P(MemoryBehindContract, WhatWaitsForTheMemoryBehindHoldsItsSendersAndLosesNothing) {
    Machine timed(GetParam(), "timed", Timing::Timed, 2);
    MemoryTarget* const behind = timed.device->behind();
    ASSERT_TRUE(behind);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    timed.contract.begin();
    behind->stalled = true;
    timed.contract.run_timed();
    run(20'000);
    const std::size_t sent = timed.contract.sent();
    EXPECT_FALSE(timed.contract.finished());
    run(20'000);
    EXPECT_EQ(timed.contract.sent(), sent);
    behind->resume();
    run(1'000'000);
    timed.expect_kept();
}

INSTANTIATE_TEST_SUITE_P(Modules, MemoryTargetContract,
                         testing::Values(Case{"L3", make<L3Device>}, Case{"Slm", make<SlmDevice>},
                                         Case{"Gti", make<GtiDevice>}, Case{"Llc", make<LlcDevice>},
                                         Case{"Dram", make<DramDevice>},
                                         Case{"InstructionCache", make<InstructionCacheDevice>}),
                         [](const auto& which) { return which.param.name; });

#ifdef GEN9_RTL
INSTANTIATE_TEST_SUITE_P(Rtl, MemoryTargetContract,
                         testing::Values(Case{"Slm", make<RtlSlmDevice>},
                                         Case{"SlmBeside", make<BesideSlmDevice>},
                                         Case{"Dram", make<RtlDramDevice>}),
                         [](const auto& which) { return which.param.name; });
#endif

INSTANTIATE_TEST_SUITE_P(Modules, MemoryBehindContract,
                         testing::Values(Case{"L3", make<L3Device>}, Case{"Gti", make<GtiDevice>},
                                         Case{"InstructionCache", make<InstructionCacheDevice>}),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace gen9::test
