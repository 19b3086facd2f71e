// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/drm_connection.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "tests/unit/platform/host/drm/shared_memory_engine.h"

namespace gen9::drm {
namespace {

using platform::FileDescriptor;
using test::make_file;

/// Messages that a peer has sent, and served until it is gone.
struct Peer {
    test::SharedMemoryEngine engine;
    std::vector<std::string> said;
    std::vector<std::uint32_t> launches;
    int ends[2]{}, left_in_errno = 0;
    FileDescriptor page = make_file(kPage);

    Peer() {
        EXPECT_EQ(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
        send({.kind = Kind::Hello, .number = kVersion}, {page.get()});
    }
    ~Peer() { close(ends[1]); }
    void hang_up() const { close(ends[0]); }
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;
    void send(const Message& message, const std::vector<int>& descriptors = {},
              std::size_t bytes = sizeof(Message)) const {
        alignas(cmsghdr) char room[CMSG_SPACE(300 * sizeof(int))]{};
        iovec part{const_cast<Message*>(&message), bytes};
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        if (!descriptors.empty()) {
            header.msg_control = room;
            header.msg_controllen = CMSG_SPACE(descriptors.size() * sizeof(int));
            cmsghdr* const control = CMSG_FIRSTHDR(&header);
            control->cmsg_level = SOL_SOCKET;
            control->cmsg_type = SCM_RIGHTS;
            control->cmsg_len = CMSG_LEN(descriptors.size() * sizeof(int));
            std::memcpy(CMSG_DATA(control), descriptors.data(), descriptors.size() * sizeof(int));
        }
        EXPECT_EQ(sendmsg(ends[0], &header, MSG_NOSIGNAL), static_cast<ssize_t>(bytes));
    }
    /// `stays`: who sent them is there until hang_up().
    platform::TbxConnectionEnd serve(bool stays = false) {
        if (!stays) hang_up();
        return serve_drm_connection(
            ends[1],
            [&]() -> platform::Engine& {
                errno = left_in_errno;
                return engine;
            },
            [&](const std::string& line) { said.push_back(line); },
            [&](std::uint32_t, std::uint32_t launch) { launches.push_back(launch); },
            PageSize::Large);
    }
};

std::ptrdiff_t open_files() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {});
}

TEST(DrmConnection, ADescriptorThatAMessageDoesNotWantIsClosed) {
    Peer peer;
    const std::ptrdiff_t before = open_files();
    for (unsigned i = 0; i < 20; ++i)
        peer.send({.kind = Kind::VmGone}, {peer.page.get()});
    const auto end = peer.serve();
    EXPECT_EQ(end.complaints, 0u);
    EXPECT_FALSE(end.gave_up);
    EXPECT_EQ(open_files(), before - 1);  // the peer's end of the socket
}

// The engine waits for its program until the program's messages have been fetched; they are taken
// after the submission, in order, and with their descriptors.
TEST(DrmConnection, MessagesThatComeWhileTheEngineWaitsAreTakenAfterwardsInOrder) {
    constexpr std::uint32_t kRounds = 12;
    Peer peer;
    peer.send({.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0x1000, .number = 7});
    const auto file = make_file(kRounds * kPage);
    for (std::uint32_t id = 1; id <= kRounds; ++id) {
        peer.send({.kind = Kind::Buffer, .id = id, .size = kPage});
        peer.send({.kind = Kind::Part, .id = id, .size = kPage, .offset = (id - 1) * kPage},
                  {file.get()});
        peer.send({.kind = Kind::Bind, .id = id, .vm = 2, .address = id * kPage});
    }
    peer.send({.kind = Kind::BufferGone, .id = 99});
    unsigned runs = 0;
    std::ptrdiff_t open_before = 0;
    peer.engine.work = [&](platform::test::FakeEngine& engine) {
        if (++runs == 1) open_before = open_files();
        EXPECT_TRUE(engine.host_writes) << "its program may write what it waits for";
        engine.waits = runs < 3;
        if (runs < 3) return;
        EXPECT_EQ(open_files(), open_before + kRounds) << "all are fetched";
        // The submission has ended: its number is in the status page.
        engine.put<std::uint64_t>((engine.gtt[1] & ~0xFFFull) + 0x100, 7);
        peer.hang_up();
    };
    peer.serve(true);
    EXPECT_EQ(runs, 3u);
    EXPECT_EQ(peer.said, std::vector<std::string>{"DRM: a buffer that is not there has gone; the "
                                                  "connection is closed"});
}

// More are left in the socket, so that a program cannot use up the files of this process.
TEST(DrmConnection, SoManyDescriptorsAreFetchedWhileTheEngineWaits) {
    Peer peer;
    const int room = 1 << 20;
    setsockopt(peer.ends[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    peer.send({.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0x1000, .number = 7});
    for (unsigned i = 0; i < 270; ++i)
        peer.send({.kind = Kind::VmGone}, {peer.page.get()});
    unsigned runs = 0;
    std::vector<std::ptrdiff_t> open;
    peer.engine.work = [&](platform::test::FakeEngine& engine) {
        engine.waits = ++runs < 4;
        open.push_back(open_files());
        if (!engine.waits) peer.hang_up();
    };
    peer.serve(true);
    ASSERT_EQ(open.size(), 4u);
    EXPECT_EQ(open[1] - open[0], 256);
    EXPECT_EQ(open[3] - open[0], 256);
}

TEST(DrmConnection, WhoeverServesIsToldOfLaunches) {
    Peer peer;
    peer.send({.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0x1000, .offset = 5});
    peer.serve();
    EXPECT_EQ(peer.launches, std::vector<std::uint32_t>{5});
}

// Whatever an earlier call has left in errno.
TEST(DrmConnection, APeerThatIsGoneEndsIt) {
    Peer peer;
    peer.left_in_errno = EAGAIN;
    EXPECT_FALSE(peer.serve().gave_up);
}

TEST(DrmConnection, AMessageOfAnotherFormIsRefusedAndItsDescriptorsAreClosed) {
    for (const std::size_t count : {1u, 2u, 3u, 253u}) {
        Peer peer;
        const std::ptrdiff_t before = open_files();
        const std::size_t bytes = sizeof(Message) - (count == 1 ? 1 : 0);
        peer.send({.kind = Kind::VmGone}, std::vector<int>(count, peer.page.get()), bytes);
        const auto end = peer.serve();
        EXPECT_TRUE(end.gave_up);
        ASSERT_EQ(peer.said.size(), 1u);
        EXPECT_NE(peer.said[0].find("more than one descriptor"), std::string::npos);
        EXPECT_EQ(open_files(), before - 1) << count;
    }
}

}  // namespace
}  // namespace gen9::drm
