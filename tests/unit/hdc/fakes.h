// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <tlm_utils/peq_with_get.h>

#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <systemc>
#include <tuple>
#include <vector>

#include "hdc/module.h"
#include "interconnect/payload/lane_access.h"
#include "tests/unit/hdc/bench.h"

namespace gen9::hdc::test {

/// A memory with a few banks that serve in order, each request after a time of its own; answers of
/// different banks overtake each other. The effect happens when the request is served.
class FakeMemory : public sc_core::sc_module {
  public:
    TargetSocket<MemoryProtocol> mem_in{"mem_in"};
    std::vector<std::uint8_t> bytes;
    unsigned least_latency = 5, most_latency = 60, most_accept = 4;  ///< cycles
    unsigned state_latency = 0;                                      ///< of blocking access
    bool direct = false;
    std::uint64_t base = 0;
    unsigned requests = 0, most_unaccepted = 0;
    std::vector<std::uint64_t> served;  ///< addresses, in order of effect
    std::uint64_t slow_line = ~0ull;    ///< takes slow_latency more
    unsigned slow_latency = 0;
    std::vector<CacheControl> controls;  ///< asked for
    std::map<TraceId, unsigned> traced;  ///< requests, by what caused them
    std::set<Requester> askers;          ///< of blocking access
    bool read_only = false;              ///< direct access
    /// How a request is answered: in phases of its own, or with its begin.
    enum class Answer { Later, Response, Completed } answer = Answer::Later;
    unsigned end_responses = 0;

    FakeMemory(sc_core::sc_module_name name, const Clock& clock, std::uint64_t base_address,
               std::size_t size, unsigned banks, unsigned seed)
        : sc_module(name),
          bytes(size),
          base(base_address),
          clock_(clock),
          free_(banks),
          random_(seed) {
        mem_in.on_forward = [this](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                   sc_core::sc_time& delay) { return begin(p, phase, delay); };
        mem_in.on_blocking = [this](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
            delay += clock_.time(Cycles(state_latency));
            ++traced[attributes_of(p).trace_id];
            askers.insert(attributes_of(p).requester);
            if (attributes_of(p).operation == MemoryAttributes::Operation::Control)
                controls.push_back(attributes_of(p).control);
            else
                perform(p);
        };
        mem_in.on_direct = [this](tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
            return grant(p, dmi);
        };
        SC_HAS_PROCESS(FakeMemory);
        SC_METHOD(accept);
        sensitive << accepts_.get_event();
        dont_initialize();
        SC_METHOD(serve);
        sensitive << serves_.get_event();
        dont_initialize();
    }
    std::uint8_t* at(std::uint64_t address) { return bytes.data() + (address - base); }
    bool holds(std::uint64_t address, std::uint64_t size) const {
        return address >= base && address + size <= base + bytes.size();
    }

  private:
    unsigned draw(unsigned low, unsigned high) {
        return std::uniform_int_distribution<unsigned>(low, high)(random_);
    }

