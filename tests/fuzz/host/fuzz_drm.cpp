// SPDX-License-Identifier: Apache-2.0
// Messages of a hostile program at the server of the kernel interface: nothing crashes, and no
// address that the engine is given leads outside the buffers that the program has at that time.
// Batches of the copy engine stay in the buffers, and every descriptor that comes is closed.
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <vector>

#include "common/bits.h"
#include "platform/host/address_space.h"
#include "platform/host/drm/counter_registers.h"
#include "platform/host/drm/drm_connection.h"
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
    struct Leaf {
        std::uint64_t address, bytes;
        bool is_buffers;
        std::uint64_t end() const { return address + bytes; }
    };
    std::vector<Leaf> leaves;  ///< of the tables, by address
    unsigned runs = 0;

    bool attach_memory(PhysAddr address, std::span<std::uint8_t> host) override {
        if (!is_mapped(host.data()) || !is_mapped(&host.back()))
            fuzz::broken(seed, "a buffer's memory is not mapped");
        attached[address.value] = address.value + host.size();
        if (!SharedMemoryEngine::attach_memory(address, host))
            fuzz::broken(seed, "a buffer lies where another one is");
        return true;
    }
    static bool is_mapped(std::uint8_t* byte) {
        unsigned char resident = 0;
        const auto page = reinterpret_cast<std::uintptr_t>(byte) / kPage * kPage;
        return mincore(reinterpret_cast<void*>(page), kPage, &resident) == 0;
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
        leaves.clear();
        look_at(4,
                std::uint64_t{dword(ContextImage::kPdp0High)} << 32 | dword(ContextImage::kPdp0Low),
                0);
        look_at_guards();
        // All that is nobody's is one page, which is no table.
        if (unowned.size() > 1) fuzz::broken(seed, "an address leads outside the buffers");
        for (const std::uint64_t page : unowned)
            if (tables.contains(page)) fuzz::broken(seed, "an address leads to a page table");
        complete(dword(ContextImage::kRingStart), dword(ContextImage::kRingTail));
    }
    /// The page behind all that a buffer has is nobody's page, and such pages are nowhere else.
    void look_at_guards() const {
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            const bool follows = i > 0 && leaves[i - 1].end() == leaves[i].address;
            if (!leaves[i].is_buffers && !(follows && leaves[i - 1].is_buffers))
                fuzz::broken(seed, "nobody's page is behind no buffer");
            const bool is_last = i + 1 == leaves.size();
            if (leaves[i].is_buffers && leaves[i].end() != kAddressSpaceBytes &&
                (is_last || leaves[i + 1].address != leaves[i].end()))
                fuzz::broken(seed, "behind a buffer there is no page");
        }
    }
    /// `medium`: of a table whose pages have 64 KB, each by the first of 16 entries. `base`: the
    /// address that it begins with.
    void look_at(unsigned level, std::uint64_t table, std::uint64_t base, bool medium = false) {
        if (owned(table, kPage)) fuzz::broken(seed, "a page table is in a buffer");
        tables.insert(table);
        for (std::uint64_t i = 0; i < 512; i += medium ? 16 : 1) {
            const auto entry = get<std::uint64_t>(table + 8 * i);
            const std::uint64_t page = entry & 0x7F'FFFF'F000;
            if (!(entry & 1)) continue;
            const bool large = level == 2 && (entry & 0x80);
            const std::uint64_t address = base | i << (12 + 9 * (level - 1));
            if (level > 1 && !large) {
                look_at(level - 1, page, address, level == 2 && (entry & kOfMedium));
                continue;
            }
            leaves.push_back({address,
                              large    ? kLarge
                              : medium ? kMedium
                                       : kPage,
                              large || medium || owned(page, kPage)});
            if (medium && !owned(page & ~(kMedium - 1), kMedium))
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
    m.kind = Kind{random.below(16)};
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
                        Kind::BufferGone, Kind::VmGone, Kind::ContextGone, Kind::Wake,
                        Kind::StreamMore});
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
/// reach too far. The file may have grown since it was first used.
void lie_in(const FileDescriptor& file, std::uint64_t& file_bytes, std::uint32_t id,
            std::uint64_t size, Random& random, DrmSession& session, std::uint64_t seed) {
    if (random.one_in(12) && ftruncate(file.get(), static_cast<off_t>(file_bytes + 2 * kPage)) == 0)
        file_bytes += 2 * kPage;
    const std::uint64_t offset = random.below(file_bytes / kPage + 2) * kPage;
    session.take({.kind = Kind::Part, .id = id, .size = size, .offset = offset},
                 FileDescriptor(dup(file.get())));
    if (offset + size > file_bytes && !session.ended())
        fuzz::broken(seed, "memory behind a file is taken");
}

