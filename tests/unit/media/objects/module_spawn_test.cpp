// SPDX-License-Identifier: Apache-2.0
// Messages to the thread spawner: children, synchronized and persistent root threads, URB handles.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "tests/support/covers.h"
#include "tests/unit/media/objects/spawn_bench.h"

namespace gen9::media::test {
namespace {

class SpawnMessages : public testing::TestWithParam<Timing> {};

TEST_P(SpawnMessages, AChildIsMadeOfItsParentsRowsAndItsDescriptorsConstants) {
    GEN9_COVERS("MED-05 MED-06");
    SpawnBench bench(GetParam());
    bench.begin();
    bench.lifetime = [](const auto&) { return 500u; };
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        bench.fill_urb(handle_of(d), 1, 5, 10);
        return {
            {5, {.spawn = true, .handle = handle_of(d), .offset = 2, .rows = 3, .descriptor = 1}},
            {9, {.spawn = true, .handle = handle_of(d), .offset = 5, .rows = 0, .descriptor = 2}}};
    };
    std::vector<TraceId> reads;
    bench.mem_in.on_blocking = [&, serve = bench.mem_in.on_blocking](auto& p, auto& delay) {
        if (p.is_read() && attributes_of(p).space == AddressSpace::Urb)
            reads.push_back(attributes_of(p).trace_id);
        serve(p, delay);
    };
    const auto root = bench.object({.children = true, .inline_data = {7}});
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.payloads.size(), 3u);
    const auto bytes = [&](unsigned thread) {
        std::vector<unsigned> first;
        for (const Grf& g : bench.payloads[thread])
            first.push_back(g.bytes[0]);
        return first;
    };
    EXPECT_EQ(bytes(1), (std::vector<unsigned>{11, 100, 101, 12, 13}))
        << "R0, two rows of the CURBE, the rest";
    EXPECT_EQ(reads, (std::vector<TraceId>{0, 0})) << "of no command: another may be at hand";
    EXPECT_EQ(bytes(2), (std::vector<unsigned>{14})) << "a length of 0: R0 alone";
    EXPECT_EQ(bench.sides[1].kernel_start.value, 0x100000u + 0x2000);
    EXPECT_EQ(bench.sides[2].kernel_start.value, 0x100000u + 0x3000);
    EXPECT_EQ(bench.spawner.stats().child_threads.value(), 2u);
    EXPECT_EQ(bench.spawner.stats().threads.value(), 3u);
    EXPECT_EQ(bench.spawner.stats().media_threads.value(), 1u);
    EXPECT_EQ(bench.spawner.stats().payload_registers.value(), 2u + 5 + 1);
    EXPECT_EQ(bench.spawner.stats().groups.value(), 1u) << "children are of no group";
    // The command ends with the last of its children.
    for (const auto& t : bench.threads)
        EXPECT_GE(bench.finished[root], t.end);
    EXPECT_FALSE(bench.env.reporter.failed());
}

// 003:18167-18190: what a message says elsewhere is nothing to a spawn.
TEST_P(SpawnMessages, AChildGetsUpTo63RowsFromUpToRow1023OfItsHandle) {
    GEN9_COVERS("MED-59");
    SpawnBench bench(GetParam());
    bench.begin();
    bench.lifetime = [](const auto&) { return 2000u; };
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        bench.fill_urb(5, 0, 4, 1);
        bench.fill_urb(5, 1023, 63, 100);
        const Ask ask{
            .spawn = true,
            .handle = 5,
            .offset = 1023,
            .rows = 63,
            .descriptor = 2,
            // Reserved and ignored bits, colour and SLM id, barrier and SLM; an FFTID of others.
            .others = {0xFFFF0000, ~0u, 0xFFFFFC0F, ~0u, 0xFFFF0000, ~0u, ~0u, ~0u}};
        return {{10, ask}, {20, {.spawn = true, .handle = 5, .offset = 3, .descriptor = 2}}};
    };
    bench.object({.children = true, .inline_data = {7}});
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.payloads.size(), 3u);
    ASSERT_EQ(bench.payloads[1].size(), 63u);
    for (unsigned row = 0; row < 63; ++row)
        EXPECT_EQ(bench.payloads[1][row].bytes[0], 100 + row);
    ASSERT_EQ(bench.payloads[2].size(), 1u) << "a length of 0: R0 alone";
    EXPECT_EQ(bench.payloads[2][0].bytes[0], 4);
    EXPECT_FALSE(bench.env.reporter.failed());
}

