// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tests/litmus/code.h"
#include "tests/litmus/machine.h"

namespace gen9::litmus {

/// What the documents say of an outcome.
enum class Verdict {
    Forbidden,  ///< must never be met
    Allowed,    ///< a freedom of the machine: must be met
    Ordinary    ///< as if the threads took turns; may be met
};
const char* to_text(Verdict verdict);

struct Outcome {
    std::string text;  ///< results in the order of threads, then the variables asked for
    Verdict verdict;
};

struct LitmusThread {
    Place place;
    Code code;
};

/// A litmus test: small threads on shared variables, all 0 at the start, run over and over with
/// other timings, and what may come of it.
struct Litmus {
    std::string name;    ///< of the table
    std::string rule;    ///< in a sentence
    std::string source;  ///< ledger rows and seed lines
    std::vector<LitmusThread> threads;
    unsigned variables = 2;
    std::vector<Outcome> outcomes;
    Verdict others = Verdict::Forbidden;  ///< of outcomes not listed
    bool finals = false;                  ///< variables' last values belong to the outcome
    bool one_line = false;                ///< all variables lie in one line
    bool local = false;                   ///< all in SLM
    unsigned local_from = ~0u;            ///< variables from this one on are in SLM
    bool aliased = false;                 ///< variable 1 is another address of variable 0
};

/// How often and with what random times, from the environment (scripts/litmus): LITMUS_RUNS,
/// LITMUS_SEED, LITMUS_JITTER.
struct Effort {
    unsigned runs, seed, jitter;
    static Effort from_environment();
    std::vector<std::string> settings() const;
};

/// Runs of one test and what came of them.
class Runner {
  public:
    /// `summary` makes an outcome of the results; without it they are it.
    using Summary = std::function<std::string(const std::string&)>;
    explicit Runner(Litmus litmus, std::vector<std::string> more_settings = {},
                    Summary summary = {});
    /// The outcomes to tell apart, instead of the test's own.
    void expect(std::vector<Outcome> outcomes) { litmus_.outcomes = std::move(outcomes); }
    /// Runs it as often as asked, prints the counts for scripts/litmus.
    void run();
    /// Count of an outcome.
    unsigned count(const std::string& outcome) const;
    /// Outcomes met although forbidden, and allowed ones not met: a sentence each.
    std::vector<std::string> broken() const;

  private:
    std::string once(unsigned number);
    std::uint32_t draw(std::uint32_t below);
    std::vector<std::uint32_t> place_variables(unsigned number);
    Verdict verdict(const std::string& outcome) const;
    void print() const;

    Litmus litmus_;
    const Summary summary_;
    const Effort effort_;
    Machine machine_;
    std::vector<std::uint32_t> code_;  ///< address of each thread's
    std::uint64_t state_;
    std::map<std::string, unsigned> counts_;
};

/// A gtest's body: runs and expects nothing broken.
void expect_holds(Litmus litmus);

}  // namespace gen9::litmus
