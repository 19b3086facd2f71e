// SPDX-License-Identifier: Apache-2.0
#include "platform/waveform/save_file.h"

#include <cmath>
#include <fstream>

namespace gen9::platform {
namespace {

/// Width of the waves in a window of the size asked for.
constexpr double kWavePixels = 1000;
/// GTKWave's zoom is minus the binary logarithm of the time units of a frame, which is so wide.
constexpr double kFramePixels = 200;

/// One line of the first screen: a module, and which of its signals.
struct Shown {
    const char* title;  ///< of a group that begins here, or nullptr
    const char* scope;
    std::vector<const char*> names;
};

const std::vector<Shown>& first_screen() {
    static const std::vector<Shown> kShown{
        {"Clock", "gpu", {"cycle"}},
        {"Command streamer", "gpu.cs", {"activity", "outstanding"}},
        {nullptr, "gpu.cs.command_out", {"begin_req", "header"}},
        {"Thread spawner", "gpu.spawner", {"activity", "walkers", "threads_subslice0"}},
        {nullptr, "gpu.spawner.thread_out0", {"begin_req", "id", "group_x", "local_thread"}},
        {"EU 0 of subslice 0",
         "gpu.slice0.subslice0.eu0",
         {"use", "issued", "fpu0", "fpu1", "branch", "send"}},
        {"Its threads", "gpu.slice0.subslice0.eu0.thread0", {"state", "ip"}},
        {nullptr, "gpu.slice0.subslice0.eu0.thread1", {"state", "ip"}},
        {"Its messages to the data port",
         "gpu.slice0.subslice0.eu0.msg_out0",
         {"begin_req", "id", "descriptor", "unaccepted", "in_flight", "begin_resp", "response_id"}},
        {"Data port of subslice 0", "gpu.slice0.subslice0.hdc", {"state", "in_flight", "queue0"}},
        {nullptr, "gpu.slice0.subslice0.hdc.mem_out", {"begin_req", "id", "address", "access"}},
        {"L3, bank 0", "gpu.l3.bank0", {"activity", "waiting", "lines_in_flight"}},
        {nullptr, "gpu.l3.mem_out0", {"begin_req", "id", "address"}},
        {"GTI", "gpu.gti", {"waiting", "walking"}},
        {nullptr, "gpu.gti.mem_out", {"begin_req", "id", "address"}},
        {"LLC", "gpu.llc", {"waiting", "misses"}},
        {nullptr, "gpu.llc.mem_out", {"begin_req", "id", "address", "begin_resp"}},
        {"DRAM", "gpu.dram", {"waiting", "busy"}},
    };
    return kShown;
}

const char* flags_of(const WaveVariable& variable) {
    switch (variable.form) {
        case SignalForm::Bit:
            return "@28";
        case SignalForm::Hex:
            return "@22";
        case SignalForm::Decimal:
            return "@24";
        case SignalForm::Words:
            break;
    }
    return "@28";
}

}  // namespace

void write_save_file(const std::string& path, const std::string& waveform,
                     const std::vector<WaveVariable>& variables, std::uint64_t begin,
                     std::uint64_t end) {
    std::ofstream file(path);
    file << "[dumpfile] \"" << waveform << "\"\n[timestart] " << begin << "\n[size] 1600 1000\n";
    const double units = static_cast<double>(std::max<std::uint64_t>(end - begin, 1));
    file << "*" << -std::log2(std::max(1.0, units / kWavePixels * kFramePixels)) << " " << begin;
    for (unsigned marker = 0; marker < 26; ++marker)
        file << " -1";
    file << "\n[signals_width] 330\n[sst_width] 200\n[treeopen] gpu.\n";
    for (const Shown& shown : first_screen()) {
        if (shown.title) file << "@200\n-" << shown.title << "\n";
        for (const char* name : shown.names)
            for (const WaveVariable& variable : variables) {
                if (variable.scope != shown.scope || variable.name != name) continue;
                const bool text = variable.form == SignalForm::Words;
                file << flags_of(variable) << "\n" << variable.scope << "." << variable.name;
                if (!text && variable.width_bits > 1)
                    file << "[" << variable.width_bits - 1 << ":0]";
                file << "\n";
            }
    }
}

}  // namespace gen9::platform
