// SPDX-License-Identifier: Apache-2.0
// What the spawner tells its threads, and what they tell it: payload, URB, ends of threads.
#include <gtest/gtest.h>

#include "media/module.h"
#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/media/bench.h"
#include "tests/unit/media/objects/media_commands.h"

namespace gen9::media::test {
namespace {

TEST(Spawner, EndOfThreadMessageIsAnsweredWithNoticeAndASpawnCannotEndAThread) {
    GEN9_COVERS("TD-54");
    ModuleBench bench;
    std::vector<std::pair<const Message*, std::pair<tlm::tlm_phase_enum, Cycles>>> answers;
    bench.msg_out[5]->on_backward = [&](Message& m, tlm::tlm_phase& phase,
                                        sc_core::sc_time& delay) {
        answers.push_back({&m,
                           {tlm::tlm_phase_enum(unsigned(phase)),
                            bench.clock.now() + bench.clock.cycles(delay)}});
        EXPECT_GE(bench.clock.cycles(delay), Cycles(16));
        return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
    };
    ThreadSideband sender;
    sender.fftid = 0x123;
    auto end = std::make_unique<Message>(), wrong = std::make_unique<Message>(),
         spawn = std::make_unique<Message>();
    for (Message* m : {end.get(), wrong.get(), spawn.get()}) {
        m->sfid = Sfid::ThreadSpawner;
        m->descriptor = 0x02000010;
        m->length = 1;
        m->end_of_thread = true;
        m->sender = &sender;
        store<std::uint32_t>(m->payload[0].bytes + 20, 0xABC00000 | 1u << 9 | 0x123);
    }
    store<std::uint32_t>(wrong->payload[0].bytes + 20, 0x122);
    spawn->descriptor = 0x02000011;
    for (Message* m : {end.get(), wrong.get(), spawn.get()}) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = bench.clock.time(Cycles(7));
        EXPECT_EQ((*bench.msg_out[5])->nb_transport_fw(*m, phase, delay), tlm::TLM_ACCEPTED);
    }
    bench.run(100);
    EXPECT_EQ(end->status, MessageStatus::Ok);
    EXPECT_EQ(wrong->status, MessageStatus::GuestError);
    EXPECT_EQ(spawn->status, MessageStatus::GuestError);
    ASSERT_EQ(answers.size(), 6u);
    EXPECT_EQ(answers[0].first, end.get());
    EXPECT_EQ(answers[0].second.first, tlm::END_REQ);
    EXPECT_EQ(answers[1].second.first, tlm::BEGIN_RESP);
    EXPECT_EQ(bench.env.reporter.guest_errors(), 2u);
    EXPECT_EQ(bench.env.reporter.not_modelled_uses(), 0u);
}

// A slot's next thread passes no socket. So who watches one would not see it.
TEST(Spawner, ThreadsOfAWatchedSocketComeThroughIt) {
    struct Watcher final : SocketObserver<DispatchProtocol> {
        void passed(const ThreadDispatch&, const tlm::tlm_phase& phase,
                    const sc_core::sc_time&) override {
            begun += phase == tlm::BEGIN_REQ;
            ended += phase == tlm::BEGIN_RESP;
        }
        unsigned begun = 0, ended = 0;
    } watcher;
    ModuleBench bench(kOneSubslice, Timing::Functional);
    constexpr unsigned kWatched = 2;
    bench.spawner.thread_out[kWatched]->observe(watcher);
    bench.takes_next = true;
    unsigned there = 0;
    bench.inspect = [&](const ThreadDispatch& d) {
        const bool watched = d.sideband.fftid / kOneSubslice.threads == kWatched;
        there += watched;
        EXPECT_EQ(d.relay == nullptr, watched) << d.sideband.fftid;
    };
    bench.preamble();
    bench.add(walker_command(bench.state, {.groups = {5 * kOneSubslice.total_threads(), 1, 1}}));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    EXPECT_GT(bench.followed, 0u);
    EXPECT_GT(there, kOneSubslice.threads);
    EXPECT_EQ(watcher.begun, there);
    EXPECT_EQ(watcher.ended, there);
}

// Nor would a waveform of the dispatcher show it.
TEST(Spawner, NoThreadFollowsWithinAnEndWhereSignalsAreShown) {
    ModuleBench bench(kOneSubslice, Timing::Functional);
    const gen9::test::SignalLog log{bench.env.environment.signals};
    bench.takes_next = true;
    bench.inspect = [](const ThreadDispatch& d) { EXPECT_EQ(d.relay, nullptr); };
    bench.preamble();
    bench.add(walker_command(bench.state, {.groups = {3 * kOneSubslice.total_threads(), 1, 1}}));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.followed, 0u);
}

