// SPDX-License-Identifier: Apache-2.0
// The contract of docs/architecture.md, one instance per module with a memory target socket.
#include <gtest/gtest.h>

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "platform/machine/block_models.h"
#include "tests/unit/interconnect/contract/memory_devices.h"

namespace gen9::test {
namespace {

struct Case {
    std::string name;  ///< as the instance in ctest
    std::string model;
    std::unique_ptr<MemoryDevice> (*make)(const char* name, Timing timing, const char* model);
};
void PrintTo(const Case& which, std::ostream* out) {
    *out << which.name;
}
template <class Device>
std::unique_ptr<MemoryDevice> make(const char* name, Timing timing, const char* model) {
    return std::make_unique<Device>(name, timing, model);
}

/// A case for each model that there is of a block.
template <class Device, class Models>
void add_models(std::vector<Case>& cases, const std::string& name, const Models& models) {
    for (const std::string& model : models.names()) {
#ifndef GEN9_RTL
        if (model == "rtl" || model == "both") continue;
#endif
        cases.push_back({model == "tlm" ? name : name + "_" + model, model, make<Device>});
    }
}
/// Those with a memory behind them that the test can make wait.
std::vector<Case> cases_with_memory() {
    std::vector<Case> cases{{"Gti", "", make<GtiDevice>},
                            {"InstructionCache", "", make<InstructionCacheDevice>}};
    add_models<L3Device>(cases, "L3", platform::block_models().bank);
    add_models<BankDevice>(cases, "L3Bank", platform::block_models().bank);
    add_models<LineCacheDevice>(cases, "LineCache", platform::block_models().line_cache);
    return cases;
}
std::vector<Case> all_cases() {
    const platform::BlockModels& models = platform::block_models();
    std::vector<Case> cases = cases_with_memory();
    add_models<SlmDevice>(cases, "Slm", models.slm);
    add_models<LlcDevice>(cases, "Llc", models.llc);
    add_models<DramDevice>(cases, "Dram", models.dram);
    return cases;
}

class MemoryTargetContract : public testing::TestWithParam<Case> {
  protected:
    struct Machine {
        std::unique_ptr<MemoryDevice> device;
        MemoryContract contract;
        Machine(const Case& which, const char* name, Timing timing, std::uint32_t seed)
            : device(which.make(name, timing, which.model.c_str())),
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

INSTANTIATE_TEST_SUITE_P(Modules, MemoryTargetContract, testing::ValuesIn(all_cases()),
                         [](const auto& which) { return which.param.name; });

INSTANTIATE_TEST_SUITE_P(Modules, MemoryBehindContract, testing::ValuesIn(cases_with_memory()),
                         [](const auto& which) { return which.param.name; });

}  // namespace
}  // namespace gen9::test
