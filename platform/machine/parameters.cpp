// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/parameters.h"

#include <boost/json.hpp>
#include <sstream>

#include "common/check.h"

namespace gen9::platform {
ParameterNames::ParameterNames(const std::vector<const ParamSet*>& sets) {
    for (const ParamSet* set : sets) {
        const std::string& path = set->path();
        for (std::size_t end = path.find('.'); end != std::string::npos;
             end = path.find('.', end + 1))
            modules_.insert(path.substr(0, end));
        modules_.insert(path);
    }
}

std::string ParameterNames::without_indices(const std::string& path) const {
    std::string text, prefix;
    std::istringstream parts(path);
    for (std::string part; std::getline(parts, part, '.');) {
        const std::string stem = part.substr(0, part.find_last_not_of("0123456789") + 1);
        const bool indexed = modules_.count(prefix + stem + "0") != 0;
        text += (text.empty() ? "" : ".") + (indexed ? stem : part);
        prefix += part + ".";
    }
    return text;
}

std::string parameter_table(const std::vector<const ParamSet*>& sets, bool markdown,
                            const std::string& block) {
    std::ostringstream out;
    bool found = block.empty();
    std::set<std::string> seen;
    const ParameterNames names(sets);
    if (markdown)
        out << "| parameter | value | default | allowed | unit | meaning | source "
               "|\n|---|---|---|---|---|---|---|\n";
    for (const ParamSet* set : sets) {
        const std::string path = names.without_indices(set->path());
        if (!block.empty() && path.substr(path.rfind('.') + 1) != block) continue;
        found = true;
        for (const ParamBase* param : set->params()) {
            const ParamInfo& info = param->info();
            const std::string key = path + "." + info.name;
            if (!seen.insert(key).second) continue;
            if (markdown) {
                std::string range = param->range_text();
                for (std::size_t at = 0; (at = range.find('|', at)) != std::string::npos; at += 2)
                    range.insert(at, 1, '\\');
                out << "| `" << key << "` | " << param->value_text() << " | "
                    << param->default_text() << " | " << range << " | " << info.unit << " | "
                    << info.sentence << " | " << info.source << " |\n";
            } else {
                out << key << " = " << param->value_text() << (info.unit[0] ? " " : "")
                    << info.unit;
                if (param->value_text() != param->default_text())
                    out << "  (default " << param->default_text() << ")";
                out << "  [" << param->range_text() << "]\n    " << info.sentence
                    << "\n    source: " << info.source << "\n";
            }
        }
    }
    if (!found) throw UserError("no block is named '" + block + "' (gen9sim params lists them)");
    return out.str();
}

std::string pretty(const boost::json::value& value, unsigned indent) {
    const std::string inner(indent + 2, ' '), outer(indent, ' ');
    if (value.is_object() && !value.get_object().empty()) {
        std::string text = "{";
        for (const auto& [key, member] : value.get_object())
            text += (text.size() == 1 ? "\n" : ",\n") + inner +
                    boost::json::serialize(boost::json::value(key)) + ": " +
                    pretty(member, indent + 2);
        return text + "\n" + outer + "}";
    }
    if (value.is_array() && !value.get_array().empty() && value.get_array()[0].is_structured()) {
        std::string text = "[";
        for (const auto& member : value.get_array())
            text += (text.size() == 1 ? "\n" : ",\n") + inner + pretty(member, indent + 2);
        return text + "\n" + outer + "]";
    }
    return boost::json::serialize(value);
}

}  // namespace gen9::platform
