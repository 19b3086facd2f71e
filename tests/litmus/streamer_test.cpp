// SPDX-License-Identifier: Apache-2.0
// Order between the command streamer and the resource streamer, which parses the same batch ahead
// of it. One rule a test.
#include <gtest/gtest.h>

#include "tests/litmus/command_litmus.h"
#include "tests/support/covers.h"
#include "tests/unit/rs/commands.h"

namespace gen9::litmus {
namespace {

using namespace commands;

/// A store of the resource streamer.
Words rs_store(std::uint32_t address, std::uint32_t value) {
    return {0x15800002, address, 0, value};
}
const Words kSync = {0x02800000};  // MI_ARB_CHECK
const Words kDraw = {0x7B000005, 0, 0, 0, 0, 0, 0};
const Words kPools =
    test::table_pool(CommandMachine::kTables, 4) + test::gather_pool(CommandMachine::kGathers, 4);

CommandLitmus with_streamer(const char* name, const char* rule, const char* source,
                            std::vector<Outcome> outcomes,
                            const std::function<std::string(Once&)>& body) {
    CommandLitmus litmus;
    litmus.name = name;
    litmus.rule = rule;
    litmus.source = source;
    litmus.outcomes = std::move(outcomes);
    litmus.with_streamer = true;
    litmus.body = body;
    return litmus;
}

/// A batch of 3D, with both pools.
std::uint32_t result_of(Once& run, const Words& batch) {
    run.go(Words{kSelect3D} + kPools + batch);
    return run.machine.read(run.result);
}

// The resource streamer's store stands behind the command streamer's read in the stream.
TEST(Streamers, ALaterStoreOfTheOneAheadMayBeReadBefore) {
    expect_holds(with_streamer(
        "read, RS store", "the resource streamer runs ahead of the command streamer",
        "RS-01; 003:2471-2473", {{"1", Verdict::Allowed}, {"0", Verdict::Ordinary}}, [](Once& run) {
            return std::to_string(
                result_of(run, run.pause() + copy(run.x, run.result) + rs_store(run.x, 1)));
        }));
}
TEST(Streamers, NotOverASyncCommand) {
    GEN9_COVERS("RS-04");
    expect_holds(with_streamer(
        "read, sync, RS store", "it stops at a sync command until the command streamer is there",
        "RS-04; 003:2515", {{"1", Verdict::Forbidden}, {"0", Verdict::Ordinary}}, [](Once& run) {
            return std::to_string(
                result_of(run, run.pause() + copy(run.x, run.result) + kSync + rs_store(run.x, 1)));
        }));
}

// And before it.
TEST(Streamers, AnEarlierStoreMayBeLate) {
    expect_holds(with_streamer(
        "RS store, read", "the command streamer does not wait for the resource streamer's stores",
        "RS-01; 003:2471-2473", {{"0", Verdict::Allowed}, {"1", Verdict::Ordinary}}, [](Once& run) {
            return std::to_string(
                result_of(run, rs_store(run.x, 1) + run.pause() + copy(run.x, run.result)));
        }));
}
TEST(Streamers, AtASyncCommandItsStoresAreDone) {
    GEN9_COVERS("RS-04 RS-06");
    expect_holds(with_streamer(
        "RS store, sync, read", "at a sync command all its engines are done",
        "RS-04, RS-06; 003:2515, 2645", {{"0", Verdict::Forbidden}, {"1", Verdict::Ordinary}},
        [](Once& run) {
            return std::to_string(
                result_of(run, rs_store(run.x, 1) + run.pause() + kSync + copy(run.x, run.result)));
        }));
}

/// A table whose first entry names state 1 is written to the pool; the command streamer reads it
/// there. The pool's place is another one in each run.
std::string table_read(Once& run, bool behind_the_pointer) {
    const std::uint32_t at = 64 * run.draw(200);
    run.machine.write(CommandMachine::kTables + at, 0u);
    const Words read = copy(CommandMachine::kTables + at, run.result);
    const Words pointers = test::pointers(test::kVs, at);
    const Words edit = test::edit(test::kVs, {1});
    return std::to_string(result_of(
        run, edit + run.pause() + (behind_the_pointer ? pointers + read : read + pointers)));
}
TEST(Streamers, BehindItsPointerATableIsThere) {
    GEN9_COVERS("RS-01");
    expect_holds(with_streamer(
        "table, pointer, read", "a table is in memory when the command streamer passes its pointer",
        "RS-01, RS-20; 003:2602, 2854-2856", {{"0", Verdict::Forbidden}, {"1", Verdict::Ordinary}},
        [](Once& run) { return table_read(run, true); }));
}
TEST(Streamers, BeforeItsPointerATableMayBeThere) {
    expect_holds(with_streamer(
        "table, read, pointer", "a table is written as soon as the resource streamer is there",
        "RS-01; 003:2471-2473", {{"1", Verdict::Allowed}, {"0", Verdict::Ordinary}},
        [](Once& run) { return table_read(run, false); }));
}

/// The command streamer stores a constant, the resource streamer gathers it.
std::string gathered(Once& run, const Words& between) {
    const std::uint32_t at = 64 * run.draw(200), surface = 64 * (1 + run.draw(200));
    const Words state = test::buffer_surface(run.x, 16, 16);
    for (std::uint32_t i = 0; i < state.size(); ++i)
        run.machine.write(CommandMachine::kSurfaces + surface + 4 * i, state[i]);
    run.machine.write(CommandMachine::kGathers + at, 0u);
    run.go(Words{kSelect3D} + kPools + test::edit(test::kVs, {surface / 64}) + run.pause() +
           store(run.x, 1) + between + test::gather(test::kVs, 1, at, {test::element(0, 1, 0)}));
    return std::to_string(run.machine.read(CommandMachine::kGathers + at));
}
TEST(Streamers, AConstantThatTheCommandStreamerStoresMayBeGatheredTooEarly) {
    expect_holds(with_streamer(
        "store, gather", "the resource streamer gathers what is there when it is there",
        "RS-01; 003:2471-2473", {{"0", Verdict::Allowed}, {"1", Verdict::Ordinary}},
        [](Once& run) { return gathered(run, {}); }));
}
TEST(Streamers, BehindASyncCommandItIsGatheredRight) {
    GEN9_COVERS("RS-04");
    expect_holds(with_streamer(
        "store, sync, gather", "behind a sync command it sees what the command streamer stored",
        "RS-04; 003:2515", {{"0", Verdict::Forbidden}, {"1", Verdict::Ordinary}},
        [](Once& run) { return gathered(run, kSync); }));
}
TEST(Streamers, ADrawIsNoSyncCommand) {
    GEN9_COVERS("RS-09");
    expect_holds(with_streamer(
        "store, draw, gather", "3DPRIMITIVE orders the engines, it does not stop the streamer",
        "RS-09; 003:2804", {{"0", Verdict::Allowed}, {"1", Verdict::Ordinary}},
        [](Once& run) { return gathered(run, kDraw); }));
}

// The comparison can fail: a sync command left out is found.
TEST(LitmusFault, ASyncCommandLeftOutIsFound) {
    const Tally tally = count(with_streamer("fault: no sync", "", "",
                                            {{"0", Verdict::Forbidden}, {"1", Verdict::Ordinary}},
                                            [](Once& run) { return gathered(run, {}); }));
    ASSERT_EQ(tally.broken().size(), 1u);
    EXPECT_NE(tally.broken()[0].find("forbidden outcome 0 met"), std::string::npos);
}

}  // namespace
}  // namespace gen9::litmus
