// SPDX-License-Identifier: Apache-2.0
// Threads that follow one another in a slot without the dispatcher's being told of each: what it has
// foreseen, and what an EU has been given in advance.
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "tests/unit/media/bench.h"

namespace gen9::media::test {
namespace {

/// What a thread is, wherever it runs.
struct Made {
    std::uint32_t work, mask;
    std::array<std::uint32_t, 3> group, told_group;
    unsigned local;
    std::vector<std::uint8_t> rows;
    auto operator<=>(const Made&) const = default;
};

Made made_of(const ThreadDispatch& d) {
    const auto r0 = std::bit_cast<std::array<std::uint32_t, 8>>(d.payload[0]);
    Made made{d.work,           d.dispatch_mask,      {r0[1], r0[6], r0[7]},
              d.gpgpu.group_id, d.gpgpu.local_thread, {}};
    for (unsigned r = 1; r < d.payload_registers; ++r)
        made.rows.insert(made.rows.end(), d.payload[r].bytes, d.payload[r].bytes + kGrfBytes);
    return made;
}

struct Walks {
    WalkerFields walker;
    DescriptorFields descriptor;
};

/// Without barrier and SLM, so that any slot does.
Walks random_walks(std::mt19937& random) {
    const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
    Walks w;
    w.walker.simd = 8u << below(3);
    w.walker.threads = {1 + below(3), 1 + below(3), 1 + below(2)};
    for (unsigned i = 0; i < 3; ++i) {
        w.walker.start[i] = below(3) ? 0 : below(100);
        w.walker.groups[i] = w.walker.start[i] + 1 + below(i == 2 ? 4 : 9);
    }
    w.walker.right = static_cast<std::uint32_t>(random());
    w.walker.bottom = static_cast<std::uint32_t>(random());
    w.descriptor.per_thread_rows = below(4);
    w.descriptor.cross_thread_rows = below(3);
    const unsigned threads = w.walker.threads[0] * w.walker.threads[1] * w.walker.threads[2],
                   rows = w.descriptor.cross_thread_rows + w.descriptor.per_thread_rows * threads;
    if (below(2)) w.walker.indirect_bytes = 32 * rows;
    return w;
}

struct WalkedMachine {
    ModuleBench bench;
    std::vector<Made> made;
    std::vector<std::size_t> walkers;

    WalkedMachine(const char* name, std::span<const Walks> walks)
        : bench(kOneSubslice, Timing::Functional, {}, name) {
        bench.inspect = [this](const ThreadDispatch& d) { made.push_back(made_of(d)); };
        for (unsigned n = 0; n < walks.size(); ++n)
            bench.memory.put(n, walks[n].descriptor);
        bench.memory.put_rows(kDynamicBase + 0x8000, 60, 3);
        bench.memory.put_rows(kIndirectBase, 60, 90);
        bench.preamble(static_cast<unsigned>(walks.size()),
                       {.entries = 4, .entry_rows = 64, .curbe_rows = 64});
        bench.add(curbe_load(bench.state, 60 * 32, 0x8000));
        for (unsigned n = 0; n < walks.size(); ++n) {
            WalkerFields walker = walks[n].walker;
            walker.descriptor = n;
            walkers.push_back(bench.add(walker_command(bench.state, walker)));
        }
    }
    std::uint64_t channels() const {
        std::uint64_t sum = 0;
        for (const PipelineCommand& command : bench.commands)
            sum += command.channels;
        return sum;
    }
};

/// Plays the EUs: a slot's next thread comes by any of the ways that there are.
class Following {
  public:
    Following(WalkedMachine& machine, unsigned seed) : machine_(machine), random_(seed) {
        machine.bench.follows = [this](ThreadDispatch& d) { return follow(d); };
    }
    unsigned foreseen = 0, dealt = 0, given_back = 0, by_next = 0;

  private:
    struct Held {
        ThreadFollowers list;
        std::vector<std::uint8_t> rows;
        std::vector<std::uint32_t> masks;
        unsigned begun = 0;
        std::uint32_t work = 0;
        unsigned left() const { return list.count - begun; }
    };
    unsigned below(unsigned end) { return static_cast<unsigned>(random_() % end); }

