// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <vector>

#include "cs/eu_event_controls.h"
#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/payload/memory_request.h"

namespace gen9::cs {

struct PerformanceCounters;

struct AluSockets {
    AnyTarget<MemoryProtocol>& op_in;  ///< alu_module.h says what is accessed
};
/// The command streamer's ALU and general purpose registers.
class AluBlock : public BlockWith<AluSockets> {
  protected:
    using BlockWith::BlockWith;
};

struct CommandStreamerSockets {
    AnyTarget<MemoryProtocol>& reg_in;      ///< the host's door
    AnyInitiator<MemoryProtocol>& reg_out;  ///< registers that other blocks own
    AnyInitiator<MemoryProtocol>& mem_out;
    std::vector<AnyInitiator<MemoryProtocol>*> control_out;  ///< to caches and TLBs
    AnyInitiator<CommandProtocol>& command_out;              ///< to the media front end
    AnyInitiator<CommandProtocol>* draw_out;                 ///< null: nobody draws
    AnyInitiator<ResourceProtocol>* streamer_out;            ///< null: nothing to bind it to
};
/// Makes what stands in the ALU's place, a module of that name within the streamer, and gives its
/// socket.
using MakeAlu = std::function<AnyTarget<MemoryProtocol>&(const char* name)>;
struct CommandStreamerSetup {
    unsigned controls;           ///< caches and TLBs that it tells
    MakeAlu make_alu{};          ///< none: it has the model of the ALU
    bool with_streamer = false;  ///< there is a resource streamer
    bool with_draws = false;     ///< there is a front end of the 3D pipe
};

/// Command streamer of the render engine.
class CommandStreamerBlock : public BlockWith<CommandStreamerSockets, CommandStreamerSetup> {
  public:
    /// Takes the interrupts: bit (registers.h), and how long after now it is raised. Set after
    /// construction, or not at all.
    std::function<void(unsigned, const sc_core::sc_time&)> on_interrupt;
    /// Says what blocks have counted (TimeBus::performance). Set after construction, or not at all.
    std::function<void(PerformanceCounters&, const EuEventControls&)> on_performance;
    /// Is called when bytes in memory are filled with what depends on time. Set after construction,
    /// or not at all.
    std::function<void(AddressSpace, GpuAddr, std::size_t)> on_time_written;

    /// The stream had an error that stops the engine; it has been reported.
    virtual bool stopped() const = 0;

    /// The host may write what the streamer polls (look_at_host): where nothing else in the machine
    /// can change it any more, the wait takes no time.
    bool host_writes = false;
    /// The streamer waits for such a write.
    virtual bool awaits_host() const { return false; }
    /// Looks at the word that it waits for, without time. True: it goes on.
    virtual bool look_at_host() { return false; }
    /// The streamer executes commands or polls memory, and nothing that it gave to others is under
    /// way.
    virtual bool works_alone() const { return false; }

  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::cs
