// SPDX-License-Identifier: Apache-2.0
// The streamer's and the ALU's sockets: what they take, what they refuse, and what a debugger sees.
#include <random>

#include "common/bits.h"
#include "tests/unit/cs/module_bench.h"

namespace gen9 {
namespace {

using namespace test;

struct AluBench : sc_core::sc_module {
    TestEnvironment environment;
    Clock clock{kHz};
    cs::AluModule alu{"alu", environment.environment, clock};
    InitiatorSocket<MemoryProtocol> out{"out"};
    explicit AluBench(sc_core::sc_module_name bench_name) : sc_module(bench_name) {
        out.bind(alu.op_in);
    }
};

/// An access of one of the two kinds, and its answer.
struct Access {
    tlm::tlm_generic_payload payload;
    std::uint8_t bytes[8]{};
    std::uint8_t enables[4]{0xFF, 0xFF, 0xFF, 0xFF};
    sc_time delay;

    Access(tlm::tlm_command command, std::uint64_t address, std::uint32_t value = 0,
           unsigned count = 4) {
        payload.set_command(command);
        payload.set_address(address);
        store(bytes, value);
        payload.set_data_ptr(bytes);
        payload.set_data_length(count);
        payload.set_streaming_width(count);
    }
    tlm::tlm_response_status run(InitiatorSocket<MemoryProtocol>& by) {
        by->b_transport(payload, delay);
        return payload.get_response_status();
    }
    unsigned debug(InitiatorSocket<MemoryProtocol>& by) { return by->transport_dbg(payload); }
    std::uint32_t value() const { return load<std::uint32_t>(bytes); }
};

constexpr auto kRead = tlm::TLM_READ_COMMAND, kWrite = tlm::TLM_WRITE_COMMAND;

// Only its 32 halves are there; each keeps what was written last, whoever writes it.
TEST(StreamerPorts, TheAluHasThirtyTwoHalvesOfRegisters) {
    AluBench bench("bench");
    std::array<std::uint32_t, 32> held{};
    std::mt19937 random(5);
    for (unsigned n = 0; n < 400; ++n) {
        const unsigned half = random() % 32;
        const std::uint64_t address = 0x600 + 4 * half;
        const bool debug = random() % 2 != 0, writes = random() % 2 != 0;
        Access access(writes ? kWrite : kRead, address, static_cast<std::uint32_t>(random()));
        if (writes) held[half] = access.value();
        if (debug)
            EXPECT_EQ(access.debug(bench.out), 4u);
        else
            EXPECT_EQ(access.run(bench.out), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(access.value(), held[half]) << half;
        EXPECT_EQ(access.delay, sc_core::SC_ZERO_TIME);
    }
    for (const std::uint64_t address : {0x5FCu, 0x602u, 0x680u, 0x4u, 0x1000u}) {
        EXPECT_EQ(Access(kRead, address).run(bench.out), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(Access(kWrite, address).debug(bench.out), 0u) << address;
    }
    EXPECT_EQ(Access(kRead, 0x600, 0, 8).run(bench.out), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(Access(kRead, 0x600, 0, 2).debug(bench.out), 0u);
}

// An instruction is run by a write, which takes a cycle; a debugger runs none.
TEST(StreamerPorts, TheAluRunsWhatIsWrittenAndNothingElse) {
    AluBench bench("bench");
    constexpr std::uint32_t kLoadA = 0x08008000, kLoadB = 0x08008401, kAdd = 0x10000000,
                            kStore = 0x18000831;  // CS-23..CS-43: of R0 and R1, to R2
    ASSERT_EQ(Access(kWrite, 0x600, 30).run(bench.out), tlm::TLM_OK_RESPONSE);
    ASSERT_EQ(Access(kWrite, 0x608, 12).run(bench.out), tlm::TLM_OK_RESPONSE);
    for (const std::uint32_t instruction : {kLoadA, kLoadB, kAdd, kStore}) {
        EXPECT_EQ(Access(kWrite, 0, instruction).debug(bench.out), 0u);
        EXPECT_EQ(Access(kRead, 0, instruction).run(bench.out), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
    Access sum(kRead, 0x610);
    sum.run(bench.out);
    EXPECT_EQ(sum.value(), 0u);
    for (const std::uint32_t instruction : {kLoadA, kLoadB, kAdd, kStore}) {
        Access write(kWrite, 0, instruction);
        EXPECT_EQ(write.run(bench.out), tlm::TLM_OK_RESPONSE);
        EXPECT_EQ(write.delay, cycles(1));
    }
    sum.run(bench.out);
    EXPECT_EQ(sum.value(), 42u);
}

TEST(StreamerPorts, RegistersAreDWordsOfEightMegabytes) {
    Bench bench("bench");
    constexpr std::uint64_t kGpr = 0x2600;
    EXPECT_EQ(Access(kWrite, kGpr, 77).run(bench.host), tlm::TLM_OK_RESPONSE);
    Access read(kRead, kGpr);
    EXPECT_EQ(read.debug(bench.host), 4u);
    EXPECT_EQ(read.value(), 77u);
    struct Refused {
        std::uint64_t address;
        unsigned bytes;
        tlm::tlm_response_status why;
    };
    for (const auto& [address, bytes, why] :
         {Refused{kGpr, 8, tlm::TLM_BURST_ERROR_RESPONSE},
          {kGpr, 2, tlm::TLM_BURST_ERROR_RESPONSE},
          {kGpr + 2, 4, tlm::TLM_BURST_ERROR_RESPONSE},
          {0x80'0000, 4, tlm::TLM_ADDRESS_ERROR_RESPONSE},
          {0x1'0000'0000 + kGpr, 4, tlm::TLM_ADDRESS_ERROR_RESPONSE}}) {
        EXPECT_EQ(Access(kWrite, address, 5, bytes).run(bench.host), why) << address;
        EXPECT_EQ(Access(kRead, address, 5, bytes).run(bench.host), why) << address;
        EXPECT_EQ(Access(kRead, address, 0, bytes).debug(bench.host), 0u) << address;
    }
    EXPECT_EQ(Access(kRead, 0x7F'FFFC).debug(bench.host), 4u);
    Access part(kWrite, kGpr, 5);
    part.payload.set_byte_enable_ptr(part.enables);
    part.payload.set_byte_enable_length(4);
    EXPECT_EQ(part.run(bench.host), tlm::TLM_BURST_ERROR_RESPONSE);
    EXPECT_EQ(Access(kWrite, kGpr, 5).debug(bench.host), 0u);
    EXPECT_EQ(bench.read(kGpr), 77u) << "what was refused has changed nothing";
}

// Memory that is not there reads as zero, and the stream goes on.
TEST(StreamerPorts, WhatCannotBeReadIsZero) {
    Bench bench("bench");
    bench.ppgtt.map(kData, 0x1000);
    constexpr std::uint64_t kNowhere = 0x7777'0000;
    bench.ppgtt.put<std::uint32_t>(kData, 5);
    bench.run_ring({0x11000001, 0x2600, 8,                 // MI_LOAD_REGISTER_IMM
                    0x14800002, 0x2600, low(kNowhere), 0,  // MI_LOAD_REGISTER_MEM
                    0x12000002, 0x2600, low(kData), 0,     // MI_STORE_REGISTER_MEM
                    0x10000002, low(kData + 8), 0, 9});
    EXPECT_TRUE(bench.cs.idle());
    EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(kData), 0u);
    EXPECT_EQ(bench.ppgtt.get<std::uint32_t>(kData + 8), 9u);
}

}  // namespace
}  // namespace gen9
