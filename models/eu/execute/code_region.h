// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "common/units.h"
#include "eu/execute/decoded.h"
#include "eu/thread/thread.h"

namespace gen9::eu {

/// Takes the messages that a thread sends while it runs a region of code.
class Messages {
  public:
    /// Executes the thread's next instruction, which is this send; `number`: of the send, in its
    /// program; `now`: the cycle behind it. False: the thread does not go on there now, and the
    /// region must leave; otherwise the response is in the thread's registers.
    virtual bool send(Thread& thread, const DecodedInstruction& instruction, unsigned number,
                      Cycles now) = 0;

  protected:
    ~Messages() = default;
};

/// Code that a thread runs in one go: from its first instruction straight on to its end, and a
/// branch there, if one ends it. What each instruction would have to ask of the thread is asked
/// once. Messages are sent from inside.
///
/// All of a thread's state is in the thread at every instruction border, so a thread may leave a
/// region behind any message and go on by other means.
class CodeRegion {
  public:
    virtual ~CodeRegion() = default;

    /// Instructions from the first to the end, a branch included.
    unsigned size() const { return size_; }
    /// The IP behind the last instruction.
    std::uint32_t end_ip() const { return end_ip_; }
    /// The modes are right, and no waiting channel joins before the end.
    bool runs_now(const Thread& thread) const {
        return (thread.control[0] & modes_) == modes_wanted_ && thread.wake_ip >= straight_end_;
    }

    struct Run {
        std::uint64_t instructions;  ///< executed
        bool left;                   ///< behind a message after which the thread does not go on
    };
    /// Runs it for a thread that stands at its first instruction and for which `runs_now`: `size`
    /// instructions, or fewer where it leaves. `begin`: the cycle of the first; each takes one.
    virtual Run run(Thread& thread, Messages& messages, Cycles begin) const = 0;

    /// Host memory it takes.
    virtual std::size_t bytes() const = 0;

  protected:
    std::uint32_t size_ = 0;
    std::uint32_t modes_ = 0, modes_wanted_ = 0;  ///< bits of cr0.0 that must have a value
    std::uint32_t straight_end_ = 0;              ///< the branch, or what follows without one
    std::uint32_t end_ip_ = 0;
};

}  // namespace gen9::eu
