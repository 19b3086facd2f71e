// SPDX-License-Identifier: Apache-2.0
// Messages of a hostile program at the server of the kernel interface: nothing crashes, and no
// address that the engine is given leads outside the buffers that the program has at that time.
#include <sys/stat.h>

#include <iterator>
#include <set>
#include <vector>

#include "common/bits.h"
#include "platform/host/address_space.h"
#include "platform/host/graphics_memory.h"
#include "tests/fuzz/support/fuzz.h"
#include "tests/unit/platform/host/drm/shared_memory_engine.h"

namespace {

using namespace gen9;
using namespace gen9::drm;
using fuzz::Random;
using platform::FileDescriptor;

constexpr std::uint64_t kLarge = 2 << 20, kMedium = 64 << 10;
constexpr std::uint64_t kSharedPages = 32;  ///< of a file that several buffers lie in
/// Of a directory entry: the pages of its table have 64 KB.
constexpr std::uint64_t kOfMedium = 1 << 11;

/// An engine that knows which memory is whose, and looks through the tables of what it is to run.
struct Engine : test::SharedMemoryEngine {
    std::uint64_t seed = 0;
    std::map<std::uint64_t, std::uint64_t> attached;  ///< begin to end
    std::set<std::uint64_t> tables, unowned;          ///< pages
    unsigned runs = 0;

