// SPDX-License-Identifier: Apache-2.0
// Plain TLM-2.0 modules, with processes of their own, in the places of ours.
#include <map>
#include <random>

#include "l3/front/module.h"
#include "tests/support/foreign.h"
#include "tests/support/memory_target.h"
#include "tests/unit/memory/bench.h"

namespace gen9::memory {
namespace {

using Style = test::ForeignMemory::Style;

constexpr std::uint64_t kFrames = 0x100000;  ///< of the GGTT's first pages
constexpr unsigned kPages = 64;

/// Where the foreign memory stands.
enum class Place { BehindL3, BehindGti, BehindLlc };

/// Initiators, and what is between them and a foreign memory.
struct Machine {
    test::TestEnvironment environment;
    Clock clock{1'000'000'000};
    PhysicalMemory memory;
    std::unique_ptr<l3::L3> l3;
    std::unique_ptr<Gti> gti;
    std::unique_ptr<Llc> llc;
    test::ForeignMemory foreign;
    std::deque<test::MemoryInitiator> from, others;
    bool with_l3;

    Machine(Timing timing, Place place, Style style, bool through_l3, unsigned clients = 3,
            std::uint64_t latency = 100)
        : environment(timing),
          foreign("foreign", style, place == Place::BehindL3 ? 4 : 1, clock.time(Cycles(latency))),
          with_l3(through_l3) {
        clock.agenda().run_ahead(Cycles(1'000'000'000));
        auto& env = environment.environment;
        if (place != Place::BehindL3) {
            gti = std::make_unique<Gti>("gti", env, clock, memory, through_l3 ? 4 : clients);
            // The tables lie in memory too: the bytes written before it is found go there.
            for (std::uint32_t page = 0; page < kPages; ++page)
                gti->write_gtt(page, (kFrames + page * kPageBytes) | 1);
            other("gti_control").mem_out.bind(gti->control_in);
            other("gti_registers").mem_out.bind(gti->reg_in);
            if (place == Place::BehindLlc) {
                llc = std::make_unique<Llc>("llc", env, clock, memory);
                gti->mem_out.bind(llc->mem_in);
                llc->mem_out.bind(foreign.in[0]);
            } else {
                gti->mem_out.bind(foreign.in[0]);
            }
        }
        if (through_l3) {
            l3 = std::make_unique<l3::L3>("l3", env, clock, clients, 4);
            other("control").mem_out.bind(l3->control_in);
            other("registers").mem_out.bind(l3->reg_in);
            other("snooper").mem_out.bind(l3->snoop_in);
            for (unsigned b = 0; b < 4; ++b)
                if (gti)
                    l3->mem_out(b).bind(gti->mem_in[b]);
                else
                    l3->mem_out(b).bind(foreign.in[b]);
        }
    }
    ~Machine() {
        for (auto& f : from)
            f.clear();
    }
    TargetSocket<MemoryProtocol>& in(unsigned i) { return l3 ? l3->mem_in[i] : gti->mem_in[i]; }
    test::MemoryInitiator& client(unsigned i) {
        auto& initiator = from.emplace_back(("from" + std::to_string(i)).c_str(), clock);
        initiator.mem_out.bind(in(i));
        return initiator;
    }
    void flush() {
        if (!l3) return;
        auto* t = from[0].pool.get();
        t->attributes.operation = MemoryAttributes::Operation::Control;
        t->attributes.control.flush_data = true;
        sc_core::sc_time delay;
        others[gti ? 2 : 0].mem_out->b_transport(*t, delay);
        t->release();
    }
    std::uint8_t byte(std::uint64_t address) const {
        return foreign.bytes[gti ? kFrames + address : address];
    }

  private:
    test::MemoryInitiator& other(const char* name) { return others.emplace_back(name, clock); }
};

struct Case {
    const char* name;
    Place place;
    Style style;
    bool through_l3;
};

class ForeignMemories : public testing::TestWithParam<Case> {};

/// Random reads, writes, masked writes and atomics of three clients, each in its own part; what
/// was read and what memory holds in the end is checked against a plain array.
void expect_right_bytes(Timing timing, const Case& what) {
    Machine machine(timing, what.place, what.style, what.through_l3);
    constexpr std::uint64_t kPart = 0x4000;
    std::vector<std::uint8_t> expected(3 * kPart);
    std::map<const MemoryTransaction*, std::vector<std::uint8_t>> reads;
    std::mt19937 random(5);
    std::vector<std::pair<unsigned, MemoryTransaction*>> work;
    for (unsigned c = 0; c < 3; ++c)
        machine.client(c);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (unsigned i = 0; i < 900; ++i) {
        const unsigned c = i % 3, kind = random() % 8;
        const std::uint64_t line = c * kPart + random() % 64 * 64;
        const auto offset = static_cast<unsigned>(random() % 16 * 4);
        const unsigned size = kind == 7 ? 4 : (64 - offset);
        auto& f = machine.from[c];
        MemoryTransaction* t = nullptr;
        if (kind < 4) {
            t = f.read(line + offset, size);
            reads[t] = {&expected[line + offset], &expected[line + offset] + size};
        } else if (kind < 7) {
            t = f.write(line + offset, size, static_cast<std::uint8_t>(i));
            const std::uint64_t mask = kind == 6 ? random() : ~std::uint64_t{0};
            t->enable_bytes(mask, size);
            for (unsigned b = 0; b < size; ++b)
                if (mask >> b & 1) expected[line + offset + b] = static_cast<std::uint8_t>(i);
        } else {
            t = f.atomic(line, AtomicOp::Add, 1, 0, i);
            store(&expected[line], load<std::uint32_t>(&expected[line]) + i);
        }
        t->attributes.space = AddressSpace::Ggtt;
        t->attributes.uncached = random() % 6 == 0;
        work.emplace_back(c, t);
    }
    // Without L3 nobody keeps an initiator's accesses to a line in order.
    std::uint64_t at = 10;
    for (auto& [c, t] : work)
        if (timing == Timing::Timed)
            machine.from[c].send(t, what.through_l3 ? 10 : at += 400);
        else
            machine.from[c].block(t);
    if (timing == Timing::Timed) sc_core::sc_start();
    for (const auto& [t, bytes] : reads)
        EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), t->data)) << t->get_address();
    for (auto& [c, t] : work)
        EXPECT_TRUE(t->is_response_ok());
    std::vector<std::uint8_t> held(expected.size());
    if (what.style == Style::Blocking) {
        // It would wait in a flush, which is no process here: what L3 holds counts as well.
        for (std::uint64_t i = 0; i < held.size(); i += 64) {
            auto* t = machine.from[0].read(i);
            t->attributes.space = AddressSpace::Ggtt;
            EXPECT_EQ(machine.from[0].mem_out->transport_dbg(*t), 64u);
            std::copy_n(t->data, 64, &held[i]);
            t->release();
        }
    } else {
        machine.flush();
        if (sc_core::sc_pending_activity()) sc_core::sc_start();
        for (std::uint64_t i = 0; i < held.size(); ++i)
            held[i] = machine.byte(i);
    }
    for (std::uint64_t i = 0; i < expected.size(); ++i)
        ASSERT_EQ(held[i], expected[i]) << i;
    EXPECT_GT(machine.foreign.requests, 0u);
    EXPECT_FALSE(machine.clock.agenda().alone());
}

TEST_P(ForeignMemories, HoldTheRightBytesWithTime) {
    expect_right_bytes(Timing::Timed, GetParam());
}

TEST_P(ForeignMemories, HoldTheRightBytesWithoutTime) {
    Case what = GetParam();
    // A test program's own calls are no process, so they cannot wait.
    if (what.style == Style::Blocking) what.style = Style::Quick;
    expect_right_bytes(Timing::Functional, what);
}

constexpr Case kCases[] = {
    {"PeqBehindL3", Place::BehindL3, Style::Peq, true},
    {"MixedBehindL3", Place::BehindL3, Style::Mixed, true},
    {"CompletedBehindL3", Place::BehindL3, Style::Completed, true},
    {"BlockingBehindL3", Place::BehindL3, Style::Blocking, true},
    {"QuickBehindL3", Place::BehindL3, Style::Quick, true},
    {"PeqBehindGti", Place::BehindGti, Style::Peq, false},
    {"MixedBehindGtiAndL3", Place::BehindGti, Style::Mixed, true},
    {"BlockingBehindGti", Place::BehindGti, Style::Blocking, false},
    {"PeqBehindLlc", Place::BehindLlc, Style::Peq, true},
    {"MixedBehindLlc", Place::BehindLlc, Style::Mixed, true},
    {"EarlyEndBehindLlc", Place::BehindLlc, Style::EarlyEnd, false},
    {"BlockingBehindLlc", Place::BehindLlc, Style::Blocking, true},
};
INSTANTIATE_TEST_SUITE_P(Places, ForeignMemories, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

/// One L3 with our memory behind it and one with a foreign one of the same latency.
TEST(ForeignMemory, OfTheSameTimingGivesTheSameCycles) {
    Machine machine(Timing::Timed, Place::BehindL3, Style::EarlyEnd, true);
    test::TestEnvironment environment(Timing::Timed, {});
    l3::L3 ours("ours", environment.environment, machine.clock, 3, 4);
    test::MemoryTarget memory("memory", machine.clock, 4);
    std::deque<test::MemoryInitiator> around;
    for (const char* name : {"control2", "registers2", "snooper2"})
        around.emplace_back(name, machine.clock);
    around[0].mem_out.bind(ours.control_in);
    around[1].mem_out.bind(ours.reg_in);
    around[2].mem_out.bind(ours.snoop_in);
    for (unsigned b = 0; b < 4; ++b)
        ours.mem_out(b).bind(memory.mem_in[b]);
    std::deque<test::MemoryInitiator> beside;
    for (unsigned c = 0; c < 3; ++c) {
        machine.client(c);
        beside.emplace_back(("beside" + std::to_string(c)).c_str(), machine.clock)
            .mem_out.bind(ours.mem_in[c]);
    }
    for (unsigned i = 0; i < 500; ++i)
        for (unsigned c = 0; c < 3; ++c)
            for (auto* f : {&machine.from[c], &beside[c]})
                f->send(f->read((i * 7 + c * 5) % 700 * 64), 10 + i / 9 * 13);
    sc_core::sc_start();
    for (unsigned c = 0; c < 3; ++c) {
        ASSERT_EQ(beside[c].ended.size(), 500u);
        ASSERT_EQ(machine.from[c].ended.size(), 500u);
        for (unsigned i = 0; i < 500; ++i)
            ASSERT_EQ(machine.from[c].ended[i].cycle, beside[c].ended[i].cycle) << c << " " << i;
        beside[c].clear();
    }
}

class ForeignInitiators : public testing::TestWithParam<std::tuple<Place, bool>> {};

TEST_P(ForeignInitiators, ReadWhatTheyWroteAndEndTheirResponsesInPeace) {
    const auto [place, through_l3] = GetParam();
    Machine machine(Timing::Timed, place, Style::Mixed, through_l3, 3);
    // Theirs are graphics addresses of the PPGTT, of which one table maps the first 256 KB.
    if (machine.gti) {
        const auto entry = [&](std::uint64_t at, std::uint64_t value) {
            ASSERT_TRUE(machine.memory.write(PhysAddr(at),
                                             {reinterpret_cast<const std::uint8_t*>(&value), 8}));
        };
        for (const std::uint64_t table : {0x1000, 0x2000, 0x3000})
            entry(table, (table + 0x1000) | 3);
        for (std::uint64_t page = 0; page < kPages; ++page)
            entry(0x4000 + 8 * page, (kFrames + page * kPageBytes) | 3);
        machine.gti->set_page_directories({true, {0x1000, 0, 0, 0}});
    }
    test::ForeignInitiator first("first", 0, 200, sc_core::sc_time(1.3, sc_core::SC_NS));
    test::ForeignInitiator second("second", 0x8000, 200, sc_core::sc_time(0.4, sc_core::SC_NS));
    first.out.bind(machine.in(0));
    second.out.bind(machine.in(1));
    auto& ours = machine.client(2);
    auto* written = ours.send(ours.write(0x10000, 64, 9), 10);
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
    for (const auto* initiator : {&first, &second}) {
        EXPECT_TRUE(initiator->done());
        EXPECT_EQ(initiator->wrong, 0u);
        EXPECT_FALSE(initiator->overlap);
    }
    EXPECT_TRUE(written->is_response_ok());
}

INSTANTIATE_TEST_SUITE_P(Places, ForeignInitiators,
                         testing::Values(std::tuple{Place::BehindL3, true},
                                         std::tuple{Place::BehindLlc, true},
                                         std::tuple{Place::BehindLlc, false}));

/// Calls b_transport from the agenda, as the EUs do in functional mode.
struct Caller : sc_core::sc_module {
    InitiatorSocket<MemoryProtocol> out{"out"};
    Wakeup wakeup;
    const Clock& clock;
    MemoryPool pool;
    unsigned calls = 0, wrong = 0;
    Caller(sc_core::sc_module_name name, const Clock& domain)
        : sc_core::sc_module(name), wakeup(domain), clock(domain) {
        wakeup.runs<&Caller::call>(this);
    }
    void call() {
        auto* t = pool.get();
        t->access(calls % 2 ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND, calls / 2 * 64, 64);
        if (calls % 2 == 0) std::fill_n(t->data, 64, static_cast<std::uint8_t>(calls / 2));
        sc_core::sc_time delay;
        out->b_transport(*t, delay);
        wrong += t->data[17] != static_cast<std::uint8_t>(calls / 2) || t->is_response_error();
        t->release();
        if (++calls < 200) wakeup.at(clock.now() + Cycles(1));
    }
};

TEST(ForeignMemory, ACallOfAModuleMayWait) {
    Machine machine(Timing::Functional, Place::BehindL3, Style::Blocking, true);
    Caller first("first", machine.clock), second("second", machine.clock);
    machine.client(2);
    first.out.bind(machine.in(0));
    second.out.bind(machine.in(1));
    first.wakeup.at(Cycles(1));
    second.wakeup.at(Cycles(1));
    sc_core::sc_start();
    for (const auto* caller : {&first, &second}) {
        EXPECT_EQ(caller->calls, 200u);
        EXPECT_EQ(caller->wrong, 0u);
    }
    EXPECT_GE(sc_core::sc_time_stamp(), machine.clock.time(Cycles(400 * 100)));
}

TEST(ForeignModule, AClockOfItsOwnChangesNoCycle) {
    Machine machine(Timing::Timed, Place::BehindL3, Style::EarlyEnd, true);
    sc_core::sc_clock strange("strange", sc_core::sc_time(0.37, sc_core::SC_NS));
    machine.client(0);
    for (unsigned i = 1; i < 3; ++i)
        machine.client(i);
    auto* t = machine.from[0].send(machine.from[0].read(0x1000), 50);
    sc_core::sc_start(machine.clock.time(Cycles(1000)));
    ASSERT_EQ(machine.from[0].ended.size(), 1u);
    EXPECT_TRUE(t->is_response_ok());
    // There, the memory's 100 cycles and the way to it, and back.
    EXPECT_EQ(machine.from[0].ended[0].cycle, 50 + machine.l3->params.request_cycles + 100 +
                                                  machine.l3->params.bank_cycles +
                                                  machine.l3->params.return_cycles);
}

class ForeignBursts : public testing::TestWithParam<bool> {};

/// Sends what it is given and notes how the call was answered.
struct Sender : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Sender> out{"out"};
    explicit Sender(sc_core::sc_module_name name) : sc_core::sc_module(name) {}
    tlm::tlm_response_status answer(tlm::tlm_generic_payload& payload) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        EXPECT_EQ(out->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
        return payload.get_response_status();
    }
};

TEST_P(ForeignBursts, BeyondALineAreAnsweredAtOnceWithABurstError) {
    Machine machine(Timing::Timed, Place::BehindLlc, Style::Quick, GetParam());
    Sender sender("sender");
    sender.out.bind(machine.in(0));
    machine.client(1);
    machine.client(2);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    std::uint8_t data[128];
    tlm::tlm_generic_payload payload;
    payload.set_data_ptr(data);
    payload.set_command(tlm::TLM_READ_COMMAND);
    struct Shape {
        std::uint64_t address;
        unsigned length, width;
    };
    for (const auto& [address, length, width] :
         {Shape{0, 128, 128}, Shape{32, 64, 64}, Shape{0, 0, 0}, Shape{0, 64, 4}}) {
        payload.set_address(address);
        payload.set_data_length(length);
        payload.set_streaming_width(width);
        payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        EXPECT_EQ(sender.answer(payload), tlm::TLM_BURST_ERROR_RESPONSE) << length;
    }
}

INSTANTIATE_TEST_SUITE_P(Places, ForeignBursts, testing::Values(true, false));

}  // namespace
}  // namespace gen9::memory
