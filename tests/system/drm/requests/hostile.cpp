// SPDX-License-Identifier: Apache-2.0
// Programs that mean harm: batches of the copy engine without an end, and messages that no library
// sends.
#include <dirent.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "platform/host/drm/protocol.h"
#include "platform/host/program/drm_variables.h"
#include "tests/system/drm/requests/requests.h"

namespace requests {
namespace {

using gen9::drm::Kind;
using gen9::drm::Message;
using gen9::drm::Progress;

/// A client of the server without the library.
class Wire {
  public:
    Wire() : socket_(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)), page_(make_file(kPage)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        const std::string name =
            std::string(std::getenv(gen9::drm::kFolderVariable)) + "/" + gen9::drm::kSocketName;
        std::memcpy(address.sun_path, name.c_str(), name.size() + 1);
        EXPECT(connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        progress_ = static_cast<const Progress*>(
            mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, page_, 0));
        send({.kind = Kind::Hello, .number = gen9::drm::kVersion}, {page_});
    }
    /// False: the server has gone.
    bool send(const Message& message, const std::vector<int>& descriptors = {}) const {
        ++g_asked;
        alignas(cmsghdr) char room[CMSG_SPACE(8 * sizeof(int))]{};
        iovec part{const_cast<Message*>(&message), sizeof message};
        msghdr header{};
        header.msg_iov = &part;
        header.msg_iovlen = 1;
        const std::size_t bytes = descriptors.size() * sizeof(int);
        header.msg_control = room;
        header.msg_controllen = bytes ? CMSG_SPACE(bytes) : 0;
        if (cmsghdr* const control = CMSG_FIRSTHDR(&header)) {
            control->cmsg_level = SOL_SOCKET;
            control->cmsg_type = SCM_RIGHTS;
            control->cmsg_len = CMSG_LEN(bytes);
            std::memcpy(CMSG_DATA(control), descriptors.data(), bytes);
        }
        return sendmsg(socket_, &header, MSG_NOSIGNAL) == sizeof message;
    }
    /// A file that cannot shrink.
    static int make_file(std::uint64_t bytes) {
        const int file = memfd_create("sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
        EXPECT(ftruncate(file, static_cast<off_t>(bytes)), 0);
        EXPECT(fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK), 0);
        return file;
    }
    template <class Condition>
    void wait_until(Condition&& condition) const {
        for (unsigned i = 0; i < 6000 && !condition(); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        EXPECT(condition(), true);
    }
    void wait_for(std::uint64_t number) const {
        wait_until([&] { return lost() || progress_->completed >= number; });
    }
    bool lost() const { return progress_->lost != 0; }
    int page() const { return page_; }

  private:
    int socket_, page_;
    const Progress* progress_ = nullptr;
};

/// Of the processes that serve this one.
long open_files() {
    long count = 0;
    for (const pid_t process : siblings())
        if (DIR* folder = opendir(("/proc/" + std::to_string(process) + "/fd").c_str())) {
            while (readdir(folder))
                ++count;
            closedir(folder);
        }
    return count;
}
long resident_bytes() {
    long pages = 0;
    for (const pid_t process : siblings())
        if (std::FILE* file =
                std::fopen(("/proc/" + std::to_string(process) + "/statm").c_str(), "r")) {
            long size = 0, resident = 0;
            if (std::fscanf(file, "%ld %ld", &size, &resident) == 2) pages += resident;
            std::fclose(file);
        }
    return pages * static_cast<long>(kPage);
}

}  // namespace

/// Descriptors that no message needs, then two with one message.
void of_raw_descriptors() {
    const Wire wire;
    constexpr std::uint32_t kCopyEngine = 1;
    const auto submit = [&](std::uint64_t number) {
        wire.send({.kind = Kind::Submit,
                   .id = kCopyEngine,
                   .vm = 1,
                   .address = 0x10'0000,
                   .number = number});
        wire.wait_for(number);
    };
    const int file = Wire::make_file(kPage);
    const std::uint32_t end = 0x0500'0000;
    EXPECT(pwrite(file, &end, sizeof end, 0), sizeof end);
    wire.send({.kind = Kind::Buffer, .id = 1, .size = kPage});
    wire.send({.kind = Kind::Part, .id = 1, .size = kPage}, {file});
    wire.send({.kind = Kind::Bind, .id = 1, .vm = 1, .address = 0x10'0000});
    submit(1);
    const long before = open_files();
    for (unsigned i = 0; i < 1000; ++i)
        wire.send({.kind = Kind::VmGone, .vm = 7}, {wire.page()});
    submit(2);
    EXPECT(wire.lost(), false);
    EXPECT(open_files(), before);
    wire.send({.kind = Kind::VmGone, .vm = 7}, {wire.page(), wire.page()});
    wire.wait_until([&] { return wire.lost(); });
}

/// Large buffers at places that allow no large pages, in many address spaces.
void of_raw_bindings() {
    const Wire wire;
    constexpr std::uint64_t kBytes = std::uint64_t{64} << 30;
    constexpr std::uint32_t kCopyEngine = 1;
    const int file = Wire::make_file(kPage);
    const std::uint32_t end = 0x0500'0000;
    EXPECT(pwrite(file, &end, sizeof end, 0), sizeof end);
    wire.send({.kind = Kind::Buffer, .id = 1, .size = kPage});
    wire.send({.kind = Kind::Part, .id = 1, .size = kPage}, {file});
    wire.send({.kind = Kind::Buffer, .id = 2, .size = kBytes});
    for (std::uint32_t vm = 1; vm <= 17; ++vm) {
        wire.send({.kind = Kind::Bind, .id = 1, .vm = vm, .address = 0x10'0000});
        wire.send({.kind = Kind::Bind, .id = 2, .vm = vm, .address = kBytes + vm * kPage});
        wire.send({.kind = Kind::Submit,
                   .id = kCopyEngine,
                   .vm = vm,
                   .address = 0x10'0000,
                   .number = vm});
    }
    wire.wait_for(17);
    EXPECT(wire.lost(), false);
    EXPECT(resident_bytes() < 800l << 20, true);
    std::printf("resident: %ld MB\n", resident_bytes() >> 20);
}

/// A loop of copies or fills of pixels that lie over each other. `slow`: by pixels of 16 bytes in
/// tiles, which takes the server its time. `waits`: for the end.
void of_endless_copies(bool slow, bool waits) {
    constexpr std::uint32_t kAt = 0x10'0000, kSide = 32767u << 16, kBytes = 1 << 20;
    const int file = open_device();
    const std::uint32_t handle = make_buffer(file, kBytes);
    std::vector<std::uint32_t> words{
        0x5400'0005, 0xF0u << 16 | 1, 0, kSide | 32767, kAt + 4096, 0, 0};
    if (slow)
        words = {0x5080'0008 | 3u << 20,
                 5u << 24 | 4,
                 0,
                 kSide | 16,
                 kAt + 0x8'0000,
                 0,
                 0,
                 4,
                 kAt + 0x4'0000,
                 0};
    words.insert(words.end(), {0x1880'0001, kAt, 0, 0});
    ASK(DRM_IOCTL_I915_GEM_PWRITE, 0,
        drm_i915_gem_pwrite{handle, 0, 0, 4 * words.size(), address_of(words.data())});
    drm_i915_gem_exec_object2 object{};
    object.handle = handle;
    object.offset = kAt;
    object.flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE;
    drm_i915_gem_execbuffer2 a{};
    a.buffers_ptr = address_of(&object);
    a.buffer_count = 1;
    a.flags = I915_EXEC_BLT;
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a), 0);
    if (!waits) return;
    std::printf("it runs\n");
    std::fflush(stdout);
    ASK(DRM_IOCTL_I915_GEM_WAIT, 0, drm_i915_gem_wait{handle, 0, -1});
    EXPECT(errno_of(file, DRM_IOCTL_I915_GEM_EXECBUFFER2, &a), EIO);
}

}  // namespace requests
