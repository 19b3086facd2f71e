// SPDX-License-Identifier: Apache-2.0
#include "media/walk/walker.h"

#include "media/walk/group_request.h"
#include "media/walk/payload.h"
#include "media/walk/walk_cursor.h"
#include "tests/support/covers.h"
#include "tests/unit/media/commands.h"

namespace gen9::media::test {
namespace {

using Ids = std::vector<std::array<std::uint32_t, 3>>;

WalkerParameters decode(const WalkerFields& fields, std::array<std::uint32_t, 3> indirect = {}) {
    const auto c = walker_command(make_state(), fields);
    return decode_walker({c.dwords.data(), c.length_dwords}, indirect);
}

Ids groups_of(const WalkerParameters& walker) {
    Ids ids;
    for (GroupCursor at(walker); !at.done() && ids.size() < 1000; at.next())
        ids.push_back(at.id());
    return ids;
}

std::vector<std::uint32_t> masks_of(const WalkerFields& fields) {
    std::vector<std::uint32_t> masks;
    for (ThreadCursor at(decode(fields)); !at.done(); at.next())
        masks.push_back(at.mask());
    return masks;
}

TEST(Walker, GroupsRunXFastestThenYThenZ) {
    const Ids expected{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}, {1, 1, 0}, {2, 1, 0},
                       {0, 0, 1}, {1, 0, 1}, {2, 0, 1}, {0, 1, 1}, {1, 1, 1}, {2, 1, 1}};
    EXPECT_EQ(groups_of(decode({.groups = {3, 2, 2}})), expected);
}

TEST(Walker, CountsTheGroupsThatAreStillToCome) {
    Walk walk;
    walk.walker = decode({.threads = {2, 1, 1}, .groups = {3, 2, 2}});
    unsigned threads = 0;
    for (WalkCursor at(walk, 1, 0); !at.done(); at.next()) {
        EXPECT_EQ(at.groups_left(), 11 - threads / 2);
        ThreadRequest request;
        describe_group(walk, at, {}, {}, request);
        EXPECT_EQ(request.work_left, 2 * at.groups_left());
        EXPECT_TRUE(request.back_to_back);
        walk.descriptor.barrier = true;
        describe_group(walk, at, {}, {}, request);
        EXPECT_FALSE(request.back_to_back) << "its threads belong together";
        walk.descriptor.barrier = false;
        ++threads;
    }
    EXPECT_EQ(threads, 24u);
}

TEST(Walker, GoesOnAtAnyGroupAndCoversTheRest) {
    for (const auto& fields : {WalkerFields{.groups = {3, 2, 2}},
                               WalkerFields{.start = {2, 1, 3}, .groups = {5, 3, 5}}}) {
        const Ids all = groups_of(decode(fields));
        for (std::size_t stopped = 0; stopped < all.size(); ++stopped) {
            WalkerParameters walker = decode(fields);
            walker.resume = all[stopped];
            walker.start[2] = all[stopped][2];  // one field holds both
            EXPECT_EQ(check(walker), std::nullopt);
            Ids ids(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(stopped));
            for (const auto& id : groups_of(walker))
                ids.push_back(id);
            EXPECT_EQ(ids, all) << stopped;
        }
    }
    // What the registers and the predicate said when it began holds for the rest.
    PipelineCommand command =
        walker_command({}, {.start = {1, 0, 0}, .groups = {9, 9, 9}, .indirect_dimensions = true});
    packets::GPGPU_WALKER::PredicateEnable.set(command.dwords, 1);
    const StoppedWalker kept = pack(command.dwords, {{4, 5, 6}, {2, 3, 4}, 1});
    EXPECT_EQ(packets::GPGPU_WALKER::PredicateEnable.get(kept), 0u);
    const WalkerParameters rest = decode_walker(command_of(kept), {7, 7, 7}, unpack(kept));
    EXPECT_EQ(rest.dimensions, (std::array<std::uint32_t, 3>{4, 5, 6}));
    EXPECT_EQ(rest.resume, (std::array<std::uint32_t, 3>{2, 3, 4}));
    EXPECT_EQ(rest.resume_thread, 1u);
    EXPECT_EQ(rest.start[0], 1u);
    WalkerParameters beyond = decode({.groups = {3, 2, 2}});
    beyond.resume = {{3, 0, 0}};
    EXPECT_NE(check(beyond), std::nullopt);
}

// PRE-05: the threads before were saved, and come back by themselves.
TEST(Walker, GoesOnInsideAGroupAtTheThreadThatIsNext) {
    Walk walk;
    walk.walker = decode({.threads = {2, 2, 1}, .groups = {2, 1, 1}, .right = 0x0F0F});
    walk.walker.resume_thread = 3;
    WalkCursor at(walk, 1, 0);
    const auto thread = [&at] {
        ThreadFacts facts;
        at.describe(facts);
        return std::array<std::uint32_t, 3>{facts.group_id[0], facts.local_thread, facts.mask};
    };
    using Thread = std::array<std::uint32_t, 3>;
    EXPECT_EQ(thread(), (Thread{0, 3, 0x0F0F}));
    EXPECT_TRUE(at.last_of_group());
    at.next();
    EXPECT_EQ(thread(), (Thread{1, 0, 0xFFFF}));
    EXPECT_FALSE(at.last_of_group());
}

// 003:17162, 003:17298-17300: the starts are those of a context that comes back.
TEST(Walker, XAndYReturnToZeroWhereTheyAreSetTo) {
    GEN9_COVERS("TD-17 TD-36");
    const Ids expected{{2, 1, 3}, {3, 1, 3}, {0, 2, 3}, {1, 2, 3}, {2, 2, 3}, {3, 2, 3},
                       {0, 0, 4}, {1, 0, 4}, {2, 0, 4}, {3, 0, 4}, {0, 1, 4}, {1, 1, 4},
                       {2, 1, 4}, {3, 1, 4}, {0, 2, 4}, {1, 2, 4}, {2, 2, 4}, {3, 2, 4}};
    PipelineCommand command =
        walker_command(make_state(), {.start = {2, 1, 3}, .groups = {4, 3, 5}});
    for (const bool to_zero : {false, true}) {
        Memory memory;
        memory.put(0, {});
        FrontEnd front_end({}, 4096, 64, to_zero);
        front_end.execute(vfe_command(command.state), memory);
        front_end.execute(idd_load(command.state), memory);
        Walk walk;
        ASSERT_EQ(front_end.prepare(command, memory, walk), std::nullopt);
        EXPECT_EQ(groups_of(walk.walker) == expected, to_zero);
        EXPECT_EQ(walk.walker.groups(), (to_zero ? std::array<std::uint32_t, 3>{4, 3, 2}
                                                 : std::array<std::uint32_t, 3>{2, 2, 2}));
    }
    // All 32 bits count: from the last id but one on, and over a limit that bit 31 takes part in.
    WalkerParameters far =
        decode({.start = {0xFFFFFFFD, 0x80000000, 0}, .groups = {0xFFFFFFFF, 0x80000002, 1}});
    far.returns_to_zero = true;
    GroupCursor at(far);
    at.next();
    EXPECT_EQ(at.id(), (std::array<std::uint32_t, 3>{0xFFFFFFFE, 0x80000000, 0}));
    at.next();
    EXPECT_EQ(at.id(), (std::array<std::uint32_t, 3>{0, 0x80000001, 0}));
    EXPECT_FALSE(at.done());
}

// Not as TD-36 says: D-18.
TEST(Walker, XAndYReturnToTheirStarts) {
    const Ids expected{{2, 1, 3}, {3, 1, 3}, {2, 2, 3}, {3, 2, 3},
                       {2, 1, 4}, {3, 1, 4}, {2, 2, 4}, {3, 2, 4}};
    const auto walker = decode({.start = {2, 1, 3}, .groups = {4, 3, 5}});
    EXPECT_EQ(groups_of(walker), expected);
    EXPECT_EQ(walker.groups(), (std::array<std::uint32_t, 3>{2, 2, 2}));
}

// What a driver sends for a range of 3 x 3 x 3 groups whose last ones are smaller in every
// dimension: a walker for each of the eight sizes.
TEST(Walker, WalkersOfTheRestDoTheirPartOfTheRangeAndNoMore) {
    std::map<std::array<std::uint32_t, 3>, unsigned> times;
    for (unsigned rest = 0; rest < 8; ++rest) {
        WalkerFields fields;
        for (unsigned i = 0; i < 3; ++i) {
            fields.start[i] = rest >> i & 1 ? 2 : 0;
            fields.groups[i] = rest >> i & 1 ? 3 : 2;
        }
        for (const auto& id : groups_of(decode(fields)))
            ++times[id];
    }
    EXPECT_EQ(times.size(), 27u);
    for (const auto& [id, count] : times)
        EXPECT_EQ(count, 1u) << id[0] << ' ' << id[1] << ' ' << id[2];
}

TEST(Walker, StartsHoldWithIndirectDimensionsToo) {
    const WalkerFields fields{.start = {1, 2, 0}, .groups = {9, 9, 9}, .indirect_dimensions = true};
    const Ids expected{{1, 2, 0}, {2, 2, 0}, {1, 3, 0}, {2, 3, 0}};
    EXPECT_EQ(groups_of(decode(fields, {3, 4, 1})), expected);
    EXPECT_TRUE(check(decode(fields, {3, 2, 1}))) << "starts beyond its dimension";
    const auto none = decode(fields, {3, 0, 1});
    EXPECT_FALSE(check(none));
    EXPECT_TRUE(groups_of(none).empty());
    EXPECT_EQ(none.groups(), (std::array<std::uint32_t, 3>{}));
}

TEST(Walker, IndirectDimensionsReplaceTheCommandsOwn) {
    GEN9_COVERS("TD-12");
    const WalkerFields fields{.groups = {9, 9, 9}, .indirect_dimensions = true};
    const Ids expected{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0},
                       {0, 1, 0}, {1, 1, 0}, {2, 1, 0}, {3, 1, 0}};
    EXPECT_EQ(groups_of(decode(fields, {4, 2, 1})), expected) << "X, Y and Z each have their own";
    const Ids column{{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}, {0, 0, 2}, {0, 1, 2}};
    EXPECT_EQ(groups_of(decode(fields, {1, 2, 3})), column);
    EXPECT_EQ(groups_of(decode({.groups = {2, 1, 1}}, {4, 2, 1})).size(), 2u);
}

