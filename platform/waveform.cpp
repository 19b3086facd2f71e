// SPDX-License-Identifier: Apache-2.0
#include "platform/waveform.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "common/check.h"
#include "interconnect/trace.h"

namespace gen9::platform {
namespace {

/// Width of the waves in a window of the size asked for.
constexpr double kWavePixels = 1000;
/// GTKWave's zoom is minus the binary logarithm of the time units of a frame, which is so wide.
constexpr double kFramePixels = 200;

/// Blanks the text between "$date" and "$end" in place.
void remove_date(const std::string& path) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    std::string head(512, '\0');
    file.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(file.gcount()));
    file.clear();
    const auto begin = head.find("$date"), end = head.find("$end");
    if (begin == std::string::npos || end == std::string::npos || end < begin) return;
    for (std::size_t i = begin + 5; i < end; ++i)
        if (head[i] != '\n') head[i] = ' ';
    file.seekp(0);
    file.write(head.data(), static_cast<std::streamsize>(head.size()));
}

}  // namespace

Waveform::Waveform(const std::string& path, const Environment& env) : base_(path), env_(env) {
    if (base_.size() > 4 && base_.ends_with(".vcd")) base_.resize(base_.size() - 4);
    if (!std::ofstream(base_ + ".vcd"))
        throw UserError("cannot write the waveform '" + base_ + ".vcd'");
    file_ = sc_core::sc_create_vcd_trace_file(base_.c_str());
    file_->set_time_unit(1, sc_core::SC_PS);
    for (const SignalSet* set : env.signals)
        trace(file_, *set);
}

Waveform::~Waveform() {
    close();
}

void Waveform::close() {
    if (!file_) return;
    sc_core::sc_close_vcd_trace_file(file_);
    file_ = nullptr;
    remove_date(base_ + ".vcd");
    write_save_file();
}

void Waveform::write_save_file() const {
    // What one looks at first: the front end, one subslice's shared functions, one EU and its
    // threads.
    static const char* const kShown[] = {"gpu.cs",
                                         "gpu.spawner",
                                         "gpu.slice0.subslice0.eu0",
                                         "gpu.slice0.subslice0.eu1",
                                         "gpu.slice0.subslice0.hdc",
                                         "gpu.slice0.subslice0.slm",
                                         "gpu.slice0.subslice0.gateway",
                                         "gpu.l3",
                                         "gpu.gti",
                                         "gpu.dram"};
    const auto name_only = [](const std::string& path) {
        return path.substr(path.find_last_of('/') + 1);
    };
    std::ofstream file(base_ + ".gtkw");
    file << "[dumpfile] \"" << name_only(base_ + ".vcd") << "\"\n[timestart] 0\n[size] 1600 900\n";
    // The whole run in the window.
    const double units =
        std::max(1.0, sc_core::sc_time_stamp() / sc_core::sc_time(1, sc_core::SC_PS));
    file << "*" << -std::log2(std::max(1.0, units / kWavePixels * kFramePixels)) << " 0";
    for (unsigned marker = 0; marker < 26; ++marker)
        file << " -1";
    file << "\n[signals_width] 260\n[sst_width] 200\n";
    file << "[treeopen] SystemC.\n[treeopen] SystemC.gpu.\n";
    for (const char* shown : kShown) {
        const std::string prefix = shown;
        for (const SignalSet* set : env_.signals) {
            if (set->path() != prefix &&
                set->path().compare(0, prefix.size() + 1, prefix + ".") != 0)
                continue;
            file << "@200\n-" << set->path() << "\n";
            for (const Signal& signal : set->signals()) {
                file << (signal.width_bits == 1 ? "@28\n" : "@22\n") << "SystemC." << set->path()
                     << "." << signal.name;
                if (signal.width_bits > 1) file << "[" << signal.width_bits - 1 << ":0]";
                file << "\n";
            }
        }
    }
}

}  // namespace gen9::platform
