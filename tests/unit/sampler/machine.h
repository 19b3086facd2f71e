// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>

#include <deque>
#include <string>
#include <vector>

#include "sampler/module.h"
#include "tests/support/environment.h"
#include "tests/support/memory_target.h"
#include "tests/unit/sampler/media_bench.h"

namespace gen9::sampler::test {

/// Sends messages at given cycles, and notes when they were accepted and answered.
struct FakeEu : sc_core::sc_module {
    struct Item {
        Message message;
        Cycles issue, accepted, answered;
        Cycles announced;  ///< when the answer was
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
                if (&item.message != &message) continue;
                (phase == tlm::END_REQ ? item.accepted : item.answered) = clock_.after(delay);
                ++(phase == tlm::END_REQ ? item.ends : item.answers);
                if (phase != tlm::END_REQ) item.announced = clock_.now();
            }
            return phase == tlm::END_REQ ? tlm::TLM_ACCEPTED : tlm::TLM_COMPLETED;
        };
        wakeup_.runs<&FakeEu::step>(this);
    }
    void add(const Message& message, Cycles issue) {
        items.emplace_back().message = message;
        items.back().issue = issue;
        wakeup_.at(issue);
    }
    bool finished() const {
        for (const Item& item : items)
            if (item.ends != 1 || item.answers != 1) return false;
        return true;
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
            msg_out->nb_transport_fw(item.message, phase, delay);
        }
    }
    const Clock& clock_;
    Wakeup wakeup_;
};

/// A sampler between EUs and a memory of a fixed latency. Messages and states come from a bench.
struct Machine : sc_core::sc_module {
    static constexpr unsigned kMemoryLatency = 100;
    gen9::test::TestEnvironment test;
    Clock clock{1'000'000'000};
    MediaBench bench;
    Sampler sampler;
    gen9::test::MemoryTarget memory;
    InitiatorSocket<MemoryProtocol> control;
    std::deque<FakeEu> eus;
    std::deque<ThreadSideband> senders;
    TraceId last_id = 0;

    explicit Machine(sc_core::sc_module_name name = "m", std::vector<std::string> settings = {},
                     Timing timing = Timing::Timed, unsigned eu_count = 2, bool with_target = false)
        : sc_module(name),
          test(timing, std::move(settings)),
          sampler("sampler", test.environment, clock, eu_count, with_target),
          memory("memory", clock, 1),
          control("control") {
        memory.latency = kMemoryLatency;
        sampler.mem_out.bind(memory.mem_in[0]);
        control.bind(sampler.control_in);
        for (unsigned i = 0; i < eu_count; ++i) {
            eus.emplace_back(("eu" + std::to_string(i)).c_str(), clock)
                .msg_out.bind(sampler.msg_in[i]);
            senders.push_back(bench.sender);
            senders.back().place.eu = EuId(i);
        }
        image(64, 64);
    }
    /// R8G8B8A8_UNORM in Y tiles, nearest.
    void image(unsigned width, unsigned height, unsigned format = 0x0C7, unsigned bytes = 4) {
        bench.shape(surface_state::SURFTYPE_2D, format, width, height, 1,
                    (width * bytes + 127) / 128 * 128);
        bench.set(surface_state::TileMode, 3);
    }
    /// Copies states and texels of the bench to memory.
    void load() {
        bench.write_states();
        copy();
    }
    void copy() {
        std::copy(bench.memory.bytes.begin(),
                  bench.memory.bytes.begin() +
                      static_cast<std::ptrdiff_t>(memory.bytes.size() - FlatMemory::kBase),
                  memory.bytes.begin() + FlatMemory::kBase);
    }
    void send(unsigned eu, Cycles issue, unsigned code,
              const std::vector<std::vector<std::uint32_t>>& params, Bench::Options o) {
        bench.build(code, params, o);
        bench.message.sender = &senders[eu];
        bench.message.trace_id = ++last_id;
        eus[eu].add(bench.message, issue);
    }
    /// A SIMD16 message at one place: samples are one texel apart in u.
    void sample(unsigned eu, Cycles issue, float u, float v, Bench::Options o = sixteen()) {
        std::vector<std::uint32_t> us(16), vs(16, f(v));
        for (unsigned i = 0; i < 16; ++i)
            us[i] = f(u + static_cast<float>(i) / 64);
        send(eu, issue, kSampleLz, {us, vs}, o);
    }
    /// A message of the media sampler; its states are written by `load_media`.
    void send_media(unsigned eu, Cycles issue, const MediaMessage& m) {
        bench.build_media(m);
        bench.message.sender = &senders[eu];
        bench.message.trace_id = ++last_id;
        eus[eu].add(bench.message, issue);
    }
    void load_media(const MediaMessage& m) {
        bench.write_media_states(m);
        copy();
    }
    void flush(unsigned eu, Cycles issue) {
        bench.build(0x1F, {}, {.simd = 3, .response = 1});
        bench.message.sender = &senders[eu];
        eus[eu].add(bench.message, issue);
    }
    static Bench::Options sixteen() {
        Bench::Options o;
        o.simd = 2;
        return o;
    }
    void invalidate(bool state, bool texture) {
        MemoryTransaction transaction{nullptr};
        transaction.attributes.operation = MemoryAttributes::Operation::Control;
        transaction.attributes.control.invalidate_state = state;
        transaction.attributes.control.invalidate_texture = texture;
        sc_core::sc_time delay;
        control->b_transport(transaction, delay);
    }
    void run(unsigned cycles = 20'000) {
        sc_core::sc_start(sc_core::sc_time(cycles, sc_core::SC_NS));
    }
    void expect_quiet() {
        for (const FakeEu& eu : eus)
            EXPECT_TRUE(eu.finished());
        EXPECT_TRUE(sampler.idle());
        EXPECT_EQ(sampler.transactions(), 0u);
    }
    const FakeEu::Item& item(unsigned eu, unsigned index) const { return eus[eu].items[index]; }
    /// Cycles from the issue of a message to its answer.
    std::uint64_t latency(unsigned eu, unsigned index) const {
        return (item(eu, index).answered - item(eu, index).issue).value;
    }
};

/// The first channel of a SIMD8 or SIMD16 answer's first sample.
inline float first(const FakeEu::Item& item) {
    return gen9::load<float>(item.message.response[0].bytes);
}

}  // namespace gen9::sampler::test
