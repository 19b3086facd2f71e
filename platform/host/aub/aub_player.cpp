// SPDX-License-Identifier: Apache-2.0
#include "platform/host/aub/aub_player.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>

#include "platform/host/address_space.h"

namespace gen9::platform {
namespace {

using aub::Kind;
using aub::Packet;
using aub::Space;

// A capture that is wrong is wrong in many places; the first tell enough.
constexpr std::uint64_t kMaxMismatchesSaid = 50;
// Longest range of one packet; the data of most is in the packet itself, but a pattern may repeat.
constexpr std::uint32_t kMaxRangeBytes = 256u << 20;

// L3 and LLC coherency, in the low half of a context descriptor. Mesa's captures ask for it.
constexpr std::uint32_t kCoherent = 1u << 5;

std::string hex(std::uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%" PRIx64, value);
    return text;
}

std::uint64_t ones(unsigned bytes) {
    return bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * bytes) - 1;
}

std::uint64_t load_value(std::span<const std::uint8_t> data, unsigned bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, data.data(), bytes);
    return value;
}

std::string bytes_text(std::span<const std::uint8_t> bytes) {
    std::string text;
    char byte[4];
    for (const auto value : bytes.first(std::min<std::size_t>(bytes.size(), 16))) {
        std::snprintf(byte, sizeof byte, "%02x", value);
        if (!text.empty()) text += ' ';
        text += byte;
    }
    return text;
}

const char* space_text(Space space) {
    switch (space) {
        case Space::GgttGraphics:
        case Space::NonApertureGgttGraphics:
            return "GGTT address ";
        case Space::PpgttGraphics:
            return "PPGTT address ";
        case Space::GgttEntry:
            return "GGTT table offset ";
        default:
            return "physical address ";
    }
}

/// Spaces whose addresses are physical.
bool is_physical(Space space) {
    switch (space) {
        case Space::PhysicalLocal:
        case Space::PhysicalNonlocal:
        case Space::PpgttEntry:
        case Space::PdpEntry:
        case Space::PdEntry:
        case Space::Pml4Entry:
            return true;
        default:
            return false;
    }
}

}  // namespace

void AubPlayer::play(AubFile& file) {
    Packet packet;
    while (!abort_ && !engine_.stopped() && file.next(packet)) {
        ++packets_;
        carry_out(file, packet);
    }
    run();
}

void AubPlayer::carry_out(AubFile& file, const Packet& packet) {
    switch (packet.kind()) {
        case Kind::RegisterWrite:
            return register_write(packet, aub::RegisterFields(packet));
        case Kind::RegisterCompare:
        case Kind::RegisterPoll:
        case Kind::MemoryCompare:
        case Kind::MemoryPoll:
            return checks_wanted_ == Checks::Skip ? void() : check(file, packet);
        case Kind::MemoryWrite:
            return memory_write(file, packet, aub::MemoryFields(packet));
        case Kind::DiscontiguousWrite:
            return discontiguous_write(file, packet, aub::DiscontiguousFields(packet));
        case Kind::Version:
        case Kind::Comment:
        case Kind::FrameBegin:
        case Kind::Delay:
        case Kind::TestPhase:
        case Kind::ContinuousRegion:
            return;
        default:
            return unsupported(packet, "passed over");
    }
}

void AubPlayer::check(AubFile& file, const Packet& packet) {
    switch (packet.kind()) {
        case Kind::RegisterCompare:
            return register_compare(packet, aub::RegisterFields(packet));
        case Kind::RegisterPoll:
            return register_poll(packet, aub::RegisterFields(packet));
        case Kind::MemoryCompare:
            return memory_compare(file, packet, aub::MemoryFields(packet));
        default:
            return memory_poll(packet, aub::MemoryPollFields(packet));
    }
}

// Registers.

bool AubPlayer::registers_here(const Packet& packet, const aub::RegisterFields& fields) {
    if (fields.space() != 0) {
        unsupported(packet, "registers of space " + std::to_string(fields.space()) +
                                " are not part of the engine");
        return false;
    }
    const unsigned bytes = fields.size_bytes();
    if (fields.offset % bytes != 0 || fields.offset + bytes > kRegisterBytes) {
        unsupported(packet, "there is no register at " + hex(fields.offset));
        return false;
    }
    return true;
}

std::uint64_t AubPlayer::read_register(const aub::RegisterFields& fields) {
    const std::uint32_t first = fields.offset & ~3u;
    std::uint64_t value = engine_.read_register(first);
    if (fields.size_bytes() == 8) value |= std::uint64_t{engine_.read_register(first + 4)} << 32;
    return value >> 8 * (fields.offset % 4) & ones(fields.size_bytes());
}

