// SPDX-License-Identifier: Apache-2.0
// Reads and writes of a fixed function in functional mode.
#include "interconnect/kernel/line_traffic.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "tests/support/environment.h"
#include "tests/support/memory_target.h"

namespace gen9 {
namespace {

constexpr std::uint64_t kGranted = 4096;

struct Bench : sc_core::sc_module {
    test::TestEnvironment env{Timing::Functional};
    Clock clock{1'000'000'000};
    Wakeup wakeup{clock};
    test::MemoryTarget memory{"memory", clock, 1};
    InitiatorSocket<MemoryProtocol> out{"out"};
    LineTraffic traffic;
    std::vector<std::uint8_t> granted = std::vector<std::uint8_t>(kGranted);
    unsigned asked = 0;

    explicit Bench(sc_core::sc_module_name name)
        : sc_module(name), traffic(out, env.environment, clock, wakeup) {
        out.bind(memory.mem_in[0]);
        memory.mem_in[0].on_direct = [this](auto& payload, tlm::tlm_dmi& dmi) {
            if (payload.get_address() >= kGranted) return false;
            ++asked;
            dmi.allow_read_write();
            dmi.set_dmi_ptr(granted.data());
            dmi.set_start_address(0);
            dmi.set_end_address(kGranted - 1);
            return true;
        };
    }
};

// Some of the accesses reach beyond what is granted, and go by transactions as all do in the other bench.
void expect_same_as_transactions(Bench& direct, Bench& sent, const MemoryAttributes& who) {
    std::mt19937_64 random(3);
    const LineTraffic::Group groups[] = {direct.traffic.open(), sent.traffic.open()};
    unsigned writes = 0;
    for (unsigned n = 0; n < 3000; ++n) {
        const std::uint64_t address = random() % (kGranted + 256);
        const unsigned kind = random() % 3;
        std::uint8_t bytes[2][256];
        for (unsigned i = 0; i < sizeof bytes[0]; ++i)
            bytes[0][i] = bytes[1][i] = static_cast<std::uint8_t>(random());
        const auto size = static_cast<unsigned>(1 + random() % sizeof bytes[0]);
        const std::uint64_t enabled = random() & random();
        writes += kind != 0;
        for (Bench* const bench : {&direct, &sent}) {
            const unsigned which = bench == &sent;
            if (kind == 0)
                bench->traffic.read(groups[which], address, bytes[which], size, who);
            else if (kind == 1)
                bench->traffic.write(groups[which], address, bytes[which], size, who);
            else
                bench->traffic.write_bytes(groups[which], address & ~std::uint64_t{63},
                                           bytes[which], enabled, who);
        }
        ASSERT_EQ(std::memcmp(bytes[0], bytes[1], sizeof bytes[0]), 0) << n;
        const std::uint8_t* const bytes_sent = sent.memory.bytes.data();
        ASSERT_EQ(std::memcmp(direct.granted.data(), bytes_sent, kGranted), 0) << n;
        ASSERT_EQ(std::memcmp(direct.memory.bytes.data() + kGranted, bytes_sent + kGranted, 512), 0)
            << n;
    }
    EXPECT_GT(sent.memory.blocking_writes, writes);
    EXPECT_GT(direct.memory.blocking_writes, 0u);
    EXPECT_LT(direct.memory.blocking_writes, sent.memory.blocking_writes / 8);
    EXPECT_EQ(direct.asked, 1u);
    // A grant that was taken back is asked for again.
    direct.memory.mem_in[0]->invalidate_direct_mem_ptr(0, kGranted - 1);
    std::uint8_t byte = 0;
    direct.traffic.write(groups[0], 100, &byte, 1, who);
    EXPECT_EQ(direct.asked, 2u);
}

TEST(LineTraffic, MovesBytesInTheUrbAsItsTransactionsDo) {
    Bench direct("direct"), sent("sent");
    direct.traffic.take_urb_directly();
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    MemoryAttributes who;
    who.space = AddressSpace::Urb;
    who.requester = Requester::Urb;
    expect_same_as_transactions(direct, sent, who);
}

TEST(LineTraffic, MovesBytesInMemoryAsItsTransactionsDo) {
    Bench direct("direct"), sent("sent");
    direct.traffic.take_memory_directly(Requester::VertexFetch);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    MemoryAttributes who;
    who.requester = Requester::VertexFetch;
    expect_same_as_transactions(direct, sent, who);
    // Memory was taken, and the URB was not.
    who.space = AddressSpace::Urb;
    const auto writes = direct.memory.blocking_writes;
    const std::uint8_t byte = 0;
    direct.traffic.write(direct.traffic.open(), 0, &byte, 1, who);
    EXPECT_EQ(direct.memory.blocking_writes, writes + 1);
}

}  // namespace
}  // namespace gen9