// 003:18153-18159. Two slots: a parent that calls for three children, of which one finds room.
struct FullQueue : SpawnBench {
    FullQueue(Timing timing, unsigned places, bool ends_by_spawner)
        : SpawnBench(timing, {"spawner.message_queue=" + std::to_string(places)}, {1, 1, 1, 2}) {
        begin();
        lifetime = [this](const Thread&) { return threads.empty() ? 2000u : 300u; };
        script = [ends_by_spawner](const ThreadDispatch& d) {
            std::vector<std::pair<unsigned, Ask>> asks;
            for (unsigned n = 0; first(d) && n < 3; ++n)
                asks.push_back(
                    {10 + 10 * n, {.spawn = true, .handle = handle_of(d), .descriptor = 2}});
            if (ends_by_spawner || first(d))
                asks.push_back({first(d) ? 1900u : 200u, {.select = true, .end = true}});
            return asks;
        };
        object({.children = true, .inline_data = {7}});
        run();
    }
};

TEST_P(SpawnMessages, EndsWaitBehindAFullQueueOfSpawns) {
    GEN9_COVERS("MED-58");
    FullQueue bench(GetParam(), 2, true);
    EXPECT_FALSE(bench.all_finished());
    EXPECT_EQ(bench.threads.size(), 2u);
    EXPECT_EQ(bench.spawner.stats().threads_retired.value(), 0u);
    const std::string why = bench.spawner.describe_waiting();
    EXPECT_NE(why.find("2 child threads wait for a free thread slot"), std::string::npos) << why;
    EXPECT_NE(why.find("2 ends of threads wait"), std::string::npos) << why;
}

TEST_P(SpawnMessages, EndsByTheGatewayPassAFullQueueOfSpawns) {
    GEN9_COVERS("MED-58");
    FullQueue bench(GetParam(), 2, false);
    EXPECT_TRUE(bench.all_finished()) << bench.spawner.describe_waiting();
    EXPECT_EQ(bench.threads.size(), 4u);
}

TEST_P(SpawnMessages, EndsPassAQueueWithRoom) {
    GEN9_COVERS("MED-58");
    FullQueue bench(GetParam(), 3, true);
    EXPECT_TRUE(bench.all_finished()) << bench.spawner.describe_waiting();
    EXPECT_EQ(bench.threads.size(), 4u);
    EXPECT_LT(bench.threads[2].sent, bench.threads[0].end);
}

TEST_P(SpawnMessages, ChildrenRunThoughTheirParentHasEnded) {
    GEN9_COVERS("MED-05");
    SpawnBench bench(GetParam(), {}, {1, 1, 1, 1});
    bench.begin();
    bench.lifetime = [](const auto& t) { return t.walker == 0 && t.local == 0 ? 300u : 100u; };
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        return {{5, {.spawn = true, .handle = handle_of(d), .rows = 1, .descriptor = 2}}};
    };
    const auto root = bench.object({.children = true, .inline_data = {7}});
    const auto next = bench.object({.descriptor = 3, .inline_data = {7}});
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 3u);
    // The one slot is the parent's, then its child's, before the next root thread's.
    EXPECT_EQ(bench.sides[1].kernel_start.value, 0x100000u + 0x3000);
    EXPECT_EQ(bench.sides[2].kernel_start.value, 0x100000u + 0x4000);
    EXPECT_LE(bench.finished[root], bench.finished[next]);
    EXPECT_GE(bench.finished[next], bench.threads[2].end) << "it is no child, as the last one was";
    EXPECT_EQ(bench.most_live, 1u);
}