void AubPlayer::register_write(const Packet& packet, const aub::RegisterFields& fields) {
    if (!registers_here(packet, fields)) return;
    const unsigned bytes = fields.size_bytes();
    const std::uint64_t all = ones(bytes), mask = fields.mask & all;
    std::uint64_t value = load_value(fields.data, bytes);
    // The driver's captures give 32 mask bits to every register: a full lower half means all of it.
    const bool whole = mask == all || fields.mask == ones(4);
    if (!whole) value = (read_register(fields) & ~mask) | (value & mask);
    const unsigned shift = 8 * (fields.offset % 4);
    for (unsigned done = 0; done < std::max(bytes, 4u); done += 4) {
        const std::uint32_t offset = (fields.offset & ~3u) + done;
        std::uint32_t dword = static_cast<std::uint32_t>(value >> 8 * done);
        if (bytes < 4) {
            const auto field = static_cast<std::uint32_t>(all << shift);
            dword = (engine_.read_register(offset) & ~field) |
                    (static_cast<std::uint32_t>(value << shift) & field);
        }
        if (offset == kExeclistSubmitPort) {
            // Nobody else has these lines in a cache: coherency with others changes nothing.
            if (submit_port_.size() % 2 != 0) dword &= ~kCoherent;
            engine_.write_register(offset, dword);
            submit_write(dword);
        } else {
            engine_.write_register(offset, dword);
        }
    }
}

void AubPlayer::submit_write(std::uint32_t value) {
    submit_port_.push_back(value);
    if (submit_port_.size() < kWritesPerSubmission) return;
    ++submissions_;
    run();
    graphics_.use_context(submit_port_.back());
    submit_port_.clear();
}

void AubPlayer::register_compare(const Packet& packet, const aub::RegisterFields& fields) {
    if (fields.no_expectation() || !registers_here(packet, fields)) return;
    ++checks_;
    const std::uint64_t mask = fields.mask & ones(fields.size_bytes());
    const std::uint64_t expected = load_value(fields.data, fields.size_bytes()) & mask;
    const std::uint64_t found = read_register(fields) & mask;
    if (found != expected)
        mismatch(packet, "register " + hex(fields.offset) + ", mask " + hex(mask) + ": expected " +
                             hex(expected) + ", found " + hex(found));
}

void AubPlayer::register_poll(const Packet& packet, const aub::RegisterFields& fields) {
    if (!registers_here(packet, fields)) return;
    ++checks_;
    run();
    const std::uint64_t mask = fields.mask & ones(fields.size_bytes());
    const std::uint64_t wanted = load_value(fields.data, fields.size_bytes()) & mask;
    const std::uint64_t found = read_register(fields) & mask;
    if ((found == wanted) != fields.until_not_equal()) return;
    if (fields.ignore_timeout()) return;
    mismatch(packet, "register " + hex(fields.offset) + ", mask " + hex(mask) + ": expected " +
                         (fields.until_not_equal() ? "other than " : "") + hex(wanted) +
                         ", found " + hex(found) + ", and the engine is idle");
    abort_ = true;
}

// Memory.

/// Calls piece(physical address, offset in the range, length) for each page of a range; false, and
/// nothing done from there, when a page is nowhere.
template <class Piece>
bool AubPlayer::for_each_page(const Packet& packet, Space space, std::uint64_t address,
                              std::size_t size, Piece&& piece) {
    for (std::size_t done = 0; done < size;) {
        const std::uint64_t at = address + done;
        const std::size_t count = std::min<std::size_t>(kPageBytes - at % kPageBytes, size - done);
        std::optional<PhysAddr> physical;
        if (is_physical(space) && at < kPhysicalBytes) physical = PhysAddr(at);
        if (space == Space::GgttGraphics || space == Space::NonApertureGgttGraphics)
            physical = graphics_.ggtt(at);
        if (space == Space::PpgttGraphics) physical = graphics_.ppgtt(at);
        if (!physical) {
            unsupported(packet, "address " + hex(at) + " of space " +
                                    std::to_string(static_cast<int>(space)) + " cannot be reached");
            return false;
        }
        piece(*physical, done, count);
        done += count;
    }
    return true;
}

bool AubPlayer::write(const Packet& packet, Space space, std::uint64_t address,
                      std::span<const std::uint8_t> bytes) {
    if (space == Space::GgttEntry) {
        if (address % 8 != 0 || bytes.size() % 8 != 0 ||
            (address + bytes.size()) / 8 > kGgttEntries) {
            unsupported(packet, "it leaves the GGTT");
            return false;
        }
        for (std::size_t done = 0; done < bytes.size(); done += 8)
            engine_.write_gtt(static_cast<std::uint32_t>((address + done) / 8),
                              load<std::uint64_t>(&bytes[done]));
        return true;
    }
    return for_each_page(packet, space, address, bytes.size(),
                         [&](PhysAddr at, std::size_t done, std::size_t count) {
                             engine_.write_memory(at, bytes.subspan(done, count));
                         });
}

