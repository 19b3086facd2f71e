// SPDX-License-Identifier: Apache-2.0
#include "platform/host/checks/check_report.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "platform/host/checks/channel.h"
#include "platform/host/socket.h"

namespace gen9::checks {
namespace {

constexpr const char* kStart = "gen9sim: --check-launches: ";

LaunchRecord launch_of(const std::string& kernel, std::uint32_t number) {
    LaunchRecord launch;
    launch.kernel = kernel;
    launch.number = number;
    return launch;
}

ArgumentDifference difference(std::uint32_t argument, bool near = false) {
    ArgumentDifference found;
    found.argument = argument;
    found.name = "sums";
    found.type = "ulong4";
    found.near = near;
    found.elements = 64;
    found.differing = 3;
    found.first = 17;
    found.component = ".s1";
    found.model = "0";
    found.expected = "12";
    return found;
}

TEST(CheckReport, NothingLaunchedSaysNothing) {
    EXPECT_EQ(CheckReport(7).text(), "");
}

TEST(CheckReport, TheFirstDifferenceOfAKernelIsALine) {
    CheckReport report(4096);
    report.compared(launch_of("good", 0), {});
    report.compared(launch_of("bad", 1),
                    {"", false, {difference(2, true), difference(3), difference(5)}});
    report.compared(launch_of("bad", 2), {"", true, {difference(0)}});
    EXPECT_TRUE(report.differs());
    EXPECT_EQ(
        report.text(),
        std::string(kStart) +
            "3 launches, 3 compared with PoCL: 1 agrees, 2 differ (floats agree within 4096 "
            "ulps)\n" +
            kStart +
            "bad, enqueue 1: argument 3 (sums), element 17.s1 (ulong4): 0 on the model, 12 by "
            "PoCL; 3 of 64 elements differ; so does argument 5 (sums); and in 1 later launch\n" +
            kStart +
            "compiler or model? See docs/checking.md; first try --opencl-options=-cl-opt-disable");
}

TEST(CheckReport, ARoundingIsNoFailureAndAtomicsAreSaid) {
    CheckReport report(1);
    report.compared(launch_of("fixed", 0), {"", true, {difference(1, true)}});
    EXPECT_FALSE(report.differs());
    EXPECT_NE(
        report.text().find(
            "1 launch, 1 compared with PoCL: 1 differs by a rounding (floats agree within 1 ulp)"),
        std::string::npos)
        << report.text();
    EXPECT_NE(report.text().find("another rounding of floats before they became integers"),
              std::string::npos);
    EXPECT_EQ(report.text().find("atomics"), std::string::npos);
    report.compared(launch_of("append", 1), {"", true, {difference(1)}});
    EXPECT_TRUE(report.differs());
    EXPECT_NE(report.text().find("its program has atomics, whose order may be the reason"),
              std::string::npos);
}

TEST(CheckReport, LaunchesThatAreNotComparedAreCountedByReason) {
    CheckReport report(1);
    for (int i = 0; i < 3; ++i)
        report.not_compared("blur", "it takes an argument of type image2d_t");
    report.not_compared("sum", "it has no buffers");
    EXPECT_FALSE(report.differs());
    EXPECT_EQ(report.text(),
              std::string(kStart) +
                  "4 launches, 0 compared with PoCL (floats agree within 1 ulp)\n" + kStart +
                  "3 launches of blur not compared: it takes an argument of type image2d_t\n" +
                  kStart + "1 launch of sum not compared: it has no buffers");
    for (int i = 0; i < 40; ++i)
        report.not_compared("k" + std::to_string(i), "r");
    EXPECT_NE(report.text().find("22 more kinds of launches were not compared"), std::string::npos)
        << report.text();
}

bool never() {
    return false;
}

struct Ends {
    platform::FileDescriptor a, b;
    Ends() {
        int both[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, both) == 0) {
            a = platform::FileDescriptor(both[0]);
            b = platform::FileDescriptor(both[1]);
        }
    }
};

TEST(CheckMessages, AMessageArrivesAsItWasSent) {
    Ends ends;
    LaunchRecord launch = launch_of("k", 9);
    launch.global = {8, 4};
    launch.arguments = {{"ab", kNoPiece, 0, 0}, {"", 1, 128, 64}};
    launch.pieces = {3, 2};
    const std::vector<std::uint8_t> behind{1, 2, 3, 4, 5};
    const std::span<const std::uint8_t> parts[] = {behind};
    ASSERT_TRUE(send_message(ends.a.get(), MessageKind::Launch, to_bytes(launch), parts, never));
    const auto message = receive_message(ends.b.get(), never);
    ASSERT_TRUE(message);
    const auto found = from_bytes<LaunchRecord>(message->fields());
    ASSERT_TRUE(found);
    EXPECT_EQ(found->kernel, "k");
    EXPECT_EQ(found->global, launch.global);
    EXPECT_TRUE(found->local.empty());
    EXPECT_EQ(found->arguments[0].value, "ab");
    EXPECT_EQ(found->arguments[1].offset, 128u);
    EXPECT_EQ(found->pieces, launch.pieces);
    EXPECT_EQ(std::vector(message->behind().begin(), message->behind().end()), behind);
    ends.a.close();
    EXPECT_FALSE(receive_message(ends.b.get(), never));
}

TEST(CheckMessages, WhatIsNoMessageIsRefused) {
    // A list of more elements than there may be, and text beyond the end.
    const auto bytes = to_bytes(KernelQuestion{1, "kernel"});
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_FALSE(from_bytes<KernelQuestion>(std::span(bytes).first(size))) << size;
    std::vector<std::uint8_t> many(64, 0xFF);
    EXPECT_FALSE(from_bytes<LaunchRecord>(many));
    Ends ends;
    const MessageHead heads[] = {{MessageKind::Launch, 0, kLongestMessage + 1},
                                 {MessageKind::Launch, 0, 4}};
    for (const MessageHead& head : heads) {
        Ends wrong;
        ASSERT_EQ(send(wrong.a.get(), &head, sizeof head, 0), static_cast<ssize_t>(sizeof head));
        wrong.a.close();
        EXPECT_FALSE(receive_message(wrong.b.get(), never));
    }
    // Fields that are longer than the message.
    const MessageHead head{MessageKind::Refusal, 0, 16};
    const std::uint64_t words[] = {9, 0};
    ASSERT_EQ(send(ends.a.get(), &head, sizeof head, 0), static_cast<ssize_t>(sizeof head));
    ASSERT_EQ(send(ends.a.get(), words, sizeof words, 0), static_cast<ssize_t>(sizeof words));
    EXPECT_FALSE(receive_message(ends.b.get(), never));
}

}  // namespace
}  // namespace gen9::checks
