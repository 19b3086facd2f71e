// SPDX-License-Identifier: Apache-2.0
// What the unmodified OpenCL driver writes before and for a submission (cs-rs guide 3.4, 3.5;
// host-interface guide 4), for tests of the core and of the module.
#pragma once
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "tests/unit/cs/fake_bus.h"

namespace gen9::test {

using Words = std::vector<std::uint32_t>;

inline constexpr std::uint32_t kStatusPage = 0x10000, kRing = 0x20000, kContext = 0x40000;
inline constexpr std::uint64_t kPreamble = 0x7F00'1000, kTask = 0x7F00'3000, kTag = 0x7F10'0000;
inline constexpr std::uint64_t kPml4 = 0x1'2345'6000;

inline void append(Words& words, const Words& more) {
    words.insert(words.end(), more.begin(), more.end());
}
inline std::uint32_t low(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}
inline std::uint32_t high(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
}

/// Registers written once at start.
inline std::vector<std::pair<std::uint32_t, std::uint32_t>> driver_registers() {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> writes = {{0x20D8, 0x00020000},
                                                                   {0x229C, 0xFFFF8280}};
    const std::uint32_t mocs[] = {0x09, 0x38, 0x3B,       0x39, 0x37, 0x39,
                                  0x37, 0x1B, 0x00060037, 0x32, 0x33, 0x3B};
    for (std::uint32_t i = 0; i < 12; ++i)
        writes.emplace_back(0xC800 + 4 * i, mocs[i]);
    writes.emplace_back(0x2080, kStatusPage);
    return writes;
}

/// The context image of a fresh context: 0x11000 bytes of NOOPs with the register section preset.
inline void write_context(FakeMemory& ggtt, std::uint32_t context = kContext,
                          std::uint32_t ring = kRing, std::uint64_t pml4 = kPml4) {
    ggtt.map(context, 0x11000);
    for (std::uint32_t i = 0; i < 0x11000; i += 4)
        ggtt.put<std::uint32_t>(context + i, 1);
    const std::uint32_t image = context + 0x1000;
    Words first = {0x1100101B};
    for (int i = 0; i < 14; ++i)
        append(first, {0x2244, 0x00010001});
    const Words ring_pairs = {0x2034, 0, 0x2030, 0, 0x2038, ring, 0x203C, 0x3001};
    std::copy(ring_pairs.begin(), ring_pairs.end(), first.begin() + 3);
    ggtt.put(image + 4, first);
    Words second = {0x11001011, 0x20D8, 0x00200020};
    append(second, {0x228C, 0, 0x2288, 0, 0x2284, 0, 0x2280, 0, 0x227C, 0, 0x2278, 0});
    append(second, {0x2274, high(pml4), 0x2270, low(pml4)});
    ggtt.put(image + 0x84, second);
    ggtt.put(image + 0x104, Words{0x11000001, 0x2094, 0});
}

/// Writes of the submission port for one context.
inline std::vector<std::uint32_t> submission(std::uint32_t context = kContext,
                                             std::uint32_t id = 0) {
    return {0, 0, id, context | 0x119};
}

/// First command of the first submission, then the batch start and a NOOP.
inline Words first_ring_commands(std::uint64_t batch = kPreamble) {
    return {0x11000001, 0x2244, 0x00010000, 0x18800101, low(batch), high(batch), 0};
}

inline Words state_base_address() {
    return {0x61010011, 1, 0,          0x00020000, 0x11001,    1,          0x22041, 2, 0x1, 3,
            0x44001,    4, 0xFFFFF001, 0xFFFFF001, 0xFFFFF001, 0xFFFFF001, 0x55001, 5, 0};
}

inline Words preamble_batch(std::uint64_t task = kTask) {
    Words out = {0x7A000004, 0x00100000, 0, 0, 0, 0};
    append(out, {0x11000001, 0xE404, 0x100});
    append(out, {0x69041312});
    append(out, {0x11000001, 0x7034, 0x80000340});
    append(out, {0x61040001, 0x00800000, 0});
    append(out, {0x7A000004, 0x00101021, 0, 0, 0, 0});
    append(out, {0x70000007, 0, 0, 0x00A70100, 0, 0x07820000, 0, 0, 0});
    append(out, {0x11000001, 0x2580, 0x00060000});
    append(out, {0x7A000004, 0x00100420, 0, 0, 0, 0});
    append(out, state_base_address());
    append(out, {0x61020001, 0x00000500, 0});
    append(out, {0x7A000004, 0x00100000, 0, 0, 0, 0});
    append(out, {0x18800101, low(task), high(task)});
    return out;
}

inline Words walker() {
    return {0x7105000D, 0, 0x680, 0xFFFDD000, 0x80000007, 0,          0,         4,
            0,          0, 1,     0,          1,          0xFFFFFFFF, 0xFFFFFFFF};
}

inline Words task_batch(std::uint32_t count = 1, std::uint64_t tag = kTag) {
    Words out = {0x70040000, 0};
    append(out, {0x70020002, 0, 0x20, 0x1240});
    append(out, walker());
    append(out, {0x70040000, 0});
    append(out, {0x7A000004, 0x00100000, 0, 0, 0, 0});
    append(out, {0x7A000004, 0x00104020, low(tag), high(tag), count, 0});
    append(out, {0x05000000});
    while (out.size() % 16)
        out.push_back(0);
    return out;
}

}  // namespace gen9::test
