// SPDX-License-Identifier: Apache-2.0
// L3, GTI, LLC and memory together: the figures hardware gives for the whole way, and that both
// modes leave the same memory.
#include <random>

#include "tests/unit/memory/chain.h"

namespace gen9::memory {
namespace {
TEST(MemoryChain, APointerChaseWithinTheLlcTakesHardwares242Cycles) {
    Chain chain(Timing::Timed);
    auto& from = chain.from[0];
    // Line by line through 1 MB twice: beyond the L3's 384 KB, within the LLC, translations warm.
    std::uint64_t at = 0;
    for (unsigned pass = 0; pass < 2; ++pass)
        for (unsigned line = 0; line < 16384; ++line)
            from.send(from.read(line * 64), at += 700);
    sc_core::sc_start();
    const auto& last = from.ended.back();
    const double l3_to_data = static_cast<double>(last.cycle - at);
    // Besides L3: the data port's 16, the 16 of notice, some 6 in the EU.
    EXPECT_NEAR(l3_to_data + 38, 242, 242 * 0.2);
}

TEST(MemoryChain, StreamingReadsReachWhatHardwareMeasured) {
    Chain chain(Timing::Timed);
    for (unsigned i = 0; i < 3; ++i)
        for (unsigned line = 0; line < 3000; ++line)
            chain.from[i].send(chain.from[i].read((line * 3 + i) * 64));
    sc_core::sc_start();
    std::uint64_t last = 0;
    for (auto& f : chain.from)
        last = std::max(last, f.ended.back().cycle);
    const double bytes_per_cycle = 9000 * 64.0 / static_cast<double>(last);
    EXPECT_GT(bytes_per_cycle, 15.0);
    EXPECT_LT(bytes_per_cycle, 26.0);
}

/// Race-free traffic: each client owns a third of every line's words.
std::uint64_t run_traffic(Timing timing) {
    Chain chain(timing);
    std::mt19937 random(7);
    for (unsigned i = 0; i < 4000; ++i)
        for (unsigned c = 0; c < 3; ++c) {
            auto& f = chain.from[c];
            const std::uint64_t address = std::uint64_t{random() % 16384} * 64 + c * 16;
            const auto kind = random() % 4;
            MemoryTransaction* t;
            if (kind == 0) {
                t = f.read(address, 16);
            } else if (kind == 1) {
                t = f.atomic(address, AtomicOp::Add, 4, 4, 5);
            } else {
                const auto size = static_cast<unsigned>(1 + random() % 16);
                t = f.write(address, size, static_cast<std::uint8_t>(random()));
            }
            t->attributes.uncached = kind == 3 && random() % 8 == 0;
            if (timing == Timing::Timed)
                f.send(t);
            else
                f.block(t);
        }
    if (timing == Timing::Timed) {
        sc_core::sc_start();
        for (auto& f : chain.from)
            EXPECT_EQ(f.ended.size(), 4000u);
        EXPECT_TRUE(chain.l3.idle());
        EXPECT_EQ(chain.l3.in_flight() + chain.gti.in_flight() + chain.llc.in_flight(), 0u);
    }
    chain.flush();
    EXPECT_EQ(chain.environment.reporter.guest_errors(), 0u);
    return chain.memory_hash();
}

// One elaboration per process, so both modes are compared with the same plain sequence of effects.
std::uint64_t expected_hash() {
    std::mt19937 random(7);
    std::vector<std::uint8_t> bytes(4 << 20);
    const auto at = [](std::uint64_t address) {
        return (address / kPageBytes ^ 0x155) * kPageBytes + address % kPageBytes;
    };
    for (unsigned i = 0; i < 4000; ++i)
        for (unsigned c = 0; c < 3; ++c) {
            const std::uint64_t place = at(std::uint64_t{random() % 16384} * 64 + c * 16);
            const auto kind = random() % 4;
            if (kind == 1) {
                for (unsigned lane = 0; lane < 4; ++lane)
                    store(&bytes[place + lane * 4],
                          load<std::uint32_t>(&bytes[place + lane * 4]) + 5);
            } else if (kind >= 2) {
                const auto size = 1 + random() % 16;
                std::fill_n(&bytes[place], size, static_cast<std::uint8_t>(random()));
            }
            if (kind == 3) random();
        }
    std::uint64_t hash = 14695981039346656037ull;
    for (const std::uint8_t byte : bytes)
        hash = (hash ^ byte) * 1099511628211ull;
    return hash;
}

TEST(MemoryChain, FunctionalModeLeavesWhatThePlainSequenceLeaves) {
    EXPECT_EQ(run_traffic(Timing::Functional), expected_hash());
}
TEST(MemoryChain, TimedModeLeavesWhatThePlainSequenceLeaves) {
    EXPECT_EQ(run_traffic(Timing::Timed), expected_hash());
}

TEST(MemoryChain, WildTablesAndAddressesNeitherCrashNorHang) {
    Chain chain(Timing::Timed);
    std::mt19937_64 random(11);
    std::vector<std::uint8_t> noise(4 * kPageBytes);
    for (auto& byte : noise)
        byte = static_cast<std::uint8_t>(random());
    ASSERT_TRUE(chain.memory.write(PhysAddr(0x1000), noise));
    for (std::uint32_t i = 0; i < 64; ++i)
        chain.gti.write_gtt(static_cast<std::uint32_t>(random()), random());
    for (unsigned i = 0; i < 3000; ++i) {
        auto& f = chain.from[i % 3];
        const unsigned size = 1u << random() % 7;
        const std::uint64_t address = (random() >> random() % 64) / size * size;
        auto* t = random() % 2 ? f.read(address, size) : f.write(address, size, 1);
        t->attributes.space = static_cast<AddressSpace>(random() % 3);
        t->attributes.uncached = random() % 4 == 0;
        f.send(t);
    }
    sc_core::sc_start();
    for (auto& f : chain.from)
        EXPECT_EQ(f.ended.size(), 1000u);
    chain.flush();
}

}  // namespace
}  // namespace gen9::memory