    bool attach_memory(PhysAddr address, std::span<std::uint8_t> host) override {
        attached[address.value] = address.value + host.size();
        return SharedMemoryEngine::attach_memory(address, host);
    }
    void detach_memory(PhysAddr address, std::uint64_t size) override {
        attached.erase(address.value);
        SharedMemoryEngine::detach_memory(address, size);
    }
    void write_memory(PhysAddr address, std::span<const std::uint8_t> from) override {
        if (owned(address.value, from.size())) fuzz::broken(seed, "a buffer is written to");
        SharedMemoryEngine::write_memory(address, from);
    }
    bool owned(std::uint64_t address, std::uint64_t bytes) const {
        auto next = attached.upper_bound(address);
        return next != attached.begin() && address + bytes <= std::prev(next)->second;
    }
    std::uint64_t global(std::uint64_t address) {
        return (gtt[static_cast<std::uint32_t>(address / kPage)] & ~0xFFFull) + address % kPage;
    }
    void run() override {
        ++runs;
        const auto image = registers[platform::kExeclistSubmitPort] & ~0xFFFu;
        const auto dword = [&](std::uint32_t offset) {
            return get<std::uint32_t>(global(image + offset));
        };
        using platform::ContextImage;
        tables.clear();
        unowned.clear();
        look_at(
            4, std::uint64_t{dword(ContextImage::kPdp0High)} << 32 | dword(ContextImage::kPdp0Low));
        // All that is nobody's is one page, which is no table.
        if (unowned.size() > 1) fuzz::broken(seed, "an address leads outside the buffers");
        for (const std::uint64_t page : unowned)
            if (tables.contains(page)) fuzz::broken(seed, "an address leads to a page table");
        complete(dword(ContextImage::kRingStart), dword(ContextImage::kRingTail));
    }
    /// `medium`: of a table whose pages have 64 KB, each by the first of 16 entries.
    void look_at(unsigned level, std::uint64_t table, bool medium = false) {
        if (owned(table, kPage)) fuzz::broken(seed, "a page table is in a buffer");
        tables.insert(table);
        for (std::uint64_t i = 0; i < 512; i += medium ? 16 : 1) {
            const auto entry = get<std::uint64_t>(table + 8 * i);
            const std::uint64_t page = entry & 0x7F'FFFF'F000;
            if (!(entry & 1)) continue;
            const bool large = level == 2 && (entry & 0x80);
            if (level > 1 && !large)
                look_at(level - 1, page, level == 2 && (entry & kOfMedium));
            else if (medium && !owned(page & ~(kMedium - 1), kMedium))
                fuzz::broken(seed, "a page of 64 KB leads outside the buffers");
            else if (large && !owned(page & ~(kLarge - 1), kLarge))
                fuzz::broken(seed, "a large page leads outside the buffers");
            else if (!large && !medium && !owned(page, kPage))
                unowned.insert(page);
        }
    }
    /// Writes the submission's number, as the last but one command of its ring asks.
    void complete(std::uint32_t ring, std::uint32_t tail) {
        const auto at = [&](std::uint32_t dwords_back) {
            return get<std::uint32_t>(global(ring + tail - 4 * dwords_back));
        };
        put(global(at(6)), std::uint64_t{at(3)} << 32 | at(4));
    }
};

FileDescriptor some_file(Random& random) {
    switch (random.below(12)) {
        case 0:
            return {};
        case 1:
            return test::make_file(4 * kPage, false);  // could shrink
        case 2:
            return FileDescriptor(open("/dev/zero", O_RDWR));
        case 3:
            return FileDescriptor(open("/", O_PATH));
        case 4:
            return test::make_file(100);
        default: {
            auto file = test::make_file(random.one_in(2) ? 8 * kPage : 2 * kLarge);
            // Batches of the copy engine, and what is like them.
            constexpr std::uint32_t kWords[] = {0x54C0'0008,
                                                0x5080'0008,
                                                0x5400'0005,
                                                0x5430'0005,
                                                3u << 24 | 0xF0u << 16 | 256,
                                                3u << 24 | 0xCCu << 16 | 256,
                                                0x0500'0000,
                                                0x1000'0002,
                                                0x2600'0001,
                                                0x0010'0010,
                                                0xFFFF'FFFF,
                                                0,
                                                0x1000,
                                                0x20'0000,
                                                0x7FFF'7FFF,
                                                0x1880'0101};
            std::uint32_t words[256];
            for (auto& word : words)
                word = random.one_in(8) ? static_cast<std::uint32_t>(random.bits())
                                        : random.of(kWords);
            [[maybe_unused]] const auto written = write(file.get(), words, sizeof words);
            return file;
        }
    }
}

std::uint64_t some_bytes(Random& random) {
    constexpr std::uint64_t kPick[] = {
        0,          1,          kPage,      2 * kPage,        8 * kPage, kLarge, kLarge + kPage,
        2 * kLarge, 1ull << 36, 1ull << 47, (1ull << 63) - 1, ~0ull};
    return random.of(kPick);
}

std::uint64_t some_address(Random& random) {
    constexpr std::uint64_t kTop = kAddressSpaceBytes;
    constexpr std::uint64_t kPick[] = {
        0,          kTop - kPage, kTop - 8 * kPage,  kTop - kLarge, kTop,
        1ull << 47, ~0ull,        ~0ull - kPage + 1, 12345,         kLarge - kPage,
        kLarge,     2 * kLarge};
    return random.one_in(4) ? random.of(kPick) : random.below(1024) * kPage;
}

/// Anything. Most such messages end the session.
Message hostile_message(Random& random) {
    Message m;
    m.kind = Kind{random.below(12)};
    m.id = random.one_in(10) ? ~0u : random.below(6);
    m.vm = random.one_in(10) ? ~0u : random.below(2);
    m.context = random.one_in(10) ? ~0u : random.below(3);
    m.address = random.one_in(2) ? some_bytes(random) : some_address(random);
    m.size = some_bytes(random);
    m.offset = random.one_in(2) ? some_bytes(random) : 0;
    m.number = random.bits() >> random.below(64);
    return m;
}

/// What a program may say that has these buffers.
Message usual_message(Random& random, std::set<std::uint32_t>& buffers) {
    Message m;
    const auto one_of = [&] {
        auto at = buffers.begin();
        std::advance(at, random.below(buffers.size()));
        return *at;
    };
    m.vm = random.below(2);
    m.context = random.below(3);
    m.number = random.bits();
    m.kind = random.of({Kind::Buffer, Kind::Bind, Kind::Bind, Kind::Submit, Kind::Submit,
                        Kind::BufferGone, Kind::VmGone, Kind::ContextGone, Kind::Wake});
    if (buffers.empty()) m.kind = Kind::Buffer;
    switch (m.kind) {
        case Kind::Buffer:
            while (!buffers.insert(m.id).second)
                ++m.id;
            m.size = random.of({kPage, 8 * kPage, kLarge, kLarge + kPage, 2 * kLarge});
            break;
        case Kind::Bind:
            m.id = one_of();
            m.address = random.below(2048) * (random.one_in(3) ? 16 * kPage : kPage);
            break;
        case Kind::BufferGone:
            m.id = one_of();
            buffers.erase(m.id);
            break;
        case Kind::Submit:
            m.id = random.one_in(12) ? 1 + random.below(4) : kRenderEngine;
            m.address = some_address(random);
            break;
        default:
            break;
    }
    return m;
}

/// A buffer's memory is, or becomes, a part of a file that others lie in as well; the part may
/// reach too far.
void lie_in(const FileDescriptor& file, std::uint64_t file_bytes, std::uint32_t id,
            std::uint64_t size, Random& random, DrmSession& session, std::uint64_t seed) {
    const std::uint64_t offset = random.below(kSharedPages + 2) * kPage;
    session.take({.kind = Kind::Part, .id = id, .size = size, .offset = offset},
                 FileDescriptor(dup(file.get())));
    if (offset + size > file_bytes && !session.ended())
        fuzz::broken(seed, "memory behind a file is taken");
}

void one(std::uint64_t seed, unsigned& runs) {
    Random random(seed);
    Engine engine;
    engine.seed = seed;
    {
        const PageSize pages = random.of({PageSize::Small, PageSize::Medium, PageSize::Large});
        DrmSession session(
            engine, [](const std::string&) {},
            random.one_in(2) ? Frames(pages) : Frames(pages, random.below(1000)));
        if (!random.one_in(10))
            session.take({.kind = Kind::Hello, .number = kVersion}, test::make_file(kPage));
        std::set<std::uint32_t> buffers;
        std::map<std::uint32_t, std::uint64_t> sizes;
        const auto shared = test::make_file(kSharedPages * kPage);
        for (unsigned left = 60; left > 0 && !session.ended(); --left) {
            const Message message =
                random.one_in(30) ? hostile_message(random) : usual_message(random, buffers);
            session.take(message, some_file(random));
            if (message.kind == Kind::Buffer) sizes[message.id] = message.size;
            if (!session.ended() && !buffers.empty() && random.one_in(4)) {
                const std::uint32_t id = *buffers.begin();
                if (sizes[id] < kSharedPages * kPage)
                    lie_in(shared, kSharedPages * kPage, id, sizes[id], random, session, seed);
            }
            if (message.kind != Kind::Buffer || random.one_in(4)) continue;
            auto file = some_file(random);
            struct stat status {};
            const bool fits = file && fstat(file.get(), &status) == 0 &&
                              status.st_size >= static_cast<off_t>(message.size);
            // Half a buffer from anywhere in it, which may be too far.
            const std::uint64_t half = random.one_in(4) ? message.size / 2 / kPage * kPage : 0;
            const std::uint64_t from = half ? random.below(16) * kPage : 0;
            if (!fits && !random.one_in(20)) continue;
            session.take({.kind = Kind::Part,
                          .id = message.id,
                          .address = from,
                          .size = half ? half : message.size},
                         std::move(file));
            if (half && from + half > message.size && !session.ended())
                fuzz::broken(seed, "memory behind a buffer is taken");
        }
    }
    if (!engine.attached.empty()) fuzz::broken(seed, "a buffer outlives its session");
    runs += engine.runs;
}

}  // namespace

int main(int argc, char** argv) {
    unsigned runs = 0;
    const int status = fuzz::run("drm", fuzz::options(argc, argv, 2000),
                                 [&](std::uint64_t seed) { one(seed, runs); });
    std::printf("%u submissions looked through\n", runs);
    return status;
}
