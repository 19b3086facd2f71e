// SPDX-License-Identifier: Apache-2.0
/// Commands of an OpenCL program that user events hold back, and the order in which the driver
/// submits them.
/// Role     a command is held while an event in its list is a user's that has not been set, or
///          that of a held command, or while the command before it in its queue is held. When a
///          user event is set, the driver submits what it frees before the call returns: of the
///          commands that wait for an event, the one that was enqueued last comes first, and what
///          waits for it comes before the others.
/// Spec     compute-runtime 22.43: EventBuilder::finalize, Event::unblockEventsBlockedByThis,
///          CommandQueueHw::enqueueBlocked
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

struct _cl_event;
struct _cl_command_queue;

namespace gen9::platform {

class HeldCommands {
  public:
    using Event = _cl_event*;
    using Queue = _cl_command_queue*;
    struct Command;

    /// A user event that has been made.
    void wait_for(Event user_event) { waits_[user_event] = std::make_shared<Command>(); }
    /// Would a command be held that is enqueued now?
    bool holds(Queue queue, std::span<const Event> list) const;
    /// A command that is about to be enqueued; a launch has a number. Null: it is not held.
    std::shared_ptr<Command> enqueue(Queue queue, std::span<const Event> list,
                                     std::optional<unsigned> launch);
    /// The command has this event.
    void has_event(const std::shared_ptr<Command>& command, Event event);
    /// The driver did not take it.
    static void refused(Command& command);
    /// A user event is about to be set. The launches that it frees, in the driver's order.
    std::vector<unsigned> set(Event user_event);

    struct Command {
        std::optional<unsigned> launch;
        Queue queue = nullptr;
        Event event = nullptr;
        unsigned held_by = 0;
        std::vector<std::shared_ptr<Command>> waiting;
    };

  private:
    void free(Command& command, std::vector<unsigned>& launches);

    std::map<Event, std::shared_ptr<Command>> waits_;  ///< user events, and commands' events
    std::map<Queue, std::shared_ptr<Command>> last_;   ///< of queues whose last command is held
};

}  // namespace gen9::platform