    tlm::tlm_sync_enum begin(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                             sc_core::sc_time& delay) {
        if (phase != tlm::BEGIN_REQ) {
            EXPECT_EQ(phase, tlm::END_RESP);
            ++end_responses;
            return tlm::TLM_COMPLETED;
        }
        ++requests;
        ++traced[attributes_of(p).trace_id];
        if (answer != Answer::Later) {
            perform(p);
            delay += clock_.time(Cycles(least_latency));
            phase = answer == Answer::Response ? tlm::BEGIN_RESP : phase;
            return answer == Answer::Response ? tlm::TLM_UPDATED : tlm::TLM_COMPLETED;
        }
        most_unaccepted = std::max(most_unaccepted, ++unaccepted_);
        const Cycles now = clock_.cycles(sc_core::sc_time_stamp() + delay);
        const Cycles taken = now + Cycles(draw(0, most_accept));
        Cycles& free = free_[p.get_address() / kLineBytes % free_.size()];
        const unsigned slow =
            p.get_address() / kLineBytes == slow_line / kLineBytes ? slow_latency : 0;
        free = std::max(free, taken + Cycles(draw(least_latency, most_latency) + slow)) + Cycles(1);
        serves_.notify(p, clock_.time(free) - sc_core::sc_time_stamp());
        if (taken == now) {
            --unaccepted_;
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        }
        accepts_.notify(p, clock_.time(taken) - sc_core::sc_time_stamp());
        return tlm::TLM_ACCEPTED;
    }
    void accept() {
        while (auto* p = accepts_.get_next_transaction()) {
            --unaccepted_;
            tlm::tlm_phase phase = tlm::END_REQ;
            sc_core::sc_time delay;
            mem_in->nb_transport_bw(*p, phase, delay);
        }
    }
    void serve() {
        while (auto* p = serves_.get_next_transaction()) {
            perform(*p);
            served.push_back(p->get_address());
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time delay;
            ASSERT_EQ(mem_in->nb_transport_bw(*p, phase, delay), tlm::TLM_COMPLETED);
        }
    }
    void perform(tlm::tlm_generic_payload& p) {
        auto* a = find_attributes(p);
        if (a && a->operation == MemoryAttributes::Operation::Lanes) return perform_lanes(p, *a);
        if (!holds(p.get_address(), p.get_data_length())) {
            if (p.is_read()) std::memset(p.get_data_ptr(), 0, p.get_data_length());
            return p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        }
        EXPECT_LE(p.get_address() % kLineBytes + p.get_data_length(), kLineBytes);
        std::uint8_t* place = at(p.get_address());
        for (unsigned i = 0; i < p.get_data_length(); ++i) {
            if (p.get_byte_enable_ptr() && !p.get_byte_enable_ptr()[i]) continue;
            if (p.is_read())
                p.get_data_ptr()[i] = place[i];
            else
                place[i] = p.get_data_ptr()[i];
        }
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void perform_lanes(tlm::tlm_generic_payload& p, MemoryAttributes& a) {
        if (!holds(p.get_address(), 1)) {
            a.lanes.result.fill(0);
            return p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        }
        gen9::perform_lanes(a.lanes, bytes, static_cast<std::uint32_t>(p.get_address() - base));
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    bool grant(tlm::tlm_generic_payload& p, tlm::tlm_dmi& dmi) {
        const std::uint64_t page = p.get_address() / kPageBytes * kPageBytes;
        if (!direct || !holds(page, kPageBytes)) return false;
        const std::uint64_t size = base == 0 ? bytes.size() : kPageBytes;
        dmi.set_dmi_ptr(at(page));
        dmi.set_start_address(page);
        dmi.set_end_address(page + size - 1);
        read_only ? dmi.allow_read() : dmi.allow_read_write();
        return true;
    }

    const Clock& clock_;
    std::vector<Cycles> free_;
    std::mt19937 random_;
    unsigned unaccepted_ = 0;
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> accepts_{"accepts"}, serves_{"serves"};
};

/// An EU that sends a list of messages, each at a cycle of its own or as soon as a credit is free.
class FakeEu : public sc_core::sc_module {
  public:
    InitiatorSocket<MessageProtocol> msg_out{"msg_out"};
    struct Item {
        Message message;
        Cycles issue;               ///< not before
        Cycles accepted, answered;  ///< what came of it
        unsigned end_requests = 0, responses = 0;
        bool sent = false;
    };
    std::deque<Item> items;
    unsigned credits = 4;
    unsigned notice = 16;

    FakeEu(sc_core::sc_module_name name, const Clock& clock)
        : sc_module(name), clock_(clock), wakeup_(clock) {
        msg_out.on_backward = [this](Message& m, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
            Item& item = find(m);
            EXPECT_GE(delay, clock_.time(Cycles(notice)));
            const Cycles when = clock_.cycles(sc_core::sc_time_stamp() + delay);
            if (phase == tlm::END_REQ) {
                ++item.end_requests;
                item.accepted = when;
                ++free_at_end_;
                wakeup_.at(when);
                return tlm::TLM_ACCEPTED;
            }
            ++item.responses;
            item.answered = when;
            return tlm::TLM_COMPLETED;
        };
        SC_HAS_PROCESS(FakeEu);
        SC_METHOD(step);
        sensitive << wakeup_.event;
    }
    void add(const Send& send, const ThreadSideband& sender, Cycles issue = Cycles(0)) {
        Item& item = items.emplace_back();
        item.message = send.message;
        item.message.sender = &sender;
        item.issue = issue;
    }
    bool finished() const {
        for (const Item& item : items)
            if (item.end_requests != 1 || item.responses != 1) return false;
        return true;
    }

  private:
    Item& find(Message& m) {
        for (Item& item : items)
            if (&item.message == &m) return item;
        throw std::logic_error("an answer for a message that was never sent");
    }
    void step() {
        const Cycles now = clock_.now();
        unsigned unended = 0;
        for (const Item& item : items)
            unended += item.sent && (item.end_requests == 0 || item.accepted > now);
        for (Item& item : items) {
            if (item.sent) continue;
            if (unended >= credits) {
                for (const Item& other : items)
                    if (other.sent && other.end_requests && other.accepted > now)
                        wakeup_.at(other.accepted);
                return;
            }
            if (item.issue > now) return wakeup_.at(item.issue);
            item.sent = true;
            ++unended;
            tlm::tlm_phase phase = tlm::BEGIN_REQ;
            sc_core::sc_time delay;
            ASSERT_EQ(msg_out->nb_transport_fw(item.message, phase, delay), tlm::TLM_ACCEPTED);
        }
    }
    const Clock& clock_;
    Wakeup wakeup_;
    unsigned free_at_end_ = 0;
};

/// A data port between fake EUs and fake memories.
struct Machine {
    static constexpr std::uint64_t kBase = FlatMemory::kBase;
    gen9::test::TestEnvironment test;
    Clock clock{1'000'000'000};
    Hdc hdc;
    FakeMemory memory, slm;
    std::vector<std::unique_ptr<FakeEu>> eus;
    struct Control : sc_core::sc_module {
        InitiatorSocket<MemoryProtocol> out{"out"}, registers{"registers"};
        explicit Control(sc_core::sc_module_name name) : sc_module(name) {}
    } control;
    std::shared_ptr<PipelineState> state = std::make_shared<PipelineState>();
    std::deque<ThreadSideband> senders;

    explicit Machine(const std::string& name, Timing timing = Timing::Timed, unsigned eu_count = 2,
                     unsigned seed = 1, std::vector<std::string> settings = {})
        : test(timing, std::move(settings)),
          hdc((name + "_hdc").c_str(), test.environment, clock, eu_count),
          memory((name + "_memory").c_str(), clock, kBase, FlatMemory::kSize, 4, seed),
          slm((name + "_slm").c_str(), clock, 0, kSlmBytes, 1, seed + 1),
          control((name + "_control").c_str()) {
        hdc.set_slm_enabled(true);
        memory.direct = slm.direct = timing == Timing::Functional;
        slm.least_latency = 3;
        slm.most_latency = 20;
        hdc.mem_out.bind(memory.mem_in);
        hdc.slm_out.bind(slm.mem_in);
        control.out.bind(hdc.control_in);
        control.registers.bind(hdc.reg_in);
        for (unsigned i = 0; i < eu_count; ++i) {
            eus.push_back(
                std::make_unique<FakeEu>((name + "_eu" + std::to_string(i)).c_str(), clock));
            eus[i]->msg_out.bind(hdc.msg_in[i]);
        }
        state->surface_state_base = GpuAddr(kBase);
        state->general_state_base = GpuAddr(Bench::kGeneralBase);
        state->general_state_size = 0x40000;
    }
    void bind(unsigned index, const SurfaceBits& surface) {
        store<std::uint32_t>(memory.at(kBase + 0x2000 + index * 4), index * 64);
        std::memcpy(memory.at(kBase + index * 64), surface.dwords, 64);
    }
    const ThreadSideband& sender(unsigned eu, unsigned slot) {
        for (const ThreadSideband& s : senders)
            if (s.place.eu == EuId(eu) && s.place.slot == ThreadSlot(slot)) return s;
        ThreadSideband& s = senders.emplace_back();
        s.place.eu = EuId(eu);
        s.place.slot = ThreadSlot(slot);
        s.state = state;
        s.binding_table_offset = 0x2000;
        s.slm_size = 65536;
        return s;
    }
    void send(unsigned eu, unsigned slot, const Send& send, Cycles issue = Cycles(0)) {
        eus[eu]->add(send, sender(eu, slot), issue);
    }
    bool finished() const {
        for (const auto& eu : eus)
            if (!eu->finished()) return false;
        return true;
    }
    /// Every cycle so far has one reason, and nothing is left over.
    void expect_quiet() {
        EXPECT_TRUE(finished());
        EXPECT_TRUE(hdc.idle());
        EXPECT_EQ(hdc.in_flight(), 0u);
        EXPECT_LE(memory.most_unaccepted, 1u);
        EXPECT_LE(slm.most_unaccepted, 1u);
    }
};

}  // namespace gen9::hdc::test
