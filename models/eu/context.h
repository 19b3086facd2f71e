// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "eu/fetch/program.h"
#include "eu/issue/scoreboard.h"
#include "eu/thread/thread.h"

namespace gen9::eu {

struct Context;
struct WorkUse;

/// An EU remembers this of a message until it has come back.
struct MessageOrigin {
    Context* context = nullptr;
    std::uint64_t number = 0;  ///< in order of issue: settles the order of same-cycle answers
    MessagePort port = MessagePort::None;
    bool accepted = false;  ///< END_REQ has come
    Cycles issued;          ///< timed mode
};

/// A message of an EU; its origin lies beside what says what the message is, before the registers.
struct EuMessage : MessageOrigin, Message {};

/// One thread from its dispatch until the last of its messages has come back. That may be long
/// after its end: answers then reach this context and not the slot's next thread (EU-205), and the
/// sideband that the messages point to lives as long as they do.
struct Context {
    // Not defaulted: zeros would be written to the scoreboard, which a start writes in timed mode.
    Context() {}

    Thread thread;

    // Timed mode asks for these with every instruction.
    alignas(64) const Program::Entry* next = nullptr;  ///< its next instruction, when at hand
    const Program::Entry* last = nullptr;              ///< the one before
    Cycles front_end_free;
    std::array<GpuAddr, 2> held_lines;  ///< in its instruction queue
    std::uint64_t instructions = 0, messages = 0;
    CycleUse front_end_reason = CycleUse::Pipe;
    bool over = false;
    bool waiting = false;       ///< for a notification, or at a sendc
    bool lost_message = false;  ///< one went to a function that does not exist (EU-208)
    Scoreboard scoreboard;

    ThreadDispatch* dispatch = nullptr;
    std::uint32_t work = 0;
    TraceId cause = 0;           ///< names the work, of what its messages do at once
    WorkUse* profile = nullptr;  ///< what is counted for its walker
    HiddenThreadState hidden;    ///< while it is saved or restored
    bool restoring = false;      ///< its system routine fetches it back
    unsigned messages_out = 0;
    const Message* awaited = nullptr;  ///< functional mode: the message whose response it waits for
    /// Its thread has ended, and all messages have come back.
    bool done() const { return over && messages_out == 0; }
    bool runnable() const { return !waiting && awaited == nullptr; }
    /// Instructions of a slot, and those of them that threads have executed which have ended.
    struct Done {
        std::uint64_t instructions = 0, of_others = 0;
    };
    /// Functional mode: what the thread has executed ahead of its EU's step, not counted yet.
    struct Ahead {
        std::uint64_t instructions = 0, compiled = 0;
        std::uint32_t messages = 0;
        /// Threads that have followed one another, the last of which is the thread, and what those
        /// before it have done.
        std::uint32_t followed = 0, messages_of_others = 0;
        std::uint64_t of_others = 0;
        bool done = false;  ///< it has been as far as it can
        /// Runs of stepped regions, which are counted until they are compiled.
        struct Stepped {
            Program::Page* page;
            Program::Entry* entry;
            std::uint32_t control;  ///< cr0.0 when it ran
        };
        std::uint32_t stepped = 0;
        std::array<Stepped, 8> steps;
        /// The message at which it stopped, for the step to carry out; null: none.
        const DecodedInstruction* message = nullptr;
        unsigned send = 0;             ///< number of that send
        bool message_in_code = false;  ///< compiled code came to it
        /// It has been counted. The message is left.
        void count() {
            instructions = compiled = of_others = 0;
            messages = stepped = followed = messages_of_others = 0;
            done = false;
        }
        void clear() {
            count();
            message = nullptr;
        }
    } ahead;
    /// It stopped for a form of code that it lacked, and does not do so a second time.
    bool lacked_code = false;
    Program::Page* page = nullptr;  ///< of the last instruction looked up
    /// Registers that may not hold what a thread finds that does not load them: all, or those that
    /// its code writes as far as it has left that code's page.
    RegisterSet changed = RegisterSet::all();
    RegisterSet written;  ///< those that its code writes, and the code of those it has followed
    void leave_page() {
        if (page == nullptr) return;
        changed.add(page->written);
        written.add(page->written);
    }
    GpuAddr awaited_line;  ///< timed mode: the line it waits for, and its place there
    std::uint8_t awaited_place = 0;
};

}  // namespace gen9::eu
