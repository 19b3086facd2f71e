// SPDX-License-Identifier: Apache-2.0
// Random states and commands on random machines, against a front end that is told a second time (plain_front_end.h): what
// is refused, which threads a command starts, and what each of them is given and asks for.
#include <algorithm>
#include <random>
#include <span>

#include "media/walk/group_request.h"
#include "media/walk/payload.h"
#include "media/walk/walk_cursor.h"
#include "tests/support/covers.h"
#include "tests/support/named_kernel.h"
#include "tests/support/sample.h"
#include "tests/unit/media/walk/random_commands.h"

namespace gen9::media::test {
namespace {

constexpr std::uint64_t kCode = 0x30000;  // the instruction base
constexpr unsigned kKernels = 6;

class RandomFrontEnd {
  public:
    RandomFrontEnd(unsigned seed, const PlainMachine& machine)
        : draw_(seed, machine),
          machine_(machine),
          topology_{machine.slices, machine.subslices, machine.eus, machine.threads,
                    machine.slm_banks},
          front_end_(topology_, machine.urb_rows, machine.slm_kb, machine.ids_return_to_zero,
                     {machine.registers, machine.by_use, machine.granule}),
          plain_(machine, memory_) {
        auto state = std::make_shared<PipelineState>(*make_state());
        state->instruction_base = GpuAddr(kCode);
        state->dynamic_state_size = 0x4000;
        state->indirect_object_size = 0x3000;
        state_ = state;
        for (auto& byte : memory_.bytes)
            byte = static_cast<std::uint8_t>(random_());
        for (unsigned k = 0; k < kKernels; ++k)
            put_kernel(k);
        counts_ = below(4) != 0;
        if (counts_) front_end_.count_registers(true);
        plain_.counts_registers = counts_;
    }
    void run(unsigned commands) {
        for (unsigned n = 0; n < commands && !testing::Test::HasFailure(); ++n) {
            SCOPED_TRACE("command " + std::to_string(n));
            if (n == 0 || below(12) == 0) change_state();
            start(static_cast<PlainKind>(below(5)));
            now_ += below(4);
        }
    }
    unsigned started[5] = {}, refused = 0, waited = 0;

  private:
    unsigned below(unsigned end) { return draw_.below(end); }
    bool one_in(unsigned n) { return draw_.one_in(n); }
    std::uint32_t random_() { return draw_.any(); }

    void put_kernel(unsigned k) {
        std::set<unsigned> names{127};
        for (unsigned i = 0; i < 5 * k; ++i)
            names.insert(9 + i);
        const auto code = gen9::test::named_kernel(9, 5 * k);
        memory_.put(kCode + kernel(k), code.data(), code.size());
        plain_.kernels[kernel(k)] = names;
    }
    static std::uint64_t kernel(unsigned k) { return 0x1000 * (k + 1) + 0x40 * k; }

    void expect_refused(const std::optional<Refusal>& got, const std::set<std::string>& reasons) {
        ASSERT_EQ(got.has_value(), !reasons.empty())
            << (got ? got->text : "not refused: " + *reasons.begin());
        if (!got) return;
        EXPECT_TRUE(got->id.empty());
        const bool known = std::ranges::any_of(reasons, [&](const std::string& reason) {
            return got->text.find(reason) != std::string::npos;
        });
        EXPECT_TRUE(known) << got->text << " and not " << *reasons.begin();
        ++refused;
    }
    std::optional<Refusal> execute(const PipelineCommand& c) {
        return front_end_.execute(c, memory_);
    }

    // --- State

