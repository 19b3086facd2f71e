// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/build_tally.h"

#include <gtest/gtest.h>

#include <fstream>

#include "platform/host/temporary_folder.h"

namespace gen9::platform {
namespace {

TEST(BuildTally, BuildsOfAllProcessesAreCounted) {
    const TemporaryFolder folder("gen9sim-test-");
    EXPECT_EQ(build_tally(folder.path(), "-g"), "--opencl-options: '-g' added to 0 builds");
    std::ofstream(folder.path() + "/12.options") << "source\n";
    std::ofstream(folder.path() + "/12.log") << "source\n";
    EXPECT_EQ(build_tally(folder.path(), "-g"), "--opencl-options: '-g' added to 1 build");
    std::ofstream(folder.path() + "/13.options") << "source\nbinary\nfailed\nwhat else\n";
    EXPECT_EQ(build_tally(folder.path(), "-g"),
              "--opencl-options: '-g' added to 2 builds; 1 build of binaries, which are not "
              "compiled, so that options do nothing there (a program may keep them from an earlier "
              "run); 3 builds with them failed");
}

}  // namespace
}  // namespace gen9::platform