// An EU that has run ahead announces an end before others that come earlier.
TEST(Spawner, TheSlotThatIsFreeFirstIsGivenFirst) {
    ModuleBench bench(kOneSubslice);
    const unsigned slots = kOneSubslice.total_threads();
    bench.lifetime = [&](const auto& t) { return t.group[0] == 3 ? 300u : 6000u; };
    bench.announced = [](const auto& t) { return t.group[0] == 3 ? 0u : 5900u; };
    bench.preamble();
    bench.add(walker_command(bench.state, {.groups = {slots + 1, 1, 1}}));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), slots + 1u);
    EXPECT_GE(bench.threads.back().sent, bench.threads[3].end);
    EXPECT_LT(bench.threads.back().sent, bench.threads[3].end + Cycles(100));
}

TEST(Spawner, PayloadLiesInTheUrbAtTheHandleThreadsAreGiven) {
    GEN9_COVERS("URB-02 URB-05");
    ModuleBench bench;
    bench.memory.put(0, {.per_thread_rows = 1, .cross_thread_rows = 2});
    bench.memory.put_rows(kIndirectBase + 0x100, 3, 10);
    bench.preamble(1, {.entries = 2, .entry_rows = 4, .curbe_rows = 3});
    bench.memory.put_rows(kDynamicBase + 0x400, 2, 70);
    bench.add(curbe_load(bench.state, 64, 0x400));
    bench.add(walker_command(bench.state, {.indirect_bytes = 96, .indirect_offset = 0x100}));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    // The CURBE behind the 64 descriptors, then the entry the header's handle names.
    EXPECT_EQ(bench.urb.at(64 * 32), 70);
    EXPECT_EQ(bench.urb.at(65 * 32 + 31), 71);
    const std::size_t entry = std::size_t{bench.threads.at(0).r0[0] & 0xFFFF} * 64;
    EXPECT_GE(entry, (64u + 3) * 32);
    for (unsigned row = 0; row < 3; ++row)
        EXPECT_EQ(bench.urb.at(entry + 32 * row), 10 + row);
}

TEST(Spawner, AThreadsOneUrbHandleIsThatOfItsPayload) {
    GEN9_COVERS("TD-59 URB-03");
    ModuleBench bench;
    bench.memory.put(0, {.per_thread_rows = 1, .cross_thread_rows = 2});
    bench.memory.put_rows(kIndirectBase, 4, 10);
    bench.memory.put_rows(kIndirectBase + 0x100, 4, 30);
    bench.preamble(1, {.entries = 2, .entry_rows = 4});
    for (const unsigned offset : {0u, 0x100u})
        bench.add(walker_command(
            bench.state, {.threads = {2, 1, 1}, .indirect_bytes = 128, .indirect_offset = offset}));
    std::vector<std::vector<Grf>> preloaded;
    bench.inspect = [&](ThreadDispatch& d) {
        auto& registers = preloaded.emplace_back();
        for (unsigned r = 1; r < d.payload_registers; ++r)
            registers.push_back(d.payload[r]);
    };
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 4u);
    EXPECT_NE(bench.threads[0].r0[0], bench.threads[2].r0[0]) << "an entry for each walker";
    for (std::size_t t = 0; t < 4; ++t) {
        const auto& thread = bench.threads[t];
        EXPECT_EQ(thread.r0[0] >> 16, 0u);
        // What lies in the entry: two rows that all threads share, then one for each thread.
        const std::uint8_t* const entry = &bench.urb.at(std::size_t{thread.r0[0]} * 64);
        const unsigned rows[] = {2u + thread.local, 0, 1};
        ASSERT_EQ(preloaded[t].size(), std::size(rows));
        for (unsigned r = 0; r < std::size(rows); ++r)
            EXPECT_EQ(std::memcmp(preloaded[t][r].bytes, entry + 32 * rows[r], 32), 0)
                << "register " << r + 1 << " of thread " << t;
    }
}

