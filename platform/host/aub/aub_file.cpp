// SPDX-License-Identifier: Apache-2.0
#include "platform/host/aub/aub_file.h"

#include <cinttypes>
#include <cstdio>

namespace gen9::platform {
namespace {

using aub::Kind;
using aub::Packet;

/// Least number of DWords of a packet, its header included.
std::size_t least_dwords(Kind kind) {
    switch (kind) {
        case Kind::RegisterCompare:
        case Kind::RegisterPoll:
        case Kind::RegisterWrite:
            return aub::RegisterFields::kDwords;
        case Kind::MemoryCompare:
        case Kind::MemoryWrite:
            return aub::MemoryFields::kDwords;
        case Kind::MemoryPoll:
            return aub::MemoryPollFields::kDwords;
        case Kind::DiscontiguousWrite:
            return aub::DiscontiguousFields::kDataDword;
        case Kind::Version:
            return 5;
        default:
            return 1;
    }
}

}  // namespace

const char* aub::to_text(Kind kind) {
    switch (kind) {
        case Kind::RegisterCompare:
            return "register compare";
        case Kind::RegisterPoll:
            return "register poll";
        case Kind::RegisterWrite:
            return "register write";
        case Kind::MemoryCompare:
            return "memory compare";
        case Kind::MemoryPoll:
            return "memory poll";
        case Kind::MemoryWrite:
            return "memory write";
        case Kind::FrameBegin:
            return "frame begin";
        case Kind::Comment:
            return "comment";
        case Kind::Delay:
            return "delay";
        case Kind::MemoryDump:
            return "memory dump";
        case Kind::DiscontiguousWrite:
            return "discontiguous memory write";
        case Kind::TestPhase:
            return "test phase";
        case Kind::ContinuousRegion:
            return "continuous region";
        case Kind::Version:
            return "version";
        case Kind::Predicate:
            return "predicate";
        case Kind::DumpCompressed:
            return "compressed surface dump";
    }
    return "unknown packet";
}

AubFile::AubFile(std::unique_ptr<ByteSource> source, std::string name)
    : source_(std::move(source)), name_(std::move(name)), bytes_(Packet::kMaxBytes) {}

bool AubFile::next(Packet& packet) {
    packet.number = number_;
    packet.offset = offset_;
    const std::size_t head = source_->read(std::span(bytes_).first(4));
    if (head == 0 && number_ != 0) return false;
    packet.bytes = std::span(bytes_).first(4);
    if (head < 4)
        refuse(packet, number_ == 0 ? "this is not an AUB capture" : "the file is cut off");
    const auto header = packet.header();
    if (packet.type() == Packet::kType && packet.opcode() == 1)
        refuse(packet, "captures of the oldest form (trace header blocks) cannot be played");
    const bool is_memtrace =
        packet.type() == Packet::kType && packet.opcode() == Packet::kMemtraceOpcode;
    if (!is_memtrace || (number_ == 0 && packet.kind() != Kind::Version))
        refuse(packet, number_ == 0 ? "this is not an AUB capture" : "this is not a packet");
    const std::size_t length = 4 * (std::size_t{bits(header, 15, 0)} + 1);
    if (source_->read(std::span(bytes_).subspan(4, length - 4)) != length - 4)
        refuse(packet, "the file is cut off");
    packet.bytes = std::span(bytes_).first(length);
    check(packet);
    ++number_;
    offset_ += length;
    return true;
}

void AubFile::check(const Packet& packet) const {
    const auto kind = packet.kind();
    const std::string short_text = std::string("a ") + aub::to_text(kind) + " of " +
                                   std::to_string(packet.dwords()) + " DWords is too short";
    if (packet.dwords() < least_dwords(kind)) refuse(packet, short_text);
    if (kind == Kind::Version && packet.dword(1) > aub::kFileVersion)
        refuse(packet, "a capture of version " + std::to_string(packet.dword(1)) +
                           ", and only those up to " + std::to_string(aub::kFileVersion) +
                           " can be played");
    if (kind == Kind::MemoryWrite || kind == Kind::MemoryCompare) {
        const aub::MemoryFields fields(packet);
        if (!fields.repeat() && fields.data.size() < fields.size) refuse(packet, short_text);
        if (fields.repeat() && fields.data.empty() && fields.size != 0) refuse(packet, short_text);
    }
    if (kind == Kind::RegisterWrite || kind == Kind::RegisterCompare ||
        kind == Kind::RegisterPoll) {
        const aub::RegisterFields fields(packet);
        if (!fields.size_known()) refuse(packet, "a register size that is not 1, 2, 4 or 8 bytes");
        if (fields.data.size() < fields.size_bytes()) refuse(packet, short_text);
    }
    if (kind == Kind::MemoryPoll &&
        aub::MemoryPollFields(packet).data.size() < aub::MemoryPollFields(packet).size_bytes())
        refuse(packet, short_text);
    if (kind == Kind::DiscontiguousWrite &&
        aub::DiscontiguousFields(packet).pairs() > aub::DiscontiguousFields::kMaxPairs)
        refuse(packet, "more pairs than a discontiguous write has room for");
}

void AubFile::refuse(const Packet& packet, const std::string& why) const {
    char place[64];
    std::snprintf(place, sizeof place, "packet %" PRIu64 " at offset 0x%" PRIx64, packet.number,
                  packet.offset);
    throw AubError("'" + name_ + "', " + place + ": " + why);
}

}  // namespace gen9::platform
