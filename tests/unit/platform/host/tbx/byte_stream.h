// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <span>
#include <vector>

namespace gen9::platform::test {

using Bytes = std::vector<std::uint8_t>;

inline Bytes dwords(std::initializer_list<std::uint32_t> values) {
    Bytes bytes(4 * values.size());
    std::size_t at = 0;
    for (const auto value : values) {
        std::memcpy(bytes.data() + at, &value, 4);
        at += 4;
    }
    return bytes;
}

inline void append(Bytes& to, std::span<const std::uint8_t> from) {
    const std::size_t size = to.size();
    to.resize(size + from.size());
    if (!from.empty()) std::memcpy(to.data() + size, from.data(), from.size());
}

inline std::uint32_t dword_at(std::span<const std::uint8_t> bytes, std::size_t index) {
    std::uint32_t value;
    std::memcpy(&value, bytes.data() + 4 * index, 4);
    return value;
}

// Messages of the TBX socket, written out as DWords.

inline Bytes mmio_write(std::uint32_t offset, std::uint32_t value) {
    return dwords({0, 77, 12, 1 | 4 << 1, offset, value});
}
inline Bytes mmio_read(std::uint32_t transaction, std::uint32_t offset) {
    return dwords({0, transaction, 12, 4 << 1, offset, 0});
}
inline Bytes gtt_write(std::uint32_t index, std::uint64_t entry) {
    return dwords({2, 0, 16, 1, index, static_cast<std::uint32_t>(entry),
                   static_cast<std::uint32_t>(entry >> 32)});
}
inline Bytes memory_write(std::uint64_t address, std::span<const std::uint8_t> data) {
    auto bytes =
        dwords({4, 0, 12, static_cast<std::uint32_t>(address >> 32) << 24,
                static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(data.size())});
    append(bytes, data);
    return bytes;
}
inline Bytes memory_read(std::uint32_t transaction, std::uint64_t address, std::uint32_t size) {
    return dwords({5, transaction, 12, static_cast<std::uint32_t>(address >> 32) << 24,
                   static_cast<std::uint32_t>(address), size});
}
inline Bytes submission(std::uint32_t descriptor_low) {
    Bytes bytes;
    for (const std::uint32_t value : {0u, 0u, 0u, descriptor_low})
        append(bytes, mmio_write(0x2230, value));
    return bytes;
}

}  // namespace gen9::platform::test
