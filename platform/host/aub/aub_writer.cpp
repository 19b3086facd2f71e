// SPDX-License-Identifier: Apache-2.0
#include "platform/host/aub/aub_writer.h"

#include <algorithm>
#include <vector>

#include "common/check.h"

namespace gen9::platform {
namespace {

using aub::Kind;
using aub::Packet;
using aub::Space;

constexpr std::uint32_t kSizeDword = 2u << 16;  // of a register
constexpr std::uint32_t kRepeat = 1u << 1;
constexpr std::uint64_t kMostRepeated = 64u << 20;

std::uint32_t low(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}
std::uint32_t high(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
}
std::span<const std::uint8_t> bytes_of_text(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

AubWriter::AubWriter(std::unique_ptr<ByteSink> sink) : sink_(std::move(sink)) {
    const std::uint32_t body[] = {aub::kFileVersion, aub::kDeviceSkylake << aub::kDeviceShift, 0,
                                  0};
    packet(Kind::Version, body, bytes_of_text("gen9sim"));
}

void AubWriter::comment(const std::string& text) {
    const std::uint32_t flags[] = {0};
    packet(Kind::Comment, flags, bytes_of_text(text + '\0'));
}

void AubWriter::write_register(std::uint32_t offset, std::uint32_t value) {
    const std::uint32_t body[] = {offset, kSizeDword, ~0u, 0, value};
    packet(Kind::RegisterWrite, body);
}

void AubWriter::write_memory(Space space, std::uint64_t address,
                             std::span<const std::uint8_t> bytes) {
    memory(Kind::MemoryWrite, space, address, 0, static_cast<std::uint32_t>(bytes.size()), bytes);
}

void AubWriter::clear_memory(Space space, std::uint64_t address, std::uint64_t bytes) {
    constexpr std::uint8_t kZero[4]{};
    for (std::uint64_t count = 0; bytes != 0; address += count, bytes -= count) {
        count = std::min(bytes, kMostRepeated);
        memory(Kind::MemoryWrite, space, address, kRepeat, low(count), kZero);
    }
}

void AubWriter::compare_memory(Space space, std::uint64_t address,
                               std::span<const std::uint8_t> bytes) {
    memory(Kind::MemoryCompare, space, address, 0, static_cast<std::uint32_t>(bytes.size()), bytes);
}

void AubWriter::memory(Kind kind, Space space, std::uint64_t address, std::uint32_t flags,
                       std::uint32_t size, std::span<const std::uint8_t> data) {
    const std::uint32_t body[] = {low(address), high(address),
                                  static_cast<std::uint32_t>(space) << 28 | flags, size};
    packet(kind, body, data);
}

void AubWriter::packet(Kind kind, std::span<const std::uint32_t> body,
                       std::span<const std::uint8_t> data) {
    const std::size_t dwords = body.size() + (data.size() + 3) / 4;
    std::vector<std::uint8_t> bytes(4 * (1 + dwords));
    GEN9_CHECK(bytes.size() <= Packet::kMaxBytes, "a packet of a capture is too long");
    store(bytes.data(), Packet::kType << 29 | Packet::kMemtraceOpcode << 23 |
                            static_cast<std::uint32_t>(kind) << 16 |
                            static_cast<std::uint32_t>(dwords));
    for (std::size_t i = 0; i < body.size(); ++i)
        store(bytes.data() + 4 * (1 + i), body[i]);
    std::ranges::copy(data, bytes.begin() + static_cast<std::ptrdiff_t>(4 * (1 + body.size())));
    sink_->write(bytes);
    ++packets_;
}

}  // namespace gen9::platform
