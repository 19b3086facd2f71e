// SPDX-License-Identifier: Apache-2.0
// MI_ATOMIC: every operation and size, inline and register operands, against host integers.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/covers.h"
#include "tests/unit/cs/stream.h"

namespace gen9 {
namespace {

using namespace test;

template <class U>
U expected(unsigned operation, U old, U a, U b) {
    using S = std::make_signed_t<U>;
    switch (operation) {
        case 0x1:
            return old & a;
        case 0x2:
            return old | a;
        case 0x3:
            return old ^ a;
        case 0x4:
            return a;
        case 0x5:
            return old + 1;
        case 0x6:
            return old - 1;
        case 0x7:
            return old + a;
        case 0x8:
            return old - a;
        case 0x9:
            return a - old;
        case 0xA:
            return static_cast<U>(std::max(static_cast<S>(old), static_cast<S>(a)));
        case 0xB:
            return static_cast<U>(std::min(static_cast<S>(old), static_cast<S>(a)));
        case 0xC:
            return std::max(old, a);
        case 0xD:
            return std::min(old, a);
        case 0xE:
            return old == a ? b : old;
        default:
            return old - 1;  // PREDEC
    }
}

Words inline_atomic(unsigned opcode, unsigned size, std::uint64_t a, std::uint64_t b) {
    return {0x17850009 | opcode << 8 | size << 19,
            low(kData),
            high(kData),
            low(a),
            low(b),
            high(a),
            high(b),
            0,
            0,
            0,
            0};
}

template <class U>
void check(unsigned operation, U old, U a, U b, bool from_registers) {
    Engine engine;
    engine.ppgtt.put<std::uint64_t>(kData, 0xEEEEEEEEEEEEEEEE);
    engine.ppgtt.put<U>(kData, old);
    const unsigned size = sizeof(U) == 8 ? 1 : 0;
    const unsigned opcode = operation | (size ? 0x20 : 0);
    Words words;
    if (from_registers) {
        append(words,
               {0x11000007, 0x2600, low(a), 0x2604, high(a), 0x2610, low(b), 0x2614, high(b)});
        append(words, {0x17810001 | opcode << 8 | size << 19, low(kData), high(kData)});
    } else {
        words = inline_atomic(opcode, size, a, b);
    }
    engine.run_ring(words);
    EXPECT_EQ(engine.ppgtt.get<U>(kData), expected<U>(operation, old, a, b)) << operation;
    if (sizeof(U) == 4) {
        EXPECT_EQ(engine.ppgtt.get<std::uint32_t>(kData + 4), 0xEEEEEEEEu);
    }
    const std::uint64_t returned = operation == 0xF ? static_cast<U>(old - 1) : old;
    EXPECT_EQ(engine.gpr(4), returned) << operation;
    EXPECT_TRUE(engine.kinds().empty());
}

TEST(MiAtomic, EveryOperationInBothSizesAndOperandForms) {
    for (unsigned operation = 1; operation <= 0xF; ++operation)
        for (const bool from_registers : {false, true}) {
            check<std::uint32_t>(operation, 0x80000000u, 1, 0x1234, from_registers);
            check<std::uint32_t>(operation, 0xFFFFFFFFu, 0xFFFFFFFFu, 7, from_registers);
            check<std::uint32_t>(operation, 0, 5, 9, from_registers);
            check<std::uint64_t>(operation, 1ull << 63, 1, 0x123456789A, from_registers);
            check<std::uint64_t>(operation, ~0ull, ~0ull, 7, from_registers);
            check<std::uint64_t>(operation, 0x1'0000'0000, 0x2'0000'0001, 9, from_registers);
        }
}

TEST(MiAtomic, SixteenByteCompareAndWrite) {
    for (const bool hit : {true, false}) {
        Engine engine;
        engine.ppgtt.put<std::uint64_t>(kData, 0x11);
        engine.ppgtt.put<std::uint64_t>(kData + 8, hit ? 0x22 : 0x23);
        engine.journal.clear();
        // Operand 1 is {0x11, 0x22}, operand 2 {0x33, 0x44}; their DWords interleave.
        engine.run_ring(
            {0x17850009 | 0x4E << 8 | 2 << 19, low(kData), 0, 0x11, 0x33, 0, 0, 0x22, 0x44, 0, 0});
        EXPECT_EQ(engine.ppgtt.get<std::uint64_t>(kData), hit ? 0x33u : 0x11u);
        EXPECT_EQ(engine.ppgtt.get<std::uint64_t>(kData + 8), hit ? 0x44u : 0x23u);
        EXPECT_EQ(engine.gpr(4), 0x11u);
        EXPECT_EQ(engine.gpr(5), hit ? 0x22u : 0x23u);
        const std::string written = "write " + std::to_string(kData) + " 16";
        EXPECT_EQ(std::ranges::count(engine.journal, written), hit ? 1 : 0);
    }
}

TEST(MiAtomic, WithoutReturnDataNoRegisterChanges) {
    Engine engine;
    engine.ppgtt.put<std::uint32_t>(kData, 5);
    Words words = inline_atomic(0x5, 0, 0, 0);
    words[0] &= ~(1u << 16);
    engine.run_ring(words);
    EXPECT_EQ(engine.ppgtt.get<std::uint32_t>(kData), 6u);
    EXPECT_EQ(engine.gpr(4), 0u);
}

TEST(MiAtomic, OperationAndSizeMustAgree) {
    for (const auto& [opcode, size] :
         {std::pair{0x25u, 0u}, {0x05u, 1u}, {0x00u, 0u}, {0x10u, 0u}, {0x4Fu, 2u}, {0x05u, 3u}}) {
        Engine engine;
        engine.ppgtt.put<std::uint64_t>(kData, 5);
        engine.run_ring(inline_atomic(opcode, size, 0, 0));
        EXPECT_EQ(engine.ppgtt.get<std::uint64_t>(kData), 5u);
        EXPECT_EQ(engine.environment.reporter.guest_errors(), 1u) << opcode;
    }
}

TEST(MiAtomic, APostSyncOperationWaitsForEarlierWork) {
    for (const bool post_sync : {true, false}) {
        Engine engine;
        engine.ppgtt.put<std::uint32_t>(kData, 5);
        unsigned in_flight = 99;
        engine.on_write = [&](GpuAddr address) {
            if (address.value == kData) in_flight = engine.in_flight;
        };
        Words words = kSelectGpgpu;
        append(words, walker());
        append(words, inline_atomic(0x5, 0, 0, 0));
        words[words.size() - 11] |= post_sync ? 1u << 21 : 0u;
        engine.run_ring(words);
        EXPECT_EQ(engine.ppgtt.get<std::uint32_t>(kData), 6u);
        EXPECT_EQ(in_flight, post_sync ? 0u : 1u);
    }
}

}  // namespace
}  // namespace gen9
