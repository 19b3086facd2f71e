// SPDX-License-Identifier: Apache-2.0
// Commands and streams pieced together from them, run from the ring of an Engine.
#pragma once
#include <gtest/gtest.h>

#include "tests/unit/cs/engine.h"

namespace gen9::test {

inline constexpr std::uint64_t kData = 0x5000'0000, kBatch = 0x6000'0000;

inline Words lri(std::uint32_t offset, std::uint32_t value) {
    return {0x11000001, offset, value};
}
inline Words srm(std::uint32_t offset, std::uint64_t address) {
    return {0x12000002, offset, low(address), high(address)};
}
inline Words lrm(std::uint32_t offset, std::uint64_t address) {
    return {0x14800002, offset, low(address), high(address)};
}
inline Words lrr(std::uint32_t from, std::uint32_t to) {
    return {0x15000001, from, to};
}
inline Words sdi(std::uint64_t address, std::uint32_t value) {
    return {0x10000002, low(address), high(address), value};
}
inline Words start(std::uint64_t address, std::uint32_t flags = 0x100) {
    return {0x18800001 | flags, low(address), high(address)};
}
inline Words pipe_control(std::uint32_t flags, std::uint64_t address = 0, std::uint64_t data = 0) {
    return {0x7A000004, flags, low(address), high(address), low(data), high(data)};
}
inline Words gpr(unsigned n, std::uint64_t value) {
    return {0x11000003, 0x2600 + 8 * n, low(value), 0x2604 + 8 * n, high(value)};
}
inline const Words kEnd = {0x05000000};
/// The pipe selected, without and with what its work needs (CS-127).
inline const Words kPipeOnly = {0x69040302};
inline const Words kSelectGpgpu = [] {
    Words words = kPipeOnly;
    append(words, {0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0});
    append(words, state_base_address());
    append(words, {0x70020002, 0, 0x20, 0x1240});
    return words;
}();

/// A stream in the ring, pieced together.
struct Stream {
    Words words;
    Stream& operator<<(const Words& more) {
        append(words, more);
        return *this;
    }
};

struct Interpreter : ::testing::Test {
    Engine engine;
    Interpreter() {
        engine.ppgtt.map(kData, 0x2000);
        engine.ppgtt.map(kBatch, 0x4000);
    }
    void run(const Stream& stream) { engine.run_ring(stream.words); }
    std::uint32_t data(unsigned dword) {
        return engine.ppgtt.get<std::uint32_t>(kData + 4 * dword);
    }
    std::uint64_t data64(unsigned qword) {
        return engine.ppgtt.get<std::uint64_t>(kData + 8 * qword);
    }
};

}  // namespace gen9::test