TEST_P(SpawnMessages, AParentsEntryIsHeldUntilAMessageGivesItBack) {
    GEN9_COVERS("MED-55");
    SpawnBench bench(GetParam());
    bench.begin({.entries = 1, .entry_rows = 8, .curbe_rows = 4});
    bench.lifetime = [](const auto&) { return 2000u; };
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        return {{700, {.handle = handle_of(d)}}};  // dereference, by the running thread
    };
    bench.object({.children = true, .inline_data = {7}});
    bench.object({.descriptor = 2, .inline_data = {7}});
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 2u);
    EXPECT_GE(bench.threads[1].sent, bench.threads[0].sent + Cycles(740));
    EXPECT_LT(bench.threads[1].sent, bench.threads[0].end);
    EXPECT_FALSE(bench.env.reporter.failed());
}

struct EndFields {
    const char* name;
    std::array<std::uint32_t, 8> others;  ///< changed in the message
    unsigned errors;
    bool gives_back;  ///< its entry, for which another thread waits
};
class EndMessages : public testing::TestWithParam<EndFields> {};

// 003:18167-18190.
TEST_P(EndMessages, NameTheThreadItsResourcesAndItsHandleAndNothingElse) {
    GEN9_COVERS("MED-59");
    SpawnBench bench(Timing::Functional);
    bench.begin({.entries = 1, .entry_rows = 8, .curbe_rows = 4});
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        return {{30, {.end = true, .handle = handle_of(d), .others = GetParam().others}}};
    };
    bench.object({.children = true, .inline_data = {7}});
    bench.object({.descriptor = 2, .inline_data = {8}});
    bench.run();
    EXPECT_EQ(bench.env.reporter.guest_errors(), GetParam().errors);
    EXPECT_EQ(bench.threads.size(), GetParam().gives_back ? 2u : 1u);
}
INSTANTIATE_TEST_SUITE_P(
    All, EndMessages,
    testing::Values(EndFields{"Right", {}, 0, true},
                    EndFields{"LengthOffsetAndIgnoredBits",
                              {0, ~0u, 0x40FFFC0F, ~0u, ~0u, 0xFFFFFC00, ~0u, ~0u},
                              0,
                              true},
                    EndFields{"AnotherFftid", {0, 0, 0, 0, 0, 1}, 1, true},
                    EndFields{"ABarrier", {0, 0, 1u << 29}, 1, true},
                    EndFields{"ABarrierId", {0, 0, 1u << 24}, 1, true},
                    EndFields{"TheHighBitOfABarrierId", {0, 0, 1u << 31}, 1, true},
                    EndFields{"Slm", {1u << 24, 0, 1u << 28}, 1, true},
                    EndFields{"AnotherHandle", {1}, 1, false}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(SpawnMessages, TheEndOfAParentGivesItsEntryBackOnlyIfItSaysSo) {
    GEN9_COVERS("TD-54");
    {
        constexpr bool leave = false;
        SpawnBench bench(GetParam());
        bench.begin({.entries = 1, .entry_rows = 8, .curbe_rows = 4});
        bench.lifetime = [](const auto&) { return 100u; };
        bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
            if (!first(d)) return {};
            return {{60, {.select = leave, .end = true, .handle = handle_of(d)}}};
        };
        bench.object({.children = true, .inline_data = {7}});
        bench.object({.descriptor = 2, .inline_data = {7}});
        bench.run();
        EXPECT_EQ(bench.threads.size(), leave ? 1u : 2u);
        EXPECT_EQ(bench.all_finished(), !leave);
    }
}

TEST_P(SpawnMessages, AnEndThatLeavesTheEntryAloneLeavesItTaken) {
    SpawnBench bench(GetParam());
    bench.begin({.entries = 1, .entry_rows = 8, .curbe_rows = 4});
    bench.lifetime = [](const auto&) { return 100u; };
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        return {{60, {.select = true, .end = true, .handle = handle_of(d)}}};
    };
    bench.object({.children = true, .inline_data = {7}});
    bench.object({.descriptor = 2, .inline_data = {7}});
    bench.run();
    EXPECT_EQ(bench.threads.size(), 1u);
    EXPECT_NE(bench.spawner.describe_waiting().find("waits for a URB entry"), std::string::npos);
}

