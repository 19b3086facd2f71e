// SPDX-License-Identifier: Apache-2.0
#include "cs/registers/privilege.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/cs/stream.h"

namespace gen9 {
namespace {

using namespace test;

// Registers the runtime and Mesa write from their batches, and registers of the kernel.
constexpr std::uint32_t kUsers[] = {0x2580, 0x7034, 0xE404, 0xB118, 0x2600, 0x267C, 0x20D8,
                                    0x7004, 0x7008, 0x2400, 0x2418, 0x241C, 0x23BC, 0x2500,
                                    0x2508, 0x5280, 0x528C, 0x2310, 0x22C8, 0x2454, 0x2440};
constexpr std::uint32_t kKernels[] = {0x2028, 0x2030, 0x203C, 0x2080, 0x209C, 0x20C0, 0x20C8,
                                      0x2134, 0x2178, 0x2244, 0x2270, 0x229C, 0x23A8, 0x24D0,
                                      0x25FC, 0x2680, 0x4DF4, 0xB020, 0xC800, 0x9424};

/// A batch in `space` that writes 0x00040004 by the command of number `form`.
std::uint32_t written(unsigned form, std::uint32_t offset, bool ppgtt, bool enforced = true,
                      std::uint64_t* errors = nullptr) {
    Engine e({.fetch_bytes = 256, .slices = 1, .strict = false, .privilege = enforced});
    e.external[0xB118] = e.external[0x7034] = e.external[0xE404] = 0;
    for (FakeMemory* memory : {&e.ggtt, &e.ppgtt}) {
        memory->map(kData, 0x1000);
        memory->map(kBatch, 0x1000);
        memory->put<std::uint32_t>(kData, 0x00040004);
    }
    const Words forms[] = {
        lri(offset, 0x00040004),
        lrm(offset, kData),
        (Stream() << lri(0x2600, 0x00040004) << lrr(0x2600, offset)).words,
        (Stream() << pipe_control(1u << 20) << pipe_control(0x00900000, offset, 0x00040004)).words,
    };
    (ppgtt ? e.ppgtt : e.ggtt).put(kBatch, (Stream() << forms[form] << kEnd).words);
    e.run_ring(start(kBatch, ppgtt ? 0x100 : 0));
    if (errors) *errors = e.environment.reporter.guest_errors();
    std::uint32_t value = 0;
    return e.read_register(offset, value) ? value : e.core.read_register(offset) & 4;
}

TEST(Privilege, ABatchInThePpgttWritesTheRegistersOfItsListOnly) {
    GEN9_COVERS("CS-144");
    for (unsigned form = 0; form < 4; ++form) {
        for (const std::uint32_t offset : kUsers) {
            std::uint64_t errors = 9;
            EXPECT_NE(written(form, offset, true, true, &errors), 0u) << std::hex << offset;
            EXPECT_EQ(errors, 0u) << std::hex << offset;
        }
        for (const std::uint32_t offset : {0x2028u, 0x20C8u, 0x2134u, 0x2178u, 0x24D0u, 0x9424u}) {
            std::uint64_t errors = 9;
            EXPECT_EQ(written(form, offset, true, true, &errors), 0u) << std::hex << offset;
            EXPECT_EQ(errors, 1u) << std::hex << offset;
            EXPECT_NE(written(form, offset, false), 0u) << "a GGTT batch is privileged";
            EXPECT_NE(written(form, offset, true, false), 0u) << "with privilege=all";
        }
    }
}

TEST(Privilege, TheListNamesNoRegisterOfTheKernel) {
    const cs::RegisterFile file;
    for (const std::uint32_t offset : kKernels)
        EXPECT_FALSE(cs::user_may_write(file, offset)) << std::hex << offset;
    for (const std::uint32_t offset : kUsers)
        EXPECT_TRUE(cs::user_may_write(file, offset)) << std::hex << offset;
}

TEST(Privilege, EachForcedRegisterOpensOneMore) {
    GEN9_COVERS("CS-121 CS-144");
    for (unsigned slot = 0; slot < 12; ++slot) {
        cs::RegisterFile file;
        file.write(0x24D0 + 4 * slot, 0x9424, 0, cs::Writer::Host);
        EXPECT_TRUE(cs::user_may_write(file, 0x9424));
        EXPECT_FALSE(cs::user_may_write(file, 0x9428));
        EXPECT_FALSE(cs::user_may_write(file, 0x9420));
    }
    Engine e;
    e.ppgtt.put(kBatch, (Stream() << lri(0x9424, 2) << lri(0x9428, 3) << kEnd).words);
    e.core.write_register(0x24FC, 0x9424);
    e.run_ring(start(kBatch));
    EXPECT_EQ(e.core.read_register(0x9424), 2u);
    EXPECT_EQ(e.core.read_register(0x9428), 0u);
    EXPECT_EQ(e.environment.reporter.guest_errors(), 1u);
}

TEST(Privilege, ARegisterIsPolledByThePrivilegedOnly) {
    const auto run = [](bool ppgtt, std::uint64_t& errors) {
        Engine e;
        for (FakeMemory* memory : {&e.ggtt, &e.ppgtt}) {
            memory->map(kData, 0x1000);
            memory->put(kBatch, (Stream() << Words{0x0E01C002, 0x77, 0x2600, 0}
                                          << Words{0x10000002, low(kData), high(kData), 1} << kEnd)
                                    .words);
        }
        unsigned polls = 0;
        e.on_poll = [&] {
            if (++polls == 3) e.core.write_register(0x2600, 0x77);
            ASSERT_LT(polls, 10u);
        };
        e.run_ring(start(kBatch, ppgtt ? 0x100 : 0));
        EXPECT_EQ(e.ppgtt.get<std::uint32_t>(kData), 1u) << "the stream goes on";
        errors = e.environment.reporter.guest_errors();
        return polls;
    };
    std::uint64_t errors = 9;
    EXPECT_EQ(run(false, errors), 3u);
    EXPECT_EQ(errors, 0u);
    EXPECT_EQ(run(true, errors), 0u);
    EXPECT_EQ(errors, 1u);
}

}  // namespace
}  // namespace gen9
