// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <deque>
#include <string>
#include <vector>

#include "tests/support/environment.h"
#include "tests/support/memory_target.h"
#include "tests/unit/vme/messages.h"
#include "vme/module.h"

namespace gen9::vme::test {

/// Sends messages at given cycles, and notes when they were accepted and answered.
struct FakeEu : sc_core::sc_module {
    struct Item {
        Words words;
        Cycles issue, accepted, answered;
        unsigned ends = 0, answers = 0;
        bool sent = false;
    };
    InitiatorSocket<MessageProtocol> msg_out{"msg_out"};
    std::deque<Item> items;

    FakeEu(sc_core::sc_module_name name, const Clock& clock)
        : sc_module(name), clock_(clock), wakeup_(clock) {
        msg_out.on_backward = [this](Message& message, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
            for (Item& item : items) {
                if (&item.words.message != &message) continue;
                (phase == tlm::END_REQ ? item.accepted : item.answered) = clock_.after(delay);
                ++(phase == tlm::END_REQ ? item.ends : item.answers);
            }
            return phase == tlm::END_REQ ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
        };
        wakeup_.runs<&FakeEu::step>(this);
    }
    void add(const Words& words, Cycles issue) {
        items.push_back({words, issue, {}, {}});
        wakeup_.at(issue);
    }
    bool finished() const {
        return std::ranges::all_of(
            items, [](const Item& item) { return item.ends == 1 && item.answers == 1; });
    }

  private:
    void step() {
        for (Item& item : items) {
            if (item.sent) continue;
            if (item.issue > clock_.now()) {
                wakeup_.at(item.issue);
                continue;
            }
            item.sent = true;
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time delay;
            msg_out->nb_transport_fw(item.words.get(), phase, delay);
        }
    }
    const Clock& clock_;
    Wakeup wakeup_;
};

/// Motion estimation between EUs and a memory of a fixed latency that holds two pictures.
struct Machine : sc_core::sc_module {
    static constexpr unsigned kMemoryLatency = 100;
    gen9::test::TestEnvironment test;
    Clock clock{1'000'000'000};
    motion::Picture reference = motion::smooth_texture(96, 64, 1);
    motion::Picture source = motion::shifted(reference, -3, -2);
    Vme vme;
    gen9::test::MemoryTarget memory;
    InitiatorSocket<MemoryProtocol> control;
    std::deque<FakeEu> eus;
    TraceId last_id = 0;

    explicit Machine(sc_core::sc_module_name name = "m", std::vector<std::string> settings = {},
                     Timing timing = Timing::Timed)
        : sc_module(name),
          test(timing, std::move(settings)),
          vme("vme", test.environment, clock, 2),
          memory("memory", clock, 1),
          control("control") {
        memory.latency = kMemoryLatency;
        vme.mem_out.bind(memory.mem_in[0]);
        control.bind(vme.control_in);
        for (unsigned i = 0; i < 2; ++i)
            eus.emplace_back(("eu" + std::to_string(i)).c_str(), clock).msg_out.bind(vme.msg_in[i]);
        PictureMemoryBytes pictures;
        pictures.bind(0, source);
        pictures.bind(1, reference);
        pictures.bind(2, reference);
        std::ranges::copy(pictures.bytes, memory.bytes.begin());
    }
    void send(unsigned eu, Cycles issue, Words words) {
        words.message.trace_id = ++last_id;
        words.sender.place.eu = EuId(eu);
        eus[eu].add(words, issue);
    }
    FakeEu::Item& item(unsigned eu, unsigned number) { return eus[eu].items[number]; }
    void run(double cycles = 20'000) { sc_core::sc_start(cycles, sc_core::SC_NS); }
};

}  // namespace gen9::vme::test
