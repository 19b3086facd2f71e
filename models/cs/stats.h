// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "common/stats.h"

namespace gen9::cs {

struct CsStats : StatSet {
    using StatSet::StatSet;
    Counter commands{*this, "commands", "commands", "commands parsed"};
    Counter dwords{*this, "dwords", "dwords", "DWords of those commands"};
    Counter fetches{*this, "fetches", "blocks", "blocks of commands read from memory"};
    Counter submissions{*this, "submissions", "lists", "lists taken from the submission port"};
    Counter contexts{*this, "contexts", "loads", "contexts loaded"};
    Counter lite_restores{*this, "lite_restores", "events", "submissions that only moved the tail"};
    Counter preemptions{*this, "preemptions", "events", "contexts switched out before their end"};
    Counter walkers_stopped{*this, "walkers_stopped", "walkers",
                            "walkers stopped between two groups"};
    Counter draws_stopped{*this, "draws_stopped", "draws", "draws stopped between two objects"};
    Counter preemption_cycles{*this, "preemption_cycles", "cycles",
                              "from submissions to the switches they asked for"};
    Counter preemptions_1k{*this, "preemptions_1k", "events", "switches within 1,000 cycles"};
    Counter preemptions_10k{*this, "preemptions_10k", "events", "within 10,000, not 1,000"};
    Counter preemptions_100k{*this, "preemptions_100k", "events", "within 100,000, not 10,000"};
    Counter preemptions_1m{*this, "preemptions_1m", "events", "within 1,000,000, not 100,000"};
    Counter preemptions_more{*this, "preemptions_more", "events", "after more than 1,000,000"};
    Counter batches{*this, "batches", "batches", "batch buffers started"};
    Counter pipe_controls{*this, "pipe_controls", "commands", "PIPE_CONTROL commands"};
    Counter pipeline_commands{*this, "pipeline_commands", "commands",
                              "commands given to the media/GPGPU pipe"};
    Counter state_3d{*this, "state_3d", "commands",
                     "3D state commands; only a draw would use them"};
    Counter interrupts{*this, "interrupts", "events", "interrupts that would have been raised"};
    Counter alu_instructions{*this, "alu_instructions", "instructions",
                             "ALU instructions of MI_MATH"};
    Counter drain_cycles{*this, "drain_cycles", "cycles",
                         "spent waiting for the pipe to end its work"};
    Counter accept_cycles{*this, "accept_cycles", "cycles",
                          "spent waiting for the pipe to take a command"};
    Counter poll_cycles{*this, "poll_cycles", "cycles", "spent waiting for a semaphore"};
    Counter streamer_cycles{*this, "streamer_cycles", "cycles",
                            "spent waiting for the resource streamer"};
    Counter memory_cycles{*this, "memory_cycles", "cycles", "spent waiting for memory"};
    Counter control_cycles{*this, "control_cycles", "cycles",
                           "spent waiting for flushes and invalidations"};
    Counter busy_cycles{*this, "busy_cycles", "cycles", "spent parsing, computing and switching"};
};

}  // namespace gen9::cs
