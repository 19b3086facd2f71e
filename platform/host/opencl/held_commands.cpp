// SPDX-License-Identifier: Apache-2.0
#include "platform/host/opencl/held_commands.h"

#include <algorithm>
#include <set>

namespace gen9::platform {

bool HeldCommands::holds(Queue queue, std::span<const Event> list) const {
    return last_.contains(queue) ||
           std::ranges::any_of(list, [&](Event event) { return waits_.contains(event); });
}

std::shared_ptr<HeldCommands::Command> HeldCommands::enqueue(Queue queue,
                                                             std::span<const Event> list,
                                                             std::optional<unsigned> launch) {
    std::set<std::shared_ptr<Command>> holders;
    for (const Event event : list)
        if (const auto found = waits_.find(event); found != waits_.end())
            holders.insert(found->second);
    const auto before = last_.find(queue);
    if (before != last_.end()) holders.insert(before->second);
    if (holders.empty()) return nullptr;
    const auto command = std::make_shared<Command>();
    command->launch = launch;
    command->queue = queue;
    command->held_by = static_cast<unsigned>(holders.size());
    for (const auto& holder : holders)
        holder->waiting.push_back(command);
    last_[queue] = command;
    return command;
}

void HeldCommands::has_event(const std::shared_ptr<Command>& command, Event event) {
    if (command->held_by == 0) return;  // freed by another thread meanwhile
    command->event = event;
    waits_[event] = command;
}

void HeldCommands::refused(Command& command) {
    command.launch.reset();
}

std::vector<unsigned> HeldCommands::set(Event user_event) {
    std::vector<unsigned> launches;
    if (const auto found = waits_.extract(user_event)) free(*found.mapped(), launches);
    return launches;
}

void HeldCommands::free(Command& command, std::vector<unsigned>& launches) {
    if (command.launch) launches.push_back(*command.launch);
    if (command.event) waits_.erase(command.event);
    if (const auto last = last_.find(command.queue);
        last != last_.end() && last->second.get() == &command)
        last_.erase(last);
    for (auto next = command.waiting.rbegin(); next != command.waiting.rend(); ++next)
        if (--(*next)->held_by == 0) free(**next, launches);
}

}  // namespace gen9::platform
