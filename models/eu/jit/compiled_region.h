// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "eu/execute/code_region.h"
#include "eu/jit/code_memory.h"
#include "eu/jit/host.h"

namespace gen9::eu::jit {

class CompiledRegion;

/// What compiled code asks of its run. The code finds its members by their offsets.
struct Frame {
    std::uint32_t behind;  ///< instructions of a block that lie before where it is entered
    std::uint64_t limit;   ///< no jump back with more instructions executed
    Thread* thread;
    Messages* messages;
    const CompiledRegion* region;
    Cycles begin;
    unsigned host_control;  ///< MXCSR of everything but the region's own arithmetic
    bool left;              ///< behind a message after which the thread does not go on
};

/// An instruction of a region, and its number if it is a send.
struct Part {
    const DecodedInstruction* instruction;
    unsigned send;
};

/// A region as host code: adjacent instructions of a page, branches among them included. A thread
/// may enter it before any instruction that is part of it, and leaves it with all of its state in
/// the thread. What the code does not do itself it calls: a specialised function, the general
/// executor, a branch that parks channels, a message.
///
/// There are two forms of its code: one for threads whose channels all run, and one that looks at
/// them. Where channels come and go, the code asks `resume` how to go on.
class CompiledRegion final : public CodeRegion {
  public:
    /// Null if nothing can be compiled. `control`: cr0.0, whose modes the code is made for.
    static std::unique_ptr<CompiledRegion> make(std::span<const Part> parts, std::uint32_t control,
                                                Level level);

    Run run(Thread& thread, Messages& messages, Cycles begin, std::uint64_t most) const override;
    std::size_t bytes() const override;

    /// Has it code for the instruction at `ip`? Elsewhere it may not be entered.
    bool has(std::uint32_t ip) const {
        const std::uint32_t place = (ip - first_ip_) >> 3;
        return place < places_.size() && places_[place].all != 0;
    }
    std::span<const Part> parts() const { return parts_; }
    std::uint32_t first_ip() const { return first_ip_; }

    // The code calls these.

    /// Where the thread's IP is in the code; where it leaves, if it cannot go on in it.
    static const std::uint8_t* resume(Frame& frame, std::uint64_t executed);
    static const std::uint8_t* branch(Frame& frame, const DecodedInstruction& instruction,
                                      std::uint64_t executed);
    /// False: the code leaves.
    static bool send(Frame& frame, const DecodedInstruction& instruction, unsigned number,
                     std::uint64_t executed);
    static void general(Frame& frame, const DecodedInstruction& instruction);

  private:
    friend class Emitter;  ///< makes it
    /// An instruction's places in the code, as offsets from its start; 0 if it has none.
    struct Place {
        std::uint32_t all = 0, masked = 0;
        std::uint32_t behind = 0;  ///< instructions of its block that lie before it
    };

    CodeMemory code_;
    std::vector<Place> places_;  ///< by (ip - first_ip) / 8
    std::vector<Part> parts_;
    std::vector<std::uint64_t> joins_bits_;
    std::uint32_t leave_ = 0;            ///< offset of the end of a run
    std::uint32_t channels_needed_ = 0;  ///< by the form for all
    bool flushes_ = false;               ///< denormal singles are taken for zeros
};

}  // namespace gen9::eu::jit
