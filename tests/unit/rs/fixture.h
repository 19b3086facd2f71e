// SPDX-License-Identifier: Apache-2.0
// The resource streamer's core with a memory of bytes, and commands for it, put together bit by bit.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "common/report.h"
#include "rs/core.h"

namespace gen9::test {

using Words = std::vector<std::uint32_t>;
/// Stages as the edit and gather commands count them, and as the pointer commands do.
enum : std::uint32_t { kVs, kGs, kHs, kDs, kPs };
inline constexpr std::uint32_t kPointersOf[] = {0x26, 0x29, 0x27, 0x28, 0x2A};

inline std::uint32_t low(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}
inline std::uint32_t high(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
}
inline Words table_pool(std::uint64_t base, std::uint32_t pages, bool enable = true) {
    return {0x79190002, low(base) | (enable ? 0x800u : 0), high(base), pages << 12};
}
inline Words gather_pool(std::uint64_t base, std::uint32_t pages, bool enable = true) {
    return {0x791A0002, low(base) | (enable ? 0x800u : 0), high(base), pages << 12};
}
/// `entries`: index << 16 | offset of the surface state / 64.
inline Words edit(std::uint32_t stage, const Words& entries, std::uint32_t clear = 0,
                  std::uint32_t target = 3) {
    Words out = {(0x78430000 + (stage << 16)) | static_cast<std::uint32_t>(entries.size()),
                 clear << 16 | target};
    out.insert(out.end(), entries.begin(), entries.end());
    return out;
}
inline Words pointers(std::uint32_t stage, std::uint32_t pool_offset) {
    return {0x78000000 | kPointersOf[stage] << 16, pool_offset >> 6 << 5};
}
/// An entry of 16 bits: buffer, channels, offset in 16 bytes.
inline std::uint32_t element(std::uint32_t buffer, std::uint32_t channels, std::uint32_t offset) {
    return buffer | channels << 4 | offset << 8;
}
inline Words gather(std::uint32_t stage, std::uint32_t valid, std::uint32_t pool_offset,
                    const Words& elements, std::uint32_t flags1 = 0, std::uint32_t flags2 = 0) {
    Words out = {0, valid << 16 | flags1, pool_offset | flags2};
    for (std::size_t i = 0; i < elements.size(); i += 2)
        out.push_back(elements[i] | (i + 1 < elements.size() ? elements[i + 1] << 16 : 0));
    out[0] = (0x78340000 + (stage << 16)) | static_cast<std::uint32_t>(out.size() - 2);
    return out;
}
inline Words surface_base(std::uint64_t base) {
    Words out(19, 0);
    out[0] = 0x61010011;
    out[4] = low(base) | 1;
    out[5] = high(base);
    return out;
}
/// A buffer of `count` elements of `pitch` bytes.
inline Words buffer_surface(std::uint64_t base, std::uint32_t count, std::uint32_t pitch) {
    Words out(16, 0);
    const std::uint32_t last = count - 1;
    out[0] = 4u << 29 | 0x1FFu << 18;
    out[2] = (last & 0x7F) | (last >> 7 & 0x3FFF) << 16;
    out[3] = (last >> 21) << 21 | (pitch - 1);
    out[8] = low(base);
    out[9] = high(base);
    return out;
}

struct ByteMemory : rs::Memory {
    std::map<std::uint64_t, std::uint8_t> bytes;
    std::vector<std::uint64_t> reads, writes;  ///< addresses, in order
    void read(std::span<rs::LineAccess> lines) override {
        for (rs::LineAccess& line : lines) {
            reads.push_back(line.address.value);
            for (unsigned i = 0; i < line.size_bytes; ++i) {
                const auto found = bytes.find(line.address.value + i);
                line.bytes[i] = found == bytes.end() ? 0 : found->second;
            }
        }
    }
    void write(std::span<const rs::LineAccess> lines) override {
        for (const rs::LineAccess& line : lines) {
            EXPECT_LE(line.address.value % 64 + line.size_bytes, 64u);
            writes.push_back(line.address.value);
            for (unsigned i = 0; i < line.size_bytes; ++i)
                bytes[line.address.value + i] = line.bytes[i];
        }
    }
    void put(std::uint64_t address, const Words& words) {
        for (std::size_t i = 0; i < 4 * words.size(); ++i)
            bytes[address + i] = static_cast<std::uint8_t>(words[i / 4] >> 8 * (i % 4));
    }
    std::uint32_t u16(std::uint64_t address) { return bytes[address] | bytes[address + 1] << 8; }
    std::uint32_t u32(std::uint64_t address) { return u16(address) | u16(address + 2) << 16; }
};

struct RsCoreTest : ::testing::Test {
    static constexpr std::uint64_t kPool = 0x1'0000'0000, kGathers = 0x2'0000'0000,
                                   kSurfaces = 0x3'0000'0000, kConstants = 0x4'0000'0000;
    Reporter reporter;
    std::vector<std::string> log;
    rs::RsStats stats{"rs"};
    rs::RsCore core{reporter, stats};
    ByteMemory memory;
    RsCoreTest() {
        reporter.log = [this](const std::string& line) { log.push_back(line); };
        core.take_over({}, true);
    }
    bool run(const Words& words) { return core.execute(words, GpuAddr(0x1000), memory); }
    void run_all(const std::vector<Words>& commands) {
        for (const Words& words : commands)
            run(words);
    }
    /// Four constants of 16 bytes: 0x100, 0x101, ... ; surface 1 of the table's block names them.
    void constants() {
        Words values;
        for (std::uint32_t i = 0; i < 64; ++i)
            values.push_back(0x100 + i);
        memory.put(kConstants, values);
        memory.put(kSurfaces + 0x40, buffer_surface(kConstants, 16, 16));
    }
};

}  // namespace gen9::test
