// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "eu/execute/end_of_thread.h"
#include "eu/module.h"
#include "isa/rules/rules.h"
#include "isa/text/disassemble.h"

namespace gen9::eu {

std::string Eu::text_of(const DecodedInstruction& instruction) const {
    return isa::disassemble(instruction.instruction, instruction.ip);
}

void Eu::report(const Context& context, const DecodedInstruction& instruction, const char* kind,
                const std::string& text) const {
    char ip[32];
    std::snprintf(ip, sizeof ip, " ip %08x", instruction.ip);
    environment_.reporter.guest_error(kind, place_text(context.thread.sideband.place) + ip,
                                      text_of(instruction) + ": " + text);
}

void Eu::report_fault(const Context& context, const Program::Entry& entry) const {
    report(context, entry.decoded, "illegal instruction",
           (entry.why.empty() ? std::string("it cannot be executed") : entry.why) +
               "; the thread is ended");
}

void Eu::report_broken_rules(const Context& context, const Program::Entry& entry) const {
    if (params_.strict == "off") return;
    const auto rules = static_cast<isa::RuleSet>(params_.data_paths.index());
    const isa::Instruction* before = nullptr;
    const std::uint32_t ip = entry.decoded.ip;
    for (const std::uint32_t length : {8u, 16u})
        if (context.page->holds(ip - length))
            if (const Program::Entry* const e = context.page->find(ip - length);
                e != nullptr && e->decoded.next_ip == ip)
                before = &e->decoded.instruction;
    for (const isa::BrokenRule& rule :
         isa::broken_rules(entry.decoded.instruction, rules, before)) {
        const std::string kind = std::string("instruction breaks ") + rule.id;
        report(context, entry.decoded, kind.c_str(),
               std::string(rule.text) + "; it is executed all the same");
    }
}

std::string Eu::waits_for(const Context& context, const DecodedInstruction* next) const {
    std::string text;
    if (context.waiting)
        text = next != nullptr && hangs_at_end(next->instruction)
                   ? "nothing: it hangs at an end of thread with a destination (EU-201)"
               : next != nullptr && next->instruction.opcode != isa::Opcode::Wait
                   ? "the end of a thread it depends on"
                   : "a notification";
    else if (context.awaited != nullptr)
        text = "the answer to " + to_text(*context.awaited);
    else if (!environment_.timed())
        text = "its turn";
    else
        text = to_text(arbiter_.waits_for(context.thread.sideband.place.slot, cycle_));
    if (const unsigned registers = context.scoreboard.in_flight(); registers != 0)
        text += ", r" + std::to_string(context.scoreboard.first_in_flight()) + " and " +
                std::to_string(registers - 1) + " more in flight";
    if (context.lost_message) text += ", after a message was lost";
    return text;
}

std::vector<LoadedThread> Eu::loaded_threads() const {
    std::vector<LoadedThread> threads;
    for (const Context* context : slots_) {
        if (context == nullptr) continue;
        const ThreadDispatch& dispatch = *context->dispatch;
        LoadedThread& thread = threads.emplace_back();
        thread.place = context->thread.sideband.place;
        thread.work = dispatch.work;
        thread.group_id = dispatch.gpgpu.group_id;
        thread.local_thread = dispatch.gpgpu.local_thread;
        thread.ip = context->thread.ip;
        const Program::Entry* const next = context->page != nullptr &&
                                                   program_generation_ == program_.generation() &&
                                                   context->page->holds(thread.ip)
                                               ? context->page->find(thread.ip)
                                               : nullptr;
        if (next != nullptr) thread.instruction = text_of(next->decoded);
        thread.waits_for = waits_for(*context, next != nullptr ? &next->decoded : nullptr);
        thread.instructions = context->instructions;
        thread.messages = context->messages;
        thread.messages_out = context->messages_out;
    }
    return threads;
}

std::string to_text(const LoadedThread& thread) {
    char ip[32], group[96];
    std::snprintf(ip, sizeof ip, " ip %08x ", thread.ip);
    std::snprintf(group, sizeof group, "walker %u group (%u, %u, %u) thread %u: ", thread.work,
                  thread.group_id[0], thread.group_id[1], thread.group_id[2],
                  unsigned{thread.local_thread});
    std::string line = place_text(thread.place) + ip;
    if (!thread.instruction.empty()) line += "[" + thread.instruction + "] ";
    return line + "waits for " + thread.waits_for + "; " + group +
           std::to_string(thread.instructions) + " instructions executed, " +
           std::to_string(thread.messages_out) + " of " + std::to_string(thread.messages) +
           " messages out";
}

std::string Eu::describe_waiting() const {
    std::string text;
    for (const LoadedThread& thread : loaded_threads())
        text += to_text(thread) + "\n";
    return text;
}

}  // namespace gen9::eu