TEST_P(SpawnMessages, ASynchronizedRootThreadWaitsForItsMessageAndGetsItsRows) {
    GEN9_COVERS("MED-49 MED-55");
    SpawnBench bench(GetParam());
    bench.begin();
    bench.lifetime = [](const auto&) { return 3000u; };
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        bench.fill_urb(handle_of(d), 0, 4, 30);
        return {
            {500, {.spawn = true, .select = true, .handle = handle_of(d), .offset = 1, .rows = 2}},
            {900, {.spawn = true, .select = true, .handle = handle_of(d), .offset = 3, .rows = 0}}};
    };
    bench.object({.children = true, .inline_data = {7}});
    bench.object({.descriptor = 1, .synchronized = true, .inline_data = {0x55}});
    bench.object({.descriptor = 2, .synchronized = true, .inline_data = {0x66}});
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.payloads.size(), 3u);
    EXPECT_GE(bench.threads[1].sent, bench.threads[0].sent + Cycles(540));
    EXPECT_GE(bench.threads[2].sent, bench.threads[0].sent + Cycles(940));
    EXPECT_LT(bench.threads[2].sent, bench.threads[0].sent + Cycles(1000));
    const auto byte = [&](unsigned t, unsigned r) { return bench.payloads[t][r].bytes[0]; };
    ASSERT_EQ(bench.payloads[1].size(), 6u);
    EXPECT_EQ(byte(1, 1), 100);
    EXPECT_EQ(byte(1, 3), 31);
    EXPECT_EQ(byte(1, 4), 32);
    EXPECT_EQ(byte(1, 5), 0x55);
    ASSERT_EQ(bench.payloads[2].size(), 2u);
    EXPECT_EQ(byte(2, 1), 0x66);
    if (GetParam() == Timing::Timed) {
        EXPECT_GT(bench.spawner.stats().cycles[unsigned(SendState::WaitSpawn)].value(), 400u);
    }
    EXPECT_FALSE(bench.env.reporter.failed());
}

TEST_P(SpawnMessages, EverySynchronizedRootThreadHasASpawnRootMessageOfItsOwn) {
    GEN9_COVERS("MED-56");
    SpawnBench bench(GetParam());
    bench.begin();
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        const Ask root{.spawn = true, .select = true, .handle = handle_of(d)};
        return {{5, root}, {5, root}, {6, root}};
    };
    const auto roots = [&](unsigned count) {
        bench.object({.inline_data = {7}});
        for (unsigned i = 0; i < count; ++i)
            bench.object({.descriptor = 2, .synchronized = true, .inline_data = {i}});
        bench.add(vfe_command(bench.state));
        bench.add(idd_load(bench.state, 128));
        bench.send_more();
        bench.run();
    };
    roots(3);
    EXPECT_TRUE(bench.all_finished()) << "as many as messages";
    EXPECT_EQ(bench.threads.size(), 4u);
    EXPECT_FALSE(bench.env.reporter.failed());
    roots(1);  // one too few: two messages are left
    EXPECT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.env.reporter.guest_errors(), 1u);
    EXPECT_NE(bench.env.log.at(0).find("2 spawn root thread messages"), std::string::npos)
        << bench.env.log.at(0);
    roots(4);  // one too many: it waits, and says for what
    EXPECT_FALSE(bench.all_finished());
    EXPECT_EQ(bench.threads.size(), 4u + 2u + 4u);
    EXPECT_NE(bench.spawner.describe_waiting().find("spawn root thread"), std::string::npos)
        << bench.spawner.describe_waiting();
}

