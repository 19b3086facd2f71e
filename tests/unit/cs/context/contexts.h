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

/// Two contexts of which the second takes the engine while work of the first is waited for. The
/// pipe stops that work.
struct Interrupted : Contexts {
    std::uint32_t tail = 0, tail2 = 0;
    unsigned stops = 0;

    explicit Interrupted(const cs::InterpreterSettings& settings = {}) : Contexts(settings) {
        engine.ppgtt.map(kBatch, 0x1000);
        add(tail2, Words{0x11000001, 0x2244, 0x00010000} + count(kData + 4), kRing2, kContext2);
    }
    /// The work that is under way.
    virtual unsigned in_flight() const = 0;
    /// Its last command, with what the pipe has left of it.
    virtual PipelineCommand stopped() const = 0;
    /// Runs a batch; context 2 is submitted at the first wait behind work.
    void run(const Words& batch) {
        engine.ppgtt.put(kBatch, batch);
        add(tail, Words{0x11000001, 0x2244, 0x00010000} + start(kBatch));
        run_ring();
    }
    void run_ring() {
        engine.on_wait = [this] {
            if (in_flight() == 0) return;
            engine.on_wait = nullptr;
            engine.submit(submission(kContext2, 9));
        };
        engine.on_stop = [this] {
            ++stops;
            engine.core.keep_walker(stopped());
        };
        engine.submit();
        engine.core.run();
    }
    void return_to_it() {
        engine.on_wait = engine.on_stop = nullptr;
        engine.submit();
        engine.core.run();
    }
};

}  // namespace gen9::test
