// SPDX-License-Identifier: Apache-2.0
// Machines whose EUs have fewer registers than 128 for each slot: who finds room, and what the
// others wait for. No product is so; the rules are those of docs/exploration.md.
#include <gtest/gtest.h>

#include "interconnect/payload/register_file.h"
#include "tests/support/covers.h"
#include "tests/support/named_kernel.h"
#include "tests/unit/dispatcher/walk_placer.h"
#include "tests/unit/media/commands.h"
#include "tests/unit/media/objects/media_commands.h"

namespace gen9::dispatcher::test {
namespace registers {

constexpr ThreadTopology kOneEu{1, 1, 1, 16};

Walk walk_of(const DescriptorFields& descriptor, unsigned threads, unsigned groups,
             unsigned registers) {
    Walk walk;
    walk.descriptor = decode_descriptor(make_descriptor(descriptor));
    walk.walker.thread_max = {static_cast<std::uint8_t>(threads - 1), 0, 0};
    walk.walker.dimensions = {groups, 1, 1};
    walk.vfe.max_threads = 504;
    walk.state = make_state();
    walk.registers = registers;
    return walk;
}

/// Sends what can be sent; the rest of the walk waits for `why`.
std::vector<ThreadPlace> send(WalkPlacer& d, SendState& why) {
    std::vector<ThreadPlace> sent;
    auto thread = std::make_unique<ThreadDispatch>();
    for (why = SendState::Sending; d.walking();) {
        if (!d.group_open()) why = d.open_group();
        ThreadPlace place;
        if (why == SendState::Sending) why = d.take_slot(~0u, place);
        if (why != SendState::Sending) break;
        d.make_next(place, *thread);
        sent.push_back(place);
    }
    return sent;
}

TEST(RegisterFile, AThreadTakesAllItCanNameOrWhatItNames) {
    const RegisterFile fixed{448, false, 8}, by_use{448, true, 8};
    EXPECT_EQ(fixed.taken(3), 128u);
    EXPECT_EQ(by_use.taken(0), 8u);
    EXPECT_EQ(by_use.taken(8), 8u);
    EXPECT_EQ(by_use.taken(9), 16u);
    EXPECT_EQ(by_use.taken(128), 128u);
    EXPECT_TRUE(fixed.limits(7));
    EXPECT_FALSE((RegisterFile{896, true, 8}.limits(7))) << "128 for each thread";
    EXPECT_FALSE((RegisterFile{0, true, 8}.limits(16))) << "enough, however many threads";
}

TEST(Registers, LimitTheThreadsOfAnEu) {
    struct Case {
        unsigned file, each, threads;
        SendState why;
    };
    for (const Case& c :
         {Case{896, 128, 7, SendState::WaitRegisters}, Case{896, 64, 14, SendState::WaitRegisters},
          Case{896, 56, 16, SendState::WaitSlot}, Case{896, 8, 16, SendState::WaitSlot},
          Case{895, 128, 6, SendState::WaitRegisters}, Case{0, 0, 16, SendState::WaitSlot}}) {
        SCOPED_TRACE(c.each);
        WalkPlacer d(kOneEu, {.registers = c.file});
        const Walk walk = walk_of({}, 1, 40, c.each);
        d.begin(walk);
        SendState why;
        const auto sent = send(d, why);
        EXPECT_EQ(sent.size(), c.threads);
        EXPECT_EQ(why, c.why);
        EXPECT_EQ(d.room_for(walk.descriptor, 1, walk.vfe, {}, c.each), c.why);
        // One that ends makes room for one.
        d.retire(sent[2].fftid(kOneEu));
        EXPECT_EQ(d.room_for(walk.descriptor, 1, walk.vfe, {}, c.each), SendState::Sending);
        EXPECT_EQ(send(d, why).size(), 1u);
        EXPECT_EQ(why, c.why);
    }
}

TEST(Registers, TheThreadLimitOfTheCommandIsNotTheirs) {
    WalkPlacer d(kOneEu, {.registers = 896});
    Walk walk = walk_of({}, 1, 40, 128);
    walk.vfe.max_threads = 5;
    d.begin(walk);
    SendState why;
    EXPECT_EQ(send(d, why).size(), 5u);
    EXPECT_EQ(why, SendState::WaitSlot);
}

TEST(Registers, LimitTheGroupsOfASubslice) {
    // 512 registers: 4 threads of 128 in each of eight EUs.
    WalkPlacer d(kOneSubslice, {.registers = 512});
    const Walk walk = walk_of({.group_threads = 12, .barrier = true}, 12, 4, 128);
    d.begin(walk);
    SendState why;
    const auto sent = send(d, why);
    EXPECT_EQ(sent.size(), 24u) << "two groups; the third has slots, but no registers";
    EXPECT_EQ(why, SendState::WaitRegisters);
    EXPECT_EQ(d.room_for(walk.descriptor, 12, walk.vfe, {}, 128), SendState::WaitRegisters);
    EXPECT_EQ(d.room_for(walk.descriptor, 8, walk.vfe, {}, 128), SendState::Sending);
    EXPECT_EQ(d.room_for(walk.descriptor, 33, walk.vfe, {}, 128), SendState::WaitSlot)
        << "32 slots are free";
    std::vector<unsigned> in_eu(8);
    for (const ThreadPlace& place : sent)
        ++in_eu[place.eu];
    for (const unsigned threads : in_eu)
        EXPECT_LE(threads, 4u);
    for (unsigned i = 0; i < 4; ++i)
        d.retire(sent[i].fftid(kOneSubslice));
    EXPECT_EQ(send(d, why).size(), 12u);
    EXPECT_EQ(why, SendState::WaitRegisters);
}

TEST(Registers, OtherCausesAreNamedWhereRegistersAreFree) {
    WalkPlacer d(kOneSubslice, {.registers = 512});
    const Walk walk = walk_of({.slm_code = 7}, 4, 4, 64);
    d.begin(walk);
    SendState why;
    EXPECT_EQ(send(d, why).size(), 4u);
    EXPECT_EQ(why, SendState::WaitSlm);
}

TEST(Registers, LimitTheGroupsOfAPool) {
    GEN9_COVERS("POOL-01");
    constexpr ThreadTopology kBroxton{1, 3, 6, 6, 2};
    const auto pools = pool_command(make_state());
    // 384 registers: 3 threads of 128 in an EU, 27 in the nine EUs of a pool.
    WalkPlacer d(kBroxton, {.registers = 384});
    Walk walk = walk_of({.group_threads = 20, .barrier = true}, 20, 4, 128);
    walk.pools = decode_pools({pools.dwords.data(), 6});
    d.begin(walk);
    SendState why;
    const auto sent = send(d, why);
    EXPECT_EQ(sent.size(), 40u) << "one in each pool";
    EXPECT_EQ(why, SendState::WaitRegisters);
    EXPECT_EQ(d.room_for(walk.descriptor, 20, walk.vfe, walk.pools, 128), SendState::WaitRegisters);
    EXPECT_EQ(d.room_for(walk.descriptor, 35, walk.vfe, walk.pools, 128), SendState::WaitSlot)
        << "34 slots are free";
    for (unsigned i = 0; i < 20; ++i)
        d.retire(sent[i].fftid(kBroxton));
    EXPECT_EQ(send(d, why).size(), 20u);
}

TEST(Registers, LimitAGroupOverSeveralSubslices) {
    constexpr ThreadTopology kTwo{1, 2, 2, 8};
    Walk walk;
    walk.descriptor = decode_descriptor(
        make_descriptor({.group_threads = 6, .barrier = true, .global_barrier = true}));
    walk.vfe.max_threads = 504;
    walk.state = make_state();
    walk.registers = 128;
    MediaWalkerFields fields = raster(6, 1);
    fields.loop_select = 2;
    const PipelineCommand command = media_walker_command(walk.state, fields);
    walk.media = decode_media_object(MediaCommand::ObjectWalker, {command.dwords.data(), 17});
    walk.media_walker = decode_media_walker({command.dwords.data(), 17});
    ASSERT_TRUE(walk.global_barrier());
    SendState why;
    // Two threads in each of four EUs, then one.
    WalkPlacer enough(kTwo, {.registers = 256}), small(kTwo, {.registers = 128});
    enough.begin(walk);
    EXPECT_EQ(send(enough, why).size(), 6u);
    small.begin(walk);
    EXPECT_EQ(send(small, why).size(), 0u);
    EXPECT_EQ(why, SendState::WaitRegisters);
}

TEST(Registers, KernelsOfDifferentNeedShareAnEu) {
    WalkPlacer d(kOneEu, {.registers = 256}, media::DescriptorChange::Overlap);
    const Walk large = walk_of({}, 1, 1, 128), small = walk_of({.kernel_start = 0x80}, 1, 40, 16);
    d.begin(large);
    SendState why;
    const auto first = send(d, why);
    ASSERT_EQ(first.size(), 1u);
    d.begin(small);
    EXPECT_EQ(send(d, why).size(), 8u) << "128 are left";
    EXPECT_EQ(why, SendState::WaitRegisters);
    // A child thread of a third kernel takes what it needs, and the walk goes on as before.
    ThreadPlace child;
    EXPECT_EQ(d.take_child_slot(~0u, small.vfe, 8, child), SendState::WaitRegisters);
    d.retire(first[0].fftid(kOneEu));
    EXPECT_EQ(d.take_child_slot(~0u, small.vfe, 120, child), SendState::Sending);
    EXPECT_EQ(d.slots().registers_of(child.fftid(kOneEu)), 120u);
    EXPECT_EQ(send(d, why).size(), 0u) << "8 are left";
    EXPECT_EQ(why, SendState::WaitRegisters);
    d.retire(child.fftid(kOneEu));
    EXPECT_EQ(send(d, why).size(), 8u);
    EXPECT_EQ(why, SendState::WaitSlot) << "16 threads of 16 registers";
}

TEST(Registers, OfThreadsThatComeBackCountAgain) {
    WalkPlacer d(kOneEu, {.registers = 256});
    const Walk walk = walk_of({}, 1, 40, 16);
    d.begin(walk);
    d.take_restored(walk, {0, 0, 3}, kNoGroup, 128);
    EXPECT_EQ(d.slots().registers_of(3), 128u);
    SendState why;
    EXPECT_EQ(send(d, why).size(), 8u);
    EXPECT_EQ(why, SendState::WaitRegisters);
    d.retire(3);
    EXPECT_EQ(send(d, why).size(), 7u + 1u);
}

/// A group of threads that a client has asked for, in a subslice of six EUs with two slots each.
struct AskedGroup : DispatcherCore {
    static constexpr ThreadTopology kSixEus{1, 3, 6, 2, 2};
    ThreadRequest request;
    OpenGroup group;

