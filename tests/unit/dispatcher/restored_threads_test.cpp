// SPDX-License-Identifier: Apache-2.0
// Threads and groups that are described to be saved, and brought back into an empty machine: what a
// request asked for is there again, and nothing else.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <vector>

#include "dispatcher/core.h"

namespace gen9::dispatcher {
namespace {

constexpr ThreadTopology kMachine{1, 2, 3, 5};
constexpr DispatcherCore::Settings kSettings() {
    DispatcherCore::Settings settings;
    settings.groups_per_subslice = 3;
    settings.registers = 90;
    return settings;
}

/// A thread that runs, and what its request said.
struct Runs {
    ThreadPlace place;
    ThreadRequest request;
    unsigned number = 0;  ///< of its request
};

struct Saved {
    Runs runs;
    SavedThread thread;
};

class Round {
  public:
    explicit Round(unsigned seed) : random_(seed) {}
    unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }

    void fill(DispatcherCore& core) {
        for (unsigned number = 0; number < 30; ++number) {
            const ThreadRequest request = any_request(number);
            OpenGroup group;
            if (core.open(request, 0, group) != SendState::Sending) continue;
            for (unsigned t = 0; t < request.threads; ++t) {
                ThreadPlace place;
                if (core.take_slot(request, 0, group, ~0u, place) != SendState::Sending) {
                    EXPECT_EQ(request.group, ThreadRequest::Group::None);
                    break;
                }
                core.sent(place.fftid(kMachine), group, t + 1 == request.threads);
                runs.push_back({place, request, number});
            }
            if (below(3) == 0 && !runs.empty()) retire_one(core);
        }
    }
    void retire_one(DispatcherCore& core) {
        const unsigned which = below(static_cast<unsigned>(runs.size()));
        core.retire(runs[which].place.fftid(kMachine));
        runs.erase(runs.begin() + which);
    }
    std::vector<Runs> runs;

