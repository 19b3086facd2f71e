// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gen9 {

/// The settings a run was given: an ordered list of (pattern, value), later ones winning.
///
/// A pattern names parameters by the dotted hierarchical name of their module and their own name.
/// It is matched component by component against the end of the full name; a component without its
/// index stands for every index, `*` for any one component. So `eu.threads` sets
/// `gpu.slice0.subslice2.eu5.threads` and all its sisters, `subslice1.eu.threads` those of the
/// subslices numbered 1.
class Config {
  public:
    /// Adds one setting. `origin` is said in error messages (an option, a file).
    void set(std::string pattern, boost::json::value value, std::string origin) {
        add(std::move(pattern), std::move(value), std::move(origin), Asked::Must);
    }
    /// Adds "NAME=VALUE"; the value is JSON where it parses as such, a string otherwise.
    void set_text(const std::string& assignment, const std::string& origin);
    /// Must a parameter ask for a setting? A product's settings need not be: a place of the machine
    /// may have another model than the one they are for.
    enum class Asked : std::uint8_t { Must, May };
    /// Adds a JSON object; nested objects are joined with dots. Throws UserError.
    void load(const boost::json::value& object, const std::string& origin,
              Asked asked = Asked::Must);
    /// Reads a JSON file. Throws UserError naming the file and the place.
    void load_file(const std::string& path);

    struct Setting {
        std::string pattern;
        boost::json::value value;
        std::string origin;
        Asked asked = Asked::Must;
        mutable bool used = false;
    };
    /// The setting in force for a full parameter name, or null. Marks all that match as used.
    const Setting* find(const std::string& full_name) const;
    /// Throws UserError for the first setting that no parameter has asked for and one must.
    void check_all_used() const;
    const std::vector<Setting>& settings() const { return settings_; }

    /// Does a pattern name this parameter?
    static bool matches(const std::string& pattern, const std::string& full_name);

  private:
    void add(std::string pattern, boost::json::value value, std::string origin, Asked asked);
    std::vector<Setting> settings_;
};

}  // namespace gen9
