// SPDX-License-Identifier: Apache-2.0
// Random streams of the media pipe through the whole spawner, against a front end that is told a second time
// (plain_front_end.h): which threads come in which order, what they are given, what is waited for, and what is told of it.
#include <algorithm>
#include <bit>
#include <span>

#include "tests/support/covers.h"
#include "tests/support/sample.h"
#include "tests/unit/media/bench.h"
#include "tests/unit/media/walk/random_commands.h"

namespace gen9::media::test {
namespace {

struct RandomStream : ModuleBench, WorkObserver {
    struct Expected {
        std::size_t command;
        PlainWalk walk;
        unsigned work = 0;
        std::vector<unsigned> handles;  ///< that its entry may have
        std::vector<unsigned> subslices;
        unsigned eus = 0;
        std::size_t first = 0;  ///< of `threads`
        bool drains = false;    ///< it begins when nothing runs
    };
    PlainMachine machine;
    PlainFrontEnd plain{machine, memory};
    RandomCommands draw;
    std::vector<Expected> walks;                ///< in order
    std::vector<std::size_t> of_walk;           ///< by thread: which of `walks`
    std::vector<std::size_t> refused, drained;  ///< commands
    unsigned errors = 0;
    std::size_t at = 0, thread = 0;
    std::map<unsigned, const Expected*> in_flight;
    std::vector<WorkRecord> began, ended;
    std::uint64_t registers = 0;

    void work_began(const WorkRecord& w) override { began.push_back(w); }
    void work_ended(const WorkRecord& w) override { ended.push_back(w); }

    RandomStream(unsigned seed, Timing timing, const PlainMachine& m,
                 std::vector<std::string> settings)
        : ModuleBench({m.slices, m.subslices, m.eus, m.threads, m.slm_banks}, timing,
                      std::move(settings)),
          machine(m),
          plain(m, memory),
          draw(seed, m) {
        auto moved = std::make_shared<PipelineState>(*state);
        moved->dynamic_state_size = 0x4000;
        moved->indirect_object_size = 0x3000;
        state = moved;
        for (auto& byte : memory.bytes)
            byte = static_cast<std::uint8_t>(draw.any());
        spawner.observer = this;
        lifetime = [this](const Thread&) { return 20 + draw.below(300); };
        inspect = [this](ThreadDispatch& d) {
            if (!testing::Test::HasFailure()) check(d);
        };
    }

    // --- The stream