    AskedGroup(ThreadRequest::Group kind, unsigned threads, const Settings& settings)
        : DispatcherCore(kSixEus, settings) {
        request.group = kind;
        request.subslices = 1;
        request.barrier = true;
        request.group_threads = static_cast<std::uint16_t>(threads);
    }
    /// A thread without a group, to one of the first EUs.
    SendState take_single(unsigned client, std::uint8_t eus, std::uint8_t registers,
                          ThreadPlace& place) {
        ThreadRequest single;
        single.subslices = 1;
        single.eus = eus;
        single.registers = registers;
        OpenGroup none;
        return take_slot(single, client, none, ~0u, place);
    }
};

// Another thread of its client has taken the registers that were there when the group began.
TEST(Registers, AGroupsThreadWaitsForThemWhereASlotOfItsPoolIsFree) {
    GEN9_COVERS("POOL-01");
    for (const bool all_slots : {false, true}) {
        AskedGroup d(ThreadRequest::Group::Pool, 1,
                     {.slot_policy = "fixed_priority", .registers = 128});
        d.request.registers = 128;
        d.request.pools = {true, {0b111110}};  // the first pool: EU 0
        ASSERT_EQ(d.open(d.request, 0, d.group), SendState::Sending);
        ASSERT_EQ(d.group.pool_eus[0], 1u);
        ThreadPlace place;
        for (unsigned i = 0; i < (all_slots ? 2u : 1u); ++i)
            ASSERT_EQ(d.take_single(0, 1, all_slots ? 64 : 128, place), SendState::Sending);
        EXPECT_EQ(d.take_slot(d.request, 0, d.group, ~0u, place),
                  all_slots ? SendState::WaitSlot : SendState::WaitRegisters);
    }
}

// The other client's threads may go to more EUs.
TEST(Registers, PlacesAreKeptInTheEusOfTheGroupAndNotOfWhoIsServed) {
    AskedGroup d(ThreadRequest::Group::Subslice, 2, {.registers = 256, .clients = 2});
    d.request.eus = 1;
    d.request.registers = 128;
    ASSERT_EQ(d.open(d.request, 0, d.group), SendState::Sending);
    ThreadPlace place;
    ASSERT_EQ(d.take_single(1, 6, 16, place), SendState::Sending);
    d.retire(place.fftid(AskedGroup::kSixEus));
    d.keep_places(0, d.group);
    ASSERT_EQ(d.group.kept.size(), 2u);
    for (const ThreadPlace& kept : d.group.kept) {
        EXPECT_EQ(kept.eu, 0u);
        EXPECT_EQ(d.slots().registers_of(kept.fftid(AskedGroup::kSixEus)), 128u);
    }
}

// What the front end finds in a kernel. Its code is read at the instruction base.
struct Kernels {
    static constexpr std::uint64_t kCode = 0x50000;
    Memory memory;
    FrontEnd front_end;
    std::shared_ptr<PipelineState> state = std::make_shared<PipelineState>(*make_state());