    void change_state() {
        held_.reset();
        if (one_in(8) || !given_) send_vfe();
        if (one_in(3)) send_pools();
        for (unsigned i = 0; i < 16; ++i)
            put_descriptor(i);
        auto load = make_command(0x70020002, 4, state_);
        load.dwords[2] = one_in(6) ? below(70) * 16 * (one_in(2) + 1) : 16 * 32;
        load.dwords[3] = load.dwords[2] == 16 * 32 ? 0 : below(0x4200);
        expect_refused(execute(load), plain_.take_descriptors(load));
        load.dwords[2] = 16 * 32;
        load.dwords[3] = 0;
        expect_refused(execute(load), plain_.take_descriptors(load));
        auto curbe = make_command(0x70010002, 4, state_);
        curbe.dwords[2] = static_cast<std::uint32_t>(plain_.curbe().size());
        if (one_in(3)) curbe.dwords[2] = curbe.dwords[2] + below(3) * 32 - below(2) * 32;
        curbe.dwords[3] = one_in(6) ? 0x4000 - curbe.dwords[2] + below(3) - 1 : below(0x1000);
        expect_refused(execute(curbe), plain_.take_curbe(curbe));
        EXPECT_EQ(front_end_.curbe_of(load).size(), 0u);
        if (curbe.dwords[2] == plain_.curbe().size()) {
            const auto whole = front_end_.curbe_of(curbe);
            EXPECT_EQ(PlainBytes(whole.begin(), whole.end()), plain_.curbe());
        }
    }
    void send_vfe() {
        const PipelineCommand c = draw_.vfe(state_);
        const auto reasons = plain_.take_state(c);
        expect_refused(execute(c), reasons);
        given_ |= reasons.empty();
        if (reasons.empty()) out_.clear();  // MED-12
    }
    void send_pools() {
        auto c = make_command(0x70050004, 6, state_);
        c.dwords[1] = (below(3) != 0) << 31;
        c.dwords[2] = static_cast<std::uint32_t>(random_());
        if (one_in(3)) c.dwords[2] = 0x00777000;
        expect_refused(execute(c), plain_.take_pools(c));
    }
    void put_descriptor(unsigned index) {
        const unsigned k = below(kKernels + 1);
        const auto d = draw_.descriptor(k == kKernels ? ~0u : std::uint32_t(kernel(k)));
        memory_.put(kDynamicBase + 32 * index, d.data(), 32);
    }

    // --- Commands

    void start(PlainKind kind) {
        const PipelineCommand c = draw_.command(kind, state_);
        const bool waits = plain_.waits(kind, c, now_);
        ASSERT_EQ(front_end_.waits_for_entry(c, Cycles(now_)), waits);
        if (waits) {
            ++waited;
            give_one_back();
            return;
        }
        // A group of objects goes on, or is another.
        const unsigned in_group = kind == PlainKind::Grpid && held_ ? held_->threads : 0;
        const PlainOutcome out = plain_.take(kind, c, in_group);
        Walk& walk = walk_;
        const auto got = kind == PlainKind::Gpgpu
                             ? front_end_.prepare(c, memory_, walk)
                             : front_end_.prepare_media(c, memory_, in_group, walk);
        expect_refused(got, out.refused);
        ASSERT_EQ(front_end_.urb_handles().free(FrontEnd::kUrbOwner), plain_.free_entries());
        if (got || testing::Test::HasFailure()) return;
        ++started[unsigned(kind)];
        SCOPED_TRACE("kind " + std::to_string(unsigned(kind)));
        expect_walk(walk, out.walk, in_group);
        if (kind == PlainKind::Grpid)
            held_ = out.walk.ends ? std::nullopt
                                  : std::optional(HeldGroup{true, out.walk.group_id,
                                                            std::uint16_t(in_group + 1)});
        if (out.walk.entry) out_.push_back(*out.walk.entry);
        if (one_in(2)) give_one_back();
    }
    void give_one_back() {
        if (out_.empty()) return;
        const std::size_t which = below(static_cast<unsigned>(out_.size()));
        const unsigned entry = out_[which], at = now_ + below(6);
        out_.erase(out_.begin() + static_cast<std::ptrdiff_t>(which));
        plain_.give_back(entry, at);
        front_end_.urb_handles().release(FrontEnd::kUrbOwner, entry, Cycles(at));
    }

    // --- Threads

