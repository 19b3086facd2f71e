// SPDX-License-Identifier: Apache-2.0
// What the data port asks of its memories, and what their answers do.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/hdc/thread_messages.h"

namespace gen9::hdc {
namespace {
using namespace test;

TEST(Memories, EveryRequestCarriesTheIdOfItsMessage) {
    Machine timed("timed", Timing::Timed, 1), functional("functional", Timing::Functional, 1);
    functional.memory.direct = functional.slm.direct = false;
    const std::uint32_t flush = kFence | 1u << 12;
    const struct {
        Send message;
        unsigned memory, slm;  // requests
    } rows[] = {
        {read(kData), 1, 0},
        {Send(DC1, kA64Read16).add(ramp<std::uint64_t>(16, kData, 64)), 16, 0},
        {Send(DC1, kA64Write16).add(ramp<std::uint64_t>(16, kData + 60, 4)).add(U32(16, 5)), 2, 0},
        {add(kData, 1), 1, 0},
        // A table entry, a state, a line.
        {Send(DC1, kUntypedRead16).add(ramp<std::uint32_t>(16, 0, 4)), 3, 0},
        {Send(DC1, kUntypedRead16 | kLocal).add(ramp<std::uint32_t>(16, 0, 4)), 0, 1},
        {count_in_slm(), 0, 1},
        {Send(DC0, flush, 0xFF).header({}), 1, 0},
    };
    for (Machine* m : {&timed, &functional}) {
        m->bind(0, SurfaceBits::buffer(kData, 4096));
        TraceId id = 100;
        for (const auto& row : rows) {
            Send send = row.message;
            send.message.trace_id = ++id;
            m->send(0, 0, send);
        }
    }
    for (auto& item : functional.eus[0]->items)
        item.sent = true;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (auto& item : functional.eus[0]->items) {
        sc_core::sc_time delay;
        functional.eus[0]->msg_out->b_transport(item.message, delay);
    }
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    timed.expect_quiet();
    for (Machine* m : {&timed, &functional}) {
        TraceId id = 100;
        for (const auto& row : rows) {
            ++id;
            EXPECT_EQ(m->memory.traced[id], row.memory) << id << ' ' << m->hdc.name();
            EXPECT_EQ(m->slm.traced[id], row.slm) << id << ' ' << m->hdc.name();
        }
        EXPECT_EQ(m->memory.traced.count(0) + m->slm.traced.count(0), 0u);
    }
}

TEST(Memories, InTimedModeABlockingMessageIsMadeOfRequestsToo) {
    Machine m("m");
    m.memory.direct = m.slm.direct = true;  // L3 holds data: what lies below it must not be touched
    store<std::uint32_t>(m.memory.at(kData), 7);
    Send load = read(kData), count = count_in_slm();
    load.message.trace_id = 1;
    count.message.trace_id = 2;
    for (const Send& send : {load, count}) {
        m.send(0, 0, send);
        m.eus[0]->items.back().sent = true;
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (auto& item : m.eus[0]->items) {
        sc_core::sc_time delay;
        m.eus[0]->msg_out->b_transport(item.message, delay);
    }
    EXPECT_EQ(result(m.eus[0]->items[0]), 7u);
    EXPECT_EQ(m.memory.traced[1], 1u);
    EXPECT_EQ(m.slm.traced[2], 1u);
}

TEST(Memories, DirectAccessIsUsedAsFarAsItIsGranted) {
    const struct {
        const char* name;
        bool memory_read_only, slm_read_only;
        unsigned requests, slm_requests;  // of a write and a read, and of the same to SLM
    } rows[] = {
        {"all", false, false, 0, 0}, {"some", true, false, 1, 0}, {"less", false, true, 0, 2}};
    std::deque<Machine> machines;
    for (const auto& row : rows) {
        Machine& m = machines.emplace_back(row.name, Timing::Functional, 1);
        m.memory.read_only = row.memory_read_only;
        m.slm.read_only = row.slm_read_only;
        const U32 offsets = ramp<std::uint32_t>(8, 0, 8);
        for (const Send& send : {write(kData, 7), read(kData),
                                 Send(DC1, kUntypedWrite8 | kLocal).add(offsets).add(U32(8, 9)),
                                 Send(DC1, kUntypedRead8 | kLocal).add(offsets)}) {
            m.send(0, 0, send);
            m.eus[0]->items.back().message.trace_id = 1;
            m.eus[0]->items.back().sent = true;
        }
    }
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    for (unsigned i = 0; i < machines.size(); ++i) {
        SCOPED_TRACE(rows[i].name);
        Machine& m = machines[i];
        for (auto& item : m.eus[0]->items) {
            sc_core::sc_time delay;
            m.eus[0]->msg_out->b_transport(item.message, delay);
        }
        EXPECT_EQ(result(m.eus[0]->items[1]), 7u);
        EXPECT_EQ(result(m.eus[0]->items[3]), 9u);
        EXPECT_EQ(m.memory.traced[1], rows[i].requests);
        EXPECT_EQ(m.slm.traced[1], rows[i].slm_requests);
    }
}

TEST(Memories, StatesAreReadForTheStateCache) {
    Machine m("m");
    m.bind(0, SurfaceBits::buffer(kData, 64));
    m.send(0, 0, Send(DC1, kUntypedRead8, 1).add(U32(8, 0)));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    m.expect_quiet();
    EXPECT_EQ(m.memory.askers, std::set{Requester::StateCache});
}

TEST(Memories, AMemoryMayAnswerInTheCallThatAsksIt) {
    Machine response("response", Timing::Timed, 1), completed("completed", Timing::Timed, 1);
    response.memory.answer = FakeMemory::Answer::Response;
    completed.memory.answer = FakeMemory::Answer::Completed;
    for (Machine* m : {&response, &completed})
        for (unsigned n = 0; n < 40; ++n)
            m->send(0, 0, n < 20 ? write(kData + n * 64, n + 1) : read(kData + (n - 20) * 64));
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    for (Machine* m : {&response, &completed}) {
        SCOPED_TRACE(m->hdc.name());
        m->expect_quiet();
        EXPECT_EQ(m->memory.requests, 40u);
        for (unsigned n = 0; n < 20; ++n)
            EXPECT_EQ(result(m->eus[0]->items[20 + n]), n + 1);
    }
    EXPECT_EQ(response.memory.end_responses, 40u);
    EXPECT_EQ(completed.memory.end_responses, 0u);
}

TEST(Memories, AnAnswerThatComesDelaysNoRequest) {
    Machine m("m", Timing::Timed, 1);
    m.memory.most_accept = 0;
    m.memory.least_latency = m.memory.most_latency = 50;
    constexpr unsigned kFirst = 20, kPairs = 80;
    for (unsigned n = 0; n < kPairs; ++n) {
        m.send(0, 0, read(kData), Cycles(1000 * n + 100));
        m.send(0, 1, read(kData + 64), Cycles(1000 * n + 100 + kFirst + n));
    }
    sc_core::sc_start(sc_core::sc_time(100, sc_core::SC_US));
    m.expect_quiet();
    const auto& items = m.eus[0]->items;
    for (unsigned n = 0; n < kPairs; ++n)
        EXPECT_EQ(items[2 * n + 1].answered - items[2 * n + 1].issue,
                  items[0].answered - items[0].issue)
            << kFirst + n << " cycles after another";
}

TEST(Memories, AFaultingAddressReadsZeroInBothModes) {
    Machine timed("timed"), functional("functional", Timing::Functional);
    timed.send(0, 0, read(0x10));
    functional.send(0, 0, read(0x10));
    functional.eus[0]->items[0].sent = true;
    sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_US));
    timed.expect_quiet();
    sc_core::sc_time delay;
    functional.eus[0]->msg_out->b_transport(functional.eus[0]->items[0].message, delay);
    EXPECT_EQ(result(timed.eus[0]->items[0]), 0u);
    EXPECT_EQ(result(functional.eus[0]->items[0]), 0u);
    EXPECT_EQ(functional.eus[0]->items[0].message.response_enable[0], 0xFu);
}

TEST(Memories, StateCacheInvalidationMakesTheNextMessageReadTheSurfaceAgain) {
    GEN9_COVERS("L3-89");
    Machine m("m", Timing::Functional);
    m.bind(0, SurfaceBits::buffer(kData, 64));
    store<std::uint32_t>(m.memory.at(kData), 1);
    store<std::uint32_t>(m.memory.at(kData + 64), 2);
    for (unsigned n = 0; n < 3; ++n)
        m.send(0, 0, Send(DC1, kUntypedRead8, 1).add(U32(8, 0)));
    for (auto& item : m.eus[0]->items)
        item.sent = true;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto run = [&](unsigned n) {
        sc_core::sc_time delay;
        m.eus[0]->msg_out->b_transport(m.eus[0]->items[n].message, delay);
        return result(m.eus[0]->items[n]);
    };
    EXPECT_EQ(run(0), 1u);
    m.bind(0, SurfaceBits::buffer(kData + 64, 64));
    EXPECT_EQ(run(1), 1u);
    MemoryPool pool;
    MemoryTransaction* control = pool.get();
    control->access(tlm::TLM_IGNORE_COMMAND, 0, 0);
    control->attributes.operation = MemoryAttributes::Operation::Control;
    control->attributes.control.invalidate_state = true;
    sc_core::sc_time delay;
    m.control.out->b_transport(*control, delay);
    EXPECT_EQ(control->get_response_status(), tlm::TLM_OK_RESPONSE);
    control->release();
    EXPECT_EQ(run(2), 2u);
}

TEST(Memories, PagesAreForgottenWhenDirectAccessIsWithdrawn) {
    Machine m("m", Timing::Functional);
    for (unsigned n = 0; n < 2; ++n)
        m.send(0, 0, read(kData));
    for (auto& item : m.eus[0]->items)
        item.sent = true;
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto run = [&](unsigned n) {
        sc_core::sc_time delay;
        m.eus[0]->msg_out->b_transport(m.eus[0]->items[n].message, delay);
        return result(m.eus[0]->items[n]);
    };
    store<std::uint32_t>(m.memory.at(kData), 1);
    EXPECT_EQ(run(0), 1u);
    // The page moves: the same address now lies elsewhere in host memory.
    std::vector<std::uint8_t> moved(m.memory.bytes);
    m.memory.bytes.swap(moved);
    store<std::uint32_t>(m.memory.at(kData), 2);
    m.memory.mem_in->invalidate_direct_mem_ptr(kData, kData + kPageBytes - 1);
    EXPECT_EQ(run(1), 2u);
}

}  // namespace
}  // namespace gen9::hdc