    void fill(unsigned commands_to_add) {
        for (unsigned n = 0; n < commands_to_add; ++n) {
            if (n == 0 || draw.one_in(9)) change_state();
            start(static_cast<PlainKind>(draw.below(5)));
        }
    }
    std::size_t add_state(const PipelineCommand& c, const std::set<std::string>& reasons) {
        const std::size_t i = add(c);
        if (!reasons.empty()) {
            refused.push_back(i);
            ++errors;
        }
        return i;
    }
    void change_state() {
        PipelineCommand vfe = draw.vfe(state);
        // A stream that goes on: a state that is legal, with room for threads.
        do {
            vfe = draw.vfe(state);
            vfe.dwords[3] = (vfe.dwords[3] & ~0xFF00u) | (1 + draw.below(5)) << 8;
            vfe.dwords[6] &= ~(1u << 31);
        } while (!PlainFrontEnd(plain).take_state(vfe).empty());
        drained.push_back(add_state(vfe, plain.take_state(vfe)));
        if (draw.one_in(2)) {
            auto pools = make_command(0x70050004, 6, state);
            pools.dwords[1] = (draw.below(3) != 0) << 31;
            pools.dwords[2] = draw.any();
            drained.push_back(add_state(pools, plain.take_pools(pools)));
        }
        // Descriptors of this state have a place of their own: memory is read when all is written.
        const std::uint32_t place = 512 * states_;
        const std::uint64_t curbe_at = 0x2000 + 64 * (states_ % 32);
        ++states_;
        for (unsigned i = 0; i < 16; ++i) {
            const auto d = draw.descriptor(0x1000 * (i + 1));
            memory.put(kDynamicBase + place + 32 * i, d.data(), 32);
        }
        auto load = make_command(0x70020002, 4, state);
        load.dwords[2] = 512;
        load.dwords[3] = place;
        add_state(load, plain.take_descriptors(load));
        auto curbe = make_command(0x70010002, 4, state);
        curbe.dwords[2] = static_cast<std::uint32_t>(plain.curbe().size());
        curbe.dwords[3] = static_cast<std::uint32_t>(curbe_at);
        add_state(curbe, plain.take_curbe(curbe));
    }
    /// A command that may be refused, or one that starts threads; a group has all its objects.
    void start(PlainKind kind) {
        const bool legal = !draw.one_in(6);
        for (unsigned tries = 0; tries < 200; ++tries) {
            PipelineCommand c = draw.command(kind, state);
            if (kind != PlainKind::Gpgpu) c.dwords[2] &= ~(1u << 24 | 1u << 31);
            if (kind == PlainKind::Grpid) c.dwords[2] |= 1u << 23;
            const PlainFrontEnd before(plain);
            const PlainOutcome out = plain.take(kind, c);
            plain = before;  // which entry is free is told by the threads
            if (out.refused.empty() != legal || !fits(out.walk)) continue;
            c.trace_id = 100 + commands.size();
            const std::size_t i = add(c);
            if (!legal) {
                refused.push_back(i);
                ++errors;
                return;
            }
            expect(i, out.walk);
            if (kind == PlainKind::Prt)
                drained.push_back(add(flush_command(state, 0, false, true)));
            return;
        }
    }
    /// Its later groups are no larger than the first, for which there is room.
    static bool fits(const PlainWalk& w) {
        if (w.group == PlainGroup::None) return w.threads.size() < 600;
        std::size_t first = 0, size = 0;
        for (const PlainThread& t : w.threads) {
            ++size;
            if (!t.last_of_group) continue;
            if (first == 0) first = size;
            if (size > first) return false;
            size = 0;
        }
        return w.threads.size() < 600;
    }
    void expect(std::size_t command, const PlainWalk& walk) {
        Expected e;
        e.command = command;
        e.walk = walk;
        e.work = static_cast<unsigned>(walks.size());
        for (unsigned i = 0; walk.entry && i < plain.vfe().entries; ++i)
            e.handles.push_back(plain.handle(i));
        e.subslices = plain.subslices_in_use();
        e.eus = plain.eus_in_use();
        const PlainDescriptor& d = walk.descriptor;
        const bool counted =
            walk.kind == PlainKind::Gpgpu || (walk.kind == PlainKind::Walker && walk.grouped);
        if (counted && d.barrier && d.group_threads != walk.group_threads) ++errors;
        if (!walks.empty()) {
            const PlainWalk& last = walks.back().walk;
            const bool groups = walk.kind == PlainKind::Gpgpu || walk.grouped ||
                                last.kind == PlainKind::Gpgpu || last.grouped;
            e.drains = groups && last.descriptor.kernel != d.kernel;
        }
        walks.push_back(e);
    }

    // --- The threads

    void check(const ThreadDispatch& d) {
        while (at < walks.size() && walks[at].walk.threads.size() == thread) {
            ++at;
            thread = 0;
        }
        ASSERT_LT(at, walks.size()) << "a thread too many";
        Expected& e = walks[at];
        if (thread == 0) e.first = of_walk.size();
        const PlainWalk& w = e.walk;
        const PlainThread& t = w.threads[thread];
        SCOPED_TRACE("walk " + std::to_string(at) + ", kind " + std::to_string(int(w.kind)) +
                     ", thread " + std::to_string(thread));
        ++thread;
        of_walk.push_back(at);
        registers += d.payload_registers;
        const unsigned fftid = d.sideband.fftid;
        const unsigned flat_eu = fftid / machine.threads, subslice = flat_eu / machine.eus;
        EXPECT_NE(std::ranges::find(e.subslices, subslice), e.subslices.end());
        EXPECT_LT(flat_eu % machine.eus, e.eus);
        EXPECT_LE(live + 1, w.vfe.max_threads);
        if (w.forced) {
            EXPECT_EQ(subslice, w.forced_subslice);
        }
        if (w.dealt_out && w.group == PlainGroup::None) {
            EXPECT_EQ(subslice, e.subslices.at(t.segment));
        }
        std::array<std::uint32_t, 8> r0;
        std::memcpy(r0.data(), d.payload[0].bytes, 32);
        const PlainHeld held{fftid, w.entry ? r0[0] & 0xFFFF : 0,
                             (r0[2] >> 31) << 4 | (r0[2] >> 24 & 15), r0[0] >> 24 & 63};
        EXPECT_EQ(r0, plain_header(w, t, held));
        if (w.entry) {
            EXPECT_NE(std::ranges::find(e.handles, held.handle), e.handles.end());
        }
        // Of a group all have the same barrier and memory, in one place.
        const bool first = t.in_group == 0;
        if (w.group != PlainGroup::None && !first && w.kind != PlainKind::Grpid) {
            EXPECT_EQ(held.barrier, group_.barrier);
            EXPECT_EQ(held.granule, group_.granule);
            if (w.group == PlainGroup::Subslice) {
                EXPECT_EQ(subslice, group_.fftid / machine.threads / machine.eus);
            }
        }
        group_ = held;
        EXPECT_EQ(d.work, e.work);
        EXPECT_EQ(d.dispatch_mask, t.mask);
        EXPECT_EQ(d.gpgpu.group_id, t.group);
        EXPECT_EQ(d.gpgpu.local_thread, t.in_group);
        EXPECT_EQ(d.instruction_pointer, w.descriptor.kernel);
        ASSERT_EQ(d.payload_registers, 1 + t.payload.size() / 32);
        EXPECT_TRUE(std::ranges::equal(t.payload, std::span(d.payload[1].bytes, t.payload.size())));
    }

