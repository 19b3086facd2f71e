// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <string>

#include "common/signals.h"
#include "dispatch/types.h"
#include "interconnect/dispatch.h"

namespace gen9::dispatch {

inline constexpr const char* kSendStateWords[] = {
    "idle",           "sending",         "front end",    "wait URB",       "wait slot",
    "wait registers", "wait SLM",        "wait barrier", "wait handshake", "wait payload",
    "wait drain",     "wait scoreboard", "wait spawn",   "wait fence"};
static_assert(std::size(kSendStateWords) == kSendStates);

/// Threads that pass a point: how many in a cycle, and which the last of them is. More than one
/// passes only where threads_per_clock allows it, or several end in a cycle; the sockets of the EUs
/// show each.
struct ThreadSignals {
    ThreadSignals(SignalSet& set, const std::string& what)
        : count(set, what, 10, SignalForm::Decimal, "Threads in this cycle."),
          walker(set, what + "_walker", 32, SignalForm::Decimal, "Number of its walker."),
          group_x(set, what + "_group_x", 32, SignalForm::Decimal, "Group id X."),
          group_y(set, what + "_group_y", 32, SignalForm::Decimal, "Group id Y."),
          group_z(set, what + "_group_z", 32, SignalForm::Decimal, "Group id Z."),
          thread(set, what + "_thread", 6, SignalForm::Decimal, "Its number in the group."),
          fftid(set, what + "_fftid", 9, SignalForm::Decimal, "Names its slot in the machine."),
          id(set, what + "_id", 48, SignalForm::Hex, "Its transaction id.") {}
    void show(const ThreadDispatch& dispatch, Cycles at) {
        count.pulse(at, at + Cycles(1));
        walker.set(dispatch.work, at);
        group_x.set(dispatch.group_id[0], at);
        group_y.set(dispatch.group_id[1], at);
        group_z.set(dispatch.group_id[2], at);
        thread.set(dispatch.local_thread, at);
        fftid.set(dispatch.sideband.fftid, at);
        id.set(dispatch.sideband.trace_id, at);
    }
    Signal count, walker, group_x, group_y, group_z, thread, fftid, id;
};

struct SpawnerSignals : SignalSet {
    SpawnerSignals(std::string path, const Topology& topology) : SignalSet(std::move(path)) {
        for (unsigned s = 0; s < topology.total_subslices(); ++s) {
            const std::string where = "_subslice" + std::to_string(s);
            const auto add = [&](std::deque<Signal>& to, const char* name, unsigned width,
                                 const char* meaning) {
                to.emplace_back(*this, name + where, width, SignalForm::Decimal, meaning);
            };
            add(threads, "threads", 8, "Threads running.");
            add(groups, "groups", 6, "Groups with barrier or SLM.");
            add(barriers, "barriers", 6, "Barriers given out.");
            add(slm_kilobytes, "slm_kilobytes", 9, "Shared local memory given out.");
        }
    }
    Signal activity{*this, "activity", kSendStateWords, "Why the next thread is not sent."};
    Signal command{*this, "command", 32, SignalForm::Hex, "Header of the command at hand."};
    Signal command_id{*this, "command_id", 48, SignalForm::Hex, "Its transaction id."};
    Signal walkers{*this, "walkers", 8, SignalForm::Decimal,
                   "Walkers with threads running or still to be sent."};
    Signal walker{*this, "walker", 32, SignalForm::Decimal,
                  "Number of the walker whose threads are sent."};
    Signal free_urb_entries{*this, "free_urb_entries", 8, SignalForm::Decimal,
                            "URB entries that a walker's payload can go to."};
    Signal scoreboard{*this, "scoreboard", 10, SignalForm::Decimal,
                      "Entries of the thread scoreboard that are marked."};
    Signal children{*this, "children", 10, SignalForm::Decimal,
                    "Child threads called for and not yet sent."};
    ThreadSignals sent{*this, "sent"}, ended{*this, "ended"};
    /// By flat subslice number.
    std::deque<Signal> threads, groups, barriers, slm_kilobytes;
};

}  // namespace gen9::dispatch
