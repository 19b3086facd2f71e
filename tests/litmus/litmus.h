// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "tests/litmus/code.h"
#include "tests/litmus/machine.h"
#include "tests/litmus/tally.h"

namespace gen9::litmus {

struct LitmusThread {
    Place place;
    Code code;
};

/// A litmus test: small threads on shared variables, all 0 at the start, run over and over with
/// other timings, and what may come of it.
struct Litmus : Question {
    std::vector<LitmusThread> threads;
    unsigned variables = 2;
    bool finals = false;        ///< variables' last values belong to the outcome
    bool one_line = false;      ///< all variables lie in one line
    bool local = false;         ///< all in SLM
    bool pooled = false;        ///< that of subslice 0, for threads of all subslices (POOL-10)
    unsigned local_from = ~0u;  ///< variables from this one on are in SLM
    bool aliased = false;       ///< variable 1 is another address of variable 0
};

/// Runs of one test and what came of them.
class Runner {
  public:
    /// `summary` makes an outcome of the results; without it they are it.
    using Summary = std::function<std::string(const std::string&)>;
    explicit Runner(Litmus litmus, std::vector<std::string> more_settings = {},
                    Summary summary = {});
    /// The outcomes to tell apart, instead of the test's own.
    void expect(std::vector<Outcome> outcomes) {
        litmus_.outcomes = std::move(outcomes);
        tally_ = Tally(litmus_);
    }
    /// Runs it as often as asked, prints the counts for scripts/litmus.
    void run();
    unsigned count(const std::string& outcome) const { return tally_.count(outcome); }
    std::vector<std::string> broken() const { return tally_.broken(); }

  private:
    std::string once(unsigned number);
    std::vector<std::uint32_t> place_variables(unsigned number);

    Litmus litmus_;
    const Summary summary_;
    const Effort effort_;
    Machine machine_;
    std::vector<std::uint32_t> code_;  ///< address of each thread's
    Draw draw_;
    Tally tally_;
};

/// A gtest's body: runs and expects nothing broken.
void expect_holds(Litmus litmus);

}  // namespace gen9::litmus