    // --- What is told

    void check_all() {
        ASSERT_TRUE(all_finished()) << spawner.describe_waiting();
        while (at < walks.size() && walks[at].walk.threads.size() == thread) {
            walks[at].first = thread == 0 ? of_walk.size() : walks[at].first;
            ++at;
            thread = 0;
        }
        EXPECT_EQ(at, walks.size());
        EXPECT_EQ(env.reporter.guest_errors(), errors);
        std::set<std::size_t> failed;
        for (std::size_t i = 0; i < commands.size(); ++i)
            if (commands[i].failed) failed.insert(i);
        EXPECT_EQ(failed, std::set<std::size_t>(refused.begin(), refused.end()));
        check_records();
        check_stats();
        check_drains();
    }
    void check_records() {
        ASSERT_EQ(began.size(), walks.size());
        ASSERT_EQ(ended.size(), walks.size());
        std::ranges::sort(ended, {}, &WorkRecord::number);
        const bool timed = env.environment.timed();
        for (std::size_t i = 0; i < walks.size(); ++i) {
            SCOPED_TRACE("walk " + std::to_string(i));
            const PlainWalk& w = walks[i].walk;
            const WorkRecord& r = ended[i];
            const bool gpgpu = w.kind == PlainKind::Gpgpu;
            constexpr const char* kNames[] = {"GPGPU_WALKER", "MEDIA_OBJECT", "MEDIA_OBJECT_GRPID",
                                              "MEDIA_OBJECT_PRT", "MEDIA_OBJECT_WALKER"};
            EXPECT_EQ(r.number, i);
            EXPECT_EQ(began[i].number, i);
            EXPECT_EQ(r.kind, gpgpu ? WorkKind::Walker : WorkKind::Media);
            EXPECT_STREQ(r.name, kNames[unsigned(w.kind)]);
            EXPECT_EQ(r.kernel_start.value, 0x100000 + w.descriptor.kernel);
            EXPECT_EQ(r.simd_width, w.simd);
            const std::size_t threads_of = w.threads.size();
            std::uint64_t groups = std::uint64_t{r.groups[0]} * r.groups[1] * r.groups[2];
            EXPECT_EQ(groups, gpgpu ? w.groups : 0);
            EXPECT_EQ(r.threads, threads_of);
            EXPECT_EQ(r.instructions, 10 * threads_of);
            EXPECT_EQ(r.messages, 2 * threads_of);
            std::uint64_t channels = 0, cycles = 0, sending = 0;
            Cycles last;
            for (std::size_t t = 0; t < threads_of; ++t) {
                channels += unsigned(std::popcount(w.threads[t].mask));
                const Thread& sent = threads.at(walks[i].first + t);
                cycles += (sent.end + kRetire - sent.sent).value;
                last = std::max(last, sent.end + kRetire);
                EXPECT_EQ(sent.walker, i);
            }
            EXPECT_EQ(commands[walks[i].command].channels, channels);
            for (const std::uint64_t in_state : r.sending)
                sending += in_state;
            EXPECT_EQ(sending, (r.all_sent - r.begin).value);
            if (threads_of == 0) continue;
            EXPECT_EQ(r.thread_cycles, cycles);
            EXPECT_EQ(r.end, last);
            EXPECT_EQ(finished[walks[i].command], last);
            EXPECT_EQ(r.all_sent, threads.at(walks[i].first + threads_of - 1).sent);
            EXPECT_EQ(accepted[walks[i].command], r.all_sent);
            EXPECT_LE(r.begin, threads.at(walks[i].first).sent);
            if (timed) {
                EXPECT_GE(r.sending[unsigned(SendState::Sending)] + 1, threads_of);
            }
        }
    }
    void check_stats() {
        const MediaStats& stats = spawner.stats();
        std::uint64_t groups = 0, media_threads = 0;
        for (const Expected& e : walks) {
            const PlainWalk& w = e.walk;
            if (w.kind != PlainKind::Gpgpu) media_threads += w.threads.size();
            if (w.kind == PlainKind::Gpgpu)
                groups += w.groups;
            else if (w.kind == PlainKind::Walker && !w.grouped)
                groups += !w.threads.empty();
            else
                for (const PlainThread& t : w.threads)
                    groups += t.last_of_group;
        }
        EXPECT_EQ(stats.commands.value(), commands.size());
        EXPECT_EQ(stats.walkers.value(), walks.size());
        EXPECT_EQ(stats.groups.value(), groups);
        EXPECT_EQ(stats.threads.value(), threads.size());
        EXPECT_EQ(stats.threads_retired.value(), threads.size());
        EXPECT_EQ(stats.media_threads.value(), media_threads);
        EXPECT_EQ(stats.child_threads.value(), 0u);
        EXPECT_EQ(stats.payload_registers.value(), registers);
        EXPECT_EQ(stats.memory_bytes.value(), memory_bytes);
        EXPECT_EQ(stats.urb_bytes.value(), urb_bytes);
        spawner.settle();
        std::uint64_t sum = 0;
        for (const Counter& c : stats.cycles)
            sum += c.value();
        EXPECT_EQ(sum, clock.now().value);
    }
    void check_drains() {
        std::vector<Cycles> over{Cycles(0)};  ///< when the threads so far have all retired
        for (const Thread& t : threads)
            over.push_back(std::max(over.back(), t.end + kRetire));
        for (const Expected& e : walks)
            if (e.drains && !e.walk.threads.empty()) {
                EXPECT_GE(threads.at(e.first).sent, over.at(e.first)) << "walk " << e.work;
            }
        for (const std::size_t i : drained) {
            std::size_t before = 0;
            for (const Expected& e : walks)
                if (e.command < i && !e.walk.threads.empty())
                    before = e.first + e.walk.threads.size();
            EXPECT_GE(accepted[i], over.at(before)) << "command " << i;
        }
    }

  private:
    unsigned states_ = 0;
    PlainHeld group_;
};

class RandomMedia : public testing::TestWithParam<std::tuple<Timing, unsigned>> {};

TEST_P(RandomMedia, HasTheThreadsThatItsCommandsSay) {
    GEN9_COVERS("TD-07 TD-14 TD-19 TD-62 MED-08 MED-12 MED-25 MED-27 MED-43");
    const auto [timing, seed] = GetParam();
    std::mt19937 random(seed);
    PlainMachine m = PlainMachine::random(random);
    std::vector<std::string> settings;
    const bool sequence = random() % 3 == 0, to_the_end = random() % 3 == 0;
    if (sequence) settings.push_back("spawner.media_lines=sequence");
    if (to_the_end) settings.push_back("spawner.urb_entry_release=walker_end");
    RandomStream bench(seed, timing, m, settings);
    bench.plain.deals_out = !sequence;
    bench.fill(40);
    bench.run(3'000'000);
    bench.check_all();
}

INSTANTIATE_TEST_SUITE_P(Streams, RandomMedia,
                         testing::Combine(testing::Values(Timing::Timed, Timing::Functional),
                                          testing::Range(0u, 4u)));

}  // namespace
}  // namespace gen9::media::test
