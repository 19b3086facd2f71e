// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/drm_session.h"

#include <gtest/gtest.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <new>
#include <thread>

#include "common/bits.h"
#include "common/check.h"
#include "platform/host/address_space.h"
#include "platform/host/drm/drm_connection.h"
#include "platform/host/graphics_memory.h"
#include "tests/unit/platform/host/drm/shared_memory_engine.h"

namespace gen9::drm {
namespace {

using platform::FileDescriptor;
using test::make_file;

/// A program at a session, without a socket.
struct DrmSessionTest : testing::Test {
    explicit DrmSessionTest(const Frames& frames = PageSize::Large)
        : session(
              engine, [this](const std::string& line) { said.push_back(line); }, frames) {}
    test::SharedMemoryEngine engine;
    std::vector<std::string> said;
    DrmSession session;
    FileDescriptor page = make_file(kPage);
    const Progress* progress = static_cast<const Progress*>(
        mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_SHARED, page.get(), 0));

    static FileDescriptor copy_of(const FileDescriptor& file) {
        return FileDescriptor(dup(file.get()));
    }
    void send(Message message, FileDescriptor file = {}) { session.take(message, std::move(file)); }
    void greet() { send({.kind = Kind::Hello, .number = kVersion}, copy_of(page)); }
    FileDescriptor add_buffer(std::uint32_t id, std::uint64_t size) {
        auto file = make_file(size);
        send({.kind = Kind::Buffer, .id = id, .size = size});
        send({.kind = Kind::Part, .id = id, .size = size}, copy_of(file));
        return file;
    }
    /// Mappings of this process that are of files in memory.
    static long mappings() {
        std::ifstream maps("/proc/self/maps");
        long count = 0;
        for (std::string line; std::getline(maps, line);)
            count += line.find("memfd:") != std::string::npos;
        return count;
    }
    /// The engine does what its ring says of the number of the submission: it writes it.
    void complete_submissions() {
        engine.work = [this](platform::test::FakeEngine&) {
            const auto ring = ring_of_last_submission();
            // The last PIPE_CONTROL has the address in its third DWord, the number in its fifth.
            const auto at = ring.size() - 8;
            const auto status = global(ring[at + 2]);
            std::uint8_t number[8];
            store(number, std::uint64_t{ring[at + 5]} << 32 | ring[at + 4]);
            engine.write_memory(status, number);
        };
    }
    PhysAddr global(std::uint64_t address) {
        return PhysAddr((engine.gtt[static_cast<std::uint32_t>(address / kPage)] & ~0xFFFull) +
                        address % kPage);
    }
    std::uint32_t image_dword(std::uint32_t offset) {
        const auto descriptor = engine.registers[platform::kExeclistSubmitPort];
        return engine.get<std::uint32_t>(global((descriptor & ~0xFFFu) + offset).value);
    }
    std::vector<std::uint32_t> ring_of_last_submission() {
        const auto start = image_dword(platform::ContextImage::kRingStart);
        const auto tail = image_dword(platform::ContextImage::kRingTail);
        std::vector<std::uint32_t> dwords;
        for (std::uint32_t at = 0; at < tail; at += 4)
            dwords.push_back(engine.get<std::uint32_t>(global(start + at).value));
        return dwords;
    }
    PhysAddr root() {
        return PhysAddr(std::uint64_t{image_dword(platform::ContextImage::kPdp0High)} << 32 |
                        image_dword(platform::ContextImage::kPdp0Low));
    }
};

struct ScatteredSessionTest : DrmSessionTest {
    static constexpr std::uint64_t kFrame = 64 << 10;
    ScatteredSessionTest() : DrmSessionTest(Frames(PageSize::Medium, 1)) {}
};

TEST_F(DrmSessionTest, NothingIsTakenBeforeTheGreeting) {
    send({.kind = Kind::Buffer, .id = 1, .size = kPage});
    EXPECT_TRUE(session.ended());
    EXPECT_EQ(said.size(), 1u);
}

TEST_F(DrmSessionTest, AnotherVersionIsRefused) {
    send({.kind = Kind::Hello, .number = kVersion + 1}, copy_of(page));
    EXPECT_TRUE(session.ended());
}

TEST_F(DrmSessionTest, ABuffersFileIsTheMachinesMemoryAtItsGraphicsAddress) {
    greet();
    const auto file = add_buffer(7, 3 * kPage);
    send({.kind = Kind::Bind, .id = 7, .vm = 2, .address = 0x1234'5000});
    complete_submissions();
    send({.kind = Kind::Submit, .vm = 2, .context = 1, .address = 0x1234'5000, .number = 1});
    ASSERT_FALSE(session.ended());
    const PhysAddr root = this->root();
    const auto found = engine.walk(root, 0x1234'6010);
    ASSERT_TRUE(found.ok());
    engine.put<std::uint32_t>(found.address.value, 0xCAFE'F00D);
    std::uint32_t value = 0;
    ASSERT_EQ(pread(file.get(), &value, sizeof value, 0x1010), 4);
    EXPECT_EQ(value, 0xCAFE'F00Du);
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

TEST_F(DrmSessionTest, ABuffersMemoryLiesWhereLargePagesCanMapIt) {
    constexpr std::uint64_t kLarge = 2 << 20;
    greet();
    add_buffer(7, 3 * kLarge);
    const std::uint64_t address = 0x7F00'0001'3000;
    send({.kind = Kind::Bind, .id = 7, .vm = 2, .address = address});
    complete_submissions();
    send({.kind = Kind::Submit, .vm = 2, .context = 1, .address = address, .number = 1});
    ASSERT_FALSE(session.ended());
    const PhysAddr root = this->root();
    EXPECT_EQ(engine.walk(root, address).page_shift, 12u);
    EXPECT_EQ(engine.walk(root, address + kLarge).page_shift, 21u);
    EXPECT_EQ(engine.walk(root, address + 2 * kLarge).page_shift, 21u);
}

// Every page has its bytes, whatever frame it is in; when the buffer has gone, another one is at
// its place.
TEST_F(ScatteredSessionTest, EachPageOfABufferIsItsFilesAtItsGraphicsAddress) {
    constexpr std::uint64_t kBytes = 6 << 20, kAddress = 0x7F00'0000'3000;
    greet();
    complete_submissions();
    for (std::uint64_t round = 1; round <= 2; ++round) {
        const auto file = add_buffer(7, kBytes);
        for (std::uint64_t at = 0; at < kBytes; at += kPage) {
            const std::uint64_t mark = at + round;
            ASSERT_EQ(pwrite(file.get(), &mark, sizeof mark, static_cast<off_t>(at)), 8);
        }
        send({.kind = Kind::Bind, .id = 7, .vm = 2, .address = kAddress});
        send({.kind = Kind::Submit, .vm = 2, .context = 1, .address = kAddress, .number = round});
        ASSERT_FALSE(session.ended());
        std::uint64_t in_a_row = 0, before = 0;
        for (std::uint64_t at = 0; at < kBytes; at += kPage) {
            const auto found = engine.walk(root(), kAddress + at);
            ASSERT_TRUE(found.ok());
            EXPECT_EQ(engine.get<std::uint64_t>(found.address.value), at + round);
            in_a_row += found.address.value == before + kPage;
            before = found.address.value;
        }
        // Of the 97 frames that are touched hardly two follow each other.
        EXPECT_NEAR(static_cast<double>(in_a_row), kBytes / kPage - 97, 3);
        // A table that is all of this buffer has pages as large as the frames.
        EXPECT_EQ(engine.walk(root(), (kAddress | 0x1F'FFFF) + 1).page_shift, 16u);
        send({.kind = Kind::BufferGone, .id = 7});
        EXPECT_FALSE(engine.walk(root(), kAddress + kPage).ok());
    }
}

// More tables than one block of them: none comes between buffers.
TEST_F(DrmSessionTest, WhereBuffersLieDoesNotFollowHowFarApartTheirAddressesAre) {
    constexpr std::uint64_t kApart = std::uint64_t{1} << 39;
    greet();
    complete_submissions();
    for (std::uint32_t id = 1; id <= 200; ++id) {
        add_buffer(id, kPage);
        send({.kind = Kind::Bind, .id = id, .vm = 2, .address = id * kApart});
    }
    send({.kind = Kind::Submit, .vm = 2, .context = 1, .address = kApart, .number = 1});
    ASSERT_FALSE(session.ended());
    const PhysAddr root = this->root();
    const std::uint64_t first = engine.walk(root, kApart).address.value;
    for (std::uint32_t id = 2; id <= 200; ++id)
        EXPECT_EQ(engine.walk(root, id * kApart).address.value, first + (id - 1) * kPage);
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

// A process may have some ten thousand mappings only.
TEST_F(DrmSessionTest, BuffersOfOneFileShareItsMapping) {
    constexpr std::uint32_t kBuffers = 100;
    greet();
    const auto file = make_file(kBuffers * kPage);
    const auto before = mappings();
    for (std::uint32_t id = 1; id <= kBuffers; ++id) {
        send({.kind = Kind::Buffer, .id = id, .size = kPage});
        send({.kind = Kind::Part, .id = id, .size = kPage, .offset = (id - 1) * kPage},
             copy_of(file));
        send({.kind = Kind::Bind, .id = id, .vm = 2, .address = id * 0x10'0000});
    }
    EXPECT_EQ(mappings(), before + 1);
    // Each has its own stretch of it, also when one beside it has gone or lies elsewhere.
    complete_submissions();
    const auto expect_own_stretch = [&](std::uint32_t id) {
        const auto found = engine.walk(root(), id * 0x10'0000);
        ASSERT_TRUE(found.ok()) << id;
        engine.put<std::uint32_t>(found.address.value + 8, 1000 + id);
        std::uint32_t value = 0;
        ASSERT_EQ(pread(file.get(), &value, sizeof value, (id - 1) * kPage + 8), 4);
        EXPECT_EQ(value, 1000 + id);
    };
    send({.kind = Kind::Submit, .vm = 2, .context = 1, .address = 0x10'0000, .number = 1});
    for (std::uint32_t id = 1; id <= kBuffers; ++id)
        expect_own_stretch(id);
    send({.kind = Kind::BufferGone, .id = 2});
    send({.kind = Kind::Part, .id = 4, .size = kPage}, make_file(kPage));
    EXPECT_EQ(mappings(), before + 2);
    for (const std::uint32_t id : {1, 3, 5})
        expect_own_stretch(id);
    for (std::uint32_t id = 1; id < kBuffers; ++id)
        if (id != 2) send({.kind = Kind::BufferGone, .id = id});
    EXPECT_EQ(mappings(), before + 1);
    send({.kind = Kind::BufferGone, .id = kBuffers});
    EXPECT_EQ(mappings(), before);
    EXPECT_FALSE(session.ended());
}

TEST_F(DrmSessionTest, ABufferThatMovesToAnotherFileKeepsItsPlaceInTheMachine) {
    constexpr std::uint64_t kAddress = 0x1234'5000;
    greet();
    complete_submissions();
    add_buffer(7, kPage);
    send({.kind = Kind::Bind, .id = 7, .vm = 2, .address = kAddress});
    send({.kind = Kind::Submit, .vm = 2, .context = 1, .address = kAddress, .number = 1});
    const PhysAddr root(std::uint64_t{image_dword(platform::ContextImage::kPdp0High)} << 32 |
                        image_dword(platform::ContextImage::kPdp0Low));
    const auto first = engine.walk(root, kAddress);
    const auto file = make_file(kPage);
    send({.kind = Kind::Part, .id = 7, .size = kPage}, copy_of(file));
    const auto then = engine.walk(root, kAddress);
    ASSERT_TRUE(first.ok() && then.ok());
    EXPECT_EQ(first.address, then.address);
    engine.put<std::uint32_t>(then.address.value, 0xCAFE'F00D);
    std::uint32_t value = 0;
    ASSERT_EQ(pread(file.get(), &value, sizeof value, 0), 4);
    EXPECT_EQ(value, 0xCAFE'F00Du);
    EXPECT_FALSE(session.ended());
}

TEST_F(DrmSessionTest, APartOfABufferWhoseMemoryIsOneFileIsRefused) {
    greet();
    const auto file = add_buffer(7, 2 * kPage);
    send({.kind = Kind::Part, .id = 7, .size = kPage}, copy_of(file));
    EXPECT_TRUE(session.ended());
}

TEST_F(DrmSessionTest, ABufferMayLieInPartsOfSeveralFiles) {
    constexpr std::uint64_t kAddress = 0x1234'5000;
    greet();
    complete_submissions();
    const auto first = make_file(2 * kPage), second = make_file(4 * kPage);
    send({.kind = Kind::Buffer, .id = 7, .size = 4 * kPage});
    send({.kind = Kind::Part, .id = 7, .address = kPage, .size = kPage, .offset = kPage},
         copy_of(first));
    send({.kind = Kind::Part, .id = 7, .address = 2 * kPage, .size = 2 * kPage, .offset = kPage},
         copy_of(second));
    send({.kind = Kind::Bind, .id = 7, .vm = 2, .address = kAddress});
    send({.kind = Kind::Submit, .vm = 2, .context = 1, .address = kAddress, .number = 1});
    ASSERT_FALSE(session.ended()) << said.back();
    for (std::uint32_t page = 0; page < 4; ++page)
        engine.put<std::uint32_t>(engine.walk(root(), kAddress + page * kPage).address.value,
                                  page + 1);
    const auto word = [](const FileDescriptor& file, std::uint64_t page) {
        std::uint32_t value = 0;
        EXPECT_EQ(pread(file.get(), &value, sizeof value, static_cast<off_t>(page * kPage)), 4);
        return value;
    };
    EXPECT_EQ(word(first, 0), 0u);
    EXPECT_EQ(word(first, 1), 2u);
    EXPECT_EQ(word(second, 0), 0u);
    EXPECT_EQ(word(second, 1), 3u);
    EXPECT_EQ(word(second, 2), 4u);
    EXPECT_EQ(word(second, 3), 0u);
    send({.kind = Kind::BufferGone, .id = 7});
    EXPECT_FALSE(session.ended());
}

// Each such buffer has 64 GB of this process's addresses, of which there are 128 TB at most.
TEST_F(DrmSessionTest, BuffersBeyondTheAddressesOfAProcessAreRefused) {
    greet();
    const auto file = make_file(kPage);
    for (std::uint32_t id = 1; id < 4096 && !session.ended(); ++id) {
        send({.kind = Kind::Buffer, .id = id, .size = std::uint64_t{64} << 30});
        send({.kind = Kind::Part, .id = id, .size = kPage}, copy_of(file));
    }
    EXPECT_TRUE(session.ended());
    EXPECT_EQ(said, std::vector<std::string>{
                        "DRM: no address space for a buffer; the connection is closed"});
}

// What a buffer had of this process's addresses is free when it has gone.
TEST_F(DrmSessionTest, AddressesOfABufferThatHasGoneAreUsedAgain) {
    greet();
    const auto file = make_file(kPage);
    for (std::uint32_t round = 0; round < 2100; ++round) {
        send({.kind = Kind::Buffer, .id = 1, .size = std::uint64_t{64} << 30});
        send({.kind = Kind::Part, .id = 1, .size = kPage}, copy_of(file));
        send({.kind = Kind::BufferGone, .id = 1});
        ASSERT_FALSE(session.ended()) << round << ": " << said.back();
    }
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

TEST_F(DrmSessionTest, AFileThatCanShrinkIsNoMemory) {
    greet();
    send({.kind = Kind::Buffer, .id = 1, .size = kPage});
    send({.kind = Kind::Part, .id = 1, .size = kPage}, make_file(kPage, false));
    EXPECT_TRUE(session.ended());
}

// A descriptor to read by: its pages cannot be mapped to be written.
TEST_F(DrmSessionTest, AFileThatCannotBeWrittenIsNoMemory) {
    const auto to_read = [](const FileDescriptor& file) {
        const std::string name = "/proc/self/fd/" + std::to_string(file.get());
        return FileDescriptor(open(name.c_str(), O_RDONLY | O_CLOEXEC));
    };
    for (const std::uint64_t bytes : {kPage, 2 * kPage}) {
        test::SharedMemoryEngine other_engine;
        std::vector<std::string> other_said;
        DrmSession other(
            other_engine, [&](const std::string& line) { other_said.push_back(line); },
            PageSize::Large);
        other.take({.kind = Kind::Hello, .number = kVersion}, copy_of(page));
        other.take({.kind = Kind::Buffer, .id = 1, .size = 2 * kPage}, {});
        other.take({.kind = Kind::Part, .id = 1, .size = bytes}, to_read(make_file(2 * kPage)));
        EXPECT_EQ(other_said,
                  std::vector<std::string>{
                      "DRM: a buffer's memory cannot be mapped; the connection is closed"});
    }
    send({.kind = Kind::Hello, .number = kVersion}, to_read(page));
    EXPECT_EQ(said, std::vector<std::string>{
                        "DRM: no memory for the page of progress; the connection is closed"});
}

TEST_F(DrmSessionTest, AFileThatIsTooShortIsNoMemory) {
    greet();
    send({.kind = Kind::Buffer, .id = 1, .size = 2 * kPage});
    send({.kind = Kind::Part, .id = 1, .size = 2 * kPage}, make_file(kPage));
    EXPECT_TRUE(session.ended());
}

TEST_F(DrmSessionTest, ABufferThatHasGoneLeavesNoTranslation) {
    greet();
    add_buffer(1, kPage);
    send({.kind = Kind::Bind, .id = 1, .vm = 1, .address = 0x5000});
    complete_submissions();
    send({.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0x5000, .number = 1});
    const PhysAddr root = this->root();
    ASSERT_TRUE(engine.walk(root, 0x5000).ok());
    engine.registers.erase(0x4260);
    send({.kind = Kind::BufferGone, .id = 1});
    EXPECT_FALSE(engine.walk(root, 0x5000).ok());
    EXPECT_EQ(engine.registers[0x4260], 1u);  // what the machine remembers of it goes, too
}

// All lie in one file, as the machine's memory is larger than a process may map.
TEST_F(DrmSessionTest, BuffersBeyondTheMachinesMemoryAreRefusedAndWhoeverWaitsIsTold) {
    constexpr std::uint64_t kBytes = std::uint64_t{2} << 30;
    greet();
    const auto file = make_file(kBytes);
    for (std::uint32_t id = 1; id < 1000 && !session.ended(); ++id) {
        send({.kind = Kind::Buffer, .id = id, .size = kBytes});
        send({.kind = Kind::Part, .id = id, .size = kBytes}, copy_of(file));
        send({.kind = Kind::Bind, .id = id, .vm = 1, .address = id * 2 * kBytes + kPage});
        ASSERT_TRUE(!session.ended() || id * memory_of(kBytes) > kMaxBufferMemory) << id;
    }
    EXPECT_TRUE(session.ended());
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("physical memory is used up"), std::string::npos) << said[0];
    EXPECT_EQ(progress->lost, 1u);
    EXPECT_EQ(progress->lost_in, 1u);
}

// What a buffer had is whole again when it has gone, whatever was beside it.
TEST_F(DrmSessionTest, APlaceThatIsGivenBackIsUsedAgain) {
    constexpr std::uint64_t kBytes = std::uint64_t{2} << 30, kTimes = 1000;
    greet();
    const auto file = make_file(kBytes);
    const auto add = [&](std::uint32_t id) {
        send({.kind = Kind::Buffer, .id = id, .size = kBytes});
        send({.kind = Kind::Part, .id = id, .size = kBytes}, copy_of(file));
        send({.kind = Kind::Bind, .id = id, .vm = 1, .address = id % 7 * 2 * kBytes + id * kPage});
    };
    add(0);
    for (std::uint32_t id = 1; id <= kTimes; ++id) {
        add(id);
        send({.kind = Kind::BufferGone, .id = id - 1});
        ASSERT_FALSE(session.ended()) << id << ": " << said.back();
    }
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

/// Where this process has mapped a file.
std::uint8_t* mapping_of(const FileDescriptor& file) {
    struct stat status {};
    fstat(file.get(), &status);
    std::ifstream maps("/proc/self/maps");
    const std::string inode = " " + std::to_string(status.st_ino) + " ";
    for (std::string line; std::getline(maps, line);)
        if (line.find(inode) != std::string::npos)
            return reinterpret_cast<std::uint8_t*>(std::stoull(line, nullptr, 16));
    return nullptr;
}

// No program can cut a sealed file, but a machine without memory can have no page for it. Here a
// file that is not sealed takes the place of the mapping.
TEST_F(DrmSessionTest, APageThatCannotBeHadReadsZeroAndEndsTheSession) {
    greet();
    complete_submissions();
    const auto file = add_buffer(1, 4 * kPage);
    send({.kind = Kind::Bind, .id = 1, .vm = 1, .address = 0x10000});
    const auto other = make_file(4 * kPage, false);
    std::uint8_t* const at = mapping_of(file);
    ASSERT_NE(at, nullptr);
    ASSERT_EQ(mmap(at, 4 * kPage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, other.get(), 0),
              at);
    at[0] = 1;
    at[2 * kPage] = 2;
    ASSERT_EQ(ftruncate(other.get(), kPage), 0);
    const auto complete = engine.work;
    engine.work = [&](platform::test::FakeEngine& ran) {
        const PhysAddr third = engine.walk(root(), 0x12000).address;
        EXPECT_EQ(engine.get<std::uint32_t>(third.value), 0u);
        EXPECT_EQ(engine.get<std::uint32_t>(engine.walk(root(), 0x10000).address.value), 1u);
        engine.put<std::uint32_t>(third.value, 7);
        complete(ran);
    };
    send({.kind = Kind::Submit, .vm = 1, .context = 1, .address = 0x10000, .number = 1});
    EXPECT_TRUE(session.ended());
    ASSERT_EQ(said.size(), 1u);
    EXPECT_NE(said[0].find("has lost memory"), std::string::npos) << said[0];
}

TEST_F(DrmSessionTest, AFileThatHasGrownHoldsWhatItHeldWhenItWasMapped) {
    greet();
    const auto file = make_file(2 * kPage);
    const auto part = [&](std::uint32_t id, std::uint64_t offset) {
        send({.kind = Kind::Buffer, .id = id, .size = kPage});
        send({.kind = Kind::Part, .id = id, .size = kPage, .offset = offset}, copy_of(file));
    };
    part(1, 0);
    ASSERT_EQ(ftruncate(file.get(), 4 * kPage), 0);
    part(2, kPage);
    EXPECT_FALSE(session.ended());
    part(3, 2 * kPage);
    EXPECT_TRUE(session.ended());
}

TEST_F(DrmSessionTest, APlaceBeyond48BitsOrWithinAPageMakesNoSense) {
    constexpr std::uint64_t kTop = kAddressSpaceBytes;
    for (const std::uint64_t good : {kTop - 2 * kPage, std::uint64_t{0}}) {
        DrmSession other(engine, [](const std::string&) {});
        other.take({.kind = Kind::Hello, .number = kVersion}, copy_of(page));
        other.take({.kind = Kind::Buffer, .id = 1, .size = 2 * kPage}, {});
        other.take({.kind = Kind::Bind, .id = 1, .vm = 1, .address = good}, {});
        EXPECT_FALSE(other.ended()) << good;
    }
    for (const std::uint64_t bad :
         {kTop - kPage, kTop, kTop + kPage, 0 - kPage, 0 - 2 * kPage, std::uint64_t{8}}) {
        DrmSession other(engine, [](const std::string&) {});
        other.take({.kind = Kind::Hello, .number = kVersion}, copy_of(page));
        other.take({.kind = Kind::Buffer, .id = 1, .size = 2 * kPage}, {});
        other.take({.kind = Kind::Bind, .id = 1, .vm = 1, .address = bad}, {});
        EXPECT_TRUE(other.ended()) << bad;
    }
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

/// Messages that a peer has sent, and served until it is gone.
struct Peer {
    test::SharedMemoryEngine engine;
    std::vector<std::string> said;
    int ends[2]{};
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
            ends[1], [&]() -> platform::Engine& { return engine; },
            [&](const std::string& line) { said.push_back(line); }, [](auto, auto) {},
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