    explicit Kernels(RegisterFile file, const ThreadTopology& topology = kOneSubslice)
        : front_end(topology, 4096, 64, false, file) {
        state->instruction_base = GpuAddr(kCode);
        front_end.count_registers(true);
    }
    /// A kernel at an offset that names registers 10 to 10 + n - 2, and r127.
    void put_kernel(std::uint64_t at, unsigned names) {
        const auto code = gen9::test::named_kernel(10, names - 1);
        memory.put(kCode + at, code.data(), code.size());
    }
    std::optional<Refusal> prepare(Walk& walk, const DescriptorFields& descriptor,
                                   unsigned threads = 1) {
        memory.put(0, descriptor);
        EXPECT_FALSE(front_end.execute(vfe_command(state, {.curbe_rows = 64}), memory));
        EXPECT_FALSE(front_end.execute(idd_load(state), memory));
        return front_end.prepare(walker_command(state, {.threads = {threads, 1, 1}}), memory, walk);
    }
};

TEST(RegistersOfAKernel, AreWhatItNamesWithItsPayloadInGranules) {
    Kernels k({448, true, 8});
    k.put_kernel(0x40, 20);
    Walk walk;
    EXPECT_FALSE(k.prepare(walk, {.kernel_start = 0x40}));
    EXPECT_EQ(walk.registers, 24u) << "R0, and 20 that it names";
    EXPECT_FALSE(
        k.prepare(walk, {.kernel_start = 0x40, .per_thread_rows = 1, .cross_thread_rows = 2}));
    EXPECT_EQ(walk.registers, 24u) << "R0 to R3, and 20";
    EXPECT_FALSE(
        k.prepare(walk, {.kernel_start = 0x40, .per_thread_rows = 3, .cross_thread_rows = 2}));
    EXPECT_EQ(walk.registers, 32u) << "R0 to R5, and 20";
    EXPECT_FALSE(
        k.prepare(walk, {.kernel_start = 0x40, .per_thread_rows = 3, .cross_thread_rows = 12}));
    EXPECT_EQ(walk.registers, 32u) << "R0 to R15, of which six are among the 20: 30 in all";
    Kernels fine({448, true, 1});
    fine.put_kernel(0x40, 20);
    EXPECT_FALSE(fine.prepare(walk, {.kernel_start = 0x40}));
    EXPECT_EQ(walk.registers, 21u);
    Kernels fixed({448, false, 8});
    fixed.put_kernel(0x40, 20);
    const unsigned before = fixed.memory.reads;
    EXPECT_FALSE(fixed.prepare(walk, {.kernel_start = 0x40}));
    EXPECT_EQ(walk.registers, 128u);
    EXPECT_EQ(fixed.memory.reads, before + 1) << "the descriptor";
}

TEST(RegistersOfAKernel, AreFoundAnewWhenItsCodeHasChanged) {
    Kernels k({448, true, 1});
    k.put_kernel(0x40, 20);
    Walk walk;
    EXPECT_FALSE(k.prepare(walk, {.kernel_start = 0x40}));
    EXPECT_EQ(walk.registers, 21u);
    EXPECT_FALSE(k.prepare(walk, {.kernel_start = 0x40}));
    EXPECT_EQ(walk.registers, 21u);
    k.put_kernel(0x40, 30);
    EXPECT_FALSE(k.prepare(walk, {.kernel_start = 0x40}));
    EXPECT_EQ(walk.registers, 31u);
    k.put_kernel(0x4000, 5);
    EXPECT_FALSE(k.prepare(walk, {.kernel_start = 0x4000}));
    EXPECT_EQ(walk.registers, 6u);
    EXPECT_FALSE(k.prepare(walk, {.kernel_start = 0xFFFFC0}));
    EXPECT_EQ(walk.registers, 1u) << "no code is there; R0";
}

TEST(RegistersOfAKernel, AreNotCountedWhereTheyCannotLimit) {
    Walk walk;
    Kernels functional({448, true, 8});
    functional.put_kernel(0x40, 20);
    functional.front_end.count_registers(false);
    EXPECT_FALSE(functional.prepare(walk, {.kernel_start = 0x40}));
    EXPECT_EQ(walk.registers, 0u);
    Kernels enough({896, true, 8});
    enough.put_kernel(0x40, 20);
    EXPECT_FALSE(enough.prepare(walk, {.kernel_start = 0x40}));
    EXPECT_EQ(walk.registers, 0u);
}

TEST(RegistersOfAKernel, MustBeInAnEuAndThoseOfAGroupInASubslice) {
    Walk walk;
    Kernels small({16, true, 8});
    small.put_kernel(0x40, 20);
    const auto refusal = small.prepare(walk, {.kernel_start = 0x40});
    ASSERT_TRUE(refusal);
    EXPECT_EQ(refusal->text,
              "a thread of the kernel at 50040 takes 24 registers; an EU has 16 (eu.registers)");
    EXPECT_TRUE(refusal->id.empty());
    // 100 registers: four threads of 24 in each of eight EUs.
    Kernels k({100, true, 8});
    k.put_kernel(0x40, 20);
    const auto group = [&](unsigned threads) {
        return k.prepare(walk, {.kernel_start = 0x40, .group_threads = threads, .barrier = true},
                         threads);
    };
    EXPECT_FALSE(group(32));
    ASSERT_TRUE(group(33));
    EXPECT_NE(group(33)->text.find("room for 32"), std::string::npos) << group(33)->text;
}

}  // namespace registers
}  // namespace gen9::dispatcher::test
