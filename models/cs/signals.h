// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>

#include "common/signals.h"

namespace gen9::cs {

/// The streamer's activity: the value of the signal `activity`.
enum class Activity : std::uint32_t {
    Idle,
    Busy,
    Memory,
    Control,
    Accept,
    Drain,
    Poll,
    Stopped,
    Streamer
};
inline constexpr const char* kActivityWords[] = {"idle",  "busy", "memory",  "control", "accept",
                                                 "drain", "poll", "stopped", "streamer"};
inline constexpr const char* kLevelWords[] = {"ring", "first", "second"};

/// Names of all commands, in the order of their table, then "none".
std::span<const char* const> command_words();

/// A command's facts hold from the cycle in which its parsing begins, the predicate from the end of
/// the command that wrote it.
struct CsSignals : SignalSet {
    explicit CsSignals(std::string path) : SignalSet(std::move(path)) {
        command.start_with(command_words().size() - 1);
    }
    Signal context{*this, "context", 32, SignalForm::Hex, "Id of the context that runs."};
    Signal activity{*this, "activity", kActivityWords, "What the streamer is doing."};
    Signal outstanding{*this, "outstanding", 8, SignalForm::Decimal,
                       "Pipeline commands whose work has not ended."};
    Signal ring_head{*this, "ring_head", 21, SignalForm::Hex,
                     "Offset in the ring of the command, or of what follows its batch."};
    Signal batch_address{*this, "batch_address", 48, SignalForm::Hex,
                         "Address of the command, when it is in a batch."};
    Signal level{*this, "level", kLevelWords, "Where the command stands: ring or batch level."};
    Signal command{*this, "command", command_words(), "Name of the command."};
    Signal header{*this, "header", 32, SignalForm::Hex, "First DWord of the command."};
    Signal command_id{*this, "command_id", 48, SignalForm::Hex, "Its transaction id."};
    Signal predicate{*this, "predicate", "MI_PREDICATE_RESULT."};
};

}  // namespace gen9::cs
