// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
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
    /// Of each channel, all ones where it is not active: kept for hosts without masks of their own.
    alignas(64) std::array<std::uint32_t, kMaxChannels> inactive;
    static constexpr std::uint64_t kNone = ~std::uint64_t{0};
    std::uint64_t known;   ///< the channels that `inactive` is for, or kNone
    std::uint32_t behind;  ///< instructions of a block that lie before where it is entered
    std::uint64_t limit;   ///< no jump back with more instructions executed
    Thread* thread;
    Messages::Direct direct;
    // Plain messages ask this of the thread.
    std::uint64_t epoch;   ///< number of what windows are good under
    std::uint64_t local;   ///< begin of its shared local memory; behind its end if it has none
    std::uint32_t called;  ///< direct messages that `direct` has not counted yet
    Messages* messages;
    const CompiledRegion* region;
    const std::uint8_t* leave;  ///< the end of a run, of the code that runs
    Cycles begin;
    std::uint32_t own_control, host_control;  ///< MXCSR of the region's arithmetic, of all else
    /// The threads that follow one another in this run have begun here: the code's address, null
    /// before the first has.
    const std::uint8_t *start, *start_leave;
    std::uint32_t start_ip, start_control, start_active;
    bool left;  ///< behind a message after which the thread does not go on, or before a wait
};

/// An instruction of a region, and its number if it is a send. Null: it is not ready, and the thread
/// leaves before it.
struct Part {
    const DecodedInstruction* instruction;
    std::uint32_t ip, next_ip;
    unsigned send = 0;
};

/// A region as host code: adjacent instructions of a page, branches among them included. A thread
/// may enter it before any instruction that is part of it, and leaves it with all of its state in
/// the thread. What the code does not do itself it calls: a specialised function, the general
/// executor, a branch that parks channels, a message.
///
/// There are two forms of its code: one for threads whose channels all run, and one that looks at
/// them; each is made when it is first needed. Where channels come and go, the code asks `resume`
/// how to go on.
class CompiledRegion final : public CodeRegion {
  public:
    /// Null if nothing can be compiled. `control`: cr0.0, whose modes the code is made for.
    static std::unique_ptr<CompiledRegion> make(std::span<const Part> parts, std::uint32_t control,
                                                Level level);

    /// Executes nothing where the host has no room for the form that the thread needs.
    Run run(Thread& thread, Messages& messages, Cycles begin, std::uint64_t most) const override;
    /// Is there code for the channels of a thread?
    bool is_ready(const Thread& thread) const override {
        return !forms_[needs_masks(thread)].code.empty();
    }
    /// About what both forms take.
    std::size_t bytes() const override {
        return sizeof *this + parts_.size() * (sizeof(Part) + 4 * sizeof(Place) + kBytesOfCode);
    }

    /// Has it code for the instruction at `ip`? Elsewhere it may not be entered.
    bool has(std::uint32_t ip) const {
        const std::uint32_t place = (ip - first_ip_) >> 3;
        return place < join_places_ && (enter_bits_[place / 64] >> place % 64 & 1) != 0;
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
    /// The thread is at a wait, and nobody has notified it: the code leaves.
    static void wait(Frame& frame, const DecodedInstruction& instruction, std::uint64_t executed);
    static bool direct(DirectSite& site, const DirectSender& sender, std::uint32_t mask,
                       const Grf* first, const Grf* second, Grf* response);
    static void begin_count(DirectSite& site);
    /// Is a window good in this epoch, and of messages of this form?
    static bool check_plain(Frame& frame, PlainMessages& plain, std::uint32_t form);
    /// The target of messages may have found something new.
    static void renew_epoch(Frame& frame);
    /// The message that ends the thread has been carried out: where the code goes on with the
    /// slot's next thread, or leaves.
    static const std::uint8_t* end(Frame& frame, const DecodedInstruction& instruction,
                                   std::uint64_t executed);
    static void general(Frame& frame, const DecodedInstruction& instruction);

  private:
    friend class Emitter;                             ///< makes it
    static constexpr std::size_t kBytesOfCode = 256;  ///< of an instruction, in both forms
    struct Place {
        std::uint32_t at = 0;        ///< offset in the code
        std::uint32_t behind = 0;    ///< instructions of its block that lie before it,
        std::uint32_t messages = 0;  ///< and those of them that are direct messages
    };
    struct Form {
        CodeMemory code;
        std::vector<Place> places;  ///< by (ip - first_ip) / 8
        std::uint32_t leave = 0;    ///< offset of the end of a run
    };
    bool needs_masks(const Thread& thread) const {
        return (thread.active & channels_needed_) != channels_needed_;
    }
    void begin_places(Thread& thread, std::uint64_t epoch) const;
    const Form* form_for(const Thread& thread, const Frame& frame) const;
    const Form* make_form(bool masked, const Frame& frame) const;
    const std::uint8_t* enter_at(const Form& form, Frame& frame) const;
    bool joins_at(std::uint32_t ip) const {
        const std::uint32_t place = (ip - first_ip_) >> 3;
        return place < join_places_ && (joins_bits_[place / 64] >> place % 64 & 1) != 0;
    }

    mutable std::array<Form, 2> forms_;  ///< for all channels, for some
    std::vector<Part> parts_;
    std::vector<std::uint64_t> joins_bits_, enter_bits_;
    std::uint32_t control_ = 0;          ///< cr0.0 when it was made
    std::uint32_t channels_needed_ = 0;  ///< by the form for all
    bool sends_ = false;
    unsigned most_send_ = 0;  ///< highest number of a send
    Level level_ = Level::None;
    bool flushes_ = false;         ///< denormal singles are taken for zeros
    bool sends_directly_ = false;  ///< it may carry out messages by itself
    std::uint64_t number_ = 0;     ///< of no other region, ever
    /// Sends that repeat with the same offsets, by their numbers in the region: where the thread
    /// keeps what they have found (Thread::Places).
    std::vector<std::uint32_t> repeated_;
};

}  // namespace gen9::eu::jit
