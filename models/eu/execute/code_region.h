// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "common/units.h"
#include "eu/execute/decoded.h"
#include "eu/thread/thread.h"
#include "interconnect/payload/plain_messages.h"

namespace gen9::eu {

/// Takes the messages that a thread sends while it runs a region of code.
class Messages {
  public:
    /// Executes the thread's next instruction, which is this send; `number`: of the send, in its
    /// program; `now`: the cycle behind it. False: the thread does not go on there now, and the
    /// region must leave; otherwise the response is in the thread's registers.
    virtual bool send(Thread& thread, const DecodedInstruction& instruction, unsigned number,
                      Cycles now) = 0;

    /// For code that carries out messages as calls by itself: the sites of sends by their numbers,
    /// up to `most`; null where `send` has to be asked. The plain messages of those that have such
    /// are in `plain`, and `no_plain_messages` for the others. What is carried out counts one.
    struct Direct {
        DirectSite* const* sites;
        const DirectSender* sender;
        std::uint32_t* count;
        PlainMessages* const* plain = nullptr;
        PlainEpoch* epoch = nullptr;
    };
    virtual Direct direct(unsigned most) = 0;
    /// The next thread of a slot, which has begun within the end of its last.
    struct Next {
        bool begun = false;
        std::uint64_t most = 0;    ///< instructions that it may execute from here on
        std::uint64_t before = 0;  ///< instructions that it has executed, which nobody has counted
    };
    /// Such a call was the thread's last message, instruction number `executed` of the run. The
    /// region leaves behind it, or goes on with the slot's next thread, which is in `thread` then.
    virtual Next end(Thread& /*thread*/, std::uint64_t /*executed*/) { return {}; }
    /// Finds the site of a send, if it has one.
    virtual void find_site(unsigned /*number*/, const DecodedInstruction& /*instruction*/) {}
    /// The thread has come to this wait, and its notification has not: the region leaves before it,
    /// in cycle `now`.
    virtual void wait(Thread& /*thread*/, const DecodedInstruction& /*instruction*/,
                      Cycles /*now*/) {}
    /// May a region make code meanwhile? If not, the thread leaves where there is none.
    virtual bool allows_code() const { return true; }

  protected:
    ~Messages() = default;
};

/// Code that a thread runs in one go. What each instruction would have to ask of the thread is
/// asked once. Messages are sent from inside. A region is stepped (SteppedRegion: straight on from
/// its first instruction to its end) or compiled (jit/compiled_region.h).
///
/// All of a thread's state is in the thread at every instruction border, so a thread may leave a
/// region behind any message and go on by other means.
class CodeRegion {
  public:
    virtual ~CodeRegion() = default;

    /// Instructions from the first to the end, a branch included: one run executes so many before
    /// it can end.
    unsigned size() const { return size_; }
    /// The IP behind the last instruction.
    std::uint32_t end_ip() const { return end_ip_; }
    /// The modes are right, and no waiting channel joins where the region does not look.
    bool runs_now(const Thread& thread) const {
        return (thread.control[0] & modes_) == modes_wanted_ &&
               (joins_ == nullptr ? thread.wake_ip >= straight_end_ : meets_all(thread));
    }

    struct Run {
        std::uint64_t instructions;  ///< executed
        /// At a message for which `send` was false, and which counts, or before a wait.
        bool left;
    };
    /// Runs it for a thread that stands where it may be entered and for which `runs_now`: at most
    /// `most` instructions, which is `size` at least; fewer where it leaves. `begin`: the cycle of
    /// the first; each takes one.
    virtual Run run(Thread& thread, Messages& messages, Cycles begin, std::uint64_t most) const = 0;

    /// Can it run this thread without making code?
    virtual bool is_ready(const Thread& /*thread*/) const { return true; }

    /// Sends nothing, and a write of cr0.0 is its last instruction: the code of a kernel lies behind.
    bool only_sets_modes() const { return only_sets_modes_; }

    /// Host memory it takes.
    virtual std::size_t bytes() const = 0;

  protected:
    /// The region looks for waiting channels at its joins: none waits elsewhere in it, and some
    /// channel runs.
    bool meets_all(const Thread& thread) const {
        return thread.active != 0 && meets(thread.low_ip) && meets(thread.wake_ip);
    }
    bool meets(std::uint32_t ip) const {
        const std::uint32_t place = (ip - first_ip_) >> 3;
        return place >= join_places_ || (joins_[place / 64] >> place % 64 & 1) != 0;
    }

    std::uint32_t size_ = 0;
    std::uint32_t first_ip_ = 0;
    const std::uint64_t* joins_ = nullptr;  ///< by (ip - first_ip_) / 8; null: it looks nowhere
    std::uint32_t join_places_ = 0;
    std::uint32_t modes_ = 0, modes_wanted_ = 0;  ///< bits of cr0.0 that must have a value
    std::uint32_t straight_end_ = 0;              ///< the branch, or what follows without one
    std::uint32_t end_ip_ = 0;
    bool only_sets_modes_ = false;
};

}  // namespace gen9::eu
