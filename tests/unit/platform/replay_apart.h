// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/wait.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <memory>
#include <string>
#include <systemc>

#include "interconnect/kernel/agenda.h"
#include "platform/host/aub/aub_player.h"
#include "platform/run/simulation.h"

namespace gen9::platform::test {

/// Replays a capture of traces/ in timed mode and gives all statistics, and whether memory was as
/// the capture expects it. `seed`: of the order of modules, 0 for the usual one. `setting`: of a
/// parameter, or nothing. `vcd`: a waveform to write, or nothing. `stranger`: the period in
/// nanoseconds of an sc_clock beside the machine, or 0.
inline std::string replay(const std::string& name, std::uint64_t seed, const std::string& setting,
                          const std::string& vcd, double stranger) {
    std::unique_ptr<sc_core::sc_clock> clock;
    if (stranger != 0)
        clock = std::make_unique<sc_core::sc_clock>("stranger",
                                                    sc_core::sc_time(stranger, sc_core::SC_NS));
    RunOptions options;
    options.profile = true;
    options.waveform.path = vcd;
    if (!setting.empty()) options.config.set_text(setting, "the test");
    Simulation simulation(std::move(options));
    if (simulation.agenda().alone() != (stranger == 0)) return "the agenda is wrong";
    if (seed != 0) simulation.agenda().shuffle(seed);
    AubPlayer player(simulation, [](const std::string&) {});
    AubFile file(std::string(GEN9_TRACES) + "/" + name + "/stream.aub.zst");
    player.play(file);
    simulation.finish();
    return boost::json::serialize(simulation.statistics()) + " " +
           std::to_string(player.mismatches()) + " mismatches";
}

/// The same in a process of its own: SystemC elaborates once in each.
inline std::string replay_apart(const std::string& name, std::uint64_t seed = 0,
                                const std::string& setting = {}, const std::string& vcd = {},
                                double stranger = 0) {
    int ends[2];
    if (pipe(ends) != 0) return "no pipe";
    const pid_t child = fork();
    if (child == 0) {
        const std::string result = replay(name, seed, setting, vcd, stranger);
        std::size_t done = 0;
        while (done < result.size()) {
            const ssize_t count = write(ends[1], result.data() + done, result.size() - done);
            if (count <= 0) break;
            done += static_cast<std::size_t>(count);
        }
        _exit(0);
    }
    close(ends[1]);
    std::string result;
    char part[4096];
    for (ssize_t count; (count = read(ends[0], part, sizeof part)) > 0;)
        result.append(part, static_cast<std::size_t>(count));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return status == 0 ? result : "the replay failed";
}

}  // namespace gen9::platform::test
