// SPDX-License-Identifier: Apache-2.0
// The media front end with the thread dispatcher behind it: what the test plays the machine for.
#pragma once
#include <string>

#include "dispatcher/module.h"
#include "media/module.h"

namespace gen9::media::test {

struct SpawnerSettings {
    ThreadTopology topology{};
    std::uint32_t saved_slm = 0;
    RegisterFile registers{};
};

struct Spawner {
    Media media;
    dispatcher::Dispatcher dispatcher;
    TargetSocket<CommandProtocol>& command_in = media.command_in;
    InitiatorSocket<MemoryProtocol>& mem_out = media.mem_out;
    decltype(media.msg_in)& msg_in = media.msg_in;
    decltype(dispatcher.thread_out)& thread_out = dispatcher.thread_out;
    decltype(dispatcher.barrier_out)& barrier_out = dispatcher.barrier_out;
    decltype(dispatcher.slm_out)& slm_out = dispatcher.slm_out;
    WorkObserver*& observer = media.observer;

    /// `unit`: whose parameters, counters and signals theirs are.
    Spawner(Environment& env, const Clock& clock, const std::string& unit,
            const SpawnerSettings& settings)
        : media("media", env, clock,
                {.topology = settings.topology, .registers = settings.registers, .unit = unit}),
          dispatcher("dispatcher", env, clock,
                     {settings.topology,
                      {0, 0},
                      4,
                      settings.saved_slm,
                      dispatcher::SlmAllocator::kGranules,
                      settings.registers.registers,
                      unit}) {
        media.child_out.bind(*dispatcher.request_in[0]);
        media.request_out.bind(*dispatcher.request_in[1]);
    }
    std::string describe_waiting() const {
        return media.describe_waiting() + dispatcher.describe_waiting();
    }
    std::vector<WorkRecord> unfinished() const { return media.unfinished(); }
    void settle() { media.settle(); }
    const MediaStats& stats() const { return media.stats(); }
};

}  // namespace gen9::media::test
