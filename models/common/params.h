// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/json/value.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "common/config.h"

namespace gen9 {

class ParamSet;

/// The facts of a parameter: said once, and read by the check, the help and the document table.
struct ParamInfo {
    const char* name;      ///< member name; the key is the module's name, a dot, and this
    const char* unit;      ///< "cycles", "bytes", "threads", ..., "" for a choice or a switch
    const char* sentence;  ///< what it sets
    const char* source;    ///< seed lines, guide section, public document, or "Assumed: why"
};

/// A parameter as it stands in a set; the base of the typed ones.
class ParamBase {
  public:
    ParamBase(ParamSet& set, const ParamInfo& info);
    ParamBase(const ParamBase&) = delete;
    ParamBase& operator=(const ParamBase&) = delete;
    virtual ~ParamBase() = default;
    const ParamInfo& info() const { return info_; }
    virtual std::string value_text() const = 0;
    virtual std::string default_text() const = 0;
    virtual std::string range_text() const = 0;

  protected:
    [[noreturn]] void refuse(const Config::Setting& setting) const;
    const Config::Setting* setting(const ParamSet& set) const;

  private:
    ParamInfo info_;
    const ParamSet* set_;
};

/// A whole number with a range. Throws UserError when the configuration gives anything else.
class Param : public ParamBase {
  public:
    Param(ParamSet& set, const ParamInfo& info, std::uint64_t value, std::uint64_t low,
          std::uint64_t high);
    operator std::uint64_t() const { return value_; }
    std::uint64_t get() const { return value_; }
    std::string value_text() const override { return std::to_string(value_); }
    std::string default_text() const override { return std::to_string(default_); }
    std::string range_text() const override {
        return std::to_string(low_) + ".." + std::to_string(high_);
    }

  private:
    std::uint64_t value_, default_, low_, high_;
};

/// One of a few words: a policy, a mode. `index()` is its place in the list.
class ChoiceParam : public ParamBase {
  public:
    ChoiceParam(ParamSet& set, const ParamInfo& info, std::string value,
                std::vector<std::string> choices);
    const std::string& get() const { return value_; }
    bool operator==(const char* word) const { return value_ == word; }
    std::size_t index() const { return index_; }
    std::string value_text() const override { return value_; }
    std::string default_text() const override { return default_; }
    std::string range_text() const override;

  private:
    std::string value_, default_;
    std::vector<std::string> choices_;
    std::size_t index_ = 0;
};

/// A list of whole numbers, at least one, each within a range: [4,1,1].
class ListParam : public ParamBase {
  public:
    ListParam(ParamSet& set, const ParamInfo& info, std::vector<std::uint64_t> values,
              std::uint64_t low, std::uint64_t high);
    const std::vector<std::uint64_t>& get() const { return values_; }
    std::string value_text() const override { return text(values_); }
    std::string default_text() const override { return text(default_); }
    std::string range_text() const override;

  private:
    static std::string text(const std::vector<std::uint64_t>& values);
    std::vector<std::uint64_t> values_, default_;
    std::uint64_t low_, high_;
};

/// The parameters of one module instance. A block derives its `<Block>Params` from this and lists
/// its parameters as members, each initialised with `*this`; they take their values from the
/// configuration on construction and never change after.
class ParamSet {
  public:
    /// `path` is the module's hierarchical name.
    ParamSet(const Config& config, std::string path) : config_(&config), path_(std::move(path)) {}
    ParamSet(const ParamSet&) = delete;
    ParamSet& operator=(const ParamSet&) = delete;
    const std::string& path() const { return path_; }
    const std::vector<const ParamBase*>& params() const { return params_; }

  private:
    friend class ParamBase;
    const Config* config_;
    std::string path_;
    std::vector<const ParamBase*> params_;
};

}  // namespace gen9
