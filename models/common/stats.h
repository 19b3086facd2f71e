// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/json/object.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace gen9 {

class StatSet;

/// A count kept by a block. Hot paths only increment it; rates are made when it is written out. Its
/// name is kept by its set, so that the counts of a block lie close together.
class Counter {
  public:
    Counter(StatSet& set, const char* name, const char* unit, const char* sentence);
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    void operator+=(std::uint64_t n) { value_ += n; }
    void operator++() { ++value_; }
    std::uint64_t value() const { return value_; }

  private:
    std::uint64_t value_ = 0;
};

/// A counter of a set, and what it is called.
struct NamedCounter {
    const Counter* counter;
    const char *name, *unit, *sentence;
    std::uint64_t value() const { return counter->value(); }
};

/// The counters of one module instance; a block derives its `<Block>Stats` from this and lists them
/// as members, each initialised with `*this`.
class StatSet {
  public:
    explicit StatSet(std::string path) : path_(std::move(path)) {}
    StatSet(const StatSet&) = delete;
    StatSet& operator=(const StatSet&) = delete;
    const std::string& path() const { return path_; }
    const std::vector<NamedCounter>& counters() const { return counters_; }

  private:
    friend class Counter;
    std::string path_;
    std::vector<NamedCounter> counters_;
};

/// All sets of a platform, in the order of construction.
class StatRegistry {
  public:
    void add(const StatSet& set) { sets_.push_back(&set); }
    const std::vector<const StatSet*>& sets() const { return sets_; }
    /// Sum of a counter over all sets whose path matches a pattern (Config::matches).
    std::uint64_t sum(const std::string& pattern) const;
    /// {"gpu": {"slice0": {..., "instructions": n}}}, nested by module name.
    boost::json::object to_json() const;

  private:
    std::vector<const StatSet*> sets_;
};

}  // namespace gen9
