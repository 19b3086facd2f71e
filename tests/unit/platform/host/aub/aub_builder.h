// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "tests/unit/platform/host/tbx/byte_stream.h"

namespace gen9::platform::test {

/// Writes a capture packet by packet, as the public definitions lay it out.
struct AubBuilder {
    Bytes bytes;

    AubBuilder() { packet(0xE, {0, 0x10040C00, 0, 0, 0x004F454E}); }

    AubBuilder& packet(std::uint32_t sub_opcode, std::initializer_list<std::uint32_t> body,
                       std::span<const std::uint8_t> data = {}) {
        const std::size_t padded = (data.size() + 3) / 4 * 4;
        const auto dword_count = static_cast<std::uint32_t>(body.size() + padded / 4);
        append(bytes, dwords({7u << 29 | 0x2Eu << 23 | sub_opcode << 16 | dword_count}));
        append(bytes, dwords(body));
        append(bytes, data);
        bytes.resize(bytes.size() + padded - data.size());
        return *this;
    }
    AubBuilder& register_write(std::uint32_t offset, std::uint32_t value,
                               std::uint32_t mask = ~0u) {
        return packet(0x3, {offset, 2u << 16, mask, 0, value});
    }
    AubBuilder& register_compare(std::uint32_t offset, std::uint32_t mask, std::uint32_t value) {
        return packet(0x1, {offset, 2u << 16, mask, 0, value});
    }
    AubBuilder& register_poll(std::uint32_t offset, std::uint32_t mask, std::uint32_t value,
                              std::uint32_t flags = 0) {
        return packet(0x2, {offset, 2u << 16 | flags, mask, 0, value});
    }
    AubBuilder& memory_write(std::uint32_t space, std::uint64_t address, const Bytes& data,
                             std::uint32_t flags = 0, std::uint32_t size = 0) {
        return memory(0x6, space, address, data, flags, size);
    }
    AubBuilder& memory_compare(std::uint32_t space, std::uint64_t address, const Bytes& data,
                               std::uint32_t flags = 0) {
        return memory(0x4, space, address, data, flags, 0);
    }
    AubBuilder& memory_poll(std::uint32_t space, std::uint64_t address, std::uint32_t mask,
                            std::uint32_t value, std::uint32_t flags = 0) {
        return packet(
            0x5, {static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(address >> 32),
                  space << 28 | 2u << 4 | flags, mask, 0, value});
    }
    AubBuilder& submission(std::uint32_t descriptor_low) {
        return register_write(0x2230, 0)
            .register_write(0x2230, 0)
            .register_write(0x2230, 0)
            .register_write(0x2230, descriptor_low);
    }

  private:
    AubBuilder& memory(std::uint32_t sub_opcode, std::uint32_t space, std::uint64_t address,
                       const Bytes& data, std::uint32_t flags, std::uint32_t size) {
        const auto count = size != 0 ? size : static_cast<std::uint32_t>(data.size());
        return packet(sub_opcode,
                      {static_cast<std::uint32_t>(address),
                       static_cast<std::uint32_t>(address >> 32), space << 28 | flags, count},
                      data);
    }
};

/// Spaces of memory packets.
enum : std::uint32_t {
    kGgttAddress = 0,
    kPhysical = 2,
    kGgttEntries_ = 4,
    kPpgttAddress = 5,
    kPml4 = 10
};

}  // namespace gen9::platform::test
