// SPDX-License-Identifier: Apache-2.0
// Damaged captures are refused or played, and neither crash nor hang; the same for finding kernels
// in them.
#include <gtest/gtest.h>

#include "platform/host/aub/aub_player.h"
#include "platform/host/program/kernel_finder.h"
#include "tests/fuzz/host/mutate.h"
#include "tests/unit/platform/host/aub/aub_builder.h"

namespace gen9::platform {
namespace {

using namespace test;

/// A capture with every packet the player knows, and a submission whose stream starts a kernel.
Bytes capture() {
    Bytes entries;
    for (std::uint32_t page = 0; page < 16; ++page)
        append(entries, dwords({page << 12 | 1, 0}));
    Bytes table;
    for (std::uint32_t page = 0x40; page < 0x48; ++page)
        append(table, dwords({page << 12 | 7, 0}));
    Bytes discontiguous(4 * 189 + 16);
    store(&discontiguous[0], std::uint64_t{0x50000});
    store(&discontiguous[8], std::uint32_t{16});
    AubBuilder builder;
    builder.memory_write(kGgttEntries_, 0, entries)
        .memory_write(kPhysical, 0x7014, dwords({0, 0, 16, 0, 0x2000}))
        .memory_write(kPhysical, 0x70CC, dwords({0x10000}))
        .memory_write(kPml4, 0x10000, dwords({0x11007, 0}))
        .memory_write(8, 0x11000, dwords({0x12007, 0}))
        .memory_write(9, 0x12000, dwords({0x13007, 0}))
        .memory_write(6, 0x13200, table)
        .memory_write(
            kPhysical, 0x40000,
            dwords({0x61010011, 0,    0,     0,          0, 0, 0x41001, 0, 0,         0,
                    0x42001,    0,    0,     0,          0, 0, 0,       0, 0,         0x70020002,
                    0,          0x20, 0x100, 0x7105000D, 0, 0, 0,       0, 0,         0,
                    1,          0,    0,     1,          0, 1, 0,       0, 0x05000000}))
        .memory_write(kPhysical, 0x41100, dwords({0x80, 0, 0, 0}))
        .memory_write(kPhysical, 0x42080, dwords({1, 2, 3, 4, 0x20000005, 6}))
        .memory_write(kGgttAddress, 0x2000, dwords({0x18800101, 0x40000, 0, 0}))
        .memory_write(kPhysical, 0x60000, dwords({0xA5A5A5A5}), 2, 0x4000)
        .packet(0xB, {2u << 28 | 1u << 4}, discontiguous)
        .submission(0x6119)
        .register_poll(0x2234, 0x100, 0x100)
        .register_compare(0x2080, 0xFF, 0)
        .memory_compare(kPhysical, 0x42080, dwords({1, 2}))
        .memory_compare(kPpgttAddress, 0x42080, dwords({1, 2}))
        .memory_poll(kPhysical, 0x42080, 0xFF, 1);
    return builder.bytes;
}

/// Plays a capture; the kernels it starts.
std::size_t play(const Bytes& bytes, AubPlayer::Checks checks, bool& refused) {
    KernelFinder finder;
    AubPlayer player(
        finder, [](const std::string&) {}, checks);
    refused = false;
    try {
        AubFile file(bytes_of(bytes), "x.aub");
        player.play(file);
    } catch (const AubError&) {
        refused = true;
    }
    return finder.kernels().size();
}

TEST(AubMutation, TheUndamagedCaptureIsUnderstood) {
    bool refused = false;
    EXPECT_EQ(play(capture(), AubPlayer::Checks::Make, refused), 1u);
    EXPECT_FALSE(refused);
}

TEST(AubMutation, DamagedCapturesNeitherCrashNorHang) {
    const auto whole = capture();
    std::size_t refusals = 0, played = 0;
    for (std::uint32_t seed = 0; seed < 10'000; ++seed) {
        bool refused = false;
        play(Mutator(seed).mutate(whole),
             seed % 2 ? AubPlayer::Checks::Make : AubPlayer::Checks::Skip, refused);
        ++(refused ? refusals : played);
    }
    // The damage reaches both ends.
    EXPECT_GT(refusals, 500u);
    EXPECT_GT(played, 500u);
}

}  // namespace
}  // namespace gen9::platform
