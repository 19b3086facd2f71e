// SPDX-License-Identifier: Apache-2.0
// Modules as somebody else writes them: plain TLM-2.0, with processes of their own, without our
// sockets and our clock.
#pragma once
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <cstring>
#include <deque>
#include <random>
#include <systemc>
#include <vector>

namespace gen9::test {

/// A memory with any number of ports, which performs plain reads and writes.
class ForeignMemory : public sc_core::sc_module {
  public:
    enum class Style {
        Peq,        ///< four phases, through a payload event queue
        EarlyEnd,   ///< END_REQ with the request's return, the response later
        Completed,  ///< done within the call: TLM_COMPLETED
        Mixed,      ///< any of these, and any latency up to the one given
        Blocking,   ///< b_transport only, which waits
        Quick,      ///< b_transport only, which annotates its delay
    };
    using Port = tlm_utils::simple_target_socket_tagged<ForeignMemory>;

    std::deque<Port> in;
    std::vector<std::uint8_t> bytes;
    std::uint64_t requests = 0;

    ForeignMemory(sc_core::sc_module_name name, Style style, unsigned ports,
                  const sc_core::sc_time& latency, std::size_t size = 32 << 20, bool debug = true)
        : sc_core::sc_module(name), bytes(size), style_(style), latency_(latency) {
        for (unsigned i = 0; i < ports; ++i) {
            Port& port = in.emplace_back(("in" + std::to_string(i)).c_str());
            state_.emplace_back();
            const auto tag = static_cast<int>(i);
            port.register_b_transport(this, &ForeignMemory::b_transport, tag);
            if (style != Style::Blocking && style != Style::Quick)
                port.register_nb_transport_fw(this, &ForeignMemory::nb_transport_fw, tag);
            if (debug) port.register_transport_dbg(this, &ForeignMemory::transport_dbg, tag);
        }
        SC_HAS_PROCESS(ForeignMemory);
        SC_METHOD(serve);
        sensitive << peq_.get_event();
        dont_initialize();
    }

  private:
    struct State {
        bool responding = false;
        std::deque<tlm::tlm_generic_payload*> done;
    };

    void perform(tlm::tlm_generic_payload& p) {
        ++requests;
        const std::uint64_t length = p.get_data_length();
        if (p.get_address() + length > bytes.size())
            return p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        for (std::uint64_t i = 0; i < length; ++i) {
            if (p.get_byte_enable_ptr() && !p.get_byte_enable_ptr()[i % p.get_byte_enable_length()])
                continue;
            if (p.is_write()) bytes[p.get_address() + i] = p.get_data_ptr()[i];
            if (p.is_read()) p.get_data_ptr()[i] = bytes[p.get_address() + i];
        }
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    sc_core::sc_time latency() {
        return style_ == Style::Mixed ? latency_ * (0.001 * static_cast<double>(random_() % 1000))
                                      : latency_;
    }
    void b_transport(int, tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
        if (style_ == Style::Blocking) {
            sc_core::wait(delay + latency());
            delay = sc_core::SC_ZERO_TIME;
        } else {
            delay += latency();
        }
        perform(p);
    }
    unsigned transport_dbg(int, tlm::tlm_generic_payload& p) {
        if (p.get_address() + p.get_data_length() > bytes.size()) return 0;
        --requests;
        perform(p);
        return p.get_data_length();
    }
    tlm::tlm_sync_enum nb_transport_fw(int port, tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        if (phase == tlm::END_RESP) {
            state_[static_cast<unsigned>(port)].responding = false;
            respond(port);
            return tlm::TLM_COMPLETED;
        }
        p.acquire();
        auto style = style_;
        if (style == Style::Mixed)
            style = std::array{Style::Peq, Style::EarlyEnd, Style::Completed}[random_() % 3];
        if (style == Style::Completed) {
            perform(p);
            delay += latency();
            p.release();
            return tlm::TLM_COMPLETED;
        }
        ports_[&p] = port;
        if (style == Style::EarlyEnd) {
            peq_.notify(p, delay + latency());
            phase = tlm::END_REQ;
            return tlm::TLM_UPDATED;
        }
        unaccepted_[&p] = true;
        peq_.notify(p, delay);
        return tlm::TLM_ACCEPTED;
    }
    void serve() {
        while (auto* p = peq_.get_next_transaction()) {
            const int port = ports_[p];
            if (unaccepted_.erase(p)) {
                tlm::tlm_phase phase = tlm::END_REQ;
                sc_core::sc_time now;
                in[static_cast<unsigned>(port)]->nb_transport_bw(*p, phase, now);
                peq_.notify(*p, latency());
                continue;
            }
            perform(*p);
            state_[static_cast<unsigned>(port)].done.push_back(p);
            respond(port);
        }
    }
    void respond(int port) {
        State& state = state_[static_cast<unsigned>(port)];
        while (!state.done.empty() && !state.responding) {
            auto* p = state.done.front();
            state.done.pop_front();
            tlm::tlm_phase phase = tlm::BEGIN_RESP;
            sc_core::sc_time now;
            ports_.erase(p);
            const auto answer = in[static_cast<unsigned>(port)]->nb_transport_bw(*p, phase, now);
            state.responding = answer == tlm::TLM_ACCEPTED;
            p->release();
        }
    }

    const Style style_;
    const sc_core::sc_time latency_;
    std::mt19937 random_{7};
    std::vector<State> state_;
    std::map<tlm::tlm_generic_payload*, int> ports_;
    std::map<tlm::tlm_generic_payload*, bool> unaccepted_;
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> peq_{"peq"};
};

/// An initiator with a clock of its own, which writes numbers to its part of memory, line by line,
/// and reads them back. It takes its time to end responses.
class ForeignInitiator : public sc_core::sc_module, private tlm::tlm_mm_interface {
  public:
    tlm_utils::simple_initiator_socket<ForeignInitiator> out{"out"};
    unsigned wrong = 0, answered = 0;
    bool overlap = false;  ///< a response began before the one before it had ended

