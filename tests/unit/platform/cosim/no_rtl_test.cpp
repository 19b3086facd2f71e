// SPDX-License-Identifier: Apache-2.0
// The machine as it is built without Verilator: no_rtl_models.cpp stands in for rtl_models.cpp.
#include <gtest/gtest.h>

#include "platform/run/simulation.h"

namespace gen9::platform {
namespace {

std::string refusal(const char* setting) {
    RunOptions options;
    options.config.set_text(setting, "test");
    try {
        Simulation simulation(std::move(options));
    } catch (const UserError& error) {
        return error.what();
    }
    return "no error";
}

TEST(WithoutVerilator, RtlIsRefusedWithTheNameOfThePackage) {
    const std::string error = refusal("subslice.slm.model=rtl");
    EXPECT_NE(error.find("slm.model=rtl needs RTL"), std::string::npos) << error;
    EXPECT_NE(error.find("Debian package verilator"), std::string::npos) << error;
}

TEST(WithoutVerilator, BothIsRefusedToo) {
    EXPECT_NE(refusal("cs.alu.model=both").find("cs.alu.model=both needs RTL"), std::string::npos);
}

}  // namespace
}  // namespace gen9::platform
