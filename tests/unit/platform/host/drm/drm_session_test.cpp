// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/drm_session.h"

#include <gtest/gtest.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <new>
#include <thread>

#include "common/bits.h"
#include "common/check.h"
#include "platform/host/address_space.h"
#include "platform/host/graphics_memory.h"
#include "tests/unit/platform/host/drm/session_bench.h"

namespace gen9::drm {
namespace {

using platform::FileDescriptor;
using test::make_file;

struct DrmSessionTest : test::SessionBench {};

TEST_F(DrmSessionTest, NothingIsTakenBeforeTheGreeting) {
    send({.kind = Kind::Buffer, .id = 1, .size = kPage});
    EXPECT_TRUE(session.ended());
    EXPECT_EQ(said.size(), 1u);
}

TEST_F(DrmSessionTest, AnotherVersionIsRefused) {
    send({.kind = Kind::Hello, .number = kVersion + 1}, copy_of(page));
    EXPECT_TRUE(session.ended());
}

TEST_F(DrmSessionTest, ASubmissionsLaunchIsToldBeforeItRuns) {
    std::vector<std::uint32_t> told;
    session.on_launch = [&](std::uint32_t process, std::uint32_t launch) {
        told = {process, launch};
    };
    send({.kind = Kind::Hello, .id = 1234, .number = kVersion}, copy_of(page));
    complete_submissions();
    const auto complete = engine.work;
    engine.work = [&](platform::test::FakeEngine& ran) {
        EXPECT_EQ(told, (std::vector<std::uint32_t>{1234, 5}));
        complete(ran);
    };
    send(
        {.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0x1000, .offset = 5, .number = 1});
    EXPECT_EQ(told.size(), 2u);
}

TEST_F(DrmSessionTest, ASubmissionStartsItsBatchInThePerProcessTablesAndIsToldComplete) {
    greet();
    add_buffer(1, kPage);
    send({.kind = Kind::Bind, .id = 1, .vm = 1, .address = 0x8001'FFFF'D000});
    complete_submissions();
    send({.kind = Kind::Submit, .vm = 1, .context = 3, .address = 0x8001'FFFF'D040, .number = 5});
    const auto ring = ring_of_last_submission();
    // MI_BATCH_BUFFER_START, PPGTT, 3 DWords (003: MI_BATCH_BUFFER_START).
    const auto start = std::find(ring.begin(), ring.end(), 0x1880'0101u);
    ASSERT_NE(start, ring.end());
    EXPECT_EQ(start[1], 0xFFFF'D040u);
    EXPECT_EQ(start[2], 0x8001u);
    EXPECT_EQ(progress->completed, 5u);
    EXPECT_EQ(progress->lost, 0u);
    EXPECT_EQ(ring.size() % 2, 0u);  // the tail counts quadwords
}

TEST_F(DrmSessionTest, ARingIsUsedManyTimesOver) {
    greet();
    complete_submissions();
    // The test reads a ring from its start, and only a submission that lies there.
    for (std::uint64_t number = 1; number <= 300; ++number) {
        engine.work = [&](platform::test::FakeEngine&) {
            const auto start = image_dword(platform::ContextImage::kRingStart);
            const auto tail = image_dword(platform::ContextImage::kRingTail);
            const auto dword = [&](std::uint32_t back) {
                return engine.get<std::uint32_t>(global(start + tail - 4 * back).value);
            };
            ASSERT_EQ(dword(8), 0x7A00'0004u) << number;
            std::uint8_t written[8];
            store(written, std::uint64_t{dword(3)} << 32 | dword(4));
            engine.write_memory(global(dword(6)), written);
        };
        send({.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0, .number = number});
        ASSERT_EQ(progress->completed, number);
    }
    EXPECT_FALSE(session.ended());
}

// What a context wrote lies in the machine's own memory: no file can take its place.
TEST_F(DrmSessionTest, MemoryOfADestroyedContextIsForTheNextContextAndNoBuffer) {
    greet();
    complete_submissions();
    send({.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0, .number = 1});
    send({.kind = Kind::ContextGone, .context = 1});
    add_buffer(1, 0x100 * kPage);
    ASSERT_FALSE(session.ended()) << said.back();
    send({.kind = Kind::Submit, .vm = 1, .context = 2, .address = 0, .number = 2});
    EXPECT_EQ(progress->completed, 2u);
}

TEST_F(DrmSessionTest, AnEngineThatDoesNotComeToTheEndIsLost) {
    greet();
    send({.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0x1000, .number = 5});
    EXPECT_EQ(progress->lost, 1u);
    EXPECT_EQ(progress->lost_in, 5u);
    EXPECT_TRUE(session.ended());
}

TEST_F(DrmSessionTest, ADescriptorToWakeByIsClosedInItsTurn) {
    greet();
    int ends[2];
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    const FileDescriptor watcher(ends[0]);
    pollfd watched{watcher.get(), POLLIN, 0};
    EXPECT_EQ(poll(&watched, 1, 0), 0);
    send({.kind = Kind::Wake}, FileDescriptor(ends[1]));
    EXPECT_EQ(poll(&watched, 1, 0), 1);
}

// A program sleeps until the page of progress has changed.
TEST_F(DrmSessionTest, WhoeverSleepsIsWokenByTheEndOfASubmissionAndOfTheSession) {
    greet();
    complete_submissions();
    const auto woken_by = [&](const Message& message) {
        const std::uint32_t before = progress->changed;
        std::thread sleeper([&] {
            const timespec most{10, 0};
            const long result =
                syscall(SYS_futex, &progress->changed, FUTEX_WAIT, before, &most, nullptr, 0);
            EXPECT_TRUE(result == 0 || errno == EAGAIN) << "nobody woke it";
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        send(message);
        sleeper.join();
        return progress->changed - before;
    };
    EXPECT_EQ(
        woken_by({.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0x1000, .number = 1}),
        1u);
    EXPECT_FALSE(session.ended());
    EXPECT_EQ(woken_by({.kind = Kind::BufferGone, .id = 9}), 1u);
    EXPECT_TRUE(session.ended());
}

// What the session meets deep inside is a sentence, too.
TEST_F(DrmSessionTest, WhatThereIsNoRoomForEndsTheSessionWithOneSentence) {
    greet();
    engine.work = [](platform::test::FakeEngine&) { throw UserError("no room for it"); };
    send({.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0x1000, .number = 1});
    EXPECT_TRUE(session.ended());
    EXPECT_EQ(session.complaints(), 1u);
    EXPECT_EQ(said, std::vector<std::string>{"DRM: no room for it; the connection is closed"});
    EXPECT_EQ(progress->lost, 1u);
}

TEST_F(DrmSessionTest, NoMemoryOfTheHostIsASentence) {
    greet();
    engine.work = [](platform::test::FakeEngine&) { throw std::bad_alloc(); };
    send({.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0x1000, .number = 1});
    EXPECT_TRUE(session.ended());
    EXPECT_EQ(said.size(), 1u);
}

// A buffer in the middle of a file, with another one behind it in another address space.
TEST_F(DrmSessionTest, TheCopyEngineReachesToTheEndOfABufferAndNoFurther) {
    constexpr std::uint32_t kCopyEngine = 1, kAt = 0x10'0000, kBatchAt = 0x20'0000;
    greet();
    const auto file = make_file(4 * kPage), batch = add_buffer(2, kPage);
    send({.kind = Kind::Buffer, .id = 1, .size = kPage});
    send({.kind = Kind::Part, .id = 1, .size = kPage, .offset = kPage}, copy_of(file));
    send({.kind = Kind::Bind, .id = 1, .vm = 1, .address = kAt});
    send({.kind = Kind::Bind, .id = 2, .vm = 1, .address = kBatchAt});
    // Rows of 1024 bytes from the buffer's middle on, eight of them.
    const std::uint32_t words[] = {0x5400'0005,     0x00F0'0400, 0,           8u << 16 | 1024,
                                   kAt + kPage / 2, 0,           0x5A5A'5A5A, 0x0500'0000};
    ASSERT_EQ(pwrite(batch.get(), words, sizeof words, 0), static_cast<ssize_t>(sizeof words));
    send({.kind = Kind::Submit, .id = kCopyEngine, .vm = 1, .address = kBatchAt, .number = 1});
    EXPECT_FALSE(session.ended());
    std::vector<std::uint8_t> bytes(4 * kPage);
    ASSERT_EQ(pread(file.get(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    for (std::uint64_t at = 0; at < bytes.size(); ++at)
        ASSERT_EQ(bytes[at] == 0x5A, at >= kPage * 3 / 2 && at < 2 * kPage) << at;
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("0x101000,"), std::string::npos) << said[0];
}

TEST_F(DrmSessionTest, ABatchOfTheCopyEngineThatLeadsNowhereIsLostWithASentence) {
    constexpr std::uint32_t kCopyEngine = 1, kAt = 0x10'0000;
    greet();
    const auto file = add_buffer(1, kPage);
    send({.kind = Kind::Bind, .id = 1, .vm = 1, .address = kAt});
    const std::uint32_t batch[] = {0x1000'0002, kAt + 256, 0, 77, 0x0500'0000};
    ASSERT_EQ(pwrite(file.get(), batch, sizeof batch, 0), static_cast<ssize_t>(sizeof batch));
    send({.kind = Kind::Submit, .id = kCopyEngine, .vm = 1, .address = kAt, .number = 1});
    EXPECT_FALSE(session.ended());
    std::uint32_t written = 0;
    ASSERT_EQ(pread(file.get(), &written, sizeof written, 256), 4);
    EXPECT_EQ(written, 77u);
    send({.kind = Kind::Submit, .id = kCopyEngine, .vm = 1, .address = kAt + kPage, .number = 2});
    EXPECT_TRUE(session.ended());
    EXPECT_NE(said.back().find("leads to where its program has no commands"), std::string::npos);
    EXPECT_EQ(progress->lost_in, 2u);
}

}  // namespace
}  // namespace gen9::drm
