// SPDX-License-Identifier: Apache-2.0
// The sampler's other ways in and out: messages that come as calls, results for the render target,
// and what it tells of itself.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/support/signal_log.h"
#include "tests/unit/sampler/machine.h"
#include "tests/unit/sampler/two_ways.h"

namespace gen9::sampler {
namespace {
using namespace test;

// --- Messages as calls

/// A functional sampler, and a message of a form that may come as a call.
struct Calls : Machine {
    Calls() : Machine("m", {}, Timing::Functional) {
        for (unsigned i = 0; i < 64 * 64; ++i)
            bench.put<std::uint32_t>(4 * i, 0x01030507 * i);
        bench.filters(1, 1);
        load();
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
    }
    /// Places in a row, a little below a texel's centre.
    void build(unsigned code, const Bench::Options& options, unsigned from = 0) {
        std::vector<std::uint32_t> u(16);
        for (unsigned i = 0; i < 16; ++i)
            u[i] = f((static_cast<float>(from + i) + 0.6f) / 64);
        bench.build(code, {u, all(0.3f)}, options);
        bench.message.sender = &senders[0];
    }
    SendForm form() const {
        const Message& m = bench.message;
        SendForm form;
        form.descriptor = m.descriptor;
        form.extended_descriptor = m.extended_descriptor;
        form.sfid = static_cast<std::uint8_t>(m.sfid);
        form.length = m.length;
        form.first_length = static_cast<std::uint8_t>(m.length / 2);
        form.response_length = m.response_length;
        form.header_present = m.header_present;
        return form;
    }
    bool run(DirectSite& site, Registers& registers, unsigned first_length) {
        std::array<Grf, 12> second;
        std::copy_n(registers.grf.begin() + first_length, bench.message.length - first_length,
                    second.begin());
        return site.run({senders[0], 5}, bench.message.execution_mask, registers.grf.data(),
                        second.data(), &registers.grf[Registers::kResponse]);
    }
    void send() {
        sc_core::sc_time delay;
        sampler.msg_in[0].on_blocking(bench.message, delay);
    }
    std::array<std::uint64_t, 4> counted() const {
        return {sampler.stats.messages.value(), sampler.stats.samples.value(),
                sampler.stats.pixels.value(), sampler.stats.texels.value()};
    }
};

TEST(Module, ACallDoesWhatItsMessageDoes) {
    Calls m;
    for (const bool header : {true, false})
        for (const unsigned simd : {1u, 2u}) {
            Bench::Options o;
            o.simd = simd;
            o.header = header;
            o.mask = 0xF7FF;
            if (header) o.header2 = 2 << 12 | 0xE << 8 | 0x3 << 4;  // green masked; U and V moved
            m.senders[0].sampler_state_offset = header ? 0 : Bench::kSampler;
            m.build(kSampleLz, o);
            const SendForm form = m.form();
            const std::unique_ptr<DirectSite> site = m.sampler.site(form);
            ASSERT_TRUE(site);
            for (unsigned n = 0; n < 3; ++n) {
                m.build(kSampleLz, o, n);
                Registers by_call(m.bench.message), by_message(m.bench.message);
                const auto before = m.counted();
                ASSERT_TRUE(m.run(*site, by_call, form.first_length)) << header << simd;
                const auto between = m.counted();
                m.send();
                ASSERT_EQ(m.bench.message.status, MessageStatus::Ok);
                by_message.take(m.bench.message);
                ASSERT_TRUE(by_call == by_message) << header << simd << n;
                for (unsigned i = 0; i < before.size(); ++i) {
                    EXPECT_LT(before[i], between[i]);
                    EXPECT_EQ(between[i] - before[i], m.counted()[i] - between[i]) << i;
                }
            }
            // Without samples there is nothing to do, and no sender is asked for its states.
            m.bench.message.execution_mask = 0;
            Registers registers(m.bench.message), same(m.bench.message);
            EXPECT_FALSE(m.run(*site, registers, form.first_length));
            EXPECT_TRUE(registers == same);
        }
}

// What is found of a site is found for its thread's header and states.
TEST(Module, ACallFollowsItsHeaderAndItsBases) {
    Calls m;
    Bench::Options o;
    o.simd = 2;
    m.build(kSampleLz, o);
    const SendForm form = m.form();
    const std::unique_ptr<DirectSite> site = m.sampler.site(form);
    // The site of another instruction, which came later, has no header.
    Bench::Options plain = o;
    plain.header = false;
    m.build(kSampleLz, plain);
    const std::unique_ptr<DirectSite> other = m.sampler.site(m.form());
    for (const unsigned moved : {0u, 1u, 2u, 1u}) {
        o.header2 = moved << 8;  // U by so many texels
        m.build(kSampleLz, o);
        Registers by_call(m.bench.message), by_message(m.bench.message);
        ASSERT_TRUE(m.run(*site, by_call, form.first_length));
        m.send();
        by_message.take(m.bench.message);
        EXPECT_TRUE(by_call == by_message) << moved;
    }
    // A thread that has no state yet sends its messages.
    const ThreadSideband known = m.senders[0];
    m.senders[0].state = ThreadStatePtr();
    Registers registers(m.bench.message);
    EXPECT_FALSE(m.run(*site, registers, form.first_length));
    // The reads of a site's states are those of the thread that calls.
    m.senders[0] = known;
    m.senders[0].place.slot = ThreadSlot(3);
    m.invalidate(true, false);
    EXPECT_TRUE(m.run(*site, registers, form.first_length));
    EXPECT_EQ(m.memory.blocking_attributes.thread.slot, ThreadSlot(3));
    EXPECT_EQ(m.memory.blocking_attributes.trace_id, 5u);
}

// Ahead of its turn a thread gets what is at hand, and nothing is asked for.
TEST(Module, ACallThatStaysInsideAsksForNothing) {
    Calls m;
    Bench::Options o;
    o.simd = 2;
    m.build(kSampleLz, o);
    const SendForm form = m.form();
    const std::unique_ptr<DirectSite> site = m.sampler.site(form);
    Registers registers(m.bench.message);
    const auto inside = [&] {
        m.sampler.stay_inside(true);
        const std::uint64_t reads = m.sampler.stats.state_reads.value();
        const bool done = m.run(*site, registers, form.first_length);
        m.sampler.stay_inside(false);
        EXPECT_EQ(m.sampler.stats.state_reads.value(), reads);
        return done;
    };
    EXPECT_FALSE(inside()) << "its states have not been found";
    EXPECT_TRUE(m.run(*site, registers, form.first_length));
    registers = Registers(m.bench.message);
    EXPECT_TRUE(inside());
    m.invalidate(true, false);
    registers = Registers(m.bench.message);
    EXPECT_FALSE(inside());
}

TEST(Module, OnlySamplesAndLoadsOfAKnownFormAreCalls) {
    Calls m;
    const auto is_call = [&](unsigned code, unsigned simd, int response = -1, bool header = true) {
        Bench::Options o;
        o.simd = simd;
        o.header = header;
        o.response = response;
        m.build(code, o);
        return m.sampler.site(m.form()) != nullptr;
    };
    for (const unsigned simd : {1u, 2u}) {
        EXPECT_TRUE(is_call(kSampleLz, simd));
        EXPECT_TRUE(is_call(kSample, simd));
        EXPECT_TRUE(is_call(kLdLz, simd));
        for (const unsigned code : {kGather4, kLod, kResInfo, kSampleInfo, kLdMcs})
            EXPECT_FALSE(is_call(code, simd)) << code;
        EXPECT_FALSE(is_call(0x0D, simd)) << "reserved";
        EXPECT_FALSE(is_call(kSampleLz, simd, 0)) << "for the render target";
        EXPECT_FALSE(is_call(kSampleLz, simd, 3 * static_cast<int>(simd) - 1, false) && simd == 2)
            << "half a channel";
    }
    EXPECT_FALSE(is_call(kSampleLz, 0)) << "SIMD4x2 or SIMD8D, which the header tells";
    EXPECT_FALSE(is_call(0x1F, 3, 1)) << "a flush";
}

// --- Results for the render target

/// Takes writes, and answers them some cycles later.
struct FakeTarget : sc_core::sc_module {
    static constexpr unsigned kLatency = 70;
    TargetSocket<MessageProtocol> msg_in{"msg_in"};
    MessageStatus status = MessageStatus::Ok;
    std::vector<Message> writes;
    std::vector<Cycles> come;

