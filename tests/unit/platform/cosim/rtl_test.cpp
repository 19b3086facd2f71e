// SPDX-License-Identifier: Apache-2.0
// The RTL's own tests: constrained random stimuli, with the model as reference.
#include <gtest/gtest.h>

#include <random>

#include "cs/alu_module.h"
#include "platform/cosim/alu_rtl.h"
#include "platform/cosim/beside.h"
#include "platform/cosim/slm_rtl.h"
#include "slm/module.h"
#include "tests/support/environment.h"
#include "tests/support/memory_initiator.h"

namespace gen9::platform {
namespace {

template <class Model, class Rtl>
struct RtlBench {
    test::TestEnvironment environment;
    Clock clock{1'000'000'000};
    std::vector<std::string> stops;
    Beside beside;
    Model model;
    Rtl rtl;
    test::MemoryInitiator from{"from", clock};
    std::mt19937 random{11};

    explicit RtlBench(std::vector<std::string> settings = {}, Timing timing = Timing::Timed)
        : environment(timing, std::move(settings)),
          beside("beside", environment.environment, clock),
          model("model", environment.environment, clock),
          rtl("rtl", environment.environment, clock) {
        environment.environment.stop = [this](const std::string& text) { stops.push_back(text); };
        from.mem_out.bind(beside.mem_in);
    }
    ~RtlBench() { from.clear(); }
    unsigned number(unsigned below) { return static_cast<unsigned>(random() % below); }
    std::uint64_t word() { return std::uint64_t{random()} << 32 | random(); }
};

struct SlmBench : RtlBench<slm::Slm, SlmRtl> {
    using RtlBench::RtlBench;
    explicit SlmBench(std::vector<std::string> settings = {}, Timing timing = Timing::Timed)
        : RtlBench(std::move(settings), timing) {
        beside.model_out.bind(model.mem_in);
        beside.rtl_out.bind(rtl.mem_in);
    }
    MemoryTransaction* run() {
        const unsigned size = 1 + number(64);
        auto* t = from.fresh();
        const bool read = number(2) != 0;
        t->access(read ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, number(0x400), size);
        for (unsigned i = 0; i < size; ++i)
            t->data[i] = static_cast<std::uint8_t>(random());
        if (!read && number(2)) t->enable_bytes(word(), size);
        return t;
    }
    MemoryTransaction* lanes() {
        static constexpr AtomicOp kOps[] = {
            AtomicOp::CmpWr2W, AtomicOp::And,  AtomicOp::Or,   AtomicOp::Xor,   AtomicOp::Mov,
            AtomicOp::Inc,     AtomicOp::Dec,  AtomicOp::Add,  AtomicOp::Sub,   AtomicOp::RevSub,
            AtomicOp::IMax,    AtomicOp::IMin, AtomicOp::UMax, AtomicOp::UMin,  AtomicOp::CmpWr,
            AtomicOp::PreDec,  AtomicOp::FMax, AtomicOp::FMin, AtomicOp::FCmpWr};
        auto* t = from.atomic(number(4) ? 0 : 0xFF00, AtomicOp::Add, 1 + number(16), 4, 0);
        LaneAccess& access = t->attributes.lanes;
        access.kind = static_cast<LaneAccess::Kind>(number(3));
        access.op = kOps[number(std::size(kOps))];
        access.width_bytes = static_cast<std::uint8_t>(1u << number(4));
        if (access.kind == LaneAccess::Kind::Atomic) {
            const bool wide = access.op < AtomicOp::FMax && number(2) != 0;
            access.width_bytes = wide ? 8 : 4;
        }
        // Close together, a bank apart, or anywhere; atomics aligned.
        const unsigned spread = number(3) ? (number(2) ? 64 : 1024) : 0x10000;
        for (unsigned i = 0; i < LaneAccess::kMaxLanes; ++i) {
            access.offset[i] = number(4) ? number(spread) : i * 64;
            if (access.kind == LaneAccess::Kind::Atomic)
                access.offset[i] -= access.offset[i] % access.width_bytes;
            access.source0[i] = operand();
            access.source1[i] = operand();
        }
        return t;
    }
    /// Any bits, a small number, or one of the floats that are special.
    std::uint64_t operand() {
        static constexpr std::uint32_t kFloats[] = {0x00000000, 0x80000000, 0x7F800000, 0xFF800000,
                                                    0x7FC00001, 0xFFC00000, 0x7F800001, 0x3F800000,
                                                    0xBF800000, 0x00000001};
        switch (number(3)) {
            case 0:
                return word();
            case 1:
                return number(4);
            default:
                return kFloats[number(std::size(kFloats))];
        }
    }
    void send(unsigned count) {
        std::uint64_t at = 0;
        for (unsigned i = 0; i < count; ++i)
            from.send(number(5) ? lanes() : run(), at += number(8) ? 0 : number(200));
    }
    void expect_same(unsigned count) {
        EXPECT_TRUE(stops.empty()) << stops[0];
        EXPECT_EQ(beside.agreed(), count);
        EXPECT_TRUE(rtl.idle());
        for (std::uint64_t line = 0; line < 0x10000; line += 64) {
            auto *a = from.read(line), *b = from.read(line);
            beside.model_out->transport_dbg(*a);
            beside.rtl_out->transport_dbg(*b);
            EXPECT_EQ(std::memcmp(a->data, b->data, 64), 0) << line;
            a->release();
            b->release();
        }
    }
};

TEST(SlmRtl, RandomTrafficTakesTheModelsCyclesAndLeavesItsBytes) {
    SlmBench bench;
    bench.send(4000);
    sc_core::sc_start();
    bench.expect_same(4000);
}

TEST(SlmRtl, TheSameWithAShortQueueAndLatency) {
    SlmBench bench({"model.queue=2", "rtl.queue=2", "model.latency=2", "rtl.latency=2"});
    bench.send(2000);
    sc_core::sc_start();
    bench.expect_same(2000);
}

TEST(SlmRtl, BlockingAccessesTakeTheModelsTime) {
    SlmBench bench;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (unsigned i = 0; i < 300; ++i)
        bench.from.block(i % 2 ? bench.lanes() : bench.run());
    bench.expect_same(300);
}

TEST(SlmRtl, ItsCountersAreTheModels) {
    SlmBench bench;
    bench.send(500);
    sc_core::sc_start();
    EXPECT_EQ(bench.rtl.stats.reads.value(), bench.model.stats.reads.value());
    EXPECT_EQ(bench.rtl.stats.writes.value(), bench.model.stats.writes.value());
    EXPECT_EQ(bench.rtl.stats.atomics.value(), bench.model.stats.atomics.value());
    EXPECT_EQ(bench.rtl.stats.lanes.value(), bench.model.stats.lanes.value());
    EXPECT_EQ(bench.rtl.stats.bytes.value(), bench.model.stats.bytes.value());
    EXPECT_EQ(bench.rtl.stats.read_busy_cycles.value(), bench.model.stats.read_busy_cycles.value());
    EXPECT_EQ(bench.rtl.stats.write_busy_cycles.value(),
              bench.model.stats.write_busy_cycles.value());
    EXPECT_EQ(bench.rtl.stats.conflict_cycles.value(), bench.model.stats.conflict_cycles.value());
    EXPECT_EQ(bench.rtl.stats.wait_cycles.value(), bench.model.stats.wait_cycles.value());
}

TEST(SlmRtl, WhatThePinsCannotSayIsAnsweredWithAnError) {
    test::TestEnvironment environment;
    Clock clock(1'000'000'000);
    SlmRtl rtl("rtl", environment.environment, clock);
    test::MemoryInitiator from("from", clock);
    from.mem_out.bind(rtl.mem_in);
    auto* t = from.send(from.atomic(0, AtomicOp::CmpWr, 2, 16, 0));
    t->attributes.lanes.width_bytes = 16;
    sc_core::sc_start();
    EXPECT_EQ(t->get_response_status(), tlm::TLM_COMMAND_ERROR_RESPONSE);
    EXPECT_EQ(from.ended.size(), 1u);
    from.clear();
}

struct AluBench : RtlBench<cs::AluModule, AluRtl> {
    AluBench() {
        beside.model_out.bind(model.op_in);
        beside.rtl_out.bind(rtl.op_in);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    void write(std::uint64_t address, std::uint32_t value) {
        auto* t = from.write(address, 4, 0);
        std::memcpy(t->data, &value, 4);
        from.block(t);
    }
};

TEST(AluRtl, RandomProgramsGiveTheModelsRegistersInTheModelsTime) {
    static constexpr std::uint32_t kOpcodes[] = {0x000, 0x080, 0x480, 0x081, 0x481, 0x100, 0x101,
                                                 0x102, 0x103, 0x104, 0x180, 0x580, 0x7FF, 0x105};
    static constexpr std::uint32_t kOperands[] = {0x20, 0x21, 0x31, 0x32, 0x33, 0x10, 0x3F};
    AluBench bench;
    unsigned transactions = 0;
    const auto operand = [&] {
        return bench.number(2) ? bench.number(16) : kOperands[bench.number(std::size(kOperands))];
    };
    for (unsigned round = 0; round < 400; ++round) {
        for (unsigned i = 0; i < 20; ++i, ++transactions)
            bench.write(cs::kAluInstruction, kOpcodes[bench.number(std::size(kOpcodes))] << 20 |
                                                 operand() << 10 | operand());
        const std::uint64_t half = cs::kAluGpr + 4 * bench.number(32);
        bench.write(half, bench.number(3) ? static_cast<std::uint32_t>(bench.random())
                                          : 0u - bench.number(2));
        bench.from.block(bench.from.read(cs::kAluGpr + 4 * bench.number(32), 4));
        transactions += 2;
    }
    for (unsigned half = 0; half < 32; ++half, ++transactions)
        bench.from.block(bench.from.read(cs::kAluGpr + 4 * half, 4));
    EXPECT_TRUE(bench.stops.empty()) << bench.stops[0];
    EXPECT_EQ(bench.beside.agreed(), transactions);
}

}  // namespace
}  // namespace gen9::platform