  private:
    ThreadRequest any_request(unsigned number) {
        ThreadRequest request;
        request.work = 7;
        request.threads = 1 + below(6);
        request.registers = static_cast<std::uint8_t>(5 + below(30));
        request.group_id = {number, number + 1, number + 2};
        if (below(2) == 0) return request;
        request.group = ThreadRequest::Group::Subslice;
        request.group_threads = static_cast<std::uint16_t>(request.threads);
        request.barrier = below(3) != 0;
        request.slm_kilobytes =
            static_cast<std::uint16_t>(!request.barrier || below(2) ? 1u << below(6) : 0);
        return request;
    }
    std::mt19937 random_;
};

void expect_like(const DispatcherCore& is, const DispatcherCore& should_be) {
    for (unsigned s = 0; s < kMachine.total_subslices(); ++s) {
        EXPECT_EQ(is.barriers(s).used_ids(), should_be.barriers(s).used_ids());
        EXPECT_EQ(is.slm(s).used_kilobytes(), should_be.slm(s).used_kilobytes());
        EXPECT_EQ(is.tracker().active(s), should_be.tracker().active(s));
        EXPECT_EQ(is.slots().live(s), should_be.slots().live(s));
    }
    for (unsigned fftid = 0; fftid < kMachine.total_threads(); ++fftid) {
        const ThreadPlace place = ThreadPlace::of_fftid(kMachine, fftid);
        EXPECT_EQ(is.slots().is_free(place), should_be.slots().is_free(place)) << fftid;
    }
    EXPECT_EQ(is.live(0), should_be.live(0));
    EXPECT_EQ(is.slm_subslices(), should_be.slm_subslices());
}

void expect_asked(const SavedThread& saved, const ThreadRequest& request) {
    const bool grouped = request.group != ThreadRequest::Group::None;
    EXPECT_EQ(saved.registers, request.registers);
    EXPECT_EQ(saved.group != kNoGroup, grouped);
    EXPECT_EQ(saved.has_barrier, request.barrier);
    EXPECT_EQ(saved.slm_kilobytes, request.slm_kilobytes);
    EXPECT_EQ(saved.group_threads, grouped ? request.threads : 0);
}

TEST(RestoredThreads, HaveAndGiveBackWhatTheirRequestsAskedFor) {
    unsigned groups = 0;
    for (unsigned seed = 1; seed < 30; ++seed) {
        SCOPED_TRACE(seed);
        Round round(seed);
        DispatcherCore before(kMachine, kSettings()), after(kMachine, kSettings());
        round.fill(before);
        std::map<std::pair<unsigned, GroupIndex>, GroupIndex> groups_there;
        for (const Runs& runs : round.runs) {
            SavedThread saved;
            before.describe(runs.place.fftid(kMachine), saved);
            saved.group_id = runs.request.group_id;
            expect_asked(saved, runs.request);
            GroupIndex group = kNoGroup;
            if (saved.group != kNoGroup) {
                const auto [at, is_new] =
                    groups_there.try_emplace({runs.place.subslice, saved.group}, kNoGroup);
                if (is_new) at->second = after.begin_restored(runs.place.subslice, saved, 9);
                group = at->second;
                ASSERT_NE(group, kNoGroup);
                const Group& held = after.tracker()[group];
                EXPECT_EQ(held.id, runs.request.group_id);
                EXPECT_EQ(held.work, 9u);
                EXPECT_EQ(held.threads, runs.request.threads);
                EXPECT_EQ(held.barrier, before.tracker()[saved.group].barrier);
                EXPECT_EQ(held.slm_granule, before.tracker()[saved.group].slm_granule);
            }
            after.take_restored(runs.request, 0, runs.place, group, saved.registers);
        }
        groups += static_cast<unsigned>(groups_there.size());
        expect_like(after, before);
        // A slot, a barrier and memory that are taken cannot be taken again.
        for (const Runs& runs : round.runs) {
            SavedThread saved;
            after.describe(runs.place.fftid(kMachine), saved);
            expect_asked(saved, runs.request);
            if (!saved.has_barrier && !saved.slm_kilobytes) continue;
            EXPECT_EQ(after.begin_restored(runs.place.subslice, saved, 9), kNoGroup);
        }
        expect_like(after, before);
        while (!round.runs.empty()) {
            const unsigned fftid = round.runs.back().place.fftid(kMachine);
            const auto freed = after.retire(fftid), expected = before.retire(fftid);
            EXPECT_EQ(freed.barrier_freed, expected.barrier_freed);
            if (expected.barrier_freed) {
                EXPECT_EQ(freed.barrier, expected.barrier);
                EXPECT_EQ(freed.subslices, 1u << round.runs.back().place.subslice);
            }
            round.runs.pop_back();
            expect_like(after, before);
        }
        expect_like(after, DispatcherCore(kMachine, kSettings()));
    }
    EXPECT_GT(groups, 50u);
}

// What a group lacks, nothing is taken of it.
TEST(RestoredThreads, AGroupThatCannotBeTakesNothing) {
    DispatcherCore core(kMachine, kSettings());
    SavedThread saved;
    saved.group = 1;
    saved.has_barrier = true;
    saved.barrier = 4;
    saved.slm_kilobytes = 64;
    const GroupIndex first = core.begin_restored(0, saved, 1);
    ASSERT_NE(first, kNoGroup);
    SavedThread other = saved;
    other.barrier = 5;
    EXPECT_EQ(core.begin_restored(0, other, 1), kNoGroup) << "no memory";
    EXPECT_EQ(core.barriers(0).used_ids(), 1u << 4);
    other.slm_kilobytes = 0;
    other.barrier = 4;
    EXPECT_EQ(core.begin_restored(0, other, 1), kNoGroup) << "no barrier";
    EXPECT_EQ(core.tracker().active(0), 1u);
    EXPECT_NE(core.begin_restored(1, saved, 1), kNoGroup) << "another subslice has both";
    other.has_barrier = false;
    EXPECT_NE(core.begin_restored(0, other, 1), kNoGroup);
    EXPECT_NE(core.begin_restored(0, other, 1), kNoGroup);
    EXPECT_EQ(core.begin_restored(0, other, 1), kNoGroup) << "three counters";
    EXPECT_EQ(core.slm(0).used_kilobytes(), 64u);
}

}  // namespace
}  // namespace gen9::dispatcher
