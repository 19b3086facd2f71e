// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm_utils/peq_with_get.h>
#include <tlm_utils/simple_target_socket.h>
#include <array>
#include <cstring>
#include <systemc>
#include <tlm>
#include <unordered_map>

/// Memory of any size, zero where nothing was written. Loosely timed: b_transport with a latency.
/// Or, as a module with a process of its own: non-blocking transport, one transaction after the
/// other.
class Ram : public sc_core::sc_module {
  public:
    enum class Style { Blocking, OwnProcess };
    tlm_utils::simple_target_socket<Ram> in{"in"};

    Ram(sc_core::sc_module_name name, Style style, sc_core::sc_time latency)
        : sc_module(name), latency_(latency) {
        in.register_b_transport(this, &Ram::blocking);
        in.register_transport_dbg(this, &Ram::debug);
        if (style == Style::Blocking) return;
        in.register_nb_transport_fw(this, &Ram::forward);
        SC_HAS_PROCESS(Ram);
        SC_THREAD(serve);
    }
    std::uint64_t accesses() const { return accesses_; }

  private:
    using Payload = tlm::tlm_generic_payload;
    static constexpr std::uint64_t kPage = 4096;

    std::uint8_t& at(std::uint64_t address) {
        auto& page = pages_[address / kPage];
        if (!page) page = std::make_unique<std::array<std::uint8_t, kPage>>();
        return (*page)[address % kPage];
    }
    void perform(Payload& payload) {
        const unsigned char* const enables = payload.get_byte_enable_ptr();
        for (unsigned i = 0; i < payload.get_data_length(); ++i) {
            if (enables && !enables[i % payload.get_byte_enable_length()]) continue;
            if (payload.is_write())
                at(payload.get_address() + i) = payload.get_data_ptr()[i];
            else
                payload.get_data_ptr()[i] = at(payload.get_address() + i);
        }
        payload.set_response_status(tlm::TLM_OK_RESPONSE);
    }
    void blocking(Payload& payload, sc_core::sc_time& delay) {
        ++accesses_;
        delay += latency_;
        perform(payload);
    }
    unsigned debug(Payload& payload) {
        perform(payload);
        return payload.get_data_length();
    }
    tlm::tlm_sync_enum forward(Payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
        if (phase == tlm::END_RESP) {
            response_taken_.notify(delay);
            return tlm::TLM_COMPLETED;
        }
        payload.acquire();
        requests_.notify(payload, delay);
        phase = tlm::END_REQ;  // there is always room
        return tlm::TLM_UPDATED;
    }
    void serve() {
        for (;; wait(requests_.get_event()))
            while (Payload* const payload = requests_.get_next_transaction()) {
                wait(latency_);
                ++accesses_;
                perform(*payload);
                tlm::tlm_phase phase = tlm::BEGIN_RESP;
                sc_core::sc_time delay;
                if (in->nb_transport_bw(*payload, phase, delay) == tlm::TLM_ACCEPTED)
                    wait(response_taken_);
                payload->release();
            }
    }

    sc_core::sc_time latency_;
    std::unordered_map<std::uint64_t, std::unique_ptr<std::array<std::uint8_t, kPage>>> pages_;
    tlm_utils::peq_with_get<Payload> requests_{"requests"};
    sc_core::sc_event response_taken_;
    std::uint64_t accesses_ = 0;
};
