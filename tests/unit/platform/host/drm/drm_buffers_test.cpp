// SPDX-License-Identifier: Apache-2.0
#include "platform/host/drm/drm_session.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>
#include <vector>

#include "platform/host/address_space.h"
#include "platform/host/drm/protocol.h"
#include "tests/unit/platform/host/drm/session_bench.h"

namespace gen9::drm {
namespace {

using platform::FileDescriptor;
using test::make_file;

/// Memory of a program's buffers.
struct DrmBuffersTest : test::SessionBench {
    using SessionBench::SessionBench;
};

struct DrmScatteredBuffersTest : DrmBuffersTest {
    DrmScatteredBuffersTest() : DrmBuffersTest(Frames(PageSize::Medium, 1)) {}
};

/// Mappings of this process that are of files in memory.
long mappings() {
    std::ifstream maps("/proc/self/maps");
    long count = 0;
    for (std::string line; std::getline(maps, line);)
        count += line.find("memfd:") != std::string::npos;
    return count;
}

TEST_F(DrmBuffersTest, ABuffersFileIsTheMachinesMemoryAtItsGraphicsAddress) {
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

TEST_F(DrmBuffersTest, TheEngineIsToldWhatAnotherProcessHasMade) {
    greet();
    for (const std::uint32_t id : {1u, 2u}) {
        send({.kind = Kind::Buffer, .id = id, .size = 2 * kPage, .number = id - 1});
        send({.kind = Kind::Part, .id = id, .size = 2 * kPage}, make_file(2 * kPage));
        send({.kind = Kind::Bind, .id = id, .vm = 2, .address = 0x1000'0000 * id});
    }
    complete_submissions();
    send({.kind = Kind::Submit, .vm = 2, .context = 1, .address = 0x1000'0000, .number = 1});
    ASSERT_FALSE(session.ended());
    const std::uint64_t made_elsewhere = engine.walk(root(), 0x2000'0000).address.value;
    EXPECT_EQ(engine.of_others, (std::vector{std::pair{made_elsewhere, 2 * kPage}}));
}

// A write by itself is a fault for each page. What the file does not have yet is not made.
TEST_F(DrmBuffersTest, AFileWithAllItsPagesIsWrittenWithoutAFaultForEach) {
    constexpr std::uint64_t kPages = 1024, kSize = kPages * kPage, kAddress = 0x1000'0000;
    greet();
    for (const std::uint32_t missing : {0u, 1u}) {
        const std::uint32_t id = 7 + missing;
        const auto file = make_file(kSize);
        const std::vector<std::uint8_t> bytes(kSize - missing * kPage, 1);
        ASSERT_EQ(pwrite(file.get(), bytes.data(), bytes.size(), 0),
                  static_cast<ssize_t>(bytes.size()));
        struct stat before {
        }, after{};
        ASSERT_EQ(fstat(file.get(), &before), 0);
        send({.kind = Kind::Buffer, .id = id, .size = kSize});
        send({.kind = Kind::Part, .id = id, .size = kSize}, copy_of(file));
        send({.kind = Kind::Bind, .id = id, .vm = 2, .address = kAddress + missing * 2 * kSize});
        ASSERT_EQ(fstat(file.get(), &after), 0);
        EXPECT_EQ(after.st_blocks, before.st_blocks);
    }
    complete_submissions();
    send({.kind = Kind::Submit, .vm = 2, .context = 1, .address = kAddress, .number = 1});
    ASSERT_FALSE(session.ended());
    const auto write = [&](std::uint64_t address) {
        std::vector<std::uint8_t*> pages;
        for (std::uint64_t page = 0; page < kPages; ++page)
            pages.push_back(engine.bytes.page(engine.walk(root(), address + page * kPage).address));
        rusage before{}, after{};
        getrusage(RUSAGE_SELF, &before);
        for (std::uint8_t* const page : pages)
            *page = 2;
        getrusage(RUSAGE_SELF, &after);
        return after.ru_minflt - before.ru_minflt;
    };
    if (write(kAddress + 2 * kSize) < 900) GTEST_SKIP() << "files in memory have huge pages here";
    EXPECT_LT(write(kAddress), 100);
}

TEST_F(DrmBuffersTest, ABuffersMemoryLiesWhereLargePagesCanMapIt) {
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
TEST_F(DrmScatteredBuffersTest, EachPageOfABufferIsItsFilesAtItsGraphicsAddress) {
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
TEST_F(DrmBuffersTest, WhereBuffersLieDoesNotFollowHowFarApartTheirAddressesAre) {
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

// A process may have some ten thousand mappings only.
TEST_F(DrmBuffersTest, BuffersOfOneFileShareItsMapping) {
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

TEST_F(DrmBuffersTest, ABufferThatMovesToAnotherFileKeepsItsPlaceInTheMachine) {
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

TEST_F(DrmBuffersTest, APartOfABufferWhoseMemoryIsOneFileIsRefused) {
    greet();
    const auto file = add_buffer(7, 2 * kPage);
    send({.kind = Kind::Part, .id = 7, .size = kPage}, copy_of(file));
    EXPECT_TRUE(session.ended());
}

TEST_F(DrmBuffersTest, ABufferMayLieInPartsOfSeveralFiles) {
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
TEST_F(DrmBuffersTest, BuffersBeyondTheAddressesOfAProcessAreRefused) {
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
TEST_F(DrmBuffersTest, AddressesOfABufferThatHasGoneAreUsedAgain) {
    greet();
    const auto file = make_file(kPage);
    for (std::uint32_t round = 0; round < 2100; ++round) {
        send({.kind = Kind::Buffer, .id = 1, .size = std::uint64_t{64} << 30});
        send({.kind = Kind::Part, .id = 1, .size = kPage}, copy_of(file));
        send({.kind = Kind::BufferGone, .id = 1});
        ASSERT_FALSE(session.ended()) << round << ": " << said.back();
    }
}

TEST_F(DrmBuffersTest, AFileThatCanShrinkIsNoMemory) {
    greet();
    send({.kind = Kind::Buffer, .id = 1, .size = kPage});
    send({.kind = Kind::Part, .id = 1, .size = kPage}, make_file(kPage, false));
    EXPECT_TRUE(session.ended());
}

// A descriptor to read by: its pages cannot be mapped to be written.
TEST_F(DrmBuffersTest, AFileThatCannotBeWrittenIsNoMemory) {
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

TEST_F(DrmBuffersTest, AFileThatIsTooShortIsNoMemory) {
    greet();
    send({.kind = Kind::Buffer, .id = 1, .size = 2 * kPage});
    send({.kind = Kind::Part, .id = 1, .size = 2 * kPage}, make_file(kPage));
    EXPECT_TRUE(session.ended());
}

TEST_F(DrmBuffersTest, ABufferThatHasGoneLeavesNoTranslation) {
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
TEST_F(DrmBuffersTest, BuffersBeyondTheMachinesMemoryAreRefusedAndWhoeverWaitsIsTold) {
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
TEST_F(DrmBuffersTest, APlaceThatIsGivenBackIsUsedAgain) {
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
TEST_F(DrmBuffersTest, APageThatCannotBeHadReadsZeroAndEndsTheSession) {
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

TEST_F(DrmBuffersTest, AFileThatHasGrownHoldsWhatItHeldWhenItWasMapped) {
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

TEST_F(DrmBuffersTest, APlaceBeyond48BitsOrWithinAPageMakesNoSense) {
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

}  // namespace
}  // namespace gen9::drm