TEST_P(SpawnMessages, AFenceHoldsTheRootThreadsUntilThePersistentOneReleasesIt) {
    GEN9_COVERS("MED-51 MED-55");
    SpawnBench bench(GetParam());
    bench.begin();
    bench.lifetime = [](const auto&) { return 4000u; };
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        return {{1000, {.select = true}}};
    };
    bench.add(prt_command(bench.state, {.fence = true}));
    bench.add(flush_command(bench.state));  // of the other type
    bench.object({.descriptor = 2, .inline_data = {7}});
    bench.run(1000);
    const std::string text = bench.spawner.describe_waiting();
    if (GetParam() == Timing::Timed) {
        EXPECT_NE(text.find("the persistent root thread, FFTID 0, holds its fence"),
                  std::string::npos)
            << text;
    }
    bench.run();
    EXPECT_EQ(bench.spawner.describe_waiting().find("fence"), std::string::npos);
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 2u);
    EXPECT_LT(bench.finished[4], bench.threads[0].sent + Cycles(100));
    EXPECT_GE(bench.threads[1].sent, bench.threads[0].sent + Cycles(1040));
    EXPECT_LT(bench.threads[1].sent, bench.threads[0].end);
    EXPECT_FALSE(bench.env.reporter.failed());
}

TEST_P(SpawnMessages, AFenceOfTheOtherTypeHoldsFlushesAndEndsWithItsThread) {
    GEN9_COVERS("MED-51");
    SpawnBench bench(GetParam());
    bench.begin();
    bench.lifetime = [](const auto& t) { return t.walker == 0 ? 4000u : 50u; };
    bench.add(prt_command(bench.state, {.fence = true, .fence_vfe = true}));
    bench.object({.descriptor = 2, .inline_data = {7}});
    const auto flush = bench.add(flush_command(bench.state));
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.threads.size(), 2u);
    EXPECT_LT(bench.threads[1].sent, bench.threads[0].end);
    EXPECT_GE(bench.finished[flush], bench.threads[0].end);
}

TEST_P(SpawnMessages, ThereIsOnePersistentRootThread) {
    SpawnBench bench(GetParam());
    bench.begin();
    bench.lifetime = [](const auto&) { return 4000u; };
    const auto one = bench.add(prt_command(bench.state, {}));
    const auto two = bench.add(prt_command(bench.state, {}));
    bench.run();
    EXPECT_FALSE(bench.commands[one].failed);
    EXPECT_TRUE(bench.commands[two].failed);
    EXPECT_EQ(bench.threads.size(), 1u);
}

TEST_P(SpawnMessages, WhatASenderMayNotAskIsReportedAndDoesNothing) {
    SpawnBench bench(GetParam());
    bench.begin();
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        return {
            {5, {.spawn = true, .handle = handle_of(d), .rows = 1, .descriptor = 4}},
            {6, {.handle = handle_of(d)}},  // it has no children
            {7, {.handle = 0xFFFF}},
            {8, {.select = true}},  // it is not persistent
            {9, {.spawn = true, .handle = 0xFFFF, .offset = 1023, .rows = 63, .descriptor = 2}}};
    };
    bench.object({.inline_data = {7}});
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    EXPECT_EQ(bench.env.reporter.guest_errors(), 5u);
    ASSERT_EQ(bench.threads.size(), 2u) << "the last child runs with zeroes";
    EXPECT_EQ(bench.payloads[1].size(), 63u);
}

