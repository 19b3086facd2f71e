// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "common/environment.h"

namespace gen9::platform {

/// A text chooses which launches of a run are timed; the others run in functional mode.
/// Text      SELECTION (";" SELECTION)*
/// SELECTION NAMES | NAMES ":" LIST | LIST
/// NAMES     a kernel's name, with * ? [...] as in a shell
/// LIST      RANGE ("," RANGE)*, RANGE a number or FIRST-LAST: launches by their number, from 0 in
///           the order of their beginning; behind NAMES, counted among the launches of such names
class TimedKernels {
  public:
    enum class Use : std::uint8_t { Functional, Warming, Timed };

    /// No launch is left out.
    TimedKernels() = default;
    /// `warm`: so many launches before each that a list names are timed as well, to warm the
    /// caches; behind NAMES, launches of such names. Throws UserError.
    TimedKernels(const std::string& text, unsigned warm);

    /// Are launches left out?
    bool chooses() const { return !selections_.empty(); }
    /// The use of the next launch to begin. Empty name: it is not known.
    Use next(const std::string& name);
    /// The use of a launch that has begun.
    Use use(std::uint32_t number) const {
        return number < uses_.size() ? uses_[number] : Use::Timed;
    }
    static Timing timing(Use use) {
        return use == Use::Functional ? Timing::Functional : Timing::Timed;
    }

  private:
    struct Selection {
        std::string names;  ///< empty: all launches
        bool all = false;   ///< no list: all of them
        std::set<std::uint32_t> timed, warming;
        std::uint32_t met = 0;
    };
    static Selection read(const std::string& text, unsigned warm);

    std::vector<Selection> selections_;
    std::vector<Use> uses_;  ///< by number
};

const char* to_text(TimedKernels::Use use);

}  // namespace gen9::platform
