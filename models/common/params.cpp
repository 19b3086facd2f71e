// SPDX-License-Identifier: Apache-2.0
#include "common/params.h"

#include <algorithm>
#include <boost/json.hpp>

#include "common/check.h"

namespace gen9 {

ParamBase::ParamBase(ParamSet& set, const ParamInfo& info) : info_(info), set_(&set) {
    set.params_.push_back(this);
}

const Config::Setting* ParamBase::setting(const ParamSet& set) const {
    return set.config_->find(set.path() + "." + info_.name);
}

void ParamBase::refuse(const Config::Setting& setting) const {
    throw UserError(setting.origin + ": " + setting.pattern + "=" +
                    boost::json::serialize(setting.value) + " is not allowed: " + range_text() +
                    (info_.unit[0] ? std::string(" ") + info_.unit : ""));
}

Param::Param(ParamSet& set, const ParamInfo& info, std::uint64_t value, std::uint64_t low,
             std::uint64_t high)
    : ParamBase(set, info), value_(value), default_(value), low_(low), high_(high) {
    if (const auto* found = setting(set)) {
        boost::json::error_code error;
        value_ = found->value.is_bool() ? std::uint64_t{found->value.get_bool()}
                                        : found->value.to_number<std::uint64_t>(error);
        if (error) refuse(*found);
        if (value_ < low_ || value_ > high_) refuse(*found);
    }
}

ChoiceParam::ChoiceParam(ParamSet& set, const ParamInfo& info, std::string value,
                         std::vector<std::string> choices)
    : ParamBase(set, info), value_(value), default_(value), choices_(std::move(choices)) {
    const auto* found = setting(set);
    if (found && !found->value.is_string()) refuse(*found);
    if (found) value_ = std::string(found->value.get_string());
    const auto place = std::find(choices_.begin(), choices_.end(), value_);
    if (place == choices_.end()) {
        GEN9_CHECK(found, std::string("the default of ") + info.name + " is not among its choices");
        refuse(*found);
    }
    index_ = static_cast<std::size_t>(place - choices_.begin());
}

std::string ChoiceParam::range_text() const {
    std::string text;
    for (const auto& choice : choices_)
        text += (text.empty() ? "" : "|") + choice;
    return text;
}

ListParam::ListParam(ParamSet& set, const ParamInfo& info, std::vector<std::uint64_t> values,
                     std::uint64_t low, std::uint64_t high)
    : ParamBase(set, info), values_(values), default_(values), low_(low), high_(high) {
    const auto* found = setting(set);
    if (!found) return;
    if (!found->value.is_array() || found->value.get_array().empty()) refuse(*found);
    values_.clear();
    for (const auto& element : found->value.get_array()) {
        boost::json::error_code error;
        values_.push_back(element.to_number<std::uint64_t>(error));
        if (error || values_.back() < low_ || values_.back() > high_) refuse(*found);
    }
}

std::string ListParam::text(const std::vector<std::uint64_t>& values) {
    std::string text = "[";
    for (const std::uint64_t value : values) {
        if (text.size() > 1) text += ',';
        text += std::to_string(value);
    }
    return text + ']';
}

std::string ListParam::range_text() const {
    return "a list of " + std::to_string(low_) + ".." + std::to_string(high_);
}

}  // namespace gen9