TEST_P(SpawnMessages, AChildWhoseConstantsLieOutsideTheCurbeIsReportedAndHasNone) {
    SpawnBench bench(GetParam());
    bench.begin({.entries = 8, .entry_rows = 8, .curbe_rows = 2});
    bench.memory.put(1, {.kernel_start = 0x2000, .per_thread_rows = 3});
    bench.script = [&](const ThreadDispatch& d) -> std::vector<std::pair<unsigned, Ask>> {
        if (!first(d)) return {};
        bench.fill_urb(handle_of(d), 1, 5, 10);
        return {
            {5, {.spawn = true, .handle = handle_of(d), .offset = 2, .rows = 3, .descriptor = 1}}};
    };
    bench.object({.children = true, .inline_data = {7}});
    bench.run();
    ASSERT_TRUE(bench.all_finished());
    ASSERT_EQ(bench.payloads.size(), 2u);
    std::vector<unsigned> rows;
    for (const Grf& g : bench.payloads[1])
        rows.push_back(g.bytes[0]);
    EXPECT_EQ(rows, (std::vector<unsigned>{11, 12, 13}));
    ASSERT_EQ(bench.env.reporter.guest_errors(), 1u);
    EXPECT_NE(bench.env.log.at(0).find("outside the CURBE"), std::string::npos);
}

// MED-58. The EU tells most ends by a call, which is the same message.
class ShortEnds : public testing::TestWithParam<bool> {};

TEST_P(ShortEnds, WaitBehindAFullQueueOfSpawnsToo) {
    const bool by_spawner = GetParam();
    SpawnBench bench(Timing::Timed, {"spawner.message_queue=2"}, {1, 1, 1, 2});
    bench.begin();
    bench.script = [&](const ThreadDispatch& d) {
        std::vector<std::pair<unsigned, Ask>> asks;
        for (unsigned n = 0; first(d) && n < 2; ++n)
            asks.push_back({10 + n, {.spawn = true, .handle = handle_of(d), .descriptor = 2}});
        return asks;
    };
    bench.lifetime = [&](const auto&) { return bench.threads.size() == 1 ? 1000u : 1'000'000u; };
    bench.object({.children = true, .inline_data = {7}});
    bench.object({.descriptor = 3, .inline_data = {7}});
    bench.run(600);
    ASSERT_EQ(bench.threads.size(), 2u);
    const SendForm form{.descriptor = 0x02000010,
                        .extended_descriptor = 0x27,
                        .sfid = static_cast<std::uint8_t>(Sfid::ThreadSpawner),
                        .length = 1,
                        .first_length = 1};
    const auto end = bench.msg_out[0]->direct_function()->site(form);
    ASSERT_NE(end, nullptr);
    for (const std::uint16_t fftid : {std::uint16_t{2}, std::uint16_t{3}, std::uint16_t{0xFFFF}}) {
        ThreadSideband nobody = bench.sides[1];
        nobody.fftid = fftid;
        EXPECT_FALSE(end->run({nobody, 0}, ~0u, bench.payloads[1].data(), nullptr, nullptr));
    }
    if (by_spawner) {
        EXPECT_TRUE(end->run({bench.sides[1], 0}, ~0u, bench.payloads[1].data(), nullptr, nullptr));
    }
    bench.run(2000);
    EXPECT_EQ(bench.spawner.stats().threads_retired.value(), by_spawner ? 0u : 1u);
    EXPECT_EQ(bench.threads.size(), by_spawner ? 2u : 3u);
    const bool named =
        bench.spawner.describe_waiting().find("1 ends of threads wait behind") != std::string::npos;
    EXPECT_EQ(named, by_spawner);
}
INSTANTIATE_TEST_SUITE_P(Either, ShortEnds, testing::Bool());
INSTANTIATE_TEST_SUITE_P(Modes, SpawnMessages, testing::Values(Timing::Timed, Timing::Functional),
                         [](const auto& info) {
                             return info.param == Timing::Timed ? "Timed" : "Functional";
                         });

}  // namespace
}  // namespace gen9::media::test
