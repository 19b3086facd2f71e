// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/kernel/thread_request_protocol.h"

namespace gen9::dispatcher {

struct DispatcherSockets {
    std::vector<AnyTarget<ThreadRequestProtocol>*> request_in;  ///< as DispatcherSetup::clients
    std::vector<AnyInitiator<DispatchProtocol>*> thread_out;    ///< by EU of the machine
    std::vector<AnyInitiator<MemoryProtocol>*> barrier_out;     ///< by subslice of the machine
    std::vector<AnyInitiator<MemoryProtocol>*> slm_out;  ///< the same; null: nothing is saved
};
struct DispatcherSetup {
    ThreadTopology topology{};
    std::vector<unsigned> clients{0};  ///< whose each request socket is
    unsigned l3_banks = 4;             ///< of the machine, for the save area's layout
    std::uint32_t saved_slm = 0;       ///< subslices with an engine that saves SLM
    unsigned slm_kb = 64;              ///< of a subslice, that groups can be given
    unsigned registers = 0;            ///< of an EU, where threads take some
    std::string unit{};                ///< that its parameters and signals are of; empty: itself
};

/// Thread dispatcher.
using DispatcherBlock = BlockWith<DispatcherSockets, DispatcherSetup>;

}  // namespace gen9::dispatcher
