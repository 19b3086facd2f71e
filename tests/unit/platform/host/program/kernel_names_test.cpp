// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/kernel_names.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "platform/host/program/driver_command.h"
#include "platform/host/temporary_folder.h"

namespace gen9::platform {
namespace {

using Groups = std::array<std::uint32_t, 3>;

class KernelNamesTest : public testing::Test {
  protected:
    void say(const std::string& text, const std::string& file = "7.log") const {
        std::ofstream(folder.path() + "/" + file, std::ios::binary | std::ios::app) << text;
    }
    /// The event of the enqueue that a walker is of; -1: it has no name.
    int take(std::uint64_t kernel, const Groups& groups = {1, 1, 1}) {
        const auto launch = names.take(GpuAddr(kernel), groups);
        return launch ? static_cast<int>(launch->event) : -1;
    }

    TemporaryFolder folder{"gen9sim-test-"};
    KernelNames names{folder.path()};
};

TEST_F(KernelNamesTest, ALaunchHasWhatItsEnqueueSays) {
    say("program\t2\t-cl-fast-relaxed-math -DX=1\n");
    say("enqueue\t0\t2\t1\t3\t4096\t100,20\t16,4\tred\n");
    names.submits(7, 1);
    const auto launch = names.take(GpuAddr(4096), {7, 5, 1});
    ASSERT_TRUE(launch);
    EXPECT_EQ(launch->kernel, "red");
    EXPECT_EQ(launch->program, 2u);
    EXPECT_EQ(launch->build_options, "-cl-fast-relaxed-math -DX=1");
    EXPECT_EQ(launch->context, 1u);
    EXPECT_EQ(launch->queue, 3u);
    EXPECT_EQ(launch->event, 0u);
    EXPECT_EQ(launch->global_size, (std::vector<std::uint64_t>{100, 20}));
    EXPECT_EQ(launch->local_size, (std::vector<std::uint64_t>{16, 4}));
}

// Equal in all but what the door knows.
constexpr const char* kEqual =
    "program\t0\t\nprogram\t1\t\n"
    "enqueue\t0\t0\t0\t0\t4096\t8\t8\tadd\nenqueue\t1\t1\t1\t1\t8192\t8\t8\tadd\n"
    "enqueue\t2\t0\t0\t2\t4096\t8\t8\tadd\n";

TEST_F(KernelNamesTest, EqualEnqueuesAreTheirSubmissionsWhateverTheOrder) {
    say(kEqual);
    names.submits(7, 3);
    EXPECT_EQ(take(4096), 2);
    names.submits(7, 2);
    EXPECT_EQ(take(8192), 1);
    names.submits(7, 1);
    EXPECT_EQ(take(4096), 0);
}

TEST_F(KernelNamesTest, TheSameNumberOfAnotherProcessIsAnotherEnqueue) {
    say(kEqual);
    say("program\t0\t\nenqueue\t0\t0\t0\t5\t4096\t8\t8\tadd\n", "8.log");
    names.submits(8, 1);
    EXPECT_EQ(names.take(GpuAddr(4096), {1, 1, 1})->queue, 5u);
    names.submits(7, 1);
    EXPECT_EQ(names.take(GpuAddr(4096), {1, 1, 1})->queue, 0u);
    names.submits(9, 1);
    EXPECT_EQ(take(4096), -1);
}

TEST_F(KernelNamesTest, AKernelOfTheDriverIsCalledByItsCommand) {
    say(kEqual);
    for (const auto& [command, name] :
         {std::pair{DriverCommand::Fill, "driver: fill"}, {DriverCommand::Copy, "driver: copy"}}) {
        names.submits(7, number_of(command) + 1);
        for (const std::uint64_t kernel : {0x5000, 4096}) {
            const auto launch = names.take(GpuAddr(kernel), {1, 1, 1});
            ASSERT_TRUE(launch);
            EXPECT_EQ(launch->kernel, name);
            EXPECT_TRUE(launch->by_driver);
        }
    }
    names.submits(7, kFirstDriverCommand + std::uint32_t{std::size(kDriverCommandWords)} + 1);
    EXPECT_EQ(take(0x5000), -1) << "no such command";
    names.submits(7, 1);
    EXPECT_EQ(take(4096), 0) << "no enqueue was taken for it";
}

TEST_F(KernelNamesTest, OtherKernelsOfTheDriverHaveNoNameAndWalkersOfASplitLaunchAllHaveIt) {
    say(kEqual);
    names.submits(7, 1);
    EXPECT_EQ(take(0x5000), -1);
    EXPECT_EQ(take(4096, {2, 1, 1}), 0);
    EXPECT_EQ(take(4096, {1, 1, 1}), 0);
}

TEST_F(KernelNamesTest, WhatIsSubmittedLaterIsTheFirstLeftOfItsKernelAndGroups) {
    say(kEqual);
    say("enqueue\t3\t0\t0\t0\t4096\t16\t8\tadd\nenqueue\t4\t0\t0\t0\t4096\t16\t8\tadd\n");
    say("refused\t3\n");
    names.submits(7, 1);
    EXPECT_EQ(take(4096), 0);
    names.submits(7, 0);
    EXPECT_EQ(take(4096, {2, 1, 1}), 4);
    EXPECT_EQ(take(8192), 1);
    EXPECT_EQ(take(4096), 2);
    EXPECT_EQ(take(4096), -1) << "all its enqueues are taken";
}

TEST_F(KernelNamesTest, WhatAnEventFreesIsSubmittedInTheOrderThatIsSaid) {
    constexpr std::uint32_t kFreed = (1u << 31) + 1;
    say(kEqual);
    say("enqueue\t3\t1\t1\t1\t8192\t8\t8\tadd\nenqueue\t4\t0\t0\t0\t4096\t8\t8\tadd\n");
    say("freed\t2147483648\t4,3,2\n");
    names.submits(7, kFreed);
    EXPECT_EQ(take(0x5000), -1) << "a kernel of the driver's own";
    names.submits(7, kFreed);
    EXPECT_EQ(take(4096, {2, 1, 1}), 4);
    EXPECT_EQ(take(4096, {1, 1, 1}), 4) << "a launch that is split";
    names.submits(7, kFreed);
    EXPECT_EQ(take(8192), 3);
    names.submits(7, 1);
    EXPECT_EQ(take(4096), 0) << "another thread submits";
    names.submits(7, kFreed);
    EXPECT_EQ(take(4096), 2);
    names.submits(7, kFreed);
    EXPECT_EQ(take(4096), -1);
    names.submits(7, kFreed);
    EXPECT_EQ(take(8192), 1) << "freed with them, and not said";
}

TEST_F(KernelNamesTest, WhatHasBeenWrittenSinceIsReadAndAPartOfALineWaits) {
    EXPECT_EQ(take(4096), -1);
    names.submits(7, 1);
    say("program\t0\t\nenqueue\t0\t0\t0\t0\t4096\t8\t-\tva");
    EXPECT_EQ(take(4096, {3, 1, 1}), -1);
    say("dd\n");
    const auto launch = names.take(GpuAddr(4096), {3, 1, 1});
    ASSERT_TRUE(launch) << "any groups, for the driver chose the local size";
    EXPECT_EQ(launch->kernel, "vadd");
    EXPECT_TRUE(launch->local_size.empty());
}

TEST_F(KernelNamesTest, NonsenseHasNoNames) {
    say(std::string(100, '\xFF'), "7-1.dbg");
    say("program\t0\t\nprogram\t1\t\nprogram\tx\t\nprogram\n\n\t\t\t\nrefused\tx\n");
    say("enqueue\t0\t0\t0\t0\t4096\t\t8\tadd\nenqueue\t1\t9\t0\t0\t4096\t8\t8\tadd\n");
    say("enqueue\t2\t0\t0\t0\tx\t8\t8\tadd\nenqueue\t-3\t0\t0\t0\t4096\t8\t8\tadd\n");
    say("enqueue\t4\t0\t0\t0\t4096\t1,2,3,4\t8\tadd\nenqueue\t5\t0\t0\t0\t4096\t8\t8\t\n");
    say("freed\t5\tx,,99\nfreed\t6\t\nfreed\tx\t1\nfreed\t7\n");
    names.submits(7, 0);
    EXPECT_EQ(take(4096), -1);
    for (std::uint32_t launch : {1, 2, 3, 5, 6, -1}) {
        names.submits(7, launch);
        EXPECT_EQ(take(4096), -1) << launch;
    }
}

TEST_F(KernelNamesTest, LongLogsAreReadWhole) {
    std::string lines = "program\t0\t\n";
    // A line that ends with the piece it is read in, and one across two pieces.
    for (const std::size_t end : {4096u, 10000u}) {
        lines += "enqueue\t0\t0\t0\t0\t4096\t8\t8\t";
        lines += std::string(end - lines.size() - 1, 'x') + "\n";
    }
    say(lines + "enqueue\t1\t0\t0\t0\t8192\t8\t8\tadd\n");
    names.submits(7, 2);
    EXPECT_EQ(take(8192), 1);
    names.submits(7, 1);
    EXPECT_EQ(names.take(GpuAddr(4096), {1, 1, 1})->kernel.size(), 10000u - 4096 - 26);
}

// A program may put anything in the place of its log.
TEST_F(KernelNamesTest, ALogThatIsALinkAPipeOrADeviceHasNoNames) {
    const std::string log = folder.path() + "/7.log";
    say(kEqual, "real");
    for (const char* target : {"/dev/zero", "real", "nowhere"}) {
        std::filesystem::create_symlink(target, log);
        names.submits(7, 1);
        EXPECT_EQ(take(4096), -1) << target;
        std::filesystem::remove(log);
    }
    ASSERT_EQ(mkfifo(log.c_str(), 0600), 0);
    EXPECT_EQ(take(4096), -1);
    std::filesystem::remove(log);
    std::filesystem::create_directory(log);
    EXPECT_EQ(take(4096), -1);
    std::filesystem::remove(log);
    say(kEqual);
    EXPECT_EQ(take(4096), 0) << "the log itself, at last";
}

TEST_F(KernelNamesTest, OfALogWithoutAnEndOnlyTheBeginningIsRead) {
    say(kEqual);
    std::filesystem::resize_file(folder.path() + "/7.log", std::uintmax_t{1} << 42);
    names.submits(7, 1);
    EXPECT_EQ(take(4096), -1);
    say("\n" + std::string(kEqual));
    EXPECT_EQ(take(4096), -1) << "it was refused once";
}

// Texts of programs as they may be, and too long or no files.
TEST_F(KernelNamesTest, SourcesAreReadAsFarAsTheyAreFilesOfTheProgram) {
    for (const char* name : {"7-0.cl", "7-0.dbg"}) {
        say("", name);
        std::filesystem::resize_file(folder.path() + "/" + name, std::uintmax_t{1} << 42);
    }
    ASSERT_EQ(mkfifo((folder.path() + "/7-1.cl").c_str(), 0600), 0);
    std::filesystem::create_symlink("/dev/zero", folder.path() + "/7-1.dbg");
    say(kEqual);
    names.submits(7, 1);
    EXPECT_EQ(take(4096), 0);
    names.submits(7, 2);
    EXPECT_EQ(take(8192), 1);
}

// Enqueues whose launches have come are forgotten; those whose never come do not pile up.
TEST_F(KernelNamesTest, WhatIsKeptOfALogIsBounded) {
    KernelNames few(folder.path(), 64 << 10);
    const auto say_enqueues = [&](std::uint64_t kernel) {
        std::string lines;
        for (unsigned number = 0; number < 20; ++number)
            lines += "enqueue\t" + std::to_string(number) + "\t0\t0\t0\t" + std::to_string(kernel) +
                     "\t8\t8\t" + std::string(1000, 'k') + "\n";
        say(lines);
    };
    const auto take_all = [&] {
        unsigned taken = 0;
        for (unsigned number = 0; number < 20; ++number) {
            few.submits(7, number + 1);
            taken += few.take(GpuAddr(4096), {1, 1, 1}).has_value();
        }
        return taken;
    };
    say("program\t0\t\n");
    for (unsigned round = 0; round < 10; ++round) {
        say_enqueues(4096);
        ASSERT_EQ(take_all(), 20u) << round;
    }
    // An enqueue that is said again takes the first one's place.
    for (unsigned round = 0; round < 10; ++round)
        say_enqueues(8192);
    say_enqueues(4096);
    EXPECT_EQ(take_all(), 20u);
    for (unsigned number = 0; number < 5000; ++number)
        say("freed\t" + std::to_string(100 + number) + "\t1,2,3\n");
    say_enqueues(4096);
    EXPECT_EQ(take_all(), 0u);
}

// A superuser's program that gives up its rights writes as another user, who owns what it makes.
TEST_F(KernelNamesTest, AProgramThatHasChangedItsUserHasItsNames) {
    const bool changes = geteuid() == 0;
    folder.open_to_other_users();
    const pid_t program = fork();
    if (program == 0) {
        if (changes && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(1);
        say("program\t0\t\nenqueue\t0\t0\t0\t5\t4096\t8\t8\tadd\n");
        _exit(0);
    }
    int status = -1;
    ASSERT_EQ(waitpid(program, &status, 0), program);
    EXPECT_EQ(status, 0);
    names.submits(7, 1);
    EXPECT_EQ(take(4096), 0);
    struct stat of_folder {};
    ASSERT_EQ(stat(folder.path().c_str(), &of_folder), 0);
    EXPECT_EQ(of_folder.st_mode & 07777, changes ? 01733u : 0700u) << "nobody else's to list";
}

}  // namespace
}  // namespace gen9::platform