TEST(Spawner, EachThreadHasAnIdAndAccessesCarryThatOfTheirCauseAndTheWalker) {
    ModuleBench bench;
    bench.memory.put(0, {.per_thread_rows = 1, .group_threads = 2, .barrier = true});
    bench.preamble(1, {.entries = 1, .entry_rows = 4});
    bench.add(walker_command(bench.state,
                             {.threads = {2, 1, 1}, .groups = {100, 1, 1}, .indirect_bytes = 64}));
    for (std::size_t i = 0; i < bench.commands.size(); ++i)
        bench.commands[i].trace_id = 1000 + i;
    std::vector<std::pair<AddressSpace, TraceId>> accesses;
    const auto take = bench.mem_in.on_blocking;
    bench.mem_in.on_blocking = [&](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
        accesses.emplace_back(attributes_of(p).space, attributes_of(p).trace_id);
        take(p, delay);
    };
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    // Descriptors, then the walker's indirect data and its way into the URB.
    using Access = std::pair<AddressSpace, TraceId>;
    EXPECT_EQ(accesses, (std::vector<Access>{{AddressSpace::Ppgtt, 1001},
                                             {AddressSpace::Ppgtt, for_work(1002, 0)},
                                             {AddressSpace::Urb, for_work(1002, 0)}}));
    std::map<TraceId, const ModuleBench::Thread*> by_id;
    for (const auto& thread : bench.threads) {
        EXPECT_EQ(thread.id >> 32, static_cast<TraceId>(TraceSource::Spawner));
        EXPECT_TRUE(by_id.emplace(thread.id, &thread).second) << "an id of its own";
    }
    ASSERT_EQ(bench.barriers.size(), 200u);
    for (const auto& write : bench.barriers) {
        if (write.count) {
            EXPECT_EQ(write.cause, 1002u);
            continue;
        }
        const auto* const last = by_id.at(write.cause);
        EXPECT_EQ(last->place.subslice.value, write.subslice);
        EXPECT_EQ(write.id, bits(last->r0[2], 31u, 31u) << 4 | bits(last->r0[2], 27u, 24u));
    }
}

TEST(Spawner, AGlobalBarrierIsNamedAndSetUpAsALocalOne) {
    ModuleBench bench;
    bench.memory.put(0, {.group_threads = 2, .barrier = true, .global_barrier = true});
    bench.preamble();
    bench.add(walker_command(bench.state, {.threads = {2, 1, 1}}));
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.env.reporter.entries().size(), 1u);
    EXPECT_EQ(bench.env.reporter.entries()[0].kind, "TD-49");
    ASSERT_EQ(bench.barriers.size(), 2u);
    EXPECT_EQ(bench.barriers[0].count, 2u);
}

// TD-52. Two groups, each on a subslice of its own.
TEST(Spawner, AShareOfAGlobalBarrierCountsWhenItArrivesWhicheverIsReportedFirst) {
    ModuleBench bench({1, 2, 2, 7});
    bench.gateway_latency = Cycles(300);
    bench.lifetime = [](const auto&) { return 100'000u; };
    bench.memory.put(0, {.group_threads = 12, .barrier = true, .global_barrier = true});
    bench.add(vfe_command(bench.state, {.entries = 4, .entry_rows = 4, .curbe_rows = 4}));
    bench.add(idd_load(bench.state));
    MediaWalkerFields f = raster(12, 2);
    f.loop_select = 2;
    f.inline_data = {1};
    bench.add(media_walker_command(bench.state, f));
    bench.run(2000);
    ASSERT_EQ(bench.barriers.size(), 2u);
    ASSERT_NE(bench.barriers[0].subslice, bench.barriers[1].subslice);
    // TD-46.
    for (const auto& thread : bench.threads)
        for (const auto& barrier : bench.barriers)
            if (barrier.subslice == thread.place.subslice.value) {
                EXPECT_GE(thread.sent, barrier.at + Cycles(300));
            }
    const Cycles now = bench.clock.now();
    const auto first = bench.barriers[0], second = bench.barriers[1];
    bench.arrive(first, 10);
    bench.arrive(second, 0);
    bench.run(100);
    ASSERT_EQ(bench.barriers.size(), 4u) << "the next round of both";
    EXPECT_EQ(bench.barriers[2].subslice, second.subslice);
    EXPECT_EQ(bench.barriers[2].count, 12u);
    EXPECT_EQ(bench.barriers[2].at, now + Cycles(1));
    EXPECT_EQ(bench.barriers[3].subslice, first.subslice);
    EXPECT_EQ(bench.barriers[3].at, now + Cycles(11));
}

TEST(Spawner, AWalkerTellsTheChannelsItEnabled) {
    GEN9_COVERS("CS-22");
    ModuleBench bench;
    bench.preamble();
    const auto i = bench.add(walker_command(
        bench.state, {.simd = 16, .threads = {3, 1, 1}, .groups = {2, 1, 1}, .right = 0x1F}));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.commands[i].channels, 2u * (16 + 16 + 5));
}

