// SPDX-License-Identifier: Apache-2.0
// Captured draws, and their rewriting into hardware binding tables and gather constants.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gen9::test {

/// A captured submission: its batch, and 64-byte lines of memory (trim.py writes the file).
struct Draw {
    std::uint64_t batch = 0;
    std::uint32_t batch_bytes = 0;
    std::map<std::uint64_t, std::vector<std::uint32_t>> lines;

    static Draw load(const std::string& path);
    std::uint32_t dword(std::uint64_t address) const;
};

/// A table that the driver had written, and where the resource streamer is to write its own.
struct ExpectedTable {
    std::uint64_t address;              ///< in the pool
    std::vector<std::uint64_t> states;  ///< addresses of the driver's surface states, 0: none
    std::uint64_t mark;                 ///< is written when the pointer has been passed
};
/// Push constants that the driver had written.
struct ExpectedConstants {
    std::uint64_t address;  ///< in the pool
    std::vector<std::uint32_t> values;
    std::uint64_t mark;
};

/// The rewritten submission.
struct Rewritten {
    std::vector<std::uint32_t> batch;
    std::map<std::uint64_t, std::vector<std::uint32_t>> memory;  ///< besides the draw's own lines
    std::vector<ExpectedTable> tables;
    std::vector<ExpectedConstants> constants;

    static constexpr std::uint64_t kHeap = 0x5000'0000;     ///< surface states; the surface base
    static constexpr std::uint64_t kTables = 0x5100'0000;   ///< pool of binding tables
    static constexpr std::uint64_t kGathers = 0x5200'0000;  ///< pool of gather buffers
    static constexpr std::uint64_t kMarks = 0x5300'0000;
    static constexpr unsigned kPoolPages = 16;
};

/// Surface states move to a heap near the base, for an entry of a hardware table has 16 bits; each
/// binding table becomes edits and a pointer, each push constant buffer a gather. `seed` chooses
/// how constants are divided into elements.
Rewritten rewrite(const Draw& draw, unsigned seed);

}  // namespace gen9::test
