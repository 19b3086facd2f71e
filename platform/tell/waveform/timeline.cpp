// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/waveform/timeline.h"

#include <algorithm>

namespace gen9::platform {

Timeline::Timeline(WaveFile& file, const Settings& settings, std::function<std::uint64_t()> now)
    : file_(file), settings_(settings), now_(std::move(now)) {
    gate(settings_.from, {Gate::Range, 1});
    gate(settings_.to, {Gate::Range, -1});
    if (!settings_.only_opened) gate(0, {Gate::Part, 1});
}

void Timeline::watch(SignalSet& set, Signal& signal) {
    set.watch(signal, *this, static_cast<std::uint32_t>(variables_.size()));
    variables_.push_back(
        {set.path(), signal.name(), signal.width_bits(), signal.form(), signal.words()});
    states_.push_back({.value = signal.initial(), .signal = &signal});
}

void Timeline::begin(const std::string& scope) {
    if (settings_.clock) {
        clock_ = static_cast<std::uint32_t>(variables_.size());
        counter_ = clock_ + 1;
        variables_.push_back({scope, "clock", 1, SignalForm::Bit, {}});
        variables_.push_back({scope, "cycle", 48, SignalForm::Decimal, {}});
    }
    file_.declare(variables_);
}

void Timeline::gate(std::uint64_t at, Gate gate) {
    const auto place = std::ranges::upper_bound(gates_, at, {}, [](auto& g) { return g.first; });
    gates_.insert(place, {at, gate});
}

void Timeline::finish(std::uint64_t last) {
    settle(last + 1);
    if (open_) rise(last);
    fall();
    file_.close((last + 1) * settings_.picoseconds);
}

void Timeline::rise(std::uint64_t cycle) {
    for (; settings_.clock && risen_ <= cycle; ++risen_) {
        fall();
        file_.time(risen_ * settings_.picoseconds);
        file_.value(clock_, 1);
        file_.value(counter_, risen_);
        high_ = true;
    }
    file_.time(cycle * settings_.picoseconds);
}

void Timeline::fall() {
    if (!high_) return;
    file_.time((risen_ - 1) * settings_.picoseconds + settings_.picoseconds / 2);
    file_.value(clock_, 0);
    high_ = false;
}

void Timeline::settle(std::uint64_t end) {
    // A later change may replace those from its cycle on, so these are done when time has passed.
    const auto later =
        std::stable_partition(changes_.begin(), changes_.end(),
                              [end](const SignalChange& change) { return change.at < end; });
    sort({changes_.begin(), later});
    for (auto change = sorted_.begin(); change != sorted_.end();) {
        const std::uint64_t cycle = (*change)->at;
        pass_gates(cycle);
        for (; change != sorted_.end() && (*change)->at == cycle; ++change)
            apply(**change);
        write(cycle);
    }
    if (end > settled_) {
        pass_gates(end - 1);
        if (unwritten_) write_all(end - 1);
    }
    changes_.erase(changes_.begin(), later);
    settled_ = std::max(settled_, end);
}

void Timeline::sort(std::span<const SignalChange> due) {
    sorted_.resize(due.size());
    std::uint64_t last = settled_;
    for (const SignalChange& change : due) {
        GEN9_CHECK(change.at >= settled_, name_of(change.signal) + " is told of cycle " +
                                              std::to_string(change.at) + ", which is past");
        last = std::max(last, change.at);
    }
    // By counting where the cycles lie close together, which is nearly always.
    const std::uint64_t span = last - settled_ + 1;
    if (span > 4 * due.size() + 1000) {
        std::ranges::transform(due, sorted_.begin(), [](auto& change) { return &change; });
        std::ranges::stable_sort(sorted_, {}, [](auto* change) { return change->at; });
        return;
    }
    places_.assign(span + 1, 0);
    for (const SignalChange& change : due)
        ++places_[change.at - settled_ + 1];
    for (std::uint64_t i = 1; i < span; ++i)
        places_[i] += places_[i - 1];
    for (const SignalChange& change : due)
        sorted_[places_[change.at - settled_]++] = &change;
}

void Timeline::apply(const SignalChange& change) {
    State& state = states_[change.signal];
    switch (change.kind) {
        case SignalChange::Kind::Set:
            if (change.order < state.order) return;  // replaced by a later one of an earlier cycle
            state.order = change.order;
            state.value = change.value;
            break;
        case SignalChange::Kind::Add:
            state.value += change.value;
            break;
        case SignalChange::Kind::Mark:
            state.value = change.value;
            break;
    }
    if (!state.touched) touched_.push_back(change.signal);
    state.touched = true;
}

void Timeline::pass_gates(std::uint64_t cycle) {
    while (!gates_.empty() && gates_.front().first <= cycle) {
        const auto [at, gate] = gates_.front();
        opened_[gate.kind] += gate.by;
        gates_.erase(gates_.begin());
        const bool open = opened_[Gate::Range] > 0 && opened_[Gate::Part] > 0;
        if (open == open_) continue;
        if (open) {
            if (!wrote()) first_written_ = at;
            risen_ = at;
            unwritten_ = true;
            // Else when the changes of this very cycle have been applied.
            if (at < cycle) write_all(at);
        } else {
            unwritten_ = false;
            if (at > 0) rise(at - 1);
            fall();
            file_.off(at * settings_.picoseconds);
        }
        open_ = open;
    }
}

void Timeline::write(std::uint64_t cycle) {
    bool begun = false;
    for (const std::uint32_t signal : touched_) {
        State& state = states_[signal];
        state.touched = false;
        GEN9_CHECK(state.signal->fits(state.value),
                   name_of(signal) + ": the value " +
                       std::to_string(static_cast<std::int64_t>(state.value)) + " at cycle " +
                       std::to_string(cycle) + " does not fit its width");
        if (!open_ || unwritten_ || state.value == state.written) continue;
        if (!std::exchange(begun, true)) rise(cycle);
        file_.value(signal, state.written = state.value);
    }
    touched_.clear();
    if (unwritten_) write_all(cycle);
}

void Timeline::write_all(std::uint64_t cycle) {
    rise(cycle);
    for (std::uint32_t signal = 0; signal < states_.size(); ++signal)
        file_.value(signal, states_[signal].written = states_[signal].value);
    unwritten_ = false;
}

}  // namespace gen9::platform