    FakeTarget(sc_core::sc_module_name name, const Clock& clock)
        : sc_module(name), clock_(clock), wakeup_(clock) {
        msg_in.on_blocking = [this](Message& write, sc_core::sc_time&) {
            writes.push_back(write);
            write.status = status;
        };
        msg_in.on_forward = [this](Message& write, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
            if (phase != tlm::BEGIN_REQ) return tlm::TLM_COMPLETED;
            writes.push_back(write);
            come.push_back(clock_.after(delay));
            waiting_.push_back(&write);
            wakeup_.at(come.back() + Cycles(kLatency));
            return tlm::TLM_ACCEPTED;
        };
        wakeup_.runs<&FakeTarget::answer>(this);
    }

  private:
    void answer() {
        for (unsigned i = answered_; i < waiting_.size(); ++i) {
            if (come[i] + Cycles(kLatency) > clock_.now()) {
                wakeup_.at(come[i] + Cycles(kLatency));
                break;
            }
            ++answered_;
            for (tlm::tlm_phase phase : {tlm::END_REQ, tlm::BEGIN_RESP}) {
                sc_core::sc_time delay;
                msg_in->nb_transport_bw(*waiting_[i], phase, delay);
            }
        }
    }
    const Clock& clock_;
    Wakeup wakeup_;
    std::vector<Message*> waiting_;
    unsigned answered_ = 0;
};

struct WithTarget : Machine {
    FakeTarget target{"target", clock};
    explicit WithTarget(const char* name, Timing timing) : Machine(name, {}, timing, 2, true) {
        sampler.target_out->bind(target.msg_in);
        for (unsigned i = 0; i < 128; ++i)
            bench.put<std::uint32_t>(4 * i, 0x01030507 * i);
        image(32, 4);
        bench.set(surface_state::TileMode, 0);
        load();
    }
    static Bench::Options for_target() {
        Bench::Options o = sixteen();
        o.response = 0;
        o.header2 = 9u << 24;
        return o;
    }
    static std::vector<std::vector<std::uint32_t>> row(unsigned v) {
        std::vector<std::uint32_t> u(16);
        for (unsigned i = 0; i < 16; ++i)
            u[i] = i;
        return {u, all_of(v)};
    }
    void expect_row(const Message& write, unsigned v) const {
        for (unsigned c = 0; c < 4; ++c)
            for (unsigned n = 0; n < 16; ++n) {
                const unsigned byte = (0x01030507 * (32 * v + n)) >> 8 * c & 0xFF;
                EXPECT_EQ(gen9::load<float>(write.payload[2 * c + n / 8].bytes + n % 8 * 4),
                          static_cast<float>(byte) / 255.0f)
                    << c << ", " << n;
            }
    }
};

TEST(Module, ResultsForTheTargetGoThereAtOnce) {
    GEN9_COVERS("SMP-122");
    WithTarget m("m", Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    m.bench.build(kLdLz, WithTarget::row(2), WithTarget::for_target());
    m.bench.message.sender = &m.senders[0];
    for (const MessageStatus status : {MessageStatus::Ok, MessageStatus::GuestError}) {
        m.target.status = status;
        sc_core::sc_time delay;
        m.sampler.msg_in[0].on_blocking(m.bench.message, delay);
        EXPECT_EQ(m.bench.message.status, status) << "the target's";
        m.expect_row(m.target.writes.back(), 2);
    }
    EXPECT_EQ(m.target.writes.size(), 2u);
    EXPECT_EQ(m.sampler.stats.target_writes.value(), 2u);
    // What goes back to the thread goes nowhere else.
    m.bench.build(kLdLz, WithTarget::row(2), Machine::sixteen());
    m.bench.message.sender = &m.senders[0];
    sc_core::sc_time delay;
    m.sampler.msg_in[0].on_blocking(m.bench.message, delay);
    EXPECT_EQ(m.target.writes.size(), 2u);
}

// The registers leave as an answer's do; the message ends when the target has answered, and those
// behind it wait.
TEST(Module, AMessageForTheTargetEndsWhenTheTargetHasAnswered) {
    GEN9_COVERS("SMP-122");
    WithTarget m("m", Timing::Timed);
    m.send(0, Cycles(0), kLdLz, WithTarget::row(1), Machine::sixteen());  // states and lines
    m.send(0, Cycles(3000), kLdLz, WithTarget::row(1), WithTarget::for_target());
    m.send(1, Cycles(3001), kLdLz, WithTarget::row(1), Machine::sixteen());
    m.send(0, Cycles(6000), kLdLz, WithTarget::row(1), WithTarget::for_target());
    m.run(8000);
    m.expect_quiet();
    ASSERT_EQ(m.target.writes.size(), 2u);
    EXPECT_EQ(m.sampler.stats.target_writes.value(), 2u);
    const std::uint64_t notice = m.test.environment.notice_cycles;
    for (unsigned n = 0; n < 2; ++n) {
        m.expect_row(m.target.writes[n], 1);
        EXPECT_EQ(m.target.writes[n].trace_id, n == 0 ? 2u : 4u);
        const FakeEu::Item& item = m.item(0, n + 1);
        EXPECT_EQ(item.message.status, MessageStatus::Ok);
        // One cycle to arrive, three for five registers of payload, the front end, a second cycle
        // of lookups, four of the filter, the way back, four cycles for eight registers.
        EXPECT_EQ((m.target.come[n] - item.issue).value, 1u + 3 + 16 + 1 + 4 + 40 + 4);
        EXPECT_EQ((item.answered - m.target.come[n]).value, FakeTarget::kLatency + 1 + notice);
    }
    EXPECT_GT(m.item(1, 0).answered, m.item(0, 1).answered);
}

// --- What it tells

struct Lookups : AccessObserver {
    std::vector<Served> all;
    void served(const Served& access) override { all.push_back(access); }
};

// Each lookup is told once; a line that is on its way is no hit.
TEST(Module, EachLookupIsTold) {
    Machine m;
    Lookups told;
    m.sampler.accesses = &told;
    m.load();
    for (unsigned n = 0; n < 6; ++n)
        m.sample(n % 2, Cycles(n < 3 ? n : 3000 * n), static_cast<float>(n) / 6, 0);
    m.sample(0, Cycles(30'000), 0, 0);
    m.run(32'000);
    m.expect_quiet();
    m.sampler.accesses = nullptr;
    const SamplerStats& s = m.sampler.stats;
    ASSERT_EQ(told.all.size(), s.lookups.value());
    std::uint64_t hits = 0;
    std::map<TraceId, unsigned> by_message;
    for (const AccessObserver::Served& lookup : told.all) {
        hits += lookup.hit;
        ++by_message[lookup.cause];
        EXPECT_EQ(lookup.level, MemoryLevel::Cache);
        EXPECT_EQ(lookup.requester, Requester::Sampler);
        EXPECT_EQ(lookup.bytes, 64u);
        EXPECT_FALSE(lookup.write);
    }
    EXPECT_GT(hits, 0u);
    EXPECT_GT(s.merged.value(), 0u);
    EXPECT_EQ(hits + s.misses.value() + s.merged.value(), told.all.size());
    EXPECT_EQ(by_message.size(), 7u);
}

TEST(Module, TheWaveformShowsWhatIsCounted) {
    Machine m("m", {"m.sampler.messages_in_flight=2"});
    gen9::test::SignalLog log(m.test.environment.signals);
    m.load();
    for (unsigned n = 0; n < 30; ++n)
        m.sample(n % 2, Cycles(n * 3), static_cast<float>(n % 7) / 7,
                 static_cast<float>(n % 5) / 5);
    m.run(12'000);
    m.expect_quiet();
    m.sampler.settle();
    const SamplerStats& s = m.sampler.stats;
    std::map<std::string, std::uint64_t> sums;
    const char* const names[] = {"lookups", "misses", "lines", "queued", "in_flight"};
    std::uint64_t most_in_flight = 0, most_queued = 0, most_looked_up = 0;
    const std::uint64_t end = m.clock.now().value;
    for (std::uint64_t cycle = 0; cycle < end; ++cycle) {
        for (const char* name : names)
            sums[name] += log.value(std::string("m.sampler.") + name, cycle);
        most_in_flight = std::max(most_in_flight, log.value("m.sampler.in_flight", cycle));
        most_queued = std::max(most_queued, log.value("m.sampler.queued", cycle));
        most_looked_up = std::max(most_looked_up, log.value("m.sampler.lookups", cycle));
    }
    EXPECT_EQ(sums["lookups"], s.lookups.value());
    EXPECT_EQ(sums["misses"], s.misses.value());
    EXPECT_EQ(sums["lines"], s.misses.value() * Machine::kMemoryLatency)
        << "each is on its way for the memory's latency";
    EXPECT_EQ(most_in_flight, 2u);
    EXPECT_EQ(most_looked_up, m.sampler.params.lookups_per_cycle);
    EXPECT_GE(most_queued, 10u);
    EXPECT_EQ(sums["queued"], s.queue_cycles.value());
    EXPECT_EQ(log.value("m.sampler.queued", end), 0u);
}

// Each parameter of a lone message's way: so many cycles more or less.
TEST(Module, EachStageTakesItsParameter) {
    struct Row {
        const char* setting;
        int more;  ///< cycles than with the defaults, which are checked elsewhere
    };
    const Row rows[] = {
        {"cache_ways=4", 0},         {"front_end_cycles=30", 14},  {"front_end_cycles=0", -16},
        {"payload_registers=1", 2},  {"payload_registers=5", -2},  {"lookups_per_cycle=1", 2},
        {"lookups_per_cycle=4", -1}, {"places_per_cycle=1", 12},   {"places_per_cycle=16", -3},
        {"return_cycles=41", 1},     {"writeback_registers=1", 4}, {"writeback_registers=8", -3}};
    std::deque<std::string> names;
    std::deque<Machine> machines;
    for (const Row& row : rows) {
        const std::string& name = names.emplace_back(1, static_cast<char>('a' + names.size()));
        Machine& m = machines.emplace_back(
            name.c_str(), std::vector<std::string>{name + ".sampler." + row.setting});
        m.load();
        for (const unsigned at : {10u, 1010u})
            m.send(0, Cycles(at), kSampleLz, {all(0), all(0)}, Machine::sixteen());
    }
    machines.front().run(3000);
    for (std::size_t n = 0; n < machines.size(); ++n) {
        machines[n].expect_quiet();
        const int cycles = 1 + 3 + 16 + 1 + 4 + 40 + 4 + rows[n].more;
        EXPECT_EQ(machines[n].latency(0, 1), static_cast<std::uint64_t>(cycles)) << rows[n].setting;
    }
}

}  // namespace
}  // namespace gen9::sampler
