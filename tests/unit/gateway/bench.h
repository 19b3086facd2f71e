// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/bits.h"
#include "gateway/module.h"
#include "interconnect/kernel/memory_transaction.h"
#include "tests/support/environment.h"
#include "tests/unit/gateway/messages.h"

namespace gen9::gateway::test {

using gen9::test::TestEnvironment;

/// A gateway with eight EUs that the test plays.
struct ModuleBench : sc_core::sc_module {
    struct Answer {
        Cycles end_req{0}, begin_resp{0};
        unsigned responses = 0;
    };
    TestEnvironment env;
    Clock clock;
    Gateway gateway;
    std::vector<std::unique_ptr<InitiatorSocket<MessageProtocol>>> msg_out;
    InitiatorSocket<MemoryProtocol> reg_out{"reg_out"};
    MemoryPool pool;
    std::deque<ThreadSideband> threads{64};
    std::deque<Message> messages;
    std::map<const Message*, Answer> answers;
    std::vector<const Message*> order;  ///< of their answers
    Cycles least_notice{1'000'000};

    explicit ModuleBench(Timing timing = Timing::Timed, std::vector<std::string> settings = {},
                         sc_core::sc_module_name module_name = "bench",
                         std::uint64_t hz = 1'000'000'000)
        : sc_module(module_name),
          env(timing, std::move(settings)),
          clock(hz),
          gateway("gateway", env.environment, clock, 8) {
        reg_out.bind(gateway.reg_in);
        for (unsigned eu = 0; eu < 8; ++eu) {
            msg_out.push_back(std::make_unique<InitiatorSocket<MessageProtocol>>(
                sc_core::sc_gen_unique_name("msg_out")));
            msg_out[eu]->bind(gateway.msg_in[eu]);
            msg_out[eu]->on_backward = [this](Message& m, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
                const Cycles notice = clock.cycles(delay), when = clock.now() + notice;
                least_notice = std::min(least_notice, notice);
                Answer& answer = answers[&m];
                if (phase == tlm::END_REQ) {
                    answer.end_req = when;
                    return tlm::TLM_ACCEPTED;
                }
                answer.begin_resp = when;
                ++answer.responses;
                order.push_back(&m);
                return tlm::TLM_COMPLETED;
            };
        }
        for (unsigned i = 0; i < 64; ++i) {
            threads[i].place = {SliceId(0), SubsliceId(0), EuId(i / 8), ThreadSlot(i % 8)};
            threads[i].fftid = static_cast<std::uint16_t>(i);
        }
    }

    Cycles set_up(unsigned id, unsigned count) {
        auto* const write = pool.get();
        write->access(tlm::TLM_WRITE_COMMAND, 4 * id, 4);
        store<std::uint32_t>(write->data, count);
        sc_core::sc_time delay;
        reg_out->b_transport(*write, delay);
        EXPECT_TRUE(write->is_response_ok());
        write->release();
        return clock.cycles(delay);
    }
    Message& send(Message& m, unsigned delay_cycles) {
        const unsigned eu = m.sender->place.eu.value;
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay = clock.time(Cycles(delay_cycles));
        EXPECT_EQ((*msg_out[eu])->nb_transport_fw(m, phase, delay), tlm::TLM_ACCEPTED);
        return m;
    }
    Message& arrive(unsigned thread, unsigned barrier, unsigned delay_cycles) {
        make_barrier(messages.emplace_back(), barrier, threads[thread]);
        return send(messages.back(), delay_cycles);
    }
    void run(unsigned cycles = 1000) { sc_core::sc_start(clock.time(Cycles(cycles))); }
};

}  // namespace gen9::gateway::test
