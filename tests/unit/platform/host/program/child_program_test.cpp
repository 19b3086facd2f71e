// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/child_program.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <string>

#include "common/check.h"
#include "platform/host/stop.h"

namespace gen9::platform {
namespace {

int status_of(const std::vector<std::string>& words, const Variables& variables = {}) {
    ChildProgram program(words, variables);
    program.wait();
    return program.exit_status();
}

TEST(ChildProgram, ItsExitStatusIsPassedOn) {
    EXPECT_EQ(status_of({"true"}), 0);
    EXPECT_EQ(status_of({"sh", "-c", "exit 42"}), 42);
}

TEST(ChildProgram, ASignalCountsAsAShellCountsIt) {
    EXPECT_EQ(status_of({"sh", "-c", "kill -9 $$"}), 128 + 9);
}

TEST(ChildProgram, ItSeesItsVariables) {
    EXPECT_EQ(status_of({"sh", "-c", "test \"$TbxPort\" = 17 && test \"$OTHER\" = 'a b'"},
                        {{"TbxPort", "17"}, {"OTHER", "a b"}}),
              0);
}

TEST(ChildProgram, ItsAddressesAreTheSameEachTime) {
    const auto stack = [] {
        return status_of(
            {"sh", "-c", "exit $((0x$(grep -m1 stack /proc/self/maps | cut -c6-8) % 128))"});
    };
    const int first = stack();
    for (int i = 0; i < 8; ++i)
        EXPECT_EQ(stack(), first);
}
TEST(ChildProgram, AProgramThatIsNotThereIsAUserError) {
    EXPECT_THROW(ChildProgram({"/nonexistent/program"}, {}), UserError);
}

TEST(ChildProgram, WithAFileForItsOutputItHasNoInput) {
    const std::string file = testing::TempDir() + "child_program_output";
    std::remove(file.c_str());
    ChildProgram program({"sh", "-c", "echo out; echo error >&2; cat"}, {}, file);
    program.wait();
    EXPECT_EQ(program.exit_status(), 0);
    std::ifstream stream(file);
    std::string first, second, third;
    stream >> first >> second >> third;
    EXPECT_EQ(first + " " + second + third, "out error");
    std::remove(file.c_str());
}

TEST(ChildProgram, TerminatingItEndsItsChildrenToo) {
    install_stop_handlers();
    ChildProgram program({"sh", "-c", "sleep 1000 & sleep 1000"}, {});
    EXPECT_FALSE(program.ended());
    program.terminate();
    while (!program.ended())
        wait_for_wake();
    EXPECT_EQ(program.exit_status(), 128 + 15);
}

TEST(ChildProgram, AProgramThatIgnoresTerminationIsKilled) {
    install_stop_handlers();
    ChildProgram program({"sh", "-c", "trap '' TERM; while :; do sleep 0.1; done"}, {});
    program.terminate();
    while (!program.ended())
        wait_for_wake();
    EXPECT_GE(program.exit_status(), 128 + 9);
}

/// A process of its own that is stopped twice at once, and again later; what waitpid says of it.
int stopped_thrice(const std::string& file) {
    const pid_t process = fork();
    if (process == 0) {
        install_stop_handlers();
        const ChildProgram program(
            {"sh", "-c", "trap '' TERM; echo $$ >" + file + "; while :; do sleep 0.1; done"}, {});
        while (std::ifstream(file).peek() == std::ifstream::traits_type::eof())
            usleep(10'000);
        raise(SIGINT);
        raise(SIGINT);
        if (!stop_requested()) _exit(1);
        usleep(300'000);
        raise(SIGINT);
        _exit(2);
    }
    int status = 0;
    waitpid(process, &status, 0);
    return status;
}

TEST(ChildProgram, EndsWithAProcessThatIsStoppedAgainLater) {
    const std::string file = testing::TempDir() + "child_program_test." + std::to_string(getpid());
    const int status = stopped_thrice(file);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) << status;
    pid_t program = 0;
    std::ifstream(file) >> program;
    ASSERT_GT(program, 0);
    // Whoever takes over what a dead process leaves behind sees that it has ended.
    const auto is_alive = [&] {
        std::ifstream stat("/proc/" + std::to_string(program) + "/stat");
        std::string number, name, state;
        return stat >> number >> name >> state && state != "Z";
    };
    for (unsigned i = 0; i < 500 && is_alive(); ++i)
        usleep(10'000);
    EXPECT_FALSE(is_alive());
    std::remove(file.c_str());
}

}  // namespace
}  // namespace gen9::platform
