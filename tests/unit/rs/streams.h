// SPDX-License-Identifier: Apache-2.0
// Batches and places in memory for the tests of both streamers.
#pragma once
#include "tests/unit/rs/bench.h"
#include "tests/unit/rs/commands.h"

namespace gen9::test::streams {

inline constexpr std::uint64_t kPool = 0x5000'0000, kGathers = 0x5010'0000, kMarks = 0x5020'0000,
                               kNext = 0x7F00'8000;
inline const Words kEnd = {0x05000000};
/// A PIPE_CONTROL without any action but a stall.
inline const Words kStall = {0x7A000004, 0x00100000, 0, 0, 0, 0};
inline const Words kStateInvalidation = {0x7A000004, 0x00100004, 0, 0, 0, 0};

inline Words operator+(Words a, const Words& b) {
    append(a, b);
    return a;
}
inline Words mark(unsigned n, std::uint32_t value = 1) {
    return {0x10000002, low(kMarks + 4 * n), high(kMarks), value};
}
inline Words marks(unsigned count) {
    Words out;
    for (unsigned i = 0; i < count; ++i)
        append(out, mark(100 + i));
    return out;
}
inline Words semaphore(std::uint32_t value, unsigned n) {
    return {0x0E00C002, value, low(kMarks + 4 * n), high(kMarks)};
}
/// Parsed at once, with nothing in it that waits.
inline const Words kPool4 = table_pool(kPool, 4);

struct Bench : StreamersBench {
    explicit Bench(std::vector<std::string> settings = {}, Timing timing = Timing::Timed)
        : StreamersBench("bench", timing, std::move(settings)) {
        ppgtt.map(kPool, 0x4000);
        ppgtt.map(kGathers, 0x4000);
        ppgtt.map(kMarks, 0x1000);
        ppgtt.map(kPreamble, 0x4000);
        ppgtt.map(kNext, 0x1000);
    }
    std::uint32_t entry(std::uint64_t offset, unsigned index) {
        return ppgtt.get<std::uint16_t>(kPool + offset + 2 * index);
    }
    std::uint32_t marked(unsigned n) { return ppgtt.get<std::uint32_t>(kMarks + 4 * n); }
    /// When the command streamer wrote mark `n`.
    Time when(unsigned n) {
        for (const auto& [at, address] : cs_writes)
            if (address.value == kMarks + 4 * n) return at;
        ADD_FAILURE() << "mark " << n << " was not written";
        return {};
    }
    void expect_done() {
        EXPECT_TRUE(cs.idle()) << cs.describe_waiting();
        EXPECT_TRUE(rs.idle()) << rs.describe_waiting();
        EXPECT_EQ(trouble(), "");
    }
};

}  // namespace gen9::test::streams
