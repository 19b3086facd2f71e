// SPDX-License-Identifier: Apache-2.0
// Who may ask for what, and where a request goes.
#include "common/check.h"
#include "slm/module.h"
#include "tests/unit/l3/bench.h"

namespace gen9::l3 {
namespace {

constexpr Requester kAll[] = {
    Requester::DataPort,   Requester::Sampler,         Requester::InstructionCache,
    Requester::StateCache, Requester::ConstantCache,   Requester::Urb,
    Requester::Host,       Requester::CommandStreamer,
};

// As many as a machine has with more functions in each subslice.
TEST(L3Clients, MoreThan64AreServedInTurn) {
    constexpr unsigned kClients = 100, kEach = 4;
    Bench bench(Timing::Timed, kClients, {"l3.arbitration=least_recently_served"});
    for (unsigned n = 0; n < kEach; ++n)
        for (unsigned c = 0; c < kClients; ++c)
            bench.from[c]->send(bench.from[c]->read(64 * 4 * (c * kEach + n)));  // all of bank 0
    bench.run();
    std::uint64_t last_of_first = 0;
    for (unsigned c = 0; c < kClients; ++c) {
        ASSERT_EQ(bench.from[c]->ended.size(), kEach) << "client " << c;
        for (const auto& ended : bench.from[c]->ended)
            EXPECT_EQ(load<std::uint32_t>(ended.transaction->data),
                      bench.word(ended.transaction->get_address()));
        last_of_first = std::max(last_of_first, bench.from[c]->ended.front().cycle);
    }
    // None is served a second time before all have been served once.
    for (unsigned c = 0; c < kClients; ++c)
        EXPECT_GT(bench.from[c]->ended[1].cycle, last_of_first) << c;
}

TEST(L3Clients, TheUrbIsWrittenByDataClusterAndFrontEndAndReadByTheCluster) {
    GEN9_COVERS("L3-19");
    for (const Requester requester : kAll) {
        const bool cluster = requester == Requester::DataPort || requester == Requester::Urb;
        const bool front_end = requester == Requester::CommandStreamer;
        EXPECT_EQ(is_client(Destination::Urb, requester, false), cluster);
        EXPECT_EQ(is_client(Destination::Urb, requester, true), cluster || front_end);
    }
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    const auto try_urb = [&](Requester requester) {
        auto* t = from.read(0x40);
        t->attributes.space = AddressSpace::Urb;
        t->attributes.requester = requester;
        from.block(t);
    };
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_NO_THROW(try_urb(Requester::Urb));
    EXPECT_THROW(try_urb(Requester::Sampler), InternalError);
    EXPECT_FALSE(is_client(Destination::Data, Requester::Urb, false));
    EXPECT_FALSE(is_client(Destination::Data, Requester::Urb, true));
}

TEST(L3Clients, ReadOnlyClientsNeverWrite) {
    GEN9_COVERS("L3-18");
    for (const Requester requester : {Requester::Sampler, Requester::InstructionCache,
                                      Requester::StateCache, Requester::ConstantCache}) {
        const Destination where = destination_of(AddressSpace::Ppgtt, requester);
        EXPECT_NE(where, Destination::Data);
        EXPECT_TRUE(is_client(where, requester, false));
        EXPECT_FALSE(is_client(where, requester, true));
    }
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    auto* write = from.write(0x40, 4, 1);
    write->attributes.requester = Requester::ConstantCache;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    EXPECT_THROW(from.block(write), InternalError);
    // A message's lanes as well.
    for (const auto kind :
         {LaneAccess::Kind::Read, LaneAccess::Kind::Write, LaneAccess::Kind::Atomic}) {
        auto* lanes = from.atomic(0x40, AtomicOp::Inc, 1, 4, 0);
        lanes->attributes.lanes.kind = kind;
        lanes->attributes.requester = Requester::ConstantCache;
        if (kind == LaneAccess::Kind::Read)
            EXPECT_NO_THROW(from.block(lanes));
        else
            EXPECT_THROW(from.block(lanes), InternalError);
    }
}

TEST(L3Clients, TheRequestSaysWhereItGoesAndWhetherItIsCached) {
    GEN9_COVERS("L3-20");
    EXPECT_EQ(destination_of(AddressSpace::Ppgtt, Requester::DataPort), Destination::Data);
    EXPECT_EQ(destination_of(AddressSpace::Ppgtt, Requester::StateCache),
              Destination::StateArbiter);
    EXPECT_EQ(destination_of(AddressSpace::Ppgtt, Requester::Sampler), Destination::ReadOnly);
    EXPECT_EQ(destination_of(AddressSpace::Urb, Requester::Urb), Destination::Urb);

    Bench bench(Timing::Timed);
    // 16 ways for data, 16 for what is only read.
    bench.write_register(0x7034, 32u << 1 | 16u << 11 | 16u << 18);
    auto& from = *bench.from[0];
    constexpr std::uint64_t kSameSet = 64 * 4 * 32;
    const auto read = [&](std::uint64_t address, Requester requester) {
        auto* t = from.read(address);
        t->attributes.requester = requester;
        return from.send(t);
    };
    // One address, three destinations.
    auto* urb = from.write(0, 64, 9);
    urb->attributes.space = AddressSpace::Urb;
    from.send(urb);
    read(0, Requester::ConstantCache);
    bench.run();
    EXPECT_EQ(bench.sum("fills"), 1u);
    EXPECT_EQ(bench.sum("urb_accesses"), 1u);
    // Data does not displace what is only read, however much there is of it.
    for (unsigned way = 1; way <= 40; ++way)
        read(way * kSameSet, Requester::DataPort);
    bench.run();
    const std::uint64_t misses = bench.sum("misses");
    auto* kept = read(0, Requester::ConstantCache);
    bench.run();
    EXPECT_EQ(bench.sum("misses"), misses);
    EXPECT_EQ(kept->data[1], 1);
    // The same line, cached or not as the request says.
    for (const bool by_attribute : {true, false}) {
        auto* past = from.read(0x5000);
        past->attributes.uncached = by_attribute;
        if (!by_attribute) {
            bench.write_register(0xB020 + 4, 0x0010'0030);  // entry 3 is uncached
            past->attributes.mocs = 3 << 1;
        }
        const std::uint64_t bypasses = bench.sum("bypasses");
        from.send(past);
        from.send(from.read(0x5000));
        bench.run();
        EXPECT_EQ(bench.sum("bypasses"), bypasses + 1);
    }
}

TEST(L3Clients, TheUrbIsNotCoherentWithWhatOtherClientsRead) {
    GEN9_COVERS("URB-39");
    Bench bench(Timing::Timed);
    auto& from = *bench.from[0];
    for (const Requester requester : {Requester::ConstantCache, Requester::Sampler}) {
        const std::uint64_t address = requester == Requester::Sampler ? 0x2000 : 0x1000;
        const auto read = [&] {
            auto* t = from.read(address);
            t->attributes.requester = requester;
            from.send(t);
            bench.run();
            return t->data[0];
        };
        const std::uint8_t before = read();
        auto* write = from.write(address, 64, 0xEE);
        write->attributes.space = AddressSpace::Urb;
        write->attributes.requester = Requester::Urb;
        from.send(write);
        bench.run();
        EXPECT_NE(before, 0xEE);
        EXPECT_EQ(read(), before);
        bench.flush();
        bench.apply(Bench::all_read_only());
        EXPECT_EQ(read(), before) << "not even after everything is flushed";
    }
}

TEST(L3Clients, LocalMemoryIsFasterAndNotSerializedWithL3AndTheUrbWhichAreWithEachOther) {
    GEN9_COVERS("L3-21");
    Bench bench(Timing::Timed, 2, {}, 1);
    slm::Slm slm("slm", bench.environment.environment, bench.clock);
    test::MemoryInitiator local("local", bench.clock);
    local.mem_out.bind(slm.mem_in);
    EXPECT_LT(slm.params.latency, bench.hit_cycles());
    auto& lines = *bench.from[0];
    auto& urb = *bench.from[1];
    lines.send(lines.read(0x1000));
    constexpr unsigned kReads = 64;
    for (unsigned i = 0; i < kReads; ++i) {
        lines.send(lines.read(0x1000), 1000);
        auto* t = urb.read(0x1000);
        t->attributes.space = AddressSpace::Urb;
        t->attributes.requester = Requester::Urb;
        urb.send(t, 1000);
        local.send(local.read(i * 64), 1000);
    }
    bench.run();
    const std::uint64_t array =
        std::max(lines.ended.back().cycle, urb.ended.back().cycle) - 1000 - bench.hit_cycles() + 1;
    EXPECT_EQ(array, 2 * kReads) << "a read a cycle, whoever asks";
    EXPECT_EQ(local.ended.back().cycle - 1000 - slm.params.latency + 1, kReads);
    local.clear();
}

}  // namespace
}  // namespace gen9::l3