TEST(Spawner, EndOfThreadNamesTheBarrierAndSlmTheThreadWasGiven) {
    GEN9_COVERS("GW-32");
    ModuleBench bench{ThreadTopology{1, 1, 8, 7}};
    bench.memory.put(0, {.group_threads = 1, .slm_code = 5, .barrier = true});
    bench.preamble();
    bench.add(walker_command(bench.state, {.groups = {2, 1, 1}}));
    bench.lifetime = [](const auto&) { return 5000u; };
    std::vector<ThreadSideband> senders;
    std::vector<Grf> headers;
    bench.inspect = [&](ThreadDispatch& d) {
        senders.push_back(d.sideband);
        headers.push_back(d.payload[0]);
    };
    bench.run(3000);
    ASSERT_EQ(senders.size(), 2u);
    DirectFunction* const calls = bench.msg_out[0]->direct_function();
    ASSERT_NE(calls, nullptr);
    SendForm form{.descriptor = 0x02000010,
                  .extended_descriptor = 0x27,
                  .sfid = static_cast<std::uint8_t>(Sfid::ThreadSpawner),
                  .length = 1,
                  .first_length = 1};
    const auto end = calls->site(form);
    ASSERT_NE(end, nullptr);
    form.extended_descriptor = 0x7;  // a handle is dereferenced
    EXPECT_EQ(calls->site(form), nullptr);
    // The second group: barrier 1, SLM from 16 KB on.
    const auto status = [&](unsigned dword, std::uint32_t flip) {
        Message m;
        m.sfid = Sfid::ThreadSpawner;
        m.descriptor = 0x02000010;
        m.length = 1;
        m.end_of_thread = true;
        m.sender = &senders[1];
        m.payload[0] = headers[1];
        store(m.payload[0].bytes + 4 * dword,
              load<std::uint32_t>(m.payload[0].bytes + 4 * dword) ^ flip);
        sc_core::sc_time delay;
        // As a call only what names all that the thread was given; else nothing is done.
        const std::uint64_t before = bench.spawner.stats().messages.value();
        EXPECT_EQ(end->run({senders[1], 0}, ~0u, m.payload.data(), nullptr, nullptr), flip == 0);
        EXPECT_EQ(bench.spawner.stats().messages.value(), before + (flip == 0 ? 1 : 0));
        (*bench.msg_out[0])->b_transport(m, delay);
        return m.status;
    };
    EXPECT_EQ(status(0, 0), MessageStatus::Ok);
    for (const unsigned bit : {31u, 29u, 28u, 27u, 26u, 25u, 24u})
        EXPECT_EQ(status(2, 1u << bit), MessageStatus::GuestError) << "M0.2 bit " << bit;
    for (unsigned bit = 24; bit < 30; ++bit)
        EXPECT_EQ(status(0, 1u << bit), MessageStatus::GuestError) << "M0.0 bit " << bit;
    // The rest is ignored: M0.2[23:0], M0.0[15:0], M0.1.
    EXPECT_EQ(status(2, 0x00FFFFFF), MessageStatus::Ok);
    EXPECT_EQ(status(0, 0x0000FFFF), MessageStatus::Ok);
    EXPECT_EQ(status(1, ~0u), MessageStatus::Ok);
    // Both are given back when the threads have ended.
    bench.run();
    EXPECT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.barriers.size(), 4u);
    EXPECT_EQ(bench.barriers[3].id, 1u);
    EXPECT_EQ(bench.barriers[3].count, 0u);
}

TEST(Spawner, ThreadsCountTheirContextsTimeFromItsStartOrTheLastReset) {
    GEN9_COVERS("GW-30");
    ModuleBench bench;
    std::vector<std::int64_t> starts;
    bench.inspect = [&](ThreadDispatch& d) { starts.push_back(d.sideband.context_start); };
    auto vfe = vfe_command(bench.state);
    vfe.context_start = 5000;
    bench.add(vfe);
    auto load = idd_load(bench.state);
    bench.add(load);
    auto walker = walker_command(bench.state, {});
    walker.context_start = 5000;
    bench.add(walker);
    packets::MEDIA_VFE_STATE::ResetGatewayTimer.set(vfe.dwords, 1);
    bench.add(vfe);
    bench.add(walker);
    walker.context_start = 7'000'000;  // another context has come
    bench.add(walker);
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(starts.size(), 3u);
    EXPECT_EQ(starts[0], 5000);
    EXPECT_GT(starts[1], 5000);
    EXPECT_LT(starts[1], 1'000'000'000);
    EXPECT_EQ(starts[2], 7'000'000);
    EXPECT_EQ(bench.env.reporter.not_modelled_uses(), 0u);
}

}  // namespace
}  // namespace gen9::media::test
