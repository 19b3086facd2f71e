// SPDX-License-Identifier: Apache-2.0
// The block against the rules written down a second time (plain_streamer.h): random streams, and
// requests at random times.
#include <list>

#include "rs/module.h"
#include "tests/support/covers.h"
#include "tests/support/environment.h"
#include "tests/support/signal_log.h"
#include "tests/unit/rs/plain_streamer.h"

namespace gen9::test {
namespace {

using plain::Tick;
using Time = sc_core::sc_time;

Time time_of(Tick tick) {
    return Time(static_cast<double>(250 * tick), sc_core::SC_PS);
}
Tick tick_of(const Time& time) {
    return static_cast<Tick>(time.to_seconds() * 4e9 + 0.5);
}

plain::Facts facts_of(unsigned n) {
    std::mt19937 random(n + 100);
    const auto one_of = [&](std::vector<unsigned> values) {
        return values[random() % values.size()];
    };
    plain::Facts facts;
    facts.fetch_bytes = one_of({64, 128, 256, 512});
    facts.products_ahead = one_of({1, 2, 3, 16});
    facts.ahead_bytes = one_of({100, 512, 4096, 65536});
    facts.parse = one_of({1, 1, 2, 5});
    facts.dword = one_of({0, 1, 1, 3});
    facts.issue = one_of({0, 1, 1, 4});
    facts.message = one_of({0, 1, 4, 9});
    facts.keeps = n % 2;
    facts.steps = n % 4 != 3;
    facts.latency = one_of({0, 5, 40, 100, 300});
    facts.pause = one_of({4, 20, 100});
    return facts;
}

std::vector<std::string> settings_of(const plain::Facts& facts, unsigned n) {
    const auto set = [](const char* name, Tick value) {
        return std::string("rs.") + name + "=" + std::to_string(value);
    };
    // A block is a power of two: what is beyond that is not used.
    return {set("fetch_bytes", facts.fetch_bytes + (n % 3 ? 0 : 60)),
            set("products_ahead", facts.products_ahead),
            set("ahead_bytes", facts.ahead_bytes),
            set("parse_cycles", facts.parse),
            set("dword_cycles", facts.dword),
            set("issue_cycles", facts.issue),
            set("message_cycles", facts.message),
            set("ahead_cycles", facts.steps ? 1 : 1 + 30 * (n % 3)),
            std::string("rs.handling=") + (facts.keeps ? "perf" : "no_perf")};
}

/// A block with memory of its own.
struct Machine : sc_core::sc_module {
    plain::Facts facts;
    TestEnvironment environment;
    Clock clock{1'000'000'000};
    rs::ResourceStreamer rs;
    InitiatorSocket<ResourceProtocol> out{"out"};
    TargetSocket<MemoryProtocol> fetch_in{"fetch_in"}, mem_in{"mem_in"};
    std::array<plain::Memory, 2> memories, expected_memories;
    plain::RandomStream random;
    std::unique_ptr<plain::Streamer> expected;
    std::unique_ptr<SignalLog> log;
    std::vector<plain::Access> accesses;
    std::map<const ResourceRequest*, Tick> answered;
    std::vector<std::uint64_t> starts;  ///< addresses of commands
    Tick end = 0;

    Machine(sc_core::sc_module_name module_name, unsigned n, unsigned jobs)
        : sc_module(module_name),
          facts(facts_of(n)),
          environment(Timing::Timed, settings_of(facts, n)),
          rs("rs", environment.environment, clock),
          random(n) {
        for (auto* socket : {&fetch_in, &mem_in})
            socket->on_blocking = [this, socket](tlm::tlm_generic_payload& payload, Time& delay) {
                access(payload, delay, socket == &fetch_in);
            };
        out.on_backward = [this](ResourceRequest& request, tlm::tlm_phase& phase, Time& delay) {
            EXPECT_EQ(phase, tlm::BEGIN_RESP);
            EXPECT_FALSE(answered.contains(&request));
            answered[&request] = tick_of(sc_core::sc_time_stamp() + delay);
            return tlm::TLM_COMPLETED;
        };
        out.bind(rs.request_in);
        rs.fetch_out.bind(fetch_in);
        rs.mem_out.bind(mem_in);
        fill(memories[0]);
        expected = std::make_unique<plain::Streamer>(facts, random, expected_memories, starts);
        end = expected->run(jobs);
        if (facts.steps) log = std::make_unique<SignalLog>(environment.environment.signals);
    }
    void fill(plain::Memory& memory) {
        for (const std::uint64_t page : random.pages())
            memory.map(page);
        for (std::uint64_t page = 5; page <= 8; ++page)
            memory.map(plain::RandomStream::kContexts + 4096 * page);
        for (const auto& [at, dword] : random.contents())
            memory.put(at, dword);
        for (std::uint64_t at = random.stream_at; at < random.stream_at + 8192;) {
            starts.push_back(at & plain::kAll);
            for (const std::uint32_t dword : random.command())
                memory.put(std::exchange(at, at + 4) & plain::kAll, dword);
        }
        memories[1] = memory;
        expected_memories = memories;
    }
    void access(tlm::tlm_generic_payload& payload, Time& delay, bool fetches) {
        const MemoryAttributes& attributes = attributes_of(payload);
        EXPECT_EQ(attributes.requester, Requester::ResourceStreamer);
        EXPECT_EQ(payload.get_streaming_width(), payload.get_data_length());
        EXPECT_EQ(attributes.trace_id >> 32, attributes.trace_id ? 5u : 0u);
        const bool writes = payload.is_write(), global = attributes.space == AddressSpace::Ggtt;
        std::uint8_t* const data = payload.get_data_ptr();
        const std::size_t bytes = payload.get_data_length();
        accesses.push_back({tick_of(sc_core::sc_time_stamp() + delay),
                            payload.get_address(),
                            bytes,
                            writes,
                            fetches,
                            global,
                            attributes.trace_id & 0xFFFF'FFFF,
                            {data, writes ? data + bytes : data}});
        const bool good = memories[global].access(payload.get_address(), data, bytes, writes);
        if (!good && !writes) std::fill_n(data, bytes, std::uint8_t{0xA5});  // of no meaning
        payload.set_response_status(good ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
        delay += time_of(plain::Memory::latency(payload.get_address(), writes, facts.latency));
    }

    void play(plain::Ask& ask) {
        if (ask.looks) {
            rs.settle();
            EXPECT_EQ(cycles(), ask.cycles);
            EXPECT_EQ(rs.describe_waiting(), ask.waiting);
            EXPECT_EQ(rs.idle(), ask.waiting.empty());
            return;
        }
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        Time delay = time_of(ask.delay);
        const auto status = out->nb_transport_fw(ask.request, phase, delay);
        EXPECT_EQ(status, ask.at_once ? tlm::TLM_COMPLETED : tlm::TLM_UPDATED);
        EXPECT_EQ(phase, ask.at_once ? tlm::BEGIN_RESP : tlm::END_REQ);
        if (status == tlm::TLM_COMPLETED)
            answered[&ask.request] = tick_of(sc_core::sc_time_stamp() + delay);
    }
    std::array<std::uint64_t, 7> cycles() const {
        const rs::RsStats& s = rs.stats;
        return {s.idle_cycles.value(),   s.busy_cycles.value(), s.fetch_cycles.value(),
                s.engine_cycles.value(), s.room_cycles.value(), s.drain_cycles.value(),
                s.context_cycles.value()};
    }

    void expect_answers() {
        for (const plain::Ask& ask : expected->asks) {
            if (ask.looks) continue;
            SCOPED_TRACE(testing::Message()
                         << "operation " << static_cast<int>(ask.request.operation) << " at "
                         << ask.at << std::hex << ", address 0x" << ask.request.address.value);
            ASSERT_TRUE(answered.contains(&ask.request));
            EXPECT_EQ(answered[&ask.request], ask.answered);
            EXPECT_EQ(ask.request.failed, ask.failed);
            EXPECT_EQ(ask.request.stop, ask.stop);
            EXPECT_EQ(ask.request.stopped_at.value, ask.stopped_at);
            EXPECT_EQ(ask.request.unconsumed, ask.unconsumed);
            if (::testing::Test::HasFailure()) return;
        }
    }
    void expect_accesses() const {
        for (std::size_t n = 0; n < std::min(accesses.size(), expected->accesses.size()); ++n) {
            const plain::Access &is = accesses[n], &should = expected->accesses[n];
            ASSERT_EQ(is, should) << n << ": at " << is.begin << " not " << should.begin << std::hex
                                  << ", 0x" << is.at << " not 0x" << should.at << ", bytes "
                                  << is.bytes << " not " << should.bytes << ", id " << is.id
                                  << " not " << should.id << (should.writes ? ", written" : "")
                                  << (should.fetches ? ", fetched" : "");
        }
        EXPECT_EQ(accesses.size(), expected->accesses.size());
    }
    void expect_counters() {
        const rs::RsStats& s = rs.stats;
        EXPECT_EQ(cycles(), expected->cycles);
        EXPECT_EQ(s.commands.value(), expected->commands);
        EXPECT_EQ(s.dwords.value(), expected->dwords);
        EXPECT_EQ(s.fetches.value(), expected->fetches);
        EXPECT_EQ(s.starts.value(), expected->starts);
        EXPECT_EQ(s.stops.value(), expected->stops);
        EXPECT_EQ(s.limits.value(), expected->limits);
        EXPECT_EQ(s.halts.value(), expected->halts);
        EXPECT_EQ(s.edits.value(), expected->core.edits);
        EXPECT_EQ(s.tables.value(), expected->core.tables_made);
        EXPECT_EQ(s.gathers.value(), expected->core.gathers_made);
        EXPECT_EQ(s.gathered_dwords.value(), expected->core.packed);
        EXPECT_EQ(s.stores.value(), expected->core.stores);
        EXPECT_EQ(s.fences.value(), expected->core.fences);
        EXPECT_EQ(s.lines_read.value(), expected->lines_read);
        EXPECT_EQ(s.lines_written.value(), expected->lines_written);
        EXPECT_EQ(environment.reporter.guest_errors(),
                  expected->core.errors.size() + expected->dropped + expected->bad_images);
    }
    void expect_signals() {
        const std::string path = std::string(rs.name()) + ".";
        for (const auto& [cycle, parsed] : expected->parsed) {
            const auto at = static_cast<std::uint64_t>(cycle);
            ASSERT_EQ(log->value(path + "address", at), parsed.at & plain::kAll) << at;
            ASSERT_EQ(log->value(path + "header", at), parsed.header) << at;
            ASSERT_EQ(log->value(path + "command_id", at), 5ull << 32 | parsed.id) << at;
        }
        for (const auto& [cycle, waits] : expected->waits) {
            const auto at = static_cast<std::uint64_t>(cycle);
            ASSERT_EQ(log->value(path + "tables", at), waits[0]) << at;
            ASSERT_EQ(log->value(path + "gathers", at), waits[1]) << at;
        }
        // The last of those that begin with a cycle lasts.
        const auto& reasons = expected->reasons;
        for (std::size_t n = 0; n + 1 < reasons.size(); ++n) {
            if (reasons[n].first == reasons[n + 1].first) continue;
            for (const Tick cycle : {reasons[n].first, reasons[n + 1].first - 1})
                ASSERT_EQ(log->value(path + "activity", static_cast<std::uint64_t>(cycle)),
                          reasons[n].second)
                    << cycle;
        }
    }
};

TEST(RsRandom, RequestsAtRandomTimesAreAnsweredAsTheRulesSay) {
    GEN9_COVERS("RS-01 RS-04 RS-06 RS-09 RS-11 RS-13 RS-15 RS-16 RS-20 RS-25 RS-31 RS-32 RS-33");
    std::list<Machine> machines;
    std::multimap<Tick, std::pair<Machine*, plain::Ask*>> asks;
    Tick end = 0;
    for (unsigned n = 0; n < 20; ++n) {
        Machine& machine = machines.emplace_back(("machine" + std::to_string(n)).c_str(), n, 16u);
        for (plain::Ask& ask : machine.expected->asks)
            asks.emplace(ask.at, std::pair(&machine, &ask));
        end = std::max(end, machine.end);
    }
    Tick now = 0;
    for (auto& [at, each] : asks) {
        auto& [machine, ask] = each;
        if (at > now) sc_core::sc_start(time_of(at - now));
        now = std::max(now, at);
        SCOPED_TRACE(testing::Message() << machine->name() << " at " << at);
        machine->play(*ask);
        if (HasFailure()) break;
    }
    sc_core::sc_start(time_of(end - now + 400));
    for (Machine& machine : machines) {
        SCOPED_TRACE(machine.name());
        machine.expect_accesses();
        machine.expect_answers();
        if (HasFailure()) return;
        machine.expect_counters();
        if (machine.log) machine.expect_signals();
    }
}

}  // namespace
}  // namespace gen9::test
