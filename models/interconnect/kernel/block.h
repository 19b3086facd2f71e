// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "common/environment.h"

namespace gen9 {

/// Block: what every block of the machine has, whichever model of it stands in its place.
/// Role     registers a block, its parameters, counters and signals with the environment; who runs
///          the machine asks all blocks in the order of their construction, by the list the
///          environment keeps
/// Not here a kind's sockets and what else the machine asks of it: interface.h of its folder
class Block {
  public:
    virtual ~Block() = default;
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;

    /// Brings counters of cycles up to now; called before they are read.
    virtual void settle() {}
    /// Before the first cycle: the environment's mode may change.
    virtual void expect_changes() {}
    /// The mode has changed, while nothing was under way; called after `settle`.
    virtual void change_timing() {}
    /// The waits for the report of a hang, one line each; empty: nobody waits.
    virtual std::string describe_waiting() const { return {}; }
    /// Has nothing to do and nothing in flight.
    virtual bool idle() const { return true; }
    /// Grows with all that brings a finite program nearer its end: a watchdog's measure.
    virtual std::uint64_t progress() const { return 0; }

  protected:
    explicit Block(Environment& env) { env.blocks.push_back(this); }

    /// Registers any of parameters, counters and signals. They are members of the block.
    template <class... Parts>
    static void enlist(Environment& env, Parts&... parts) {
        (add(env, parts), ...);
    }

  private:
    static void add(Environment& env, const ParamSet& params) { env.params.push_back(&params); }
    static void add(Environment& env, const StatSet& stats) { env.stats.add(stats); }
    static void add(Environment& env, SignalSet& signals) { env.signals.push_back(&signals); }
};

struct NoSetup {};

/// A kind of block. `Sockets` holds references to the sockets it has, `Setup` what it is given when
/// it is made beside its name, environment and clock.
template <class SocketsType, class SetupType = NoSetup>
class BlockWith : public Block {
  public:
    using Sockets = SocketsType;
    using Setup = SetupType;
    virtual Sockets sockets() = 0;

  protected:
    using Block::Block;
};

}  // namespace gen9