TEST(Walker, AZeroDimensionStartsNothing) {
    GEN9_COVERS("TD-13");
    EXPECT_TRUE(groups_of(decode({.indirect_dimensions = true}, {4, 0, 1})).empty());
    EXPECT_TRUE(groups_of(decode({.groups = {0, 1, 1}})).empty());
    EXPECT_TRUE(groups_of(decode({.groups = {1, 1, 0}})).empty());
}

TEST(Walker, GroupIdsCountToTheirFullWidth) {
    const auto ids = groups_of(decode({.start = {0xFFFFFFFD, 0, 0}, .groups = {0xFFFFFFFF, 1, 1}}));
    const Ids expected{{0xFFFFFFFD, 0, 0}, {0xFFFFFFFE, 0, 0}};
    EXPECT_EQ(ids, expected);
}

TEST(Walker, ThreadsStepWidthThenHeightThenDepth) {
    GEN9_COVERS("TD-18 TD-19");
    // Right mask marks the end of each width run, bottom mask the last height: 2 x 2 x 2.
    const auto masks = masks_of({.threads = {2, 2, 2}, .right = 0x0F0F, .bottom = 0x00FF});
    const std::vector<std::uint32_t> expected{0xFFFF, 0x0F0F, 0x00FF, 0x000F,
                                              0xFFFF, 0x0F0F, 0x00FF, 0x000F};
    EXPECT_EQ(masks, expected);
}

