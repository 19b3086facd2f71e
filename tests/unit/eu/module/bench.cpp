// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/eu/module/bench.h"

#include <gtest/gtest.h>

#include <cstring>

#include "common/bits.h"
#include "interconnect/kernel/save_threads.h"

namespace gen9::test {

std::vector<std::uint8_t> bytes(std::span<const std::uint64_t> words) {
    std::vector<std::uint8_t> result(words.size_bytes());
    std::memcpy(result.data(), words.data(), result.size());
    return result;
}

EuBench::EuBench(TestEnvironment& environment, sc_core::sc_module_name module_name)
    : sc_core::sc_module(module_name),
      test(environment),
      eu("eu0", environment.environment, clock,
         ThreadAddress{SliceId(0), SubsliceId(1), EuId(2), ThreadSlot(0)}, kEuNumber, program),
      thread_out_("thread_out"),
      mem_in_("mem_in") {
    observer_.bench = relay_.bench = this;
    eu.observe(&observer_);
    thread_out_.bind(eu.dispatch_in);
    thread_out_.on_backward = [this](ThreadDispatch& d, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) {
        EXPECT_EQ(phase, tlm::BEGIN_RESP);
        count_end(d, clock.cycles(sc_core::sc_time_stamp() + delay).value);
        on_end(ended.back());
        return tlm::TLM_COMPLETED;
    };
    for (unsigned port = 0; port < kMessagePorts; ++port) {
        msg_in_.push_back(std::make_unique<TargetSocket<MessageProtocol>>(
            ("msg_in" + std::to_string(port)).c_str()));
        eu.msg_out[port]->bind(*msg_in_[port]);
        msg_in_[port]->on_blocking = [this, port](Message& message, sc_core::sc_time& delay) {
            record(port, message, delay);
            fill(message);
        };
        msg_in_[port]->on_forward = [this, port](Message& message, tlm::tlm_phase& phase,
                                                 sc_core::sc_time& delay) {
            EXPECT_EQ(phase, tlm::BEGIN_REQ);
            return on_message(port, message, delay);
        };
    }
    eu.fetch_out.bind(mem_in_);
    reg_out_.bind(eu.reg_in);
    mem_in_.on_blocking = [this](tlm::tlm_generic_payload& payload, sc_core::sc_time&) {
        read(payload);
    };
    mem_in_.on_forward = [this](tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                sc_core::sc_time& delay) {
        EXPECT_EQ(phase, tlm::BEGIN_REQ);
        const std::uint64_t done =
            clock.cycles(sc_core::sc_time_stamp() + delay).value + fetch_latency;
        at(done - test.environment.notice_cycles, [this, &payload, done] {
            read(payload);
            tlm::tlm_phase response = tlm::BEGIN_RESP;
            sc_core::sc_time wait = clock.time(Cycles(done)) - sc_core::sc_time_stamp();
            EXPECT_EQ(mem_in_->nb_transport_bw(payload, response, wait), tlm::TLM_COMPLETED);
        });
        fetch_requests.push_back(done - fetch_latency);
        if (fetch_accept_latency != 0) {
            const std::uint64_t accepted = done - fetch_latency + fetch_accept_latency;
            if (accepted < done)
                at(accepted - test.environment.notice_cycles, [this, &payload, accepted] {
                    tlm::tlm_phase end = tlm::END_REQ;
                    sc_core::sc_time wait = clock.time(Cycles(accepted)) - sc_core::sc_time_stamp();
                    EXPECT_EQ(mem_in_->nb_transport_bw(payload, end, wait), tlm::TLM_ACCEPTED);
                });
            return tlm::TLM_ACCEPTED;
        }
        phase = tlm::END_REQ;
        return tlm::TLM_UPDATED;
    };
    auto state = std::make_shared<PipelineState>();
    state->instruction_mocs = 0x6E;
    state->instruction_base = GpuAddr(kCodeBase);
    state_ = state;
    SC_HAS_PROCESS(EuBench);
    SC_METHOD(act);
    sensitive << wakeup_.event;
    dont_initialize();
}

void EuBench::count_end(const ThreadDispatch& d, std::uint64_t cycle) {
    ended.push_back({cycle, d.sideband.place.slot.value, d.retire.instructions, d.retire.messages,
                     d.retire.saved});
}

void EuBench::code(std::uint32_t ip, const std::vector<std::uint8_t>& bytes) {
    std::uint64_t address = kCodeBase + ip;
    for (const std::uint8_t byte : bytes)
        memory_[address++] = byte;
}

void EuBench::dispatch(unsigned slot, std::uint32_t ip, std::uint64_t at, unsigned priority) {
    ThreadDispatch& d = dispatches_.emplace_back();
    d.sideband.place = {SliceId(0), SubsliceId(1), EuId(2), ThreadSlot(slot)};
    d.sideband.priority = static_cast<std::uint8_t>(priority);
    d.sideband.state = state_;
    d.instruction_pointer = ip;
    d.dispatch_mask = 0xFF;
    d.payload_registers = static_cast<std::uint8_t>(payload.size());
    for (std::size_t r = 0; r < payload.size(); ++r)
        store(d.payload[r].bytes, payload[r]);
    if (next) d.relay = &relay_;
    adjust(d);
    const std::uint64_t when = std::max(at, now() + test.environment.notice_cycles - late_by);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock.time(Cycles(when)) - sc_core::sc_time_stamp();
    EXPECT_EQ(thread_out_->nb_transport_fw(d, phase, delay), tlm::TLM_UPDATED);
    EXPECT_EQ(phase, tlm::END_REQ);
}

void EuBench::thread_ended(std::uint16_t fftid, std::uint64_t at) {
    ThreadDispatch& d = dispatches_.emplace_back();
    d.sideband.fftid = fftid;
    tlm::tlm_phase phase = kThreadEnded;
    sc_core::sc_time delay = clock.time(Cycles(at)) - sc_core::sc_time_stamp();
    EXPECT_EQ(thread_out_->nb_transport_fw(d, phase, delay), tlm::TLM_ACCEPTED);
}

void EuBench::save_threads(std::uint64_t at) {
    tlm::tlm_phase phase = kSaveThreads;
    sc_core::sc_time delay = clock.time(Cycles(at)) - sc_core::sc_time_stamp();
    EXPECT_EQ(thread_out_->nb_transport_fw(dispatches_.emplace_back(), phase, delay),
              tlm::TLM_ACCEPTED);
}

void EuBench::system_routine(std::uint32_t ip) {
    auto state = std::make_shared<PipelineState>(*state_);
    state->system_instruction_pointer = GpuAddr(ip);
    state_ = state;
}

void EuBench::run(std::uint64_t cycles) {
    sc_core::sc_start(clock.time(Cycles(cycles)));
}

void EuBench::at(std::uint64_t cycle, std::function<void()> action) {
    actions_.emplace(std::pair{cycle, ++action_number_}, std::move(action));
    wakeup_.at(Cycles(cycle));
}

void EuBench::act() {
    while (!actions_.empty() && actions_.begin()->first.first <= now()) {
        const auto action = std::move(actions_.begin()->second);
        actions_.erase(actions_.begin());
        action();
    }
    if (!actions_.empty()) wakeup_.at(Cycles(actions_.begin()->first.first));
}

void EuBench::record(unsigned port, const Message& message, const sc_core::sc_time& delay) {
    const auto value = [&](unsigned r) {
        return gen9::load<std::uint32_t>(message.payload[r].bytes);
    };
    sent.push_back({clock.cycles(sc_core::sc_time_stamp() + delay).value,
                    message.sender->place.slot.value, port, message.length,
                    message.length ? value(0) : 0, message.length ? value(message.length - 1) : 0,
                    message.system_routine, message.trace_id});
}

void EuBench::fill(Message& message) const {
    message.status = MessageStatus::Ok;
    for (unsigned r = 0; r < message.response_length; ++r) {
        store(message.response[r].bytes, answer(message, r));
        message.response_enable[r] = enables(message);
    }
}

tlm::tlm_sync_enum EuBench::on_message(unsigned port, Message& message, sc_core::sc_time& delay) {
    record(port, message, delay);
    const std::uint64_t begin = clock.cycles(sc_core::sc_time_stamp() + delay).value;
    const std::uint64_t accepted = begin + accept_latency(message),
                        done = begin + response_latency(message);
    const unsigned notice = test.environment.notice_cycles;
    queued[port].emplace_back(begin, std::min(accepted, done));
    const bool keep = keep_gateway && port == static_cast<unsigned>(MessagePort::Gateway);
    if (keep) kept.push_back(&message);
    if (accepted < done || keep)
        at(accepted - notice, [this, port, &message, accepted] {
            tlm::tlm_phase phase = tlm::END_REQ;
            sc_core::sc_time wait = clock.time(Cycles(accepted)) - sc_core::sc_time_stamp();
            (*msg_in_[port])->nb_transport_bw(message, phase, wait);
        });
    if (!keep) {
        message.notifications = port == static_cast<unsigned>(MessagePort::Gateway);
        at(done - notice, [this, port, &message, done] { respond(port, message, done); });
    }
    return tlm::TLM_ACCEPTED;
}

void EuBench::respond(unsigned port, Message& message, std::uint64_t cycle) {
    fill(message);
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time wait = clock.time(Cycles(cycle)) - sc_core::sc_time_stamp();
    EXPECT_EQ((*msg_in_[port])->nb_transport_bw(message, phase, wait), tlm::TLM_COMPLETED);
}

void EuBench::write_register(std::uint32_t offset, std::uint32_t value) {
    MemoryPool pool;
    MemoryTransaction* const write = pool.get();
    write->access(tlm::TLM_WRITE_COMMAND, offset, 4);
    store(write->data, value);
    sc_core::sc_time delay;
    reg_out_->b_transport(*write, delay);
    EXPECT_TRUE(write->is_response_ok());
    write->release();
}

void EuBench::notify(Message& message) {
    message.notifications = 1;
    respond(static_cast<unsigned>(MessagePort::Gateway), message,
            now() + test.environment.notice_cycles - late_by);
}

void EuBench::read(tlm::tlm_generic_payload& payload) {
    fetched.push_back(payload.get_address());
    fetch_ids.push_back(attributes_of(payload).trace_id);
    EXPECT_EQ(payload.get_data_length(), kLineBytes);
    EXPECT_EQ(payload.get_address() % kLineBytes, 0u);
    EXPECT_EQ(attributes_of(payload).requester, Requester::InstructionCache);
    EXPECT_EQ(attributes_of(payload).mocs, state_->instruction_mocs);
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
        const auto found = memory_.find(payload.get_address() + i);
        payload.get_data_ptr()[i] = found == memory_.end() ? 0 : found->second;
    }
    payload.set_response_status(faulty_line == payload.get_address()
                                    ? tlm::TLM_ADDRESS_ERROR_RESPONSE
                                    : tlm::TLM_OK_RESPONSE);
}

std::vector<std::uint64_t> EuBench::issue_cycles(unsigned slot) const {
    std::vector<std::uint64_t> cycles;
    for (const Executed& e : executed)
        if (e.slot == slot) cycles.push_back(e.cycle);
    return cycles;
}

std::vector<std::uint64_t> EuBench::issue_times(unsigned slot, std::size_t first) const {
    std::vector<std::uint64_t> times = issue_cycles(slot);
    if (times.size() <= first) return {};
    times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(first));
    const std::uint64_t start = times.front();
    for (std::uint64_t& time : times)
        time -= start;
    return times;
}

std::uint64_t EuBench::uses() const {
    const eu::EuStats& s = eu.stats();
    std::uint64_t sum = 0;
    for (const auto* c : {&s.busy, &s.idle, &s.stall_scoreboard, &s.stall_message, &s.stall_barrier,
                          &s.stall_dependency, &s.stall_fetch, &s.stall_send_queue, &s.stall_branch,
                          &s.stall_switch, &s.stall_pipe})
        sum += c->value();
    return sum;
}

}  // namespace gen9::test
