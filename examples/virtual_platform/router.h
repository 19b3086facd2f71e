// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <map>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

/// The bus of the platform: any number of initiators, and targets by address. It takes no time.
class Router : public sc_core::sc_module {
  public:
    using Payload = tlm::tlm_generic_payload;
    struct Window {
        std::uint64_t base, bytes;
    };

    Router(sc_core::sc_module_name name, unsigned initiators, const std::vector<Window>& windows)
        : sc_module(name),
          in("in", initiators),
          out("out", static_cast<unsigned>(windows.size())),
          windows_(windows) {
        for (unsigned i = 0; i < initiators; ++i) {
            in[i].register_b_transport(this, &Router::blocking, static_cast<int>(i));
            in[i].register_nb_transport_fw(this, &Router::forward, static_cast<int>(i));
            in[i].register_transport_dbg(this, &Router::debug, static_cast<int>(i));
        }
        for (unsigned i = 0; i < windows.size(); ++i)
            out[i].register_nb_transport_bw(this, &Router::backward, static_cast<int>(i));
    }

    sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<Router>> in;
    sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<Router>> out;

  private:
    struct Way {
        int initiator;
        std::uint64_t address;  ///< as the initiator named it
    };
    /// Goes from the bus's address to the target's; -1: there is nobody.
    int target(Payload& payload) const {
        const std::uint64_t address = payload.get_address();
        for (std::size_t i = 0; i < windows_.size(); ++i)
            if (address >= windows_[i].base && address - windows_[i].base < windows_[i].bytes) {
                payload.set_address(address - windows_[i].base);
                return static_cast<int>(i);
            }
        payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
        return -1;
    }
    void blocking(int, Payload& payload, sc_core::sc_time& delay) {
        const std::uint64_t address = payload.get_address();
        if (const int to = target(payload); to >= 0) out[to]->b_transport(payload, delay);
        payload.set_address(address);
    }
    unsigned debug(int, Payload& payload) {
        const std::uint64_t address = payload.get_address();
        const int to = target(payload);
        const unsigned done = to >= 0 ? out[to]->transport_dbg(payload) : 0;
        payload.set_address(address);
        return done;
    }
    tlm::tlm_sync_enum forward(int from, Payload& payload, tlm::tlm_phase& phase,
                               sc_core::sc_time& delay) {
        if (phase != tlm::BEGIN_REQ)
            return out[ways_.at(&payload).second]->nb_transport_fw(payload, phase, delay);
        const std::uint64_t address = payload.get_address();
        const int to = target(payload);
        if (to < 0) return tlm::TLM_COMPLETED;
        ways_[&payload] = {{from, address}, to};
        const auto status = out[to]->nb_transport_fw(payload, phase, delay);
        if (status == tlm::TLM_COMPLETED) end(payload);
        return status;
    }
    tlm::tlm_sync_enum backward(int, Payload& payload, tlm::tlm_phase& phase,
                                sc_core::sc_time& delay) {
        const int from = ways_.at(&payload).first.initiator;
        if (phase == tlm::BEGIN_RESP) payload.set_address(ways_.at(&payload).first.address);
        // The initiator may send the object again before the call returns.
        const bool ends = phase == tlm::BEGIN_RESP;
        const auto way = ways_.at(&payload);
        if (ends) ways_.erase(&payload);
        const auto status = in[from]->nb_transport_bw(payload, phase, delay);
        if (ends && status == tlm::TLM_ACCEPTED) ways_[&payload] = way;  // END_RESP follows
        return status;
    }
    void end(Payload& payload) {
        payload.set_address(ways_.at(&payload).first.address);
        ways_.erase(&payload);
    }

    std::vector<Window> windows_;
    std::map<Payload*, std::pair<Way, int>> ways_;  ///< non-blocking transactions under way
};
