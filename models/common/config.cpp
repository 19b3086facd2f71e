// SPDX-License-Identifier: Apache-2.0
#include "common/config.h"

#include <boost/json.hpp>
#include <fstream>
#include <sstream>

#include "common/check.h"

namespace gen9 {
namespace {

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts(1);
    for (char c : text) {
        if (c == '.')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

std::string without_index(const std::string& part) {
    return part.substr(0, part.find_last_not_of("0123456789") + 1);
}

}  // namespace

bool Config::matches(const std::string& pattern, const std::string& full_name) {
    const auto wanted = split(pattern);
    const auto name = split(full_name);
    if (wanted.size() > name.size()) return false;
    const std::size_t skip = name.size() - wanted.size();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::string& part = name[skip + i];
        const bool is_module = i + 1 < wanted.size();
        if (wanted[i] == "*" || wanted[i] == part) continue;
        if (is_module && wanted[i] == without_index(part)) continue;
        return false;
    }
    return true;
}

void Config::set(std::string pattern, boost::json::value value, std::string origin) {
    if (pattern.find('.') == std::string::npos)
        throw UserError(origin + ": '" + pattern + "' names no parameter: write BLOCK.NAME");
    settings_.push_back({std::move(pattern), std::move(value), std::move(origin)});
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

void Config::load(const boost::json::value& object, const std::string& origin) {
    const auto add = [&](const auto& self, const boost::json::object& from,
                         const std::string& prefix) -> void {
        for (const auto& [key, value] : from) {
            const std::string name =
                prefix.empty() ? std::string(key) : prefix + "." + std::string(key);
            if (value.is_object())
                self(self, value.get_object(), name);
            else
                set(name, value, origin);
        }
    };
    if (!object.is_object()) throw UserError(origin + ": expected a JSON object of settings");
    add(add, object.get_object(), "");
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
        if (!setting.used)
            throw UserError(setting.origin + ": no parameter is named '" + setting.pattern +
                            "' (gen9sim params lists them)");
}

}  // namespace gen9