    void expect_walk(const Walk& walk, const PlainWalk& w, unsigned in_group) {
        EXPECT_EQ(walk.holds_entry, w.entry.has_value());
        if (w.entry) {
            EXPECT_EQ(walk.urb_entry, *w.entry);
        }
        EXPECT_EQ(walk.urb_handle, w.entry ? plain_.handle(*w.entry) : 0);
        EXPECT_EQ(walk.registers, w.registers);
        EXPECT_EQ(walk.media.has_value(), w.kind != PlainKind::Gpgpu);
        if (walk.media) {
            EXPECT_EQ(walk.media->synchronized, w.synchronized);
            EXPECT_EQ(walk.media->children_present, w.children);
            EXPECT_EQ(walk.media->fence_needed, w.fence);
            EXPECT_EQ(walk.media->fence_vfe, w.fence_vfe);
        }
        const unsigned segments = static_cast<unsigned>(plain_.subslices_in_use().size());
        WalkCursor at(walk, segments, static_cast<std::uint16_t>(in_group));
        EXPECT_EQ(at.dealt_out(), w.dealt_out);
        *last_ = {};
        for (std::size_t n = 0; n < w.threads.size() && !testing::Test::HasFailure(); ++n) {
            SCOPED_TRACE("thread " + std::to_string(n));
            ASSERT_FALSE(at.done());
            expect_request(walk, w, n, at);
            expect_thread(walk, w, n, at);
            at.next();
        }
        EXPECT_TRUE(at.done());
        EXPECT_FALSE(at.given_up());
    }
    void expect_request(const Walk& walk, const PlainWalk& w, std::size_t n, const WalkCursor& at) {
        const PlainThread& t = w.threads[n];
        EXPECT_EQ(at.last_of_group(), t.last_of_group);
        EXPECT_EQ(at.local_thread(), t.in_group);
        if (n != 0 && !w.threads[n - 1].last_of_group) return;
        using Group = ThreadRequest::Group;
        ThreadRequest r;
        describe_group(walk, at, topology_, held_.value_or(HeldGroup{}), r);
        const std::vector<unsigned> in_use = plain_.subslices_in_use();
        std::uint32_t subslices = 0;
        for (const unsigned s : in_use)
            subslices |= 1u << s;
        if (w.dealt_out) {
            EXPECT_EQ(segment_subslice(walk, at, topology_), 1u << in_use.at(t.segment));
        }
        EXPECT_EQ(r.subslices, w.forced ? 1u << w.forced_subslice : subslices);
        EXPECT_EQ(r.eus, plain_.eus_in_use());
        EXPECT_EQ(r.max_threads, plain_.vfe().max_threads);
        EXPECT_EQ(r.registers, w.registers);
        EXPECT_EQ(r.load_rows, 1 + t.payload.size() / 32);
        const bool alone = w.kind != PlainKind::Gpgpu && w.kind != PlainKind::Walker;
        EXPECT_EQ(r.threads, alone ? 1 : ThreadRequest::kOpen);
        EXPECT_EQ(r.group, w.group == PlainGroup::None       ? Group::None
                           : w.group == PlainGroup::Subslice ? Group::Subslice
                           : w.group == PlainGroup::Pool     ? Group::Pool
                                                             : Group::Machine);
        const PlainDescriptor& d = w.descriptor;
        if (w.group != PlainGroup::None) {
            std::size_t size = 1;
            for (std::size_t i = n; !w.threads[i].last_of_group && i + 1 < w.threads.size(); ++i)
                ++size;
            if (w.kind == PlainKind::Grpid) size = d.barrier ? std::max(1u, d.group_threads) : 1;
            EXPECT_EQ(r.group_threads, std::min<std::size_t>(size, 512));
            EXPECT_EQ(r.group_id, t.group);
            EXPECT_EQ(r.barrier, d.barrier);
            EXPECT_EQ(r.barrier_threads, d.group_threads);
            EXPECT_EQ(r.slm_kilobytes, d.slm_kb());
            EXPECT_EQ(r.pools.enabled, plain_.pools_on());
            for (unsigned s = 0; s < 3; ++s)
                EXPECT_EQ(r.pools.second[s], plain_.second_pool(s));
        }
        EXPECT_EQ(r.back_to_back, w.kind == PlainKind::Gpgpu && w.group == PlainGroup::None);
        // Where X and Y return to zero it is about as many: as if all planes were whole.
        const std::size_t left =
            w.kind == PlainKind::Gpgpu ? w.threads.size() - (n + w.threads.size() / w.groups) : 0;
        if (!machine_.ids_return_to_zero) {
            EXPECT_EQ(r.work_left, left);
        }
        EXPECT_GE(r.work_left, left);
        const bool grpid = w.kind == PlainKind::Grpid;
        EXPECT_EQ(r.continues_group, grpid && held_ && held_->id == w.group_id);
        EXPECT_EQ(r.leaves_group_open, grpid && !w.ends);
    }
    void expect_thread(const Walk& walk, const PlainWalk& w, std::size_t n, const WalkCursor& at) {
        const PlainThread& t = w.threads[n];
        const PlainDescriptor& d = w.descriptor;
        const bool gpgpu = w.kind == PlainKind::Gpgpu;
        const ScoreboardRequest asks = at.scoreboard();
        EXPECT_EQ(asks.use, w.uses_scoreboard && !gpgpu);
        if (!gpgpu && w.kind != PlainKind::Prt) {
            EXPECT_EQ(asks.x, t.x);
            EXPECT_EQ(asks.y, t.y);
            EXPECT_EQ(asks.color, t.color);
            EXPECT_EQ(asks.mask, w.scoreboard_mask);
        }
        ThreadFacts facts;
        at.describe(facts);
        // A GPGPU thread may be the next one in its slot.
        const bool next = gpgpu && n != 0 && one_in(2);
        if (!next)
            place_ = {std::uint8_t(below(topology_.total_subslices())),
                      std::uint8_t(below(topology_.eus)), std::uint8_t(below(topology_.threads))};
        facts.place = place_;
        facts.barrier = std::uint8_t(below(32));
        facts.slm_granule = std::uint8_t(below(64));
        const unsigned slice = place_.subslice / topology_.subslices;
        facts.slm = std::uint8_t(slice * topology_.subslices + below(topology_.subslices));
        PlainBytes spawned(w.synchronized && !gpgpu ? 32 * below(4) : 0);
        for (auto& byte : spawned)
            byte = static_cast<std::uint8_t>(random_());
        facts.spawned = spawned;
        ThreadDispatch& thread = *last_;
        if (!next) {
            for (unsigned i = 0; i < 4; ++i)
                thread.payload[1 + below(127)].bytes[below(32)] = std::uint8_t(random_());
            thread.dependency[below(8)] = 0x8001;
            thread.urb_handle_count = 1;
            thread.uses_vector_mask = thread.restored = true;
            make_thread(walk, topology_, facts, thread);
        } else {
            thread.retire = {1, 1, false};
            make_next_thread(walk, topology_, facts, thread);
        }
        if (n == 0) expect_restored(walk, d);
        EXPECT_EQ(thread.repeats, next);
        EXPECT_EQ(thread.retire.instructions + thread.retire.messages, 0u);
        EXPECT_EQ(thread.dependency, (std::array<std::uint16_t, 8>{}));
        EXPECT_EQ(thread.urb_handle_count, 0u);
        EXPECT_FALSE(thread.uses_vector_mask || thread.restored);
        EXPECT_EQ(thread.ffid, 0u);
        EXPECT_EQ(thread.simd_width, gpgpu ? w.simd : 32u);
        EXPECT_EQ(thread.dispatch_mask, t.mask);
        EXPECT_EQ(thread.gpgpu.group_id, t.group);
        EXPECT_EQ(thread.gpgpu.local_thread, t.in_group);
        const unsigned fftid =
            (place_.subslice * machine_.eus + place_.eu) * machine_.threads + place_.slot;
        expect_state(thread, d, fftid);
        const bool holds = gpgpu || w.grouped;
        const unsigned from =
            (facts.slm + machine_.subslices - place_.subslice) % machine_.subslices * 0x10000;
        EXPECT_EQ(thread.sideband.slm_size, holds ? 1024 * d.slm_kb() : 0);
        EXPECT_EQ(thread.sideband.slm_base,
                  holds && d.slm_code ? from + 1024 * facts.slm_granule : 0);
        const PlainHeld held{fftid, w.entry ? plain_.handle(*w.entry) : 0, facts.barrier,
                             facts.slm_granule};
        std::array<std::uint32_t, 8> r0;
        std::memcpy(r0.data(), thread.payload[0].bytes, 32);
        EXPECT_EQ(r0, plain_header(w, t, held));
        // Behind R0: constants, what a spawner sends, the rest; what does not fit is cut off.
        PlainBytes payload = t.payload;
        if (!spawned.empty()) {
            const std::size_t behind = payload.size() - urb_bytes(walk);
            payload.insert(payload.begin() + static_cast<std::ptrdiff_t>(behind), spawned.begin(),
                           spawned.end());
            payload.resize(std::min<std::size_t>(payload.size(), 127 * 32));
        }
        ASSERT_EQ(thread.payload_registers, 1 + payload.size() / 32);
        EXPECT_TRUE(
            std::ranges::equal(payload, std::span(thread.payload[1].bytes, payload.size())));
    }
    static std::size_t urb_bytes(const Walk& walk) { return (walk.urb_data.size() + 31) / 32 * 32; }
    /// Where the thread has been saved, its registers come by the system routine.
    void expect_restored(const Walk& walk, const PlainDescriptor& d) {
        auto thread = std::make_unique<ThreadDispatch>();
        for (auto& grf : thread->payload)
            std::memset(grf.bytes, 0xEE, 32);
        thread->retire = {1, 1, true};
        thread->repeats = true;
        thread->dependency[3] = 0x8001;
        thread->sideband.of_geometry = true;
        thread->sideband.slm_base = thread->sideband.slm_size = 77;
        make_restored(walk, topology_, place_, *thread);
        EXPECT_TRUE(thread->restored);
        EXPECT_FALSE(thread->repeats || thread->retire.saved);
        EXPECT_EQ(thread->payload_registers, 1u);
        for (const std::uint8_t byte : thread->payload[0].bytes)
            EXPECT_EQ(byte, 0);
        EXPECT_EQ(thread->dependency, (std::array<std::uint16_t, 8>{}));
        EXPECT_EQ(thread->sideband.slm_base + thread->sideband.slm_size, 0u);
        expect_state(*thread, d, place_.fftid(topology_));
    }
    void expect_state(const ThreadDispatch& thread, const PlainDescriptor& d, unsigned fftid) {
        const PlainVfe& v = plain_.vfe();
        const ThreadSideband& side = thread.sideband;
        EXPECT_EQ(side.fftid, fftid);
        EXPECT_EQ(side.place, (ThreadAddress{SliceId(place_.subslice / machine_.subslices),
                                             SubsliceId(place_.subslice % machine_.subslices),
                                             EuId(place_.eu), ThreadSlot(place_.slot)}));
        EXPECT_EQ(side.binding_table_offset, d.bindings);
        EXPECT_EQ(side.sampler_state_offset, d.sampler);
        EXPECT_EQ(side.priority, d.priority);
        EXPECT_EQ(side.state, state_);
        EXPECT_FALSE(side.of_geometry);
        EXPECT_EQ(side.kernel_start.value, kCode + d.kernel);
        EXPECT_EQ(thread.instruction_pointer, d.kernel);
        EXPECT_EQ(thread.alternate_float, d.alternate);
        EXPECT_EQ(thread.single_program_flow, d.single);
        EXPECT_EQ(thread.rounding, d.rounding);
        EXPECT_EQ(thread.illegal_opcode_exception, d.illegal);
        EXPECT_EQ(thread.software_exception, d.software);
        EXPECT_EQ(thread.stack_exception, d.stack);
        const std::uint64_t scratch =
            v.scratch_base + (std::uint64_t{fftid} << (10 + v.scratch_code));
        EXPECT_EQ(thread.stack_pointer, scratch + (1024ull << v.scratch_code) - 1);
        EXPECT_EQ(thread.stack_limit, scratch + (1024ull << v.stack_code));
    }
    RandomCommands draw_;
    PlainMachine machine_;
    ThreadTopology topology_;
    Memory memory_;
    PipelineStatePtr state_;
    FrontEnd front_end_;
    PlainFrontEnd plain_;
    Walk walk_;
    bool counts_ = false, given_ = false;
    std::optional<HeldGroup> held_;
    std::vector<unsigned> out_;  ///< entries
    unsigned now_ = 0;
    ThreadPlace place_;
    std::unique_ptr<ThreadDispatch> last_ = std::make_unique<ThreadDispatch>();
};

TEST(RandomCommands, AreRefusedOrStartTheThreadsThatTheirBitsSay) {
    GEN9_COVERS("TD-14 TD-21 TD-34 TD-35 MED-28 MED-47 MED-49 MED-53 MED-54");
    std::mt19937 random(5);
    const auto one_of = [&](std::initializer_list<unsigned> list) {
        return list.begin()[random() % list.size()];
    };
    unsigned started[5] = {}, refused = 0, waited = 0;
    for (unsigned round = 0; round < gen9::test::rounds(240) && !HasFailure(); ++round) {
        PlainMachine m = PlainMachine::random(random);
        m.urb_rows = one_of({4096, 4096, 1000});
        m.slm_kb = one_of({64, 64, 128, 16, 100});
        m.registers = one_of({0, 0, 128 * m.threads, 128 * m.threads - 1, 300, 127, 150});
        m.by_use = random() % 3 != 0;
        m.granule = one_of({1, 8, 16});
        m.ids_return_to_zero = random() % 4 == 0;
        SCOPED_TRACE("round " + std::to_string(round));
        RandomFrontEnd front_end(round, m);
        front_end.run(120);
        for (unsigned kind = 0; kind < 5; ++kind)
            started[kind] += front_end.started[kind];
        refused += front_end.refused;
        waited += front_end.waited;
    }
    // Each kind has its share.
    for (const unsigned count : started)
        EXPECT_GT(count, 200u);
    EXPECT_GT(refused, 2000u);
    EXPECT_GT(waited, 60u);
}

}  // namespace
}  // namespace gen9::media::test
