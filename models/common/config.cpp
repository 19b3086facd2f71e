// SPDX-License-Identifier: Apache-2.0
#include "common/config.h"

#include <boost/json.hpp>
#include <fstream>
#include <sstream>
#include <string_view>

#include "common/check.h"

namespace gen9 {
namespace {

/// The components of a dotted name, from the last to the first.
class FromTheEnd {
  public:
    explicit FromTheEnd(std::string_view name) : rest_(name) { next(); }
    std::string_view part() const { return part_; }
    bool at_first() const { return first_; }
    void next() {
        const auto dot = rest_.rfind('.');
        first_ = dot == std::string_view::npos;
        part_ = first_ ? rest_ : rest_.substr(dot + 1);
        if (!first_) rest_ = rest_.substr(0, dot);
    }

  private:
    std::string_view rest_, part_;
    bool first_ = false;
};

std::string_view without_index(std::string_view part) {
    return part.substr(0, part.find_last_not_of("0123456789") + 1);
}

}  // namespace

// From the end, where nearly all names differ at once: every parameter of the machine is held
// against every setting.
bool Config::matches(const std::string& pattern, const std::string& full_name) {
    FromTheEnd wanted(pattern), name(full_name);
    for (bool is_module = false;; is_module = true, wanted.next(), name.next()) {
        if (wanted.part() != "*" && wanted.part() != name.part() &&
            !(is_module && wanted.part() == without_index(name.part())))
            return false;
        if (wanted.at_first()) return true;
        if (name.at_first()) return false;
    }
}

void Config::add(std::string pattern, boost::json::value value, std::string origin, Asked asked) {
    if (pattern.find('.') == std::string::npos)
        throw UserError(origin + ": '" + pattern + "' names no parameter: write BLOCK.NAME");
    settings_.push_back({std::move(pattern), std::move(value), std::move(origin), asked});
}

void Config::set_text(const std::string& assignment, const std::string& origin) {
    const auto equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        throw UserError(origin + " '" + assignment + "': expected NAME=VALUE");
    const std::string text = assignment.substr(equals + 1);
    boost::json::error_code error;
    boost::json::value value = boost::json::parse(text, error);
    if (error) value = boost::json::string(text);
    set(assignment.substr(0, equals), std::move(value), origin);
}

void Config::load(const boost::json::value& object, const std::string& origin, Asked asked) {
    const auto add_all = [&](const auto& self, const boost::json::object& from,
                             const std::string& prefix) -> void {
        for (const auto& [key, value] : from) {
            const std::string name =
                prefix.empty() ? std::string(key) : prefix + "." + std::string(key);
            if (value.is_object())
                self(self, value.get_object(), name);
            else
                add(name, value, origin, asked);
        }
    };
    if (!object.is_object()) throw UserError(origin + ": expected a JSON object of settings");
    add_all(add_all, object.get_object(), "");
}

void Config::load_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw UserError("cannot read the configuration file '" + path + "'");
    std::ostringstream text;
    text << file.rdbuf();
    boost::json::error_code error;
    boost::json::parse_options options;
    options.allow_comments = true;
    options.allow_trailing_commas = true;
    const auto value = boost::json::parse(text.str(), error, {}, options);
    if (error) throw UserError("'" + path + "' is not valid JSON: " + error.message());
    load(value, path);
}

const Config::Setting* Config::find(const std::string& full_name) const {
    const Setting* found = nullptr;
    for (const auto& setting : settings_) {
        if (!matches(setting.pattern, full_name)) continue;
        setting.used = true;
        found = &setting;
    }
    return found;
}

void Config::check_all_used() const {
    for (const auto& setting : settings_)
        if (!setting.used && setting.asked == Asked::Must)
            throw UserError(setting.origin + ": no parameter is named '" + setting.pattern +
                            "' (gen9sim params lists them)");
}

}  // namespace gen9
