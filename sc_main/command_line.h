// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <boost/program_options.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sc_main/command.h"

namespace gen9::program {

/// The words of a subcommand: its options, its operand (a file), and a program to start after "--".
class CommandLine {
  public:
    /// `usage` is the line after "gen9sim "; `text` the paragraphs above the options in --help.
    CommandLine(std::string usage, std::string text);

    boost::program_options::options_description& group(const std::string& title);
    enum class Operand { Needed, Optional };
    void take_operand(const std::string& name, Operand needed = Operand::Needed) {
        operand_ = name;
        operand_needed_ = needed == Operand::Needed;
    }
    /// Takes any number of operands from one on.
    void take_operands(const std::string& names) {
        take_operand(names);
        several_operands_ = true;
    }
    void take_program() { takes_program_ = true; }

    /// False when --help was asked for and has been printed. Throws UserError.
    bool parse(const Arguments& arguments);

    const boost::program_options::variables_map& values() const { return values_; }
    template <class T>
    const T& get(const char* option) const {
        return values_[option].as<T>();
    }
    bool has(const char* option) const { return values_.count(option) != 0; }
    std::string text(const char* option) const {
        return has(option) ? get<std::string>(option) : std::string();
    }
    const std::string& name() const { return name_; }
    const Arguments& operands() const { return operands_; }
    const std::string& operand() const { return operand_value_; }
    const Arguments& program() const { return program_; }

  private:
    void print_help() const;

    std::string usage_, text_, name_;
    std::vector<std::unique_ptr<boost::program_options::options_description>> groups_;
    std::optional<std::string> operand_;
    bool operand_needed_ = true, several_operands_ = false;
    bool takes_program_ = false;
    boost::program_options::variables_map values_;
    Arguments operands_;
    std::string operand_value_;
    Arguments program_;
};

}  // namespace gen9::program
