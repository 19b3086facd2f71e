// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/kernel_names.h"

#include <gtest/gtest.h>

#include <fstream>

#include "platform/host/temporary_folder.h"
#include "tests/unit/platform/host/tbx/byte_stream.h"

namespace gen9::platform {
namespace {

using test::append;
using test::Bytes;
using test::dwords;
using Groups = std::array<std::uint32_t, 3>;

/// A device binary of patch tokens whose kernels are 64 bytes of one value each.
Bytes binary(std::initializer_list<std::pair<std::string, std::uint8_t>> kernels) {
    auto bytes =
        dwords({0x494E5443, 1081, 12, 8, static_cast<std::uint32_t>(kernels.size()), 9, 0});
    for (const auto& [name, code] : kernels) {
        append(bytes, dwords({1, 2, 3, 8, 0, 64, 0, 0, 0, 64}));
        Bytes padded(name.begin(), name.end());
        padded.resize(8);
        append(bytes, padded);
        append(bytes, Bytes(64, code));
    }
    return bytes;
}

class KernelNamesTest : public testing::Test {
  protected:
    void write(const std::string& name, const Bytes& bytes) const {
        std::ofstream file(folder.path() + "/" + name, std::ios::binary | std::ios::app);
        file.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
    }
    void say(const std::string& text, const std::string& process = "7") const {
        write(process + ".log", {text.begin(), text.end()});
    }
    /// The code as the EUs find it: what follows a kernel in memory is not its own.
    std::optional<LaunchName> take(std::uint8_t code, const Groups& groups) {
        Bytes bytes(64, code);
        append(bytes, Bytes(64, 0xCC));
        return names.take(bytes, groups);
    }

    TemporaryFolder folder{"gen9sim-test-"};
    KernelNames names{folder.path()};
};

TEST_F(KernelNamesTest, ALaunchIsTheFirstEnqueueOfItsCodeThatHasItsGroups) {
    write("7-0.bin", binary({{"vadd", 1}, {"red", 2}}));
    say("program\t0\t-cl-fast-relaxed-math -DX=1\n");
    say("enqueue\t0\t0\t1024\t64\tvadd\n");
    say("enqueue\t0\t1\t100,20\t16,4\tred\n");
    say("enqueue\t0\t0\t2048\t64\tvadd\n");
    const auto second = take(1, {32, 1, 1});
    ASSERT_TRUE(second);
    EXPECT_EQ(second->event, 2u);
    const auto first = take(1, {16, 1, 1});
    ASSERT_TRUE(first);
    EXPECT_EQ(first->kernel, "vadd");
    EXPECT_EQ(first->program, 0u);
    EXPECT_EQ(first->build_options, "-cl-fast-relaxed-math -DX=1");
    EXPECT_EQ(first->global_size, (std::vector<std::uint64_t>{1024}));
    EXPECT_EQ(first->local_size, (std::vector<std::uint64_t>{64}));
    EXPECT_EQ(first->queue, 0u);
    EXPECT_EQ(first->event, 0u);
    const auto red = take(2, {7, 5, 1});
    ASSERT_TRUE(red);
    EXPECT_EQ(red->kernel, "red");
    EXPECT_EQ(red->queue, 1u);
    EXPECT_FALSE(take(1, {16, 1, 1})) << "all its enqueues are taken";
}

TEST_F(KernelNamesTest, WhatHasBeenWrittenSinceIsReadAndAPartOfALineWaits) {
    EXPECT_FALSE(take(1, {1, 1, 1}));
    write("7-0.bin", binary({{"vadd", 1}}));
    say("program\t0\t\nenqueue\t0\t0\t8\t-\tva");
    EXPECT_FALSE(take(1, {3, 1, 1}));
    say("dd\n");
    const auto launch = take(1, {3, 1, 1});
    ASSERT_TRUE(launch) << "any groups, for the driver chose the local size";
    EXPECT_EQ(launch->kernel, "vadd");
    EXPECT_TRUE(launch->local_size.empty());
}

TEST_F(KernelNamesTest, AFewBytesMayHaveBeenFilledIn) {
    write("7-0.bin", binary({{"vadd", 1}}));
    say("program\t0\t\nenqueue\t0\t0\t8\t8\tvadd\n");
    Bytes code(64, 1);
    code[20] = code[40] = 9;
    EXPECT_FALSE(names.take(code, {1, 1, 1})) << "two of 64";
    code[40] = 1;
    EXPECT_TRUE(names.take(code, {1, 1, 1}));
}

TEST_F(KernelNamesTest, ProcessesHaveTheirOwnPrograms) {
    write("7-0.bin", binary({{"vadd", 1}}));
    write("8-0.bin", binary({{"other", 3}}));
    say("program\t0\t\nenqueue\t0\t0\t8\t8\tvadd\n");
    say("program\t0\t\nenqueue\t0\t0\t8\t8\tother\n", "8");
    const auto launch = take(3, {1, 1, 1});
    ASSERT_TRUE(launch);
    EXPECT_EQ(launch->kernel, "other");
    EXPECT_EQ(launch->event, 0u);
}

TEST_F(KernelNamesTest, AProcessMayBeginLater) {
    write("7-0.bin", binary({{"vadd", 1}}));
    say("program\t0\t\nenqueue\t0\t0\t8\t8\tvadd\n");
    EXPECT_TRUE(take(1, {1, 1, 1}));
    write("8-0.bin", binary({{"other", 3}}));
    say("program\t0\t\nenqueue\t0\t0\t8\t8\tother\n", "8");
    const auto launch = take(3, {1, 1, 1});
    ASSERT_TRUE(launch);
    EXPECT_EQ(launch->kernel, "other");
}

TEST_F(KernelNamesTest, LongLogsAreReadWhole) {
    write("7-0.bin", binary({{"vadd", 1}}));
    std::string lines = "program\t0\t\n";
    // A line that ends with the piece it is read in, and one across two pieces.
    for (const std::size_t end : {4096u, 10000u}) {
        lines += "enqueue\t0\t0\t8\t8\t";
        lines += std::string(end - lines.size() - 1, 'x') + "\n";
    }
    say(lines);
    EXPECT_FALSE(take(1, {1, 1, 1}));
    say("enqueue\t0\t0\t8\t8\tvadd\n");
    const auto launch = take(1, {1, 1, 1});
    ASSERT_TRUE(launch);
    EXPECT_EQ(launch->event, 2u);
}

TEST_F(KernelNamesTest, NonsenseHasNoNames) {
    write("7-0.bin", {0x43, 0x54, 0x4E, 0x49, 1, 2, 3});
    write("7-1.bin", Bytes(100, 0xFF));
    say("program\t0\t\nprogram\t1\t\nprogram\t2\t\nprogram\tx\t\nprogram\n\n\t\t\t\n");
    say("enqueue\t0\t0\t8\t8\tvadd\nenqueue\t1\t0\t8\t8\tvadd\nenqueue\t2\t0\t8\t8\tvadd\n");
    say("enqueue\t0\t0\t\t8\tvadd\nenqueue\t0\t-1\t1,2,3,4\t0\tvadd\nenqueue\t-4\t0\t8\t8\tvadd\n");
    EXPECT_FALSE(take(1, {1, 1, 1}));
    EXPECT_FALSE(take(0xFF, {1, 1, 1}));
    EXPECT_FALSE(names.take({}, {1, 1, 1}));
}

}  // namespace
}  // namespace gen9::platform
