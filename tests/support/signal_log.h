// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/signals.h"

namespace gen9::test {

/// Watches sets of signals and tells what value each had at which cycle.
class SignalLog : public SignalRecorder {
  public:
    /// Watches all signals there are so far.
    explicit SignalLog(const std::vector<SignalSet*>& sets) {
        for (SignalSet* set : sets)
            for (Signal* signal : set->signals()) {
                names_[set->path() + "." + signal->name()] = signals_.size();
                set->watch(*signal, *this, static_cast<std::uint32_t>(signals_.size()));
                signals_.push_back(signal);
            }
    }

    /// By its full name.
    std::uint64_t value(const std::string& name, std::uint64_t cycle) const {
        const std::size_t number = names_.at(name);
        std::uint64_t set = signals_[number]->initial(), added = 0, marked_at = 0;
        // Of what began by then, the value set last or marked for the latest cycle.
        for (const SignalChange& change : changes_) {
            if (change.signal != number || change.at > cycle) continue;
            if (change.kind == SignalChange::Kind::Add)
                added += change.value;
            else if (change.kind == SignalChange::Kind::Set || change.at >= marked_at)
                set = change.value, marked_at = change.at;
        }
        return set + added;
    }

  private:
    void take() override {}
    std::map<std::string, std::size_t> names_;
    std::vector<const Signal*> signals_;
};

}  // namespace gen9::test
