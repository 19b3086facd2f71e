// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "common/bits.h"

/// Packets of an AUB capture (public: compute-runtime 22.43,
/// shared/source/aub_mem_dump/definitions/aub_services.h). A packet is a header DWord and what its
/// length says follows; fields of the body are DWords by their number in the packet.
namespace gen9::platform::aub {

/// Sub-opcodes of the memtrace opcode.
enum class Kind : std::uint8_t {
    RegisterCompare = 0x1,
    RegisterPoll = 0x2,
    RegisterWrite = 0x3,
    MemoryCompare = 0x4,
    MemoryPoll = 0x5,
    MemoryWrite = 0x6,
    FrameBegin = 0x7,
    Comment = 0x8,
    Delay = 0x9,
    MemoryDump = 0xA,
    DiscontiguousWrite = 0xB,
    TestPhase = 0xC,
    ContinuousRegion = 0xD,
    Version = 0xE,
    Predicate = 0xF,
    DumpCompressed = 0x10,
};

enum class Space : std::uint8_t {
    GgttGraphics = 0,
    PhysicalLocal = 1,
    PhysicalNonlocal = 2,
    GttPageDirectory = 3,
    GgttEntry = 4,
    PpgttGraphics = 5,
    PpgttEntry = 6,
    NonApertureGgttGraphics = 7,
    PdpEntry = 8,
    PdEntry = 9,
    Pml4Entry = 10,
    PowerContext = 11,
};

/// Hints of memory writes that something here looks at.
inline constexpr std::uint32_t kHintKernelInstructions = 26;

/// These stand in version packets.
inline constexpr std::uint32_t kFileVersion = 1, kDeviceSkylake = 12, kDeviceShift = 8;

struct Packet {
    static constexpr std::uint32_t kType = 7, kMemtraceOpcode = 0x2E;
    static constexpr std::size_t kMaxBytes = 65536 * 4;

    std::uint64_t number = 0;             ///< in the file, from 0
    std::uint64_t offset = 0;             ///< of the header in the (uncompressed) file
    std::span<const std::uint8_t> bytes;  ///< header included; whole DWords

    std::uint32_t header() const { return load<std::uint32_t>(bytes.data()); }
    std::uint32_t type() const { return bits(header(), 31, 29); }
    std::uint32_t opcode() const { return bits(header(), 28, 23); }
    Kind kind() const { return Kind(bits(header(), 22, 16)); }
    std::size_t dwords() const { return bytes.size() / 4; }
    std::uint32_t dword(std::size_t i) const { return load<std::uint32_t>(bytes.data() + 4 * i); }
    std::uint64_t qword(std::size_t i) const { return load<std::uint64_t>(bytes.data() + 4 * i); }
    std::span<const std::uint8_t> from_dword(std::size_t i) const { return bytes.subspan(4 * i); }
};

/// Name of a packet for people.
const char* to_text(Kind kind);

/// Register packets: write, compare, poll.
struct RegisterFields {
    static constexpr std::size_t kDwords = 6;  ///< least length of the packet
    std::uint32_t offset;
    std::uint32_t flags;
    std::uint64_t mask;
    std::span<const std::uint8_t> data;

    explicit RegisterFields(const Packet& p)
        : offset(p.dword(1)), flags(p.dword(2)), mask(p.qword(3)), data(p.from_dword(5)) {}
    unsigned size_bytes() const { return 1u << (bits(flags, 19, 16) & 3); }
    bool size_known() const { return bits(flags, 19, 16) <= 3; }
    std::uint32_t space() const { return bits(flags, 31, 28); }      ///< 0 MMIO
    bool no_expectation() const { return bits(flags, 0, 0) != 0; }   // compare
    bool ignore_timeout() const { return bits(flags, 1, 1) != 0; }   // poll
    bool until_not_equal() const { return bits(flags, 2, 2) != 0; }  // poll
};

/// Memory packets: write and compare.
struct MemoryFields {
    static constexpr std::size_t kDwords = 5;
    std::uint64_t address;
    std::uint32_t flags;
    std::uint32_t size;
    std::span<const std::uint8_t> data;  ///< padded to a DWord

    explicit MemoryFields(const Packet& p)
        : address(p.qword(1)), flags(p.dword(3)), size(p.dword(4)), data(p.from_dword(5)) {}
    Space space() const { return Space(bits(flags, 31, 28)); }
    std::uint32_t hint() const { return bits(flags, 27, 20); }
    std::uint32_t tiling() const { return bits(flags, 3, 2); }
    bool repeat() const { return bits(flags, 1, 1) != 0; }
    bool no_expectation() const { return bits(flags, 0, 0) != 0; }   // compare
    bool crc() const { return bits(flags, 6, 6) != 0; }              // compare
    bool until_not_equal() const { return bits(flags, 7, 7) != 0; }  // compare
};

struct MemoryPollFields {
    static constexpr std::size_t kDwords = 7;
    std::uint64_t address;
    std::uint32_t flags;
    std::uint64_t mask;
    std::span<const std::uint8_t> data;

    explicit MemoryPollFields(const Packet& p)
        : address(p.qword(1)), flags(p.dword(3)), mask(p.qword(4)), data(p.from_dword(6)) {}
    Space space() const { return Space(bits(flags, 31, 28)); }
    unsigned size_bytes() const { return 1u << bits(flags, 5, 4); }
    bool until_not_equal() const { return bits(flags, 0, 0) != 0; }
    bool ignore_timeout() const { return bits(flags, 8, 8) != 0; }
};

/// A write of several ranges: a fixed table of addresses and sizes, then all the data.
struct DiscontiguousFields {
    static constexpr std::size_t kMaxPairs = 63;
    static constexpr std::size_t kTableDword = 2, kPairDwords = 3, kDataDword = 191;
    std::uint32_t flags;
    const Packet& packet;

    explicit DiscontiguousFields(const Packet& p) : flags(p.dword(1)), packet(p) {}
    Space space() const { return Space(bits(flags, 31, 28)); }
    std::uint32_t pairs() const { return bits(flags, 19, 4); }
    bool repeat() const { return bits(flags, 1, 1) != 0; }
    std::uint64_t address(std::size_t i) const {
        return packet.qword(kTableDword + kPairDwords * i);
    }
    std::uint32_t size(std::size_t i) const {
        return packet.dword(kTableDword + kPairDwords * i + 2);
    }
};

}  // namespace gen9::platform::aub
