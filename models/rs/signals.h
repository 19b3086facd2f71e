// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "common/signals.h"

namespace gen9::rs {

/// The streamer's activity, which is the reason of each of its cycles.
enum class Activity : std::uint32_t { Idle, Busy, Fetch, Engine, Room, Drain, Context };
inline constexpr const char* kActivityWords[] = {"idle", "busy",  "fetch",  "engine",
                                                 "room", "drain", "context"};

struct RsSignals : SignalSet {
    using SignalSet::SignalSet;
    Signal activity{*this, "activity", kActivityWords, "What the streamer is doing."};
    Signal address{*this, "address", 48, SignalForm::Hex, "Address of the command it parses."};
    Signal header{*this, "header", 32, SignalForm::Hex, "First DWord of that command."};
    Signal command_id{*this, "command_id", 48, SignalForm::Hex, "Its transaction id."};
    Signal tables{*this, "tables", 17, SignalForm::Decimal,
                  "Binding tables that the command streamer has not taken."};
    Signal gathers{*this, "gathers", 17, SignalForm::Decimal,
                   "Gather buffers that the command streamer has not taken."};
};

}  // namespace gen9::rs
