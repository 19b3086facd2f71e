// SPDX-License-Identifier: Apache-2.0
// What messages do in time is what they do at once.
#include <gtest/gtest.h>

#include "tests/fuzz/hdc/random_message.h"
#include "tests/support/covers.h"
#include "tests/unit/hdc/thread_messages.h"

namespace gen9::hdc {
namespace {
using namespace test;
using fuzz::Random;

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

/// A message of a random kind, within a thread's own kilobyte of memory or SLM.
Send random_access(std::mt19937& random, unsigned thread) {
    const auto draw = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
    const std::uint32_t mask = draw(3) ? 0xFFFF : draw(0x10000);
    const std::uint64_t home = kData + thread * 1024;
    const std::uint32_t slm_home = thread * 1024;
    const auto offsets = [&](unsigned n, std::uint32_t start, unsigned step, unsigned room) {
        U32 v(n);
        const bool regular = draw(2);
        const std::uint32_t first = draw(room / step) * step;
        for (unsigned i = 0; i < n; ++i)
            v[i] = start + (regular ? (first + i * step) % room : draw(room / step) * step);
        return v;
    };
    const auto addresses = [&](unsigned n, unsigned step) {
        U64 v;
        for (const std::uint32_t o : offsets(n, 0, step, 1008))
            v.push_back(home + o);
        return v;
    };
    const auto data = [&](unsigned n) {
        U32 v(n);
        for (auto& x : v)
            x = static_cast<std::uint32_t>(random());
        return v;
    };
    switch (draw(16)) {
        case 0:
            return Send(DC1, kA64Read16, mask).add(addresses(16, 4));
        case 1:
            return Send(DC1, kA64Write16, mask).add(addresses(16, 4)).add(data(16));
        case 2:
            return Send(DC1, 0x088419FF, mask).add(addresses(16, 4));
        case 3:
            return Send(DC1, 0x080690FF, mask).add(addresses(16, 1)).add(data(16));
        case 4:
            return Send(DC1, 0x082414FF, mask).add(addresses(16, 1));
        case 5:
            return Send(DC1, 0x084412FF, mask).add(addresses(16, 8));
        case 6:
            return Send(DC1, 0x0424B7FF, mask & 0xFF).add(addresses(8, 8)).add(data(16));
        case 7:
            return Send(DC1, 0x0414A7FF, mask & 0xFF).add(addresses(8, 4)).add(data(8));
        case 8:
            return Send(DC1, kUntypedReadXyzw16).add(offsets(16, thread * 1024, 4, 1000));
        case 9:
            return Send(DC1, kUntypedWrite8, mask & 0xFF)
                .add(offsets(8, thread * 1024, 4, 1024))
                .add(data(8));
        case 10:
            return Send(DC1, kUntypedRead16 | kLocal, mask).add(offsets(16, slm_home, 4, 1024));
        case 11:
            return Send(DC1, kUntypedWrite16 | kLocal, mask)
                .add(offsets(16, slm_home, 4, 1024))
                .add(data(16));
        case 12:
            return Send(DC0, 0x040301FE, mask).add(offsets(16, slm_home, 1, 1024)).add(data(16));
        case 13:
            return Send(DC1, 0x0420A7FE, mask).add(offsets(16, slm_home, 4, 1024)).add(data(16));
        case 14:
            return Send(DC1, 0x024D0CFF)
                .header({{0, static_cast<std::uint32_t>(home + draw(200) * 4)}});
        default:
            return fence();
    }
}

/// The same registers, as far as they are written.
void expect_same_answer(const Message& a, const Message& b) {
    ASSERT_EQ(a.status, MessageStatus::Ok);
    for (unsigned r = 0; r < a.response_length; ++r) {
        ASSERT_EQ(a.response_enable[r], b.response_enable[r]);
        for (unsigned byte = 0; byte < kGrfBytes; ++byte)
            if (a.response_enable[r] >> byte & 1) {
                ASSERT_EQ(a.response[r].bytes[byte], b.response[r].bytes[byte]) << r * 32 + byte;
            }
    }
}

TEST(Modes, StreamsWithoutRacesAgreeWithEverySetting) {
    GEN9_COVERS("DP-020 DP-036 DP-169 DP-223");
    const std::vector<std::vector<std::string>> settings = {
        {},
        {"queue_depth=1"},
        {"messages_in_flight=1"},
        {"messages_in_flight=3", "front_end_cycles=0"},
        {"return_registers=1"},
        {"return_registers=5"},
        {"writeback_registers=1", "return_cycles=50"},
        {"arbitration=round_robin"},
        {"arbitration=least_recently_served"},
        {"arbitration=fixed_priority", "queue_depth=2"},
        {"arbitration=age_weighted"},
    };
    Machine functional("functional", Timing::Functional, 4, 7);
    std::deque<Machine> timed;
    for (const auto& setting : settings) {
        std::string name("timed");
        name += std::to_string(timed.size());
        std::vector<std::string> full;
        for (const std::string& each : setting)
            full.push_back(std::string(name).append("_hdc.").append(each));
        Machine& m = timed.emplace_back(name, Timing::Timed, 4, 7, full);
        for (auto& eu : m.eus)
            eu->credits = static_cast<unsigned>(m.hdc.params.queue_depth);
    }
    const auto surface = SurfaceBits::buffer(kData, 0x10000);
    std::mt19937 random(42);
    functional.bind(0, surface);
    for (Machine& m : timed)
        m.bind(0, surface);
    for (unsigned n = 0; n < 1500; ++n) {
        const unsigned eu = random() % 4, slot = random() % 3;
        const Send send = random_access(random, eu * 3 + slot);
        functional.send(eu, slot, send);
        for (Machine& m : timed)
            m.send(eu, slot, send, Cycles(n * 2));
    }
    // The functional machine takes the same messages blocking, thread by thread in their order.
    for (auto& eu : functional.eus)
        for (auto& item : eu->items)
            item.sent = true;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (auto& eu : functional.eus)
        for (auto& item : eu->items) {
            sc_core::sc_time delay;
            eu->msg_out->b_transport(item.message, delay);
        }
    sc_core::sc_start(sc_core::sc_time(1, sc_core::SC_MS));
    EXPECT_EQ(functional.hdc.in_flight(), 0u);
    for (Machine& m : timed) {
        SCOPED_TRACE(m.hdc.name());
        m.expect_quiet();
        EXPECT_EQ(m.test.reporter.guest_errors(), 0u);
        EXPECT_EQ(m.memory.bytes, functional.memory.bytes);
        EXPECT_EQ(m.slm.bytes, functional.slm.bytes);
        for (unsigned eu = 0; eu < 4; ++eu)
            for (std::size_t i = 0; i < m.eus[eu]->items.size(); ++i) {
                SCOPED_TRACE(to_text(m.eus[eu]->items[i].message));
                expect_same_answer(m.eus[eu]->items[i].message,
                                   functional.eus[eu]->items[i].message);
            }
    }
}

}  // namespace
}  // namespace gen9::hdc
