// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/left_behind.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <new>
#include <string>

namespace gen9::platform {
namespace {

/// A variable that this process and its children began with.
std::string first_variable() {
    std::ifstream file("/proc/self/environ", std::ios::binary);
    std::string text;
    std::getline(file, text, '\0');
    return text;
}

// Each is adopted when its parent has ended: whoever is listed may be dead when it is looked at.
TEST(LeftBehind, AChainOfProcessesIsFollowedToItsEnd) {
    constexpr unsigned kGenerations = 100;
    void* const shared =
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(shared, MAP_FAILED);
    auto& begun = *new (shared) std::atomic<unsigned>{};
    LeftBehind left_behind(first_variable());
    const pid_t program = fork();
    if (program == 0) {
        while (++begun < kGenerations)
            if (fork() != 0) _exit(0);
        _exit(0);
    }
    ASSERT_EQ(waitpid(program, nullptr, 0), program);
    while (!left_behind.run_can_end(false)) {
    }
    EXPECT_EQ(begun, kGenerations);
}

}  // namespace
}  // namespace gen9::platform