    /// Number `n` of a list begins: what an EU does with it.
    static void take(ThreadDispatch& d, const ThreadFollowers& list, unsigned n) {
        const unsigned at = list.first_thread + n, local = at % list.group_threads;
        const auto words = [](const Grf& r) {
            return std::bit_cast<std::array<std::uint32_t, 8>>(r);
        };
        auto r0 = words(d.payload[0]);
        const auto kept = words(list.header_kept),
                   own = words(list.groups[at / list.group_threads].header);
        for (unsigned i = 0; i < 8; ++i)
            r0[i] = (r0[i] & kept[i]) | own[i];
        d.payload[0] = std::bit_cast<Grf>(r0);
        for (unsigned r = 0; r < list.row_count; ++r)
            std::memcpy(d.payload[list.first_row + r].bytes,
                        list.rows + (local * list.row_count + r) * kGrfBytes, kGrfBytes);
        d.dispatch_mask = list.masks[local];
        d.gpgpu = {{r0[1], r0[6], r0[7]}, static_cast<std::uint16_t>(local)};
    }
    /// The same for some from `first` on, the last of which goes on.
    void take_some(ThreadDispatch& d, const ThreadFollowers& list, unsigned first, unsigned count) {
        for (unsigned n = 0; n < count; ++n) {
            if (n != 0) machine_.made.push_back(made_of(d));
            take(d, list, first + n);
        }
        d.retire = {std::uint64_t{10} * count, std::uint64_t{2} * count};
    }
    void check(const ThreadDispatch& d, const Made& taken) {
        EXPECT_EQ(made_of(d), taken) << "the dispatcher names another thread";
        EXPECT_TRUE(d.repeats);
    }

    /// What the list names is good no longer than until the relay is called.
    static void keep(Held& held) {
        ThreadFollowers& list = held.list;
        const std::size_t bytes = std::size_t{list.group_threads} * list.row_count * kGrfBytes;
        held.rows.assign(list.rows, list.rows + bytes);
        held.masks.assign(list.masks, list.masks + list.group_threads);
        list.rows = held.rows.data();
        list.masks = held.masks.data();
    }

    bool follow(ThreadDispatch& d) {
        if (d.relay == nullptr) return false;
        const Cycles now = machine_.bench.clock.now();
        Held& held = held_[d.sideband.fftid / kOneSubslice.threads];
        if (held.left() == 0 && below(3) == 0) {
            held.begun = 0;
            held.work = d.work;
            d.relay->deal(d, 1 + below(40), held.list);
            if (held.list.count != 0) keep(held);
        }
        if (held.left() != 0 && held.work == d.work) {
            if (below(6) == 0) {
                ++given_back;
                held.list.count = held.begun;
                d.relay->take_back(d);
                return false;
            }
            const unsigned count = 1 + below(held.left());
            take_some(d, held.list, held.begun, count);
            const Made taken = made_of(d);
            held.begun += count;
            dealt += count;
            d.relay->followed_dealt(d, count, now);
            check(d, taken);
            return true;
        }
        if (below(8) == 0) return false;
        if (below(2) != 0) {
            const unsigned most = 1 + below(40);
            const ThreadFollowers& list = d.relay->followers(d, most);
            EXPECT_LE(list.count, most);
            if (const unsigned count = below(list.count + 1); count != 0) {
                take_some(d, list, 0, count);
                const Made taken = made_of(d);
                foreseen += count;
                d.relay->followed(d, count, now);
                check(d, taken);
                return true;
            }
        }
        if (!d.relay->next(d, now)) return false;
        ++by_next;
        return true;
    }

