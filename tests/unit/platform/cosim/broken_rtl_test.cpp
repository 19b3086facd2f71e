// SPDX-License-Identifier: Apache-2.0
// What is said of RTL with faults. Local memory: the response of id 3 never comes, and RevSub
// subtracts the wrong way. ALU: SUB subtracts the wrong way, and XOR is never done.
#include <gtest/gtest.h>

#include <cstring>

#include "cs/alu_module.h"
#include "platform/cosim/alu_rtl.h"
#include "platform/cosim/beside.h"
#include "platform/cosim/slm_rtl.h"
#include "slm/module.h"
#include "tests/support/environment.h"
#include "tests/support/memory_initiator.h"

namespace gen9::platform {
namespace {

struct PinsBench {
    test::TestEnvironment environment;
    Clock clock{1'000'000'000};
    std::vector<std::string> stops;
    test::MemoryInitiator from{"from", clock};
    explicit PinsBench(Timing timing = Timing::Timed, std::vector<std::string> settings = {})
        : environment(timing, std::move(settings)) {
        environment.environment.stop = [this](const std::string& text) { stops.push_back(text); };
    }
    ~PinsBench() { from.clear(); }
};

TEST(BrokenRtl, AResponseThatNeverComesIsNamedWithThePinsAfterABoundedTime) {
    PinsBench bench(Timing::Timed, {"rtl.latency=80"});
    SlmRtl rtl("rtl", bench.environment.environment, bench.clock);
    bench.from.mem_out.bind(rtl.mem_in);
    for (unsigned i = 0; i < 6; ++i)
        bench.from.send(bench.from.read(64 * i));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    EXPECT_EQ(bench.from.ended.size(), 3u);
    ASSERT_EQ(bench.stops.size(), 1u);
    EXPECT_LT(bench.clock.now().value, 10'001u);
    for (const char* part : {"rtl: the RTL has not answered for 384 cycles", "request_ready 1",
                             "read_valid 0", "3 responses owed", "address 0xc0"})
        EXPECT_NE(bench.stops[0].find(part), std::string::npos) << part << ": " << bench.stops[0];
}

TEST(BrokenRtl, AWrongOperationIsFoundBesideTheModel) {
    PinsBench bench;
    Beside beside("beside", bench.environment.environment, bench.clock);
    slm::Slm model("model", bench.environment.environment, bench.clock);
    SlmRtl rtl("rtl", bench.environment.environment, bench.clock);
    bench.from.mem_out.bind(beside.mem_in);
    beside.model_out.bind(model.mem_in);
    beside.rtl_out.bind(rtl.mem_in);
    bench.from.send(bench.from.atomic(0, AtomicOp::Sub, 4, 4, 5));
    bench.from.send(bench.from.atomic(0, AtomicOp::RevSub, 4, 4, 7));
    sc_core::sc_start();
    EXPECT_TRUE(bench.stops.empty());
    bench.from.send(bench.from.atomic(0, AtomicOp::Inc, 1, 4, 0), 1000);
    sc_core::sc_start();
    // 7 - (0 - 5) = 12 in the model.
    ASSERT_FALSE(bench.stops.empty());
    EXPECT_NE(
        bench.stops[0].find("transaction 3: lane 0 is 0xc in the model, 0xfffffff4 in the RTL"),
        std::string::npos)
        << bench.stops[0];
}

struct AluBench : PinsBench {
    SideBySide<cs::AluModule, &cs::AluModule::op_in, AluRtl, &AluRtl::op_in> pair{
        "alu", environment.environment, clock};
    AluBench() { from.mem_out.bind(pair.beside.mem_in); }
    MemoryTransaction* write(std::uint64_t address, std::uint32_t value) {
        auto* t = from.write(address, 4, 0);
        std::memcpy(t->data, &value, 4);
        return from.block(t);
    }
    /// R2 = R0 `opcode` R1; encodings by the PRM (003:1454-1523).
    void compute(std::uint32_t opcode) {
        write(cs::kAluGpr, 9);
        write(cs::kAluGpr + 8, 5);
        for (const std::uint32_t word :
             {0x080u << 20 | 0x20 << 10 | 0, 0x080u << 20 | 0x21 << 10 | 1, opcode << 20,
              0x180u << 20 | 2 << 10 | 0x31})
            write(cs::kAluInstruction, word);
    }
    std::uint32_t result() {
        auto* t = from.block(from.read(cs::kAluGpr + 16, 4));
        std::uint32_t value = 0;
        std::memcpy(&value, t->data, 4);
        return value;
    }
};

TEST(BrokenRtl, AWrongOperationOfTheAluIsFoundBesideTheModel) {
    AluBench bench;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bench.compute(0x100);  // ADD is right
    EXPECT_EQ(bench.result(), 14u);
    EXPECT_TRUE(bench.stops.empty());
    bench.compute(0x101);  // SUB
    EXPECT_TRUE(bench.stops.empty()) << "nothing has been read yet";
    EXPECT_EQ(bench.result(), 4u) << "the model works in the machine";
    ASSERT_EQ(bench.stops.size(), 1u);
    // 9 - 5 in the model, 5 - 9 in the RTL: byte 0.
    EXPECT_NE(bench.stops[0].find("model and RTL differ in transaction 14: byte 0 is 0x4 in the "
                                  "model, 0xfc in the RTL"),
              std::string::npos)
        << bench.stops[0];
}

TEST(BrokenRtl, AnAluThatIsNeverDoneIsNamedWithItsPinsAfterABoundedTime) {
    AluBench bench;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bench.compute(0x104);  // XOR
    ASSERT_FALSE(bench.stops.empty());
    for (const char* part :
         {"alu.rtl: the RTL has not answered for", "instruction 0x10400000", "done_valid 0"})
        EXPECT_NE(bench.stops[0].find(part), std::string::npos) << part << ": " << bench.stops[0];
}

}  // namespace
}  // namespace gen9::platform
