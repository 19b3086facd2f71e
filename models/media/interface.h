// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"
#include "interconnect/kernel/thread_request_protocol.h"
#include "interconnect/payload/register_file.h"

namespace gen9::media {

class TimingChoice;

struct MediaSockets {
    AnyTarget<CommandProtocol>& command_in;
    AnyInitiator<MemoryProtocol>& mem_out;
    AnyInitiator<ThreadRequestProtocol>& child_out;
    AnyInitiator<ThreadRequestProtocol>& request_out;
    std::vector<AnyTarget<MessageProtocol>*> msg_in;  ///< by EU of the machine
};
struct MediaSetup {
    ThreadTopology topology{};
    unsigned l3_banks = 4;  ///< of the machine, for the save area's layout
    unsigned slm_kb = 64;   ///< of a subslice, that groups can be given
    RegisterFile registers{};
    std::string unit{};  ///< that its parameters, counters and signals are of; empty: itself
};

/// Video front end and thread spawner.
class MediaBlock : public BlockWith<MediaSockets, MediaSetup> {
  public:
    WorkObserver* observer = nullptr;
    TimingChoice* timing_choice = nullptr;  ///< null: all runs in the machine's mode

    /// The mode that the walker or group at hand waits for, when the machine is not in it and no
    /// thread runs: who changes the mode, once nothing at all is under way, then lets it go on.
    virtual std::optional<Timing> wanted_timing() const = 0;
    /// Work that has begun and not ended, in order, with what its ended threads have done.
    virtual std::vector<WorkRecord> unfinished() const = 0;

  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::media