/// The number that the next file gets: higher when descriptors were left open.
int next_descriptor() {
    return FileDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)).get();
}

/// A place of a buffer that begins or ends around the end of the address space.
void bind_at_the_end(std::uint32_t id, std::uint64_t size, Random& random, DrmSession& session,
                     std::uint64_t seed) {
    const std::uint64_t from_end = random.below(size / kPage + 3) * kPage;
    const std::uint64_t address =
        random.of({kAddressSpaceBytes - from_end, kAddressSpaceBytes + from_end, 0 - size,
                   (kAddressSpaceBytes << 1) - from_end});
    session.take({.kind = Kind::Bind, .id = id, .vm = random.below(2), .address = address}, {});
    const bool fits = address < kAddressSpaceBytes && size <= kAddressSpaceBytes - address;
    if (!fits && !session.ended()) fuzz::broken(seed, "a place beyond 48 bits is taken");
}

/// A copy or a fill of a random rectangle near or over the ends of a buffer.
std::vector<std::uint32_t> rectangle(Random& random, std::uint32_t to, std::uint32_t bytes) {
    const bool fills = random.one_in(2);
    const auto place = [&] {
        const std::uint32_t near = random.below(4 * kPage);
        return random.one_in(2) ? to + near : to + bytes - std::min(near, bytes);
    };
    const auto point = [&](std::uint32_t limit) {
        return random.below(limit) << 16 | random.below(limit);
    };
    const std::uint32_t depth = random.below(fills ? 4 : 8) << 24;
    const std::uint32_t pitch = random.of({1u, 16u, 64u, 128u, 512u, 4096u});
    const std::uint32_t from = point(16), end = from + point(200);
    if (fills)
        return {0x5400'0005 | random.below(4) << 20 | random.below(2) << 11,
                depth | 0xF0u << 16 | pitch,
                from,
                end,
                place(),
                0,
                0xA5A5'A5A5};
    const bool fast = random.one_in(2);
    const std::uint32_t tilings = fast ? random.below(4) << 20 | random.below(4) << 13
                                       : random.below(2) << 15 | random.below(2) << 11;
    return {(fast ? 0x5080'0008 : 0x54C0'0008) | tilings,
            (fast ? depth : depth & 3u << 24) | (fast ? 0 : 0xCCu << 16) | pitch,
            from,
            end,
            place(),
            0,
            point(16),
            pitch,
            place(),
            0};
}

/// What the copy engine writes stays in the buffer: its file has more before and behind it, and
/// other buffers lie there.
void copy_between_guards(std::uint64_t seed) {
    constexpr std::uint32_t kCopy = 1, kAt = 0x100'0000, kBatchAt = 0x10'0000;
    constexpr std::uint8_t kGuard = 0x3C;
    Random random(seed);
    Engine engine;
    engine.seed = seed;
    const std::uint32_t pages = 1 + random.below(8), guards = 4;
    const std::uint64_t bytes = pages * kPage, all = bytes + 2 * guards * kPage;
    const auto file = test::make_file(all), batch = test::make_file(kPage);
    const std::vector<std::uint8_t> filled(all, kGuard);
    [[maybe_unused]] auto written = pwrite(file.get(), filled.data(), all, 0);
    DrmSession session(engine, [](const std::string&) {});
    const auto add = [&](std::uint32_t id, const FileDescriptor& in, std::uint64_t size,
                         std::uint64_t offset) {
        session.take({.kind = Kind::Buffer, .id = id, .size = size}, {});
        session.take({.kind = Kind::Part, .id = id, .size = size, .offset = offset},
                     FileDescriptor(dup(in.get())));
    };
    session.take({.kind = Kind::Hello, .number = kVersion}, test::make_file(kPage));
    add(1, file, bytes, guards * kPage);
    add(2, batch, kPage, 0);
    add(3, file, guards * kPage, 0);
    session.take({.kind = Kind::Bind, .id = 1, .vm = 1, .address = kAt}, {});
    session.take({.kind = Kind::Bind, .id = 2, .vm = 1, .address = kBatchAt}, {});
    // In another address space it is next to the first one.
    session.take({.kind = Kind::Bind, .id = 3, .vm = 2, .address = kAt + bytes}, {});
    std::vector<std::uint32_t> words;
    for (unsigned i = 0; i < 8; ++i) {
        const auto command = rectangle(random, kAt, static_cast<std::uint32_t>(bytes));
        words.insert(words.end(), command.begin(), command.end());
    }
    words.push_back(0x0500'0000);
    written = pwrite(batch.get(), words.data(), 4 * words.size(), 0);
    session.take({.kind = Kind::Submit, .id = kCopy, .vm = 1, .address = kBatchAt, .number = 1},
                 {});
    std::vector<std::uint8_t> then(all);
    written = pread(file.get(), then.data(), all, 0);
    const auto guard = [](std::uint8_t byte) { return byte == kGuard; };
    const auto middle = static_cast<std::ptrdiff_t>(guards * kPage);
    if (!std::all_of(then.begin(), then.begin() + middle, guard) ||
        !std::all_of(then.end() - middle, then.end(), guard))
        fuzz::broken(seed, "the copy engine writes outside of a buffer");
}

/// The same messages by a socket, with any number of descriptors and of any length.
void send_with_descriptors(std::uint64_t seed) {
    Random random(seed);
    Engine engine;
    engine.seed = seed;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) return;
    const FileDescriptor ours(ends[1]);
    {
        const FileDescriptor theirs(ends[0]);
        const auto page = test::make_file(kPage);
        std::set<std::uint32_t> buffers;
        for (unsigned i = 0; i < 20; ++i) {
            Message message{.kind = Kind::Hello, .number = kVersion};
            if (i > 0) message = usual_message(random, buffers);
            const std::size_t count = i == 0              ? 1
                                      : random.one_in(10) ? random.of({2u, 3u, 252u, 253u})
                                                          : random.below(2);
            const std::vector<int> descriptors(count, page.get());
            alignas(cmsghdr) std::array<char, CMSG_SPACE(253 * sizeof(int))> room{};
            iovec part{&message,
                       random.one_in(20) ? random.below(sizeof message + 1) : sizeof message};
            msghdr header{};
            header.msg_iov = &part;
            header.msg_iovlen = 1;
            header.msg_control = room.data();
            header.msg_controllen = count ? CMSG_SPACE(count * sizeof(int)) : 0;
            if (cmsghdr* const control = CMSG_FIRSTHDR(&header)) {
                control->cmsg_level = SOL_SOCKET;
                control->cmsg_type = SCM_RIGHTS;
                control->cmsg_len = CMSG_LEN(count * sizeof(int));
                std::memcpy(CMSG_DATA(control), descriptors.data(), count * sizeof(int));
            }
            sendmsg(theirs.get(), &header, MSG_NOSIGNAL | MSG_DONTWAIT);
        }
    }
    serve_drm_connection(
        ours.get(), [&]() -> platform::Engine& { return engine; }, [](const std::string&) {},
        [](auto, auto) {}, PageSize::Large);
}

/// A stream of performance reports, opened and driven by what makes sense and what does not. The
/// engine writes any reports, and says any places of them. No register is written but those of the
/// counters, all memory that reports are read from is the stream's, and no record is cut.
void stream_reports(std::uint64_t seed) {
    Random random(seed);
    struct Engine : test::SharedMemoryEngine {
        std::uint64_t seed = 0;
        bool opened = false;
        void write_register(std::uint32_t offset, std::uint32_t value) override {
            constexpr std::uint32_t kTlbInvalidate = 0x4260;
            const bool of_counters =
                offset == kTlbInvalidate || (offset >= 0x2B00 && offset <= 0x2B14) ||
                is_one_of(kMuxRegisters, offset) || is_one_of(kBooleanRegisters, offset);
            if (opened && !of_counters) fuzz::broken(seed, "a stream writes a register");
            SharedMemoryEngine::write_register(offset, value);
        }
    } engine;
    engine.seed = seed;
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0, ends) != 0) return;
    const FileDescriptor ours(ends[0]);
    FileDescriptor theirs(ends[1]);
    DrmSession session(engine, [](const std::string&) {});
    session.take({.kind = Kind::Hello, .number = kVersion}, test::make_file(kPage));
    engine.opened = true;
    constexpr std::uint32_t kLayouts[] = {0, 2 << 2, 5 << 2, 7 << 2};
    constexpr std::uint32_t kSizes[] = {64, 128, 256, 64};
    const unsigned layout = random.below(4);
    Message open{
        .kind = Kind::StreamOpen,
        .id = random.one_in(20) ? static_cast<std::uint32_t>(random.bits()) : kLayouts[layout],
        .context = random.one_in(2) ? kNoContext : random.below(3),
        .number = random.one_in(20) ? random.bits() : random.below(256)};
    session.take(open, random.one_in(20) ? some_file(random) : std::move(theirs));
    for (unsigned left = 20; left > 0 && !session.ended(); --left) {
        constexpr std::uint32_t kOffsets[] = {0x9888, 0x2710, 0x27AC, 0xE458, 0xE65C, 0x0D2C};
        Message m{.kind = random.of({Kind::StreamSet, Kind::StreamRun, Kind::StreamMore})};
        m.id = random.one_in(60) ? static_cast<std::uint32_t>(random.bits()) : random.of(kOffsets);
        m.number = m.kind == Kind::StreamRun ? random.below(2) : random.bits() >> 32;
        if (random.one_in(60)) m.number = random.bits();
        if (random.one_in(3)) {  // what the unit says, which a hostile register write can damage
            engine.registers[0x2B08] = random.below(4);
            engine.registers[0x2B10] = static_cast<std::uint32_t>(random.bits());
        } else if (const std::uint32_t base = engine.registers[0x2B14] & ~0xFFFFFFu) {
            engine.registers[0x2B10] = base + random.below(8) * kSizes[layout];
        }
        session.take(m, {});
        std::uint8_t record[512];
        for (ssize_t got = 0; (got = recv(ours.get(), record, sizeof record, 0)) > 0;) {
            const auto type = load<std::uint32_t>(record);
            const auto size = load<std::uint16_t>(record + 6);
            if (size != got || type < 1 || type > 3 ||
                size != (type == 1 ? 8 + kSizes[layout] : 8u))
                fuzz::broken(seed, "a record is cut, or of no kind");
        }
    }
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
        std::uint64_t shared_bytes = kSharedPages * kPage;
        const auto shared = test::make_file(shared_bytes);
        for (unsigned left = 60; left > 0 && !session.ended(); --left) {
            const Message message =
                random.one_in(30) ? hostile_message(random) : usual_message(random, buffers);
            session.take(message, some_file(random));
            if (message.kind == Kind::Buffer) sizes[message.id] = message.size;
            if (!session.ended() && !buffers.empty() && random.one_in(4)) {
                const std::uint32_t id = *buffers.begin();
                if (sizes[id] < shared_bytes)
                    lie_in(shared, shared_bytes, id, sizes[id], random, session, seed);
                if (!session.ended() && random.one_in(12))
                    bind_at_the_end(id, sizes[id], random, session, seed);
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
    const int before = next_descriptor();
    const int status = fuzz::run("drm", fuzz::options(argc, argv, 2000), [&](std::uint64_t seed) {
        one(seed, runs);
        copy_between_guards(seed);
        send_with_descriptors(seed);
        stream_reports(seed);
        if (next_descriptor() != before) fuzz::broken(seed, "a descriptor stays open");
    });
    std::printf("%u submissions looked through\n", runs);
    return status;
}