TEST(Walker, AFlatGroupsLastThreadGetsTheRightMask) {
    GEN9_COVERS("TD-23 TD-26");
    // Local size 20 at SIMD16.
    const std::vector<std::uint32_t> expected{0xFFFF, 0x000F};
    EXPECT_EQ(masks_of({.threads = {2, 1, 1}, .right = 0x000F}), expected);
}

TEST(Walker, TheCornerGetsRightAndBottom) {
    GEN9_COVERS("TD-23 TD-24 TD-25");
    const std::vector<std::uint32_t> expected{0xFFFF, 0x0FFF, 0x00FF, 0x00FF};
    EXPECT_EQ(masks_of({.threads = {2, 2, 1}, .right = 0x0FFF, .bottom = 0x00FF}), expected);
}

TEST(Walker, MasksAreCutToTheSimdWidth) {
    GEN9_COVERS("TD-27");
    EXPECT_EQ(masks_of({.simd = 8, .right = 0xFFFFFF07}), std::vector<std::uint32_t>{0x07});
    EXPECT_EQ(masks_of({.simd = 16, .right = ~0u}), std::vector<std::uint32_t>{0xFFFF});
    EXPECT_EQ(masks_of({.simd = 32, .right = 0xF0000001}), std::vector<std::uint32_t>{0xF0000001});
}

