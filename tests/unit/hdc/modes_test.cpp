// SPDX-License-Identifier: Apache-2.0
// What messages do in time is what they do at once.
#include <gtest/gtest.h>

#include "tests/fuzz/hdc/random_message.h"
#include "tests/support/covers.h"
#include "tests/unit/hdc/fakes.h"

namespace gen9::hdc {
namespace {
using fuzz::Random;
using test::Bench;
using test::Machine;
using test::Send;
using test::SurfaceBits;

/// Sends the same messages of one thread, whose order is kept (DP-020), both ways.
void compare(const std::vector<Send>& sends, const std::vector<SurfaceBits>& surfaces,
             unsigned seed) {
    Bench bench;
    bench.reporter.log = [](const std::string&) {};
    Machine machine("m", Timing::Timed, 1, seed);
    machine.test.reporter.log = [](const std::string&) {};
    for (unsigned i = 0; i < surfaces.size(); ++i) {
        bench.bind(i, surfaces[i]);
        machine.bind(i, surfaces[i]);
    }
    for (std::uint64_t i = 0; i < 0x8000; ++i)
        *machine.memory.at(Bench::kData + i) = *bench.memory.at(Bench::kData + i) =
            static_cast<std::uint8_t>(i * 167 + (i >> 8));
    for (const Send& send : sends)
        machine.send(0, 0, send);
    sc_core::sc_start(sc_core::sc_time(20, sc_core::SC_MS));
    machine.expect_quiet();
    for (std::size_t n = 0; n < sends.size(); ++n) {
        SCOPED_TRACE(to_text(sends[n].message));
        const Message& now = bench.run(sends[n]).message;
        const Message& later = machine.eus[0]->items[n].message;
        ASSERT_EQ(now.status, later.status);
        for (unsigned r = 0; r < now.response_length; ++r) {
            ASSERT_EQ(now.response_enable[r], later.response_enable[r]);
            ASSERT_EQ(std::memcmp(now.response[r].bytes, later.response[r].bytes, kGrfBytes), 0);
        }
    }
    EXPECT_EQ(bench.memory.bytes, machine.memory.bytes);
    EXPECT_EQ(bench.memory.slm_bytes, machine.slm.bytes);
}

TEST(Modes, AnyMessagesOnAnySurfacesDoTheSameInTimeAndAtOnce) {
    GEN9_COVERS("DP-002 DP-020");
    Random random(77);
    std::vector<SurfaceBits> surfaces;
    for (unsigned i = 0; i < 4; ++i)
        surfaces.push_back(fuzz_test::random_surface(random));
    std::vector<Send> sends;
    for (unsigned n = 0; n < 1500; ++n) {
        sends.push_back(fuzz_test::random_message(random));
        // States that differ between the two benches.
        sends.back().message.system_routine = false;
        if (sends.back().message.sfid == Sfid::DataPort1)
            sends.back().message.end_of_thread = false;
    }
    compare(sends, surfaces, 3);
}

TEST(Modes, DoubleWidthAtomicsDualBlocksAndTypedAtomics) {
    GEN9_COVERS("DP-159 DP-166");
    using test::descriptor;
    using test::ramp;
    using U32 = std::vector<std::uint32_t>;
    constexpr auto DC1 = Sfid::DataPort1;
    std::vector<std::uint64_t> operands;
    for (std::uint64_t i = 0; i < 16; ++i)
        operands.push_back(i * 3);
    const std::uint32_t wide = descriptor(0x12, 1 << 13 | 1 << 12, 0xFF, 4);
    const std::vector<Send> sends = {
        // 16-byte compare-writes: one that fails everywhere, one that fits what it finds.
        Send(DC1, wide).add(ramp<std::uint64_t>(8, Bench::kData, 16)).add(operands).add(operands),
        Send(DC1, descriptor(0x15, 4 << 8, 0xFF, 0, true))
            .header({{0, static_cast<std::uint32_t>(Bench::kData)}})
            .add(operands),
        Send(DC1, wide).add(ramp<std::uint64_t>(8, Bench::kData, 16)).add(operands).add(operands),
        Send(Sfid::DataPort0, descriptor(2, 2 << 8, 0, 4)).add(U32{0, 0, 0, 0, 5, 0, 0, 0}),
        Send(DC1, descriptor(0x06, 7 << 8 | 1 << 13, 1, 1))
            .add(U32(8, 3))
            .add(U32(8, 2))
            .add(U32(8, 5)),
    };
    namespace state = packets::render_surface_state;
    compare(sends,
            {SurfaceBits::buffer(Bench::kData, 4096),
             SurfaceBits::image(state::SURFTYPE_2D, 0x0D7, Bench::kData, 8, 8, 1, 64)},
            4);
}

}  // namespace
}  // namespace gen9::hdc