    WalkedMachine& machine_;
    std::mt19937 random_;
    std::map<unsigned, Held> held_;
};

class FollowingThreads : public testing::TestWithParam<unsigned> {};

// The same threads, each once, and the same counts, whichever way they come.
TEST_P(FollowingThreads, AreThoseOfTheWalk) {
    std::mt19937 random(GetParam());
    std::vector<Walks> walks;
    for (unsigned n = 0; n < 4; ++n)
        walks.push_back(random_walks(random));
    WalkedMachine plain("plain", walks), other("other", walks);
    Following following(other, GetParam());
    const bool stops = GetParam() % 2 != 0;
    unsigned stopped = 0;
    for (std::size_t n = 0; stops && n < 40; ++n) {
        other.bench.run(30 + random() % 200);
        const std::size_t walker = other.walkers[random() % other.walkers.size()];
        if (other.bench.finished[walker] != ModuleBench::kNever) continue;
        other.bench.stop(walker);
        other.bench.run(20'000);
        for (std::size_t w = 0; w < other.bench.commands.size(); ++w)
            if (other.bench.commands[w].remaining) {
                ++stopped;
                other.bench.resume(w);
                other.bench.send_more();
            }
    }
    other.bench.run();
    plain.bench.run();
    ASSERT_TRUE(plain.bench.all_finished());
    ASSERT_TRUE(other.bench.all_finished()) << other.bench.spawner.describe_waiting();
    EXPECT_EQ(other.bench.live, 0u);
    EXPECT_LE(other.bench.most_live, kOneSubslice.total_threads());
    EXPECT_NE(following.foreseen + following.dealt + following.by_next, 0u);
    RecordProperty("foreseen", static_cast<int>(following.foreseen));
    RecordProperty("dealt", static_cast<int>(following.dealt));
    RecordProperty("given_back", static_cast<int>(following.given_back));
    RecordProperty("stopped", static_cast<int>(stopped));
    for (WalkedMachine* machine : {&plain, &other}) {
        for (Made& made : machine->made) {
            EXPECT_EQ(made.group, made.told_group);
            if (stops) made.work = 0;  // one that goes on has a number of its own
        }
        std::ranges::sort(machine->made);
    }
    ASSERT_EQ(other.made.size(), plain.made.size());
    for (std::size_t n = 0; n < plain.made.size(); ++n) {
        const Made &got = other.made[n], &wanted = plain.made[n];
        ASSERT_EQ(got.work, wanted.work);
        ASSERT_EQ(got.group, wanted.group);
        ASSERT_EQ(got.local, wanted.local);
        ASSERT_EQ(got.mask, wanted.mask);
        ASSERT_EQ(got.rows, wanted.rows);
    }
    const MediaStats &a = other.bench.spawner.stats(), &b = plain.bench.spawner.stats();
    EXPECT_EQ(a.threads.value(), b.threads.value());
    EXPECT_EQ(a.threads_retired.value(), b.threads_retired.value());
    EXPECT_EQ(a.payload_registers.value(), b.payload_registers.value());
    EXPECT_EQ(a.groups.value(), b.groups.value());
    EXPECT_EQ(a.messages.value(), following.dealt) << "the ends of those before are told of later";
    // One that goes on begins with the channels that it had.
    if (stopped == 0) EXPECT_EQ(other.channels(), plain.channels());
}

// Nobody ends whom the dispatcher would give out a slot for.
TEST(FollowingThreads, BeginInFreeSlotsWhenTheyAreGivenBack) {
    ModuleBench bench(kOneSubslice, Timing::Functional);
    const unsigned threads = 2 * kOneSubslice.total_threads();
    ThreadDispatch* lasting = nullptr;
    ThreadFollowers held;
    bench.lifetime = [](const auto& t) { return t.group[0] == 0 ? 5000u : 100u; };
    bench.inspect = [&](ThreadDispatch& d) {
        if (d.gpgpu.group_id[0] == 0) lasting = &d;
    };
    bench.follows = [&](ThreadDispatch& d) {
        const bool same = d.sideband.place.eu == lasting->sideband.place.eu;
        if (same && held.count == 0) d.relay->deal(d, 30, held);
        return false;
    };
    bench.preamble();
    bench.add(walker_command(bench.state, {.groups = {threads, 1, 1}}));
    bench.run(1000);
    ASSERT_NE(held.count, 0u);
    EXPECT_EQ(bench.threads.size(), threads - held.count);
    EXPECT_EQ(bench.live, 1u);
    lasting->relay->take_back(*lasting);
    bench.run(1000);
    EXPECT_EQ(bench.threads.size(), threads);
    bench.run();
    EXPECT_TRUE(bench.all_finished());
}

INSTANTIATE_TEST_SUITE_P(Random, FollowingThreads, testing::Range(0u, 60u));

}  // namespace
}  // namespace gen9::media::test
