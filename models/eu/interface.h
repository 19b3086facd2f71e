// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "eu/loaded_thread.h"
#include "interconnect/kernel/block.h"
#include "interconnect/kernel/sockets.h"

namespace gen9::eu {

struct EuEvents;
struct EuParams;
class InstructionObserver;
class Profile;
class Program;
class UseObserver;

struct EuSockets {
    AnyTarget<DispatchProtocol>& dispatch_in;
    std::array<AnyInitiator<MessageProtocol>*, kMessagePorts> msg_out;
    AnyInitiator<MemoryProtocol>& fetch_out;
    AnyTarget<MemoryProtocol>& reg_in;  ///< TD_CTL2
};
struct EuSetup {
    ThreadAddress place;  ///< where it is; the slot is ignored
    unsigned number;      ///< its flat number in the machine
    Program& program;     ///< decoded instructions, shared by all EUs
};

/// An execution unit.
class EuBlock : public BlockWith<EuSockets, EuSetup> {
  public:
    virtual const EuParams& params() const = 0;
    /// Is told of every instruction from now on; null: nobody is.
    virtual void observe(InstructionObserver* observer) = 0;
    /// Counts what each walker and each instruction does from now on. Timed mode.
    virtual void profile(Profile& profile) = 0;
    /// Is told what cycles are used for from now on. Timed mode.
    virtual void observe_uses(UseObserver* observer) = 0;
    /// Counts from now on what its threads do by stage.
    virtual void count_events(EuEvents& /*events*/) {}
    /// Instructions executed so far: grows while any thread runs. Cheap to read at any time.
    virtual std::uint64_t instructions() const = 0;
    /// Instructions of the runs before this cycle, whether it has run in this one or not. It may be
    /// asked only when changes of the mode are expected.
    virtual std::uint64_t instructions_before_now() const = 0;
    /// The state of each loaded thread.
    virtual std::vector<LoadedThread> loaded_threads() const = 0;

  protected:
    using BlockWith::BlockWith;
};

}  // namespace gen9::eu
