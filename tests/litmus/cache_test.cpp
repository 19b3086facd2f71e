// SPDX-License-Identifier: Apache-2.0
// What caches may still hold, and what brings it out.
#include <gtest/gtest.h>

#include "tests/litmus/litmus.h"
#include "tests/support/covers.h"

namespace gen9::litmus {
namespace {

constexpr std::uint32_t kX = 0x1000000, kResults = 0x8000000;

struct Caches : ::testing::Test {
    Machine machine{settings()};

    // Words that threads write stay in L3, so that a missing flush is seen.
    static std::vector<std::string> settings() {
        auto all = Effort::from_environment().settings();
        all.push_back("machine.l3.write_misses=allocate");
        return all;
    }
    Caches() {
        machine.load(0, Code().read(0).bytes());
        machine.load(4096, Code().write(0, 5).fence().bytes());
    }
    bool run(std::uint32_t ip, Place place) {
        Start start;
        start.place = place;
        start.ip = ip;
        start.registers[1][0] = kX;
        start.registers[2][0] = kResults;
        return machine.run({start});
    }
    std::uint32_t read_by_thread(Place place) {
        EXPECT_TRUE(run(0, place));
        return machine.read(kResults);
    }
    void write_by_thread(Place place) { EXPECT_TRUE(run(4096, place)); }
};

TEST_F(Caches, OldDataIsReadAfterTheHostWritesUntilTheCacheIsInvalidated) {
    GEN9_COVERS("CS-66");
    machine.host_write(kX, 1);
    EXPECT_EQ(read_by_thread({0, 0, 0}), 1u);
    machine.host_write(kX, 2);
    EXPECT_EQ(read_by_thread({1, 0, 0}), 1u) << "the line is still in L3";
    CacheControl control;
    control.flush_data = control.invalidate_data = true;
    machine.control(control);
    EXPECT_EQ(read_by_thread({2, 0, 0}), 2u);
}

TEST_F(Caches, OldCodeRunsUntilTheInstructionCacheIsInvalidated) {
    GEN9_COVERS("CS-66");
    machine.host_write(kX, 9);
    EXPECT_EQ(read_by_thread({0, 0, 0}), 9u);
    // The same place now holds a program that writes 5 to X instead.
    machine.load(0, Code().write(0, 5).fence().bytes());
    EXPECT_TRUE(run(0, {0, 1, 0}));
    EXPECT_EQ(machine.read(kX), 9u) << "the old program ran";
    CacheControl control;
    control.invalidate_instruction = true;
    machine.control(control);
    EXPECT_TRUE(run(0, {0, 1, 0}));
    EXPECT_EQ(machine.read(kX), 5u);
}

TEST_F(Caches, TexelsAreOldAfterADataPortsWriteUntilTexturesAreInvalidated) {
    GEN9_COVERS("SMP-270 SMP-57");
    machine.bind_texels(kX);
    machine.load(8192, Code().texel().bytes());
    const auto texel = [&](Place place) {
        EXPECT_TRUE(run(8192, place));
        return machine.read(kResults);
    };
    machine.host_write(kX, 1);
    EXPECT_EQ(texel({0, 0, 0}), 1u);
    write_by_thread({0, 1, 0});
    EXPECT_EQ(read_by_thread({0, 0, 0}), 5u) << "the data port sees it";
    EXPECT_EQ(texel({0, 0, 0}), 1u) << "the texture cache of the subslice does not";
    EXPECT_EQ(texel({1, 0, 0}), 5u) << "another one has not read it before";
    CacheControl control;
    control.invalidate_texture = true;
    machine.control(control);
    EXPECT_EQ(texel({0, 0, 0}), 5u);
}

TEST_F(Caches, AFenceShowsAWriteToAllThreadsAndAFlushToTheHost) {
    GEN9_COVERS("DP-198");
    write_by_thread({0, 0, 0});
    EXPECT_EQ(read_by_thread({2, 1, 0}), 5u);
    EXPECT_EQ(machine.host_read(kX), 0u) << "not coherent with the host";
    CacheControl control;
    control.flush_data = true;
    machine.control(control);
    EXPECT_EQ(machine.host_read(kX), 5u);
}

}  // namespace
}  // namespace gen9::litmus
