// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/driver.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

namespace gen9::platform {
namespace {

std::map<std::string, std::string> as_map(const Variables& variables) {
    return {variables.begin(), variables.end()};
}

TEST(Driver, ForTbxItIsToldServerPortAndDevice) {
    auto variables = as_map(tbx_variables({"skl", "1x3x8", 1'150'000'000}, "127.0.0.1", 4000));
    EXPECT_EQ(variables["GEN9SIM_CLOCK_MHZ"], "1150");
    EXPECT_EQ(variables["NEOReadDebugKeys"], "1");
    EXPECT_EQ(variables["SetCommandStreamReceiver"], "2");
    EXPECT_EQ(variables["ProductFamilyOverride"], "skl");
    EXPECT_EQ(variables["HardwareInfoOverride"], "1x3x8");
    EXPECT_EQ(variables["TbxServer"], "127.0.0.1");
    EXPECT_EQ(variables["TbxPort"], "4000");
}

TEST(Driver, ForACaptureItIsToldTheFile) {
    auto variables = as_map(aub_variables({"bxt", "1x2x6", 750'000'000}, "/tmp/x.aub"));
    EXPECT_EQ(variables["SetCommandStreamReceiver"], "1");
    EXPECT_EQ(variables["AUBDumpCaptureFileName"], "/tmp/x.aub");
    EXPECT_FALSE(variables.contains("TbxPort"));
}

TEST(Driver, ThePersonsChoiceOfVendorsIsRespected) {
    setenv("OCL_ICD_VENDORS", "/elsewhere", 1);
    EXPECT_FALSE(
        as_map(tbx_variables({"skl", "1x3x8", 1}, "127.0.0.1", 1)).contains("OCL_ICD_VENDORS"));
}

TEST(Driver, MesaIsTakenToIntelsDriverUnlessThePersonChoseAnother) {
    for (const char* name : {"EGL_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY", "GALLIUM_DRIVER"})
        unsetenv(name);
    EXPECT_EQ(as_map(mesa_variables())["EGL_PLATFORM"], "surfaceless");
    for (const char* name : {"EGL_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY"}) {
        setenv(name, "chosen", 1);
        EXPECT_FALSE(as_map(mesa_variables()).contains("EGL_PLATFORM")) << name;
        unsetenv(name);
    }
    for (const char* name : {"VK_ICD_FILENAMES", "VK_DRIVER_FILES"}) {
        setenv(name, "/elsewhere.json", 1);
        EXPECT_FALSE(as_map(mesa_variables()).contains("VK_ICD_FILENAMES")) << name;
        unsetenv(name);
    }
    EXPECT_EQ(as_map(mesa_variables())["GALLIUM_DRIVER"], "none");
    setenv("GALLIUM_DRIVER", "llvmpipe", 1);
    EXPECT_FALSE(as_map(mesa_variables()).contains("GALLIUM_DRIVER"));
    unsetenv("GALLIUM_DRIVER");
}

}  // namespace
}  // namespace gen9::platform
