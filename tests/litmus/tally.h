// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <vector>

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

/// What a test is about and what may come of it.
struct Question {
    std::string name;    ///< of the table
    std::string rule;    ///< in a sentence
    std::string source;  ///< ledger rows and seed lines
    std::vector<Outcome> outcomes;
    Verdict others = Verdict::Forbidden;  ///< of outcomes not listed
};

/// How often and with what random times, from the environment (scripts/litmus): LITMUS_RUNS,
/// LITMUS_SEED, LITMUS_JITTER.
struct Effort {
    unsigned runs, seed, jitter;
    static Effort from_environment();
    /// Of the platform under that name.
    std::vector<std::string> settings(const std::string& platform = "machine") const;
};

/// Random numbers of a test: the same from the same seed.
class Draw {
  public:
    explicit Draw(unsigned seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
    std::uint32_t operator()(std::uint32_t below);

  private:
    std::uint64_t state_;
};

/// Counts of a test's outcomes.
class Tally {
  public:
    explicit Tally(const Question& question);
    void add(const std::string& outcome) { ++counts_[outcome]; }
    unsigned count(const std::string& outcome) const;
    /// Outcomes met although forbidden, and allowed ones not met: a sentence each.
    std::vector<std::string> broken() const;
    /// For scripts/litmus.
    void print() const;

  private:
    Verdict verdict(const std::string& outcome) const;

    Question question_;
    std::map<std::string, unsigned> counts_;
};

}  // namespace gen9::litmus
