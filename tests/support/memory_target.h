// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "interconnect/kernel/clock.h"
#include "interconnect/kernel/memory_port.h"
#include "interconnect/kernel/memory_transaction.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/payload/lane_access.h"
#include "tests/support/zeroed_memory.h"

namespace gen9::test {

/// A memory of a few megabytes behind any number of sockets: fixed latency, any number in flight.
/// Addresses beyond its size are refused. `stalled` makes it hold its requests.
struct MemoryTarget : sc_core::sc_module {
    std::deque<TargetSocket<MemoryProtocol>> mem_in;
    ZeroedMemory bytes;
    struct Seen {
        std::uint64_t address, enabled;
        bool write;
        Requester requester;
        MemoryAttributes attributes;
    };
    std::vector<Seen> seen;  ///< non-blocking requests in order of arrival
    std::uint64_t blocking_writes = 0;
    MemoryAttributes blocking_attributes;  ///< of the last blocking request
    std::uint64_t latency = 100;
    bool stalled = false;

    MemoryTarget(sc_core::sc_module_name name, const Clock& clock, unsigned sockets,
                 std::uint64_t queue = 4)
        : sc_core::sc_module(name), bytes(4 << 20), clock_(clock), wakeup_(clock) {
        for (unsigned i = 0; i < sockets; ++i) {
            auto& socket = mem_in.emplace_back(("mem_in" + std::to_string(i)).c_str());
            auto& port = queues_.emplace_back(socket, clock, queue);
            socket.on_blocking = [this](tlm::tlm_generic_payload& p, sc_core::sc_time& delay) {
                blocking_writes += p.is_write();
                blocking_attributes = attributes_of(p);
                perform(p);
                delay += clock_.time(Cycles(latency));
            };
            socket.on_debug = [this](tlm::tlm_generic_payload& p) -> unsigned {
                if (p.get_address() + p.get_data_length() > bytes.size()) return 0;
                if (p.is_read())
                    std::memcpy(p.get_data_ptr(), &bytes[p.get_address()], p.get_data_length());
                else
                    std::memcpy(&bytes[p.get_address()], p.get_data_ptr(), p.get_data_length());
                return p.get_data_length();
            };
            socket.on_direct = [this](tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
                dmi.init();
                dmi.set_dmi_ptr(bytes.data());
                dmi.set_start_address(0);
                dmi.set_end_address(bytes.size() - 1);
                dmi.allow_read_write();
                return true;
            };
            socket.on_forward = [this, &port](tlm::tlm_generic_payload& p, tlm::tlm_phase& phase,
                                              sc_core::sc_time& delay) {
                const auto answer = port.begin(p, phase, delay, Cycles(1));
                if (!port.empty()) wakeup_.at(port.front().ready);
                return answer;
            };
        }
        wakeup_.runs<&MemoryTarget::process>(this);
    }
    void resume() {
        stalled = false;
        wakeup_.at(clock_.now() + Cycles(1));
    }

  private:
    void process() {
        if (stalled) return;
        const Cycles now = clock_.now();
        for (auto& queue : queues_) {
            if (queue.ready(now)) {
                auto& p = queue.pop();
                note(p);
                perform(p);
                queue.respond(p, now + Cycles(latency - 1));
            }
            if (!queue.empty()) wakeup_.at(std::max(now + Cycles(1), queue.front().ready));
        }
    }
    void note(const tlm::tlm_generic_payload& p) {
        std::uint64_t enabled = 0;
        for (unsigned i = 0; i < p.get_data_length() && i < 64; ++i)
            enabled |= std::uint64_t{!p.get_byte_enable_ptr() ||
                                     p.get_byte_enable_ptr()[i % p.get_byte_enable_length()]}
                       << i;
        seen.push_back(
            {p.get_address(), enabled, p.is_write(), attributes_of(p).requester, attributes_of(p)});
    }
    void perform(tlm::tlm_generic_payload& p) {
        if (p.get_address() + p.get_data_length() > bytes.size()) {
            if (p.is_read()) std::memset(p.get_data_ptr(), 0, p.get_data_length());
            p.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        auto* attributes = find_attributes(p);
        std::uint8_t* at = &bytes[p.get_address()];
        if (attributes && attributes->operation == MemoryAttributes::Operation::Lanes)
            perform_lanes(attributes->lanes, {&bytes[p.get_address() / 64 * 64], 64},
                          static_cast<std::uint32_t>(p.get_address() % 64));
        else
            for (unsigned i = 0; i < p.get_data_length(); ++i) {
                if (p.get_byte_enable_ptr() &&
                    !p.get_byte_enable_ptr()[i % p.get_byte_enable_length()])
                    continue;
                if (p.is_write())
                    at[i] = p.get_data_ptr()[i];
                else
                    p.get_data_ptr()[i] = at[i];
            }
        p.set_response_status(tlm::TLM_OK_RESPONSE);
    }

    const Clock& clock_;
    Wakeup wakeup_;
    std::deque<RequestQueue> queues_;
};

}  // namespace gen9::test
