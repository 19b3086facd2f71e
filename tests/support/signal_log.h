// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
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
                const auto number = static_cast<std::uint32_t>(watched_.size());
                names_[set->path() + "." + signal->name()] = number;
                set->watch(*signal, *this, number);
                watched_.push_back({signal, {}, {}, 0});
            }
    }

    /// By its full name.
    std::uint64_t value(const std::string& name, std::uint64_t cycle) const {
        for (; taken_ < changes_.size(); ++taken_)
            watched_[changes_[taken_].signal].changes.push_back(changes_[taken_]);
        Watched& watched = watched_[names_.at(name)];
        if (watched.settled < watched.changes.size()) settle(watched);
        const auto later = std::upper_bound(
            watched.values.begin(), watched.values.end(), cycle,
            [](std::uint64_t sought, const Value& value) { return sought < value.from; });
        return later == watched.values.begin() ? watched.signal->initial() : later[-1].value;
    }

  private:
    struct Value {
        std::uint64_t from, value;
    };
    struct Watched {
        const Signal* signal;
        std::vector<SignalChange> changes;  ///< by cycle, those settled
        std::vector<Value> values;          ///< by cycle
        std::size_t settled;                ///< of the changes: those that `values` has
    };

    void take() override {}

    /// Of what began by a cycle, the value set last or marked for the latest cycle holds.
    static void settle(Watched& watched) {
        std::sort(watched.changes.begin(), watched.changes.end(),
                  [](const SignalChange& a, const SignalChange& b) {
                      return std::tie(a.at, a.order) < std::tie(b.at, b.order);
                  });
        watched.settled = watched.changes.size();
        watched.values.clear();
        std::uint64_t value = watched.signal->initial(), last_set = 0;
        for (const SignalChange& change : watched.changes) {
            if (change.kind == SignalChange::Kind::Add)
                value += change.value;
            else if (change.kind == SignalChange::Kind::Mark || change.order > last_set)
                value = change.value, last_set = change.order;
            watched.values.push_back({change.at, value});
        }
    }

    std::map<std::string, std::uint32_t> names_;
    mutable std::vector<Watched> watched_;
    mutable std::size_t taken_ = 0;  ///< of the changes: those that `watched_` has
};

}  // namespace gen9::test