bool AubPlayer::read(const Packet& packet, Space space, std::uint64_t address,
                     std::span<std::uint8_t> bytes) {
    if (space == Space::GgttEntry) {
        if (address % 8 != 0 || bytes.size() % 8 != 0 ||
            (address + bytes.size()) / 8 > kGgttEntries) {
            unsupported(packet, "it leaves the GGTT");
            return false;
        }
        for (std::size_t done = 0; done < bytes.size(); done += 8)
            store(&bytes[done], engine_.read_gtt(static_cast<std::uint32_t>((address + done) / 8)));
        return true;
    }
    return for_each_page(packet, space, address, bytes.size(),
                         [&](PhysAddr at, std::size_t done, std::size_t count) {
                             engine_.read_memory(at, bytes.subspan(done, count));
                         });
}

/// The data of a write or compare: as it stands, or a pattern repeated to the size of the range.
std::span<const std::uint8_t> AubPlayer::contents(AubFile& file, const Packet& packet,
                                                  const aub::MemoryFields& fields) {
    if (fields.size > kMaxRangeBytes)
        file.refuse(packet, "a range of " + std::to_string(fields.size) + " bytes");
    if (fields.tiling() != 0) unsupported(packet, "its data is taken as linear, not tiled");
    if (!fields.repeat() || fields.size <= fields.data.size())
        return fields.data.first(fields.size);
    buffer_.resize(fields.size);
    for (std::size_t done = 0; done < fields.size;) {
        const std::size_t count = std::min<std::size_t>(fields.data.size(), fields.size - done);
        std::memcpy(buffer_.data() + done, fields.data.data(), count);
        done += count;
    }
    return buffer_;
}

void AubPlayer::memory_write(AubFile& file, const Packet& packet, const aub::MemoryFields& fields) {
    write(packet, fields.space(), fields.address, contents(file, packet, fields));
}

void AubPlayer::discontiguous_write(AubFile& file, const Packet& packet,
                                    const aub::DiscontiguousFields& fields) {
    auto data = packet.from_dword(aub::DiscontiguousFields::kDataDword);
    for (std::size_t i = 0; i < fields.pairs(); ++i) {
        const std::uint32_t size = fields.size(i);
        if (size > data.size()) file.refuse(packet, "its ranges are longer than its data");
        write(packet, fields.space(), fields.address(i), data.first(size));
        data = data.subspan(size);
    }
}

void AubPlayer::memory_compare(AubFile& file, const Packet& packet,
                               const aub::MemoryFields& fields) {
    if (fields.no_expectation()) return;
    if (fields.crc()) return unsupported(packet, "comparing a CRC is not supported");
    ++checks_;
    run();
    const auto expected = contents(file, packet, fields);
    std::vector<std::uint8_t> found(expected.size());
    if (!read(packet, fields.space(), fields.address, found)) return;
    const auto [differs, at] = std::mismatch(expected.begin(), expected.end(), found.begin());
    const bool equal = differs == expected.end();
    if (equal != fields.until_not_equal()) return;
    const auto offset = equal ? 0 : static_cast<std::size_t>(at - found.begin());
    mismatch(packet, space_text(fields.space()) + hex(fields.address + offset) + ": expected " +
                         (equal ? "other than " : "") + bytes_text(expected.subspan(offset)) +
                         ", found " + bytes_text(std::span(found).subspan(offset)));
}

void AubPlayer::memory_poll(const Packet& packet, const aub::MemoryPollFields& fields) {
    ++checks_;
    run();
    const unsigned size = fields.size_bytes();
    std::uint8_t bytes[8]{};
    if (!read(packet, fields.space(), fields.address, std::span(bytes).first(size))) return;
    const std::uint64_t mask = fields.mask & ones(size);
    const std::uint64_t wanted = load_value(fields.data, size) & mask;
    const std::uint64_t found = load_value(bytes, size) & mask;
    if ((found == wanted) != fields.until_not_equal() || fields.ignore_timeout()) return;
    mismatch(packet, space_text(fields.space()) + hex(fields.address) + ", mask " + hex(mask) +
                         ": expected " + (fields.until_not_equal() ? "other than " : "") +
                         hex(wanted) + ", found " + hex(found) + ", and the engine is idle");
    abort_ = true;
}

void AubPlayer::run() {
    engine_.run();
}

void AubPlayer::mismatch(const Packet& packet, const std::string& text) {
    if (++mismatches_ <= kMaxMismatchesSaid)
        log_("mismatch: packet " + std::to_string(packet.number) + " (" +
             aub::to_text(packet.kind()) + "): " + text);
}

void AubPlayer::unsupported(const Packet& packet, const std::string& text) {
    ++unsupported_;
    const std::string sentence = std::string(aub::to_text(packet.kind())) + ": " + text;
    if (said_.insert(sentence).second && said_.size() <= kMaxMismatchesSaid)
        log_("packet " + std::to_string(packet.number) + ", " + sentence);
}

}  // namespace gen9::platform
