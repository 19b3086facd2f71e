// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/stats.h"

namespace gen9::rs {

struct RsStats : StatSet {
    using StatSet::StatSet;
    Counter commands{*this, "commands", "commands", "commands parsed, most of them ignored"};
    Counter dwords{*this, "dwords", "dwords", "DWords of those commands"};
    Counter fetches{*this, "fetches", "blocks", "blocks of commands read from memory"};
    Counter starts{*this, "starts", "events", "times the command streamer started it"};
    Counter stops{*this, "stops", "events", "times it stopped at a sync command"};
    Counter limits{*this, "limits", "events", "times it stopped as far ahead as it may go"};
    Counter halts{*this, "halts", "events", "times the command streamer halted it"};
    Counter edits{*this, "edits", "entries", "binding table entries edited"};
    Counter tables{*this, "tables", "tables", "binding tables written to their pool"};
    Counter gathers{*this, "gathers", "buffers", "buffers of gathered constants written"};
    Counter gathered_dwords{*this, "gathered_dwords", "dwords", "DWords packed into them"};
    Counter stores{*this, "stores", "commands", "MI_RS_STORE_DATA_IMM executed"};
    Counter fences{*this, "fences", "commands", "3DPRIMITIVE met, each a fence"};
    Counter lines_read{*this, "lines_read", "accesses", "reads of states and constants"};
    Counter lines_written{*this, "lines_written", "accesses", "writes to memory"};
    // Every cycle has one of these reasons.
    Counter idle_cycles{*this, "idle_cycles", "cycles", "stopped, or never started"};
    Counter busy_cycles{*this, "busy_cycles", "cycles", "parsing, or giving work to an engine"};
    Counter fetch_cycles{*this, "fetch_cycles", "cycles", "waiting for commands"};
    Counter engine_cycles{*this, "engine_cycles", "cycles", "waiting for an engine that is busy"};
    Counter room_cycles{*this, "room_cycles", "cycles",
                        "waiting until the command streamer takes what has been made"};
    Counter drain_cycles{*this, "drain_cycles", "cycles",
                         "waiting for all engines before it stops"};
    Counter context_cycles{*this, "context_cycles", "cycles",
                           "saving or restoring its part of a context image"};
};

}  // namespace gen9::rs
