// SPDX-License-Identifier: Apache-2.0
// Requests as tests play them, and the lines that are written down of what becomes of them.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "interconnect/payload/thread_request.h"

namespace gen9::dispatcher::test {

/// What a socket asks for, and when.
struct Ask {
    ThreadRequest::Group group = ThreadRequest::Group::None;
    unsigned threads = 1, group_threads = 0;
    bool barrier = false, continues = false, leaves_open = false;
    unsigned slm_kb = 0, most = 1000, subslices = ~0u, eus = 8, registers = 0, rows = 1;
    unsigned gap = 0;        ///< cycles behind the END_REQ of the one before; 0: within it
    unsigned later = 0;      ///< the delay that it is announced with
    bool ends_open = false;  ///< the group that the one before left open ends when this is begun
    std::vector<unsigned> lives;  ///< of each thread, in cycles
    /// Of each thread: its last message is answered so many cycles after its end. None: they are
    /// not awaited.
    std::vector<unsigned> unanswered;
    /// So many cycles pass from when the source is asked for the request, or for a thread, until it
    /// lets it go. None: it is not asked.
    std::vector<unsigned> held;
    unsigned held_before = 0;
    unsigned withdrawn_at = kNever;  ///< asked for this thread; kBefore: for the request
    static constexpr unsigned kNever = ~0u, kBefore = kNever - 1;
    bool asks() const { return !held.empty(); }
};

/// The machine and its rates.
struct Facts {
    ThreadTopology topology{1, 2, 3, 3};
    std::vector<unsigned> clients;  ///< by port
    unsigned registers = 48, slm_kb = 64, groups = 3, a_cycle = 1, rows_a_cycle = 2, queue = 2,
             dispatch = 20, retire = 4, patience = 60, gateway = 9;
    bool by_load = true;  ///< else units go in turn
};

inline const char* state_name(SendState state) {
    static const std::map<SendState, const char*> names{
        {SendState::Sending, "sends"},           {SendState::WaitSlot, "slot"},
        {SendState::WaitRegisters, "registers"}, {SendState::WaitSlm, "slm"},
        {SendState::WaitBarrier, "barrier"},     {SendState::WaitHandshake, "handshake"},
        {SendState::WaitPayload, "payload"}};
    return names.contains(state) ? names.at(state) : "?";
}

/// What both write down of a thread that leaves.
inline std::string thread_line(unsigned port, unsigned ask, unsigned thread,
                               const ThreadGrant& grant, std::uint64_t starts) {
    const auto number = [](std::uint64_t n) { return " " + std::to_string(n); };
    std::string text = "thread" + number(port) + number(ask) + number(thread) + " at" +
                       number(grant.place.subslice) + number(grant.place.eu) +
                       number(grant.place.slot) + " starts" + number(starts);
    if (grant.has_barrier) text += " barrier" + number(grant.barrier);
    if (grant.slm_kilobytes)
        text +=
            " slm" + number(grant.slm) + number(grant.slm_granule) + number(grant.slm_kilobytes);
    return text;
}
/// `cause`: the request that a barrier is set up for, or what ended its group.
inline std::string write_line(unsigned subslice, unsigned place, unsigned value,
                              const std::string& cause) {
    return "gateway " + std::to_string(subslice) + " " + std::to_string(place) + " " +
           std::to_string(value) + " for " + cause;
}
inline std::string request_name(unsigned port, unsigned ask) {
    return "request " + std::to_string(port) + " " + std::to_string(ask);
}
inline std::string thread_name(unsigned port, unsigned ask, unsigned thread) {
    return "thread " + std::to_string(port) + " " + std::to_string(ask) + " " +
           std::to_string(thread);
}
inline std::string end_name(unsigned port) {
    return "the end of a group of " + std::to_string(port);
}

}  // namespace gen9::dispatcher::test
