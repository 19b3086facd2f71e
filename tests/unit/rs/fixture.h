// SPDX-License-Identifier: Apache-2.0
// The resource streamer's core with a memory of bytes.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "common/report.h"
#include "rs/core.h"
#include "tests/unit/rs/commands.h"

namespace gen9::test {

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
    bool run(const Words& words) {
        return core.execute({*packets::find_command(words[0]), words, GpuAddr(0x1000)}, memory);
    }
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
