// SPDX-License-Identifier: Apache-2.0
// Two contexts with rings of their own, filled and submitted as the driver does it.
#pragma once
#include <gtest/gtest.h>

#include "tests/unit/cs/stream.h"

namespace gen9::test {

inline constexpr std::uint32_t kRing2 = 0x30000, kContext2 = 0x80000;
inline constexpr std::uint64_t kPml4Of2 = 0x2'2222'2000;

/// Adds one to memory: shows how often a stream ran.
inline Words count(std::uint64_t address = kData) {
    return {0x17800501, low(address), high(address)};
}
inline Words operator+(Words a, const Words& b) {
    append(a, b);
    return a;
}

struct Contexts : ::testing::Test {
    Engine engine;
    explicit Contexts(const cs::InterpreterSettings& settings = {}) : engine(settings) {
        engine.ppgtt.map(kData, 0x1000);
        engine.ggtt.map(kRing2, 0x4000);
        write_context(engine.ggtt, kContext2, kRing2, kPml4Of2);
    }
    std::uint32_t data(unsigned dword) {
        return engine.ppgtt.get<std::uint32_t>(kData + 4 * dword);
    }
    /// Appends to a ring and moves the tail in the image, as the driver does.
    void add(std::uint32_t& tail, const Words& words, std::uint32_t ring = kRing,
             std::uint32_t context = kContext) {
        engine.ggtt.put(ring + tail, words);
        tail += static_cast<std::uint32_t>(4 * words.size());
        engine.set_tail(tail, context);
    }
    std::uint32_t entry(unsigned n) { return engine.core.read_register(0x2370 + 8 * n); }
    std::uint32_t entry_id(unsigned n) { return engine.core.read_register(0x2374 + 8 * n); }
};

}  // namespace gen9::test