    ForeignInitiator(sc_core::sc_module_name name, std::uint64_t base, unsigned lines,
                     const sc_core::sc_time& period)
        : sc_core::sc_module(name), base_(base), lines_(lines), clock_("clock", period) {
        out.register_nb_transport_bw(this, &ForeignInitiator::nb_transport_bw);
        SC_HAS_PROCESS(ForeignInitiator);
        SC_THREAD(run);
        SC_METHOD(end_response);
        sensitive << responses_.get_event();
        dont_initialize();
    }
    bool done() const { return answered == 2 * lines_; }

  private:
    struct Transaction : tlm::tlm_generic_payload {
        using tlm::tlm_generic_payload::tlm_generic_payload;
        std::uint32_t data[16]{};
    };
    void free(tlm::tlm_generic_payload* p) override { delete static_cast<Transaction*>(p); }

    void run() {
        for (const auto command : {tlm::TLM_WRITE_COMMAND, tlm::TLM_READ_COMMAND}) {
            for (unsigned line = 0; line < lines_; ++line) {
                sc_core::wait(clock_.posedge_event());
                auto* p = new Transaction(this);
                p->acquire();
                p->set_command(command);
                p->set_address(base_ + line * 64);
                p->set_data_ptr(reinterpret_cast<unsigned char*>(p->data));
                p->set_data_length(64);
                p->set_streaming_width(64);
                p->set_byte_enable_length(64);  // of no pointer: all bytes
                if (command == tlm::TLM_WRITE_COMMAND)
                    for (unsigned i = 0; i < 16; ++i)
                        p->data[i] = static_cast<std::uint32_t>(base_ + line * 16 + i);
                send(*p);
            }
            while (answered != lines_ && !done())
                sc_core::wait(response_);
        }
    }
    void send(Transaction& p) {
        tlm::tlm_phase phase = tlm::BEGIN_REQ;
        sc_core::sc_time delay;
        waiting_ = &p;
        const auto answer = out->nb_transport_fw(p, phase, delay);
        if (answer == tlm::TLM_COMPLETED) return finish(p);
        if (answer == tlm::TLM_UPDATED) {
            sc_core::wait(delay);
            waiting_ = nullptr;
        }
        while (waiting_ != nullptr)
            sc_core::wait(end_request_);
    }
    tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                       sc_core::sc_time& delay) {
        if (waiting_ == &p) {
            waiting_ = nullptr;
            end_request_.notify(delay);
        }
        if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
        overlap |= responding_;
        responding_ = true;
        responses_.notify(p, delay + clock_.period() * 1.7);
        return tlm::TLM_ACCEPTED;
    }
    void end_response() {
        while (auto* p = responses_.get_next_transaction()) {
            responding_ = false;
            tlm::tlm_phase phase = tlm::END_RESP;
            sc_core::sc_time delay;
            p->acquire();
            out->nb_transport_fw(*p, phase, delay);
            finish(static_cast<Transaction&>(*p));
            p->release();
        }
    }
    void finish(Transaction& p) {
        for (unsigned i = 0; i < 16; ++i)
            wrong +=
                p.data[i] != static_cast<std::uint32_t>(base_ + (p.get_address() - base_) / 4 + i);
        wrong += p.is_response_error();
        ++answered;
        response_.notify(sc_core::SC_ZERO_TIME);
        p.release();
    }

    const std::uint64_t base_;
    const unsigned lines_;
    sc_core::sc_clock clock_;
    sc_core::sc_event end_request_, response_;
    tlm::tlm_generic_payload* waiting_ = nullptr;
    bool responding_ = false;
    tlm_utils::peq_with_get<tlm::tlm_generic_payload> responses_{"responses"};
};

}  // namespace gen9::test
