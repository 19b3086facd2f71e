// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/waveform/save_file.h"

#include <cmath>
#include <fstream>

namespace gen9::platform {
namespace {

/// Width of the waves in a window of the size asked for.
constexpr double kWavePixels = 1000;
/// GTKWave's zoom is minus the binary logarithm of the time units of a frame, which is so wide.
constexpr double kFramePixels = 200;

enum class Look : std::uint8_t {
    Plain,
    State,    ///< what the unit does
    Passing,  ///< what passes a socket
    Curve     ///< a number as a curve of two rows
};

/// One row of the first screen.
struct Row {
    const char* scope;  ///< module or socket; nullptr: `name` is a heading
    const char* name;   ///< of the signal
    const char* label = nullptr;
    Look look = Look::Plain;
};

constexpr const char* kEu = "gpu.slice0.subslice0.eu0";
constexpr const char* kMessages = "gpu.slice0.subslice0.eu0.msg_out0";
constexpr const char* kDataPort = "gpu.slice0.subslice0.hdc";
constexpr const char* kDataPortOut = "gpu.slice0.subslice0.hdc.mem_out";

constexpr Row kFirstScreen[] = {
    {"gpu", "cycle"},
    {nullptr, "Command streamer"},
    {"gpu.cs", "activity", "does", Look::State},
    {"gpu.cs", "command", "command", Look::Passing},
    {"gpu.cs", "batch_address", "in batch, at", Look::Passing},
    {"gpu.cs", "outstanding", "commands not ended"},
    {nullptr, "Thread spawner"},
    {"gpu.spawner", "activity", "does", Look::State},
    {"gpu.spawner", "threads_subslice0", "threads in subslice 0", Look::Curve},
    {"gpu.spawner", "sent_group_x", "thread of group", Look::Passing},
    {nullptr, "EU 0 of subslice 0"},
    {kEu, "use", "does", Look::State},
    {kEu, "issued", "instructions issued"},
    {nullptr, "Its threads"},
    {"gpu.slice0.subslice0.eu0.thread0", "state", "thread 0", Look::State},
    {"gpu.slice0.subslice0.eu0.thread0", "ip", "at", Look::Passing},
    {"gpu.slice0.subslice0.eu0.thread0", "opcode", "next opcode", Look::Passing},
    {"gpu.slice0.subslice0.eu0.thread0", "waits_for", "waits for register", Look::Passing},
    {"gpu.slice0.subslice0.eu0.thread1", "state", "thread 1", Look::State},
    {nullptr, "Its messages to the data port"},
    {kMessages, "id", "message", Look::Passing},
    {kMessages, "in_flight", "not answered", Look::Curve},
    {kMessages, "response_id", "answered", Look::Passing},
    {nullptr, "Data port of subslice 0"},
    {kDataPort, "state", "does", Look::State},
    {kDataPort, "message", "starts", Look::Passing},
    {kDataPort, "in_flight", "messages", Look::Curve},
    {kDataPortOut, "id", "to L3, of message", Look::Passing},
    {kDataPortOut, "address", "at", Look::Passing},
    {nullptr, "L3, bank 0"},
    {"gpu.l3.bank0", "activity", "does", Look::State},
    {"gpu.l3.bank0", "lookup0", "lookup", Look::Passing},
    {"gpu.l3.bank0", "lines_in_flight", "lines asked for"},
    {nullptr, "GTI, LLC and DRAM"},
    {"gpu.gti", "waiting", "requests at the GTI", Look::Curve},
    {"gpu.gti", "walking", "page walks"},
    {"gpu.llc", "misses", "LLC misses"},
    {"gpu.dram", "busy", "DRAM transfers"},
};

/// Numbers of GTKWave's colours.
const char* colour_of(Look look) {
    if (look == Look::State) return "[color] 3\n";
    return look == Look::Passing ? "[color] 2\n" : "";
}

/// GTKWave's flags: right aligned, and how the value is shown. `numbered`: words are enumerations
/// of the file, not text.
const char* flags_of(const WaveVariable& variable, bool numbered) {
    switch (variable.form) {
        case SignalForm::Hex:
            return "@22";
        case SignalForm::Decimal:
            return "@24";
        case SignalForm::Words:
            return numbered ? "@100000028" : "@28";
        case SignalForm::Bit:
            break;
    }
    return "@28";
}

}  // namespace

void write_save_file(const std::string& path, const std::string& waveform,
                     const std::vector<WaveVariable>& variables, std::uint64_t begin,
                     std::uint64_t end) {
    std::ofstream file(path);
    const bool numbered = waveform.ends_with(".fst");
    file << "[dumpfile] \"" << waveform << "\"\n[timestart] " << begin << "\n[size] 1600 1000\n";
    const double units = static_cast<double>(std::max<std::uint64_t>(end - begin, 1));
    file << "*" << -std::log2(std::max(1.0, units / kWavePixels * kFramePixels)) << " " << begin;
    for (unsigned marker = 0; marker < 26; ++marker)
        file << " -1";
    file << "\n[signals_width] 330\n[sst_width] 200\n[treeopen] gpu.\n";
    for (const Row& row : kFirstScreen) {
        if (!row.scope) {
            file << "@200\n-" << row.name << "\n";
            continue;
        }
        for (const WaveVariable& variable : variables) {
            if (variable.scope != row.scope || variable.name != row.name) continue;
            file << (row.look == Look::Curve ? "@8024" : flags_of(variable, numbered)) << "\n"
                 << colour_of(row.look);
            if (row.label) file << "+{" << row.label << "} ";
            file << variable.scope << "." << variable.name;
            if ((numbered || variable.form != SignalForm::Words) && variable.width_bits > 1)
                file << "[" << variable.width_bits - 1 << ":0]";
            file << "\n";
            if (row.look == Look::Curve) file << "@20000\n-\n";
        }
    }
}

}  // namespace gen9::platform
