// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <deque>
#include <string>

#include "common/signals.h"
#include "interconnect/payload/dispatch.h"
#include "interconnect/payload/thread_places.h"

namespace gen9::dispatcher {

/// Threads pass a point: so many in a cycle, and which the last of them is. More than one
/// passes only where threads_per_clock allows it, or several end in a cycle; the sockets of the EUs
/// show each.
struct ThreadSignals {
    ThreadSignals(SignalSet& set, const std::string& what)
        : count(set, what, 10, SignalForm::Decimal, "Threads in this cycle."),
          work(set, what + "_walker", 32, SignalForm::Decimal, "Number of its walker."),
          group_x(set, what + "_group_x", 32, SignalForm::Decimal, "Group id X."),
          group_y(set, what + "_group_y", 32, SignalForm::Decimal, "Group id Y."),
          group_z(set, what + "_group_z", 32, SignalForm::Decimal, "Group id Z."),
          thread(set, what + "_thread", 6, SignalForm::Decimal, "Its number in the group."),
          fftid(set, what + "_fftid", 9, SignalForm::Decimal, "Names its slot in the machine."),
          id(set, what + "_id", 48, SignalForm::Hex, "Its transaction id.") {}
    void show(const ThreadDispatch& dispatch, Cycles at) {
        count.pulse(at, at + Cycles(1));
        work.set(dispatch.work, at);
        group_x.set(dispatch.gpgpu.group_id[0], at);
        group_y.set(dispatch.gpgpu.group_id[1], at);
        group_z.set(dispatch.gpgpu.group_id[2], at);
        thread.set(dispatch.gpgpu.local_thread, at);
        fftid.set(dispatch.sideband.fftid, at);
        id.set(dispatch.sideband.trace_id, at);
    }
    Signal count, work, group_x, group_y, group_z, thread, fftid, id;
};

struct DispatcherSignals : SignalSet {
    DispatcherSignals(std::string path, const ThreadTopology& topology)
        : SignalSet(std::move(path)) {
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
    ThreadSignals sent{*this, "sent"}, ended{*this, "ended"};
    /// By flat subslice number.
    std::deque<Signal> threads, groups, barriers, slm_kilobytes;
};

}  // namespace gen9::dispatcher
