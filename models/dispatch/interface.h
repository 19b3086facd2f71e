// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "dispatch/place/register_file.h"
#include "interconnect/block.h"
#include "interconnect/sockets.h"
#include "interconnect/work.h"

namespace gen9::dispatch {

class TimingChoice;

struct SpawnerSockets {
    AnyTarget<CommandProtocol>& command_in;
    AnyInitiator<MemoryProtocol>& mem_out;
    std::vector<AnyInitiator<DispatchProtocol>*> thread_out;  ///< by EU of the machine
    std::vector<AnyInitiator<MemoryProtocol>*> barrier_out;   ///< by subslice of the machine
    std::vector<AnyInitiator<MemoryProtocol>*> slm_out;       ///< the same; null: nothing is saved
    std::vector<AnyTarget<MessageProtocol>*> msg_in;          ///< by EU of the machine
};
struct SpawnerSetup {
    unsigned slices, subslices, eus, threads_per_eu;  ///< each of one of those before
    unsigned l3_banks = 4;                            ///< of the machine
    std::uint32_t saved_slm = 0;  ///< a bit for each subslice whose shared local memory is saved
    unsigned shared_slm = 0;  ///< shared local memories of a slice; 0: each subslice has its own
    unsigned slm_kb = 64;     ///< of a subslice, that groups can be given
    RegisterFile registers{};
};

/// Video front end, thread spawner and thread dispatcher.
class SpawnerBlock : public BlockWith<SpawnerSockets, SpawnerSetup> {
  public:
    WorkObserver* observer = nullptr;
    TimingChoice* timing_choice = nullptr;  ///< null: all runs in the machine's mode

    /// The mode that the walker or group at hand waits for, when the machine is not in it and no
    /// thread runs: who changes the mode, once nothing at all is under way, then lets it go on.
    virtual std::optional<Timing> wanted_timing() const = 0;
    /// Walkers that have begun and not ended, in order, with what their ended threads have done.
    virtual std::vector<WorkRecord> unfinished() const = 0;

  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::dispatch