TEST(Walker, AGroupHas64ThreadsAtMostAnd32AtSimd32) {
    GEN9_COVERS("TD-18");
    EXPECT_FALSE(check(decode({.simd = 16, .threads = {64, 1, 1}})));
    EXPECT_FALSE(check(decode({.simd = 8, .threads = {4, 4, 4}})));
    EXPECT_FALSE(check(decode({.simd = 32, .threads = {32, 1, 1}})));
    EXPECT_TRUE(check(decode({.simd = 16, .threads = {5, 13, 1}})));
    EXPECT_TRUE(check(decode({.simd = 32, .threads = {33, 1, 1}})));
}

TEST(Walker, ReservedSimdSizeAndStartBeyondTheEndAreRefused) {
    EXPECT_TRUE(check(decode({.simd = 64})));
    EXPECT_TRUE(check(decode({.start = {1, 0, 0}, .groups = {1, 1, 1}})));
}

// Threads that are put back come before those that are later in the walk.
TEST(WalkCursor, CutOffThreadsComeBackInTheirOrder) {
    Walk walk;
    walk.walker.thread_max = {2, 0, 0};
    walk.walker.dimensions = {5, 1, 1};
    walk.walker.simd_width = 8;
    WalkCursor cursor(walk, 1, 0);
    const auto place = [](const WalkerCursor& at) { return at.group()[0] * 3 + at.local_thread(); };
    const WalkerPart first = cursor.cut_off(4), second = cursor.cut_off(1),
                     third = cursor.cut_off(2);
    EXPECT_EQ(place(first.at), 0u);
    EXPECT_EQ(place(second.at), 4u);
    EXPECT_EQ(place(third.at), 5u);
    EXPECT_EQ(third.left, 2u);
    EXPECT_TRUE(cursor.is_straight());
    for (const WalkerPart& part : {third, first, second})
        cursor.put_back(part);
    EXPECT_FALSE(cursor.is_straight());
    for (unsigned n = 0; n < 15; ++n) {
        ASSERT_FALSE(cursor.done());
        EXPECT_EQ(place(cursor.walker()), n);
        EXPECT_EQ(cursor.groups_left(), 4 - n / 3);
        cursor.next(1);
    }
    EXPECT_TRUE(cursor.done());
    EXPECT_EQ(cursor.cut_off(3).left, 0u);
    WalkCursor other(walk, 1, 0);
    const WalkerPart all = other.cut_off(100);
    EXPECT_EQ(all.left, 15u);
    EXPECT_TRUE(other.done());
    other.put_back(all);
    EXPECT_FALSE(other.done());
    EXPECT_EQ(other.cut_off(7).left, 7u);
    EXPECT_EQ(place(other.walker()), 7u);
}

}  // namespace
}  // namespace gen9::media::test
