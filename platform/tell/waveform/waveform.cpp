// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/waveform/waveform.h"

#include <algorithm>

#include "platform/tell/tracks/windows.h"
#include "platform/tell/waveform/last_cycles.h"
#include "platform/tell/waveform/save_file.h"

namespace gen9::platform {
namespace {

std::uint64_t picoseconds(const sc_core::sc_time& time) {
    return static_cast<std::uint64_t>(time / sc_core::sc_time(1, sc_core::SC_PS));
}

/// A pattern names a module as settings do: by the end of its name, indices left out if wished. It
/// stands for all that is within the module, too.
bool matches(const std::string& pattern, std::string module) {
    for (;;) {
        // The last part of what Config matches is the parameter's name.
        if (Config::matches(pattern + ".*", module + ".x")) return true;
        const auto dot = module.find_last_of('.');
        if (dot == std::string::npos) return false;
        module.resize(dot);
    }
}

}  // namespace

Waveform::Waveform(WaveformOptions options, const std::vector<SignalSet*>& modules,
                   const Clock& clock)
    : options_(std::move(options)), modules_(modules), clock_(clock) {
    if (!options_.scopes.empty()) find_sets();
}

void Waveform::find_sets() {
    links_ = find_links();
    std::vector<SignalSet*> signals = modules_;
    for (const auto& link : links_)
        signals.push_back(&link->signals());
    for (const std::string& pattern : options_.scopes)
        if (std::ranges::none_of(signals,
                                 [&](SignalSet* s) { return matches(pattern, s->path()); }))
            throw UserError("--vcd-scope '" + pattern +
                            "' names no module or socket: write one like gpu.cs, eu0 or "
                            "subslice0.hdc.mem_out");
    for (SignalSet* set : signals)
        if (in_scope(set->path())) sets_.push_back(set);
}

Waveform::~Waveform() {
    // After an error what there is may help to find it.
    try {
        close();
    } catch (const std::exception&) {
    }
}

bool Waveform::in_scope(const std::string& module) const {
    return options_.scopes.empty() ||
           std::ranges::any_of(options_.scopes,
                               [&](const std::string& p) { return matches(p, module); });
}

void Waveform::open(const std::string& path) {
    options_.path = path;
    if (sets_.empty()) find_sets();
    auto file = options_.last_cycles == 0
                    ? open_wave_file(path)
                    : std::unique_ptr<WaveFile>(std::make_unique<LastCycles>(
                          options_.last_cycles * picoseconds(clock_.period())));
    timeline_ =
        std::make_unique<Timeline>(*file,
                                   Timeline::Settings{.picoseconds = picoseconds(clock_.period()),
                                                      .from = options_.from,
                                                      .to = options_.to,
                                                      .only_opened = !options_.kernels.empty()},
                                   [this] { return clock_.now().value; });
    for (SignalSet* set : sets_)
        for (Signal* signal : set->signals())
            timeline_->watch(*set, *signal);
    for (const auto& link : links_)
        if (link->signals().watched()) link->connect(clock_);
    timeline_->begin("gpu");
    file_ = std::move(file);
}

std::string Waveform::close() {
    if (!file_) return {};
    const auto file = std::move(file_);
    const std::uint64_t end = clock_.now().value;
    timeline_->finish(end);
    std::uint64_t first = timeline_->first_written();
    if (options_.last_cycles != 0) {
        if (!keep_) return {};
        static_cast<const LastCycles&>(*file).write(*open_wave_file(options_.path));
        first = std::max(first, end + 1 - std::min(end + 1, options_.last_cycles));
    }
    const auto dot = options_.path.find_last_of('.');
    const std::uint64_t cycle = picoseconds(clock_.period());
    write_save_file(options_.path.substr(0, dot) + ".gtkw",
                    options_.path.substr(options_.path.find_last_of('/') + 1),
                    timeline_->variables(), first * cycle, std::min(options_.to, end + 1) * cycle);
    if (!timeline_->wrote())
        return "the waveform '" + options_.path +
               "' is empty: the run had none of the cycles or kernels asked for";
    return {};
}

bool Waveform::chosen(const WorkRecord& work) const {
    return is_chosen(work, options_.kernels);
}

void Waveform::work_began(const WorkRecord& work) {
    if (timeline_ && chosen(work)) timeline_->open(clock_.now().value);
}

void Waveform::work_ended(const WorkRecord& work) {
    if (timeline_ && chosen(work)) timeline_->close(std::max(work.end, clock_.now()).value + 1);
}

}  // namespace gen9::platform
