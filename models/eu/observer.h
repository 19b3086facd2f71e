// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/units.h"
#include "eu/execute/decoded.h"
#include "eu/stats.h"
#include "eu/thread/thread.h"

namespace gen9::eu {

/// An InstructionObserver is told of every instruction of an EU, after it has been executed.
class InstructionObserver {
  public:
    virtual ~InstructionObserver() = default;
    /// `channels` were enabled (before predication); the destination's new values are in `thread`,
    /// except those of a send, which come with its response. `thread.sideband.place` says where.
    virtual void executed(const Thread& thread, const DecodedInstruction& instruction, Cycles cycle,
                          std::uint32_t channels) = 0;
};

/// A UseObserver is told what the cycles of an EU are used for, in timed mode: stretch by stretch
/// from cycle 0 on, when they are counted.
class UseObserver {
  public:
    virtual ~UseObserver() = default;
    /// The cycles from `from` to before `to`.
    virtual void used(CycleUse what, std::uint64_t from, std::uint64_t to) = 0;
};

}  // namespace gen9::eu
