// SPDX-License-Identifier: Apache-2.0
#include "sc_main/command_line.h"

#include <algorithm>
#include <iostream>

#include "common/check.h"

namespace gen9::program {

namespace po = boost::program_options;

CommandLine::CommandLine(std::string usage, std::string text)
    : usage_(std::move(usage)), text_(std::move(text)), name_(usage_.substr(0, usage_.find(' '))) {
    group("Help").add_options()("help,h", "this text");
}

po::options_description& CommandLine::group(const std::string& title) {
    constexpr unsigned kColumns = 100;
    groups_.push_back(std::make_unique<po::options_description>(title, kColumns, kColumns / 2));
    return *groups_.back();
}

bool CommandLine::parse(const Arguments& arguments) {
    const auto separator = std::find(arguments.begin(), arguments.end(), "--");
    const bool has_program = separator != arguments.end();
    const Arguments own(arguments.begin(), separator);
    if (has_program) program_.assign(separator + 1, arguments.end());

    po::options_description all;
    for (const auto& group : groups_)
        all.add(*group);
    po::options_description with_operand;
    with_operand.add(all).add_options()("operand", po::value<Arguments>());
    po::positional_options_description positions;
    positions.add("operand", -1);
    const std::string see = " (gen9sim " + name_ + " --help)";
    try {
        po::store(po::command_line_parser(own).options(with_operand).positional(positions).run(),
                  values_);
        if (has("help")) {
            print_help();
            return false;
        }
        po::notify(values_);
    } catch (const po::error& error) {
        throw UserError(error.what() + see);
    }
    if (has("operand")) operands_ = get<Arguments>("operand");
    if (operands_.size() > (operand_ ? 1 : 0) && !several_operands_)
        throw UserError("'" + operands_.back() + "' is not expected" +
                        (takes_program_ ? ": write -- before the program" : "") + see);
    if (operand_ && operand_needed_ && operands_.empty())
        throw UserError(*operand_ + " is missing" + see);
    if (!operands_.empty()) operand_value_ = operands_[0];
    if (takes_program_ && program_.empty()) throw UserError("-- PROGRAM is missing" + see);
    if (!takes_program_ && has_program) throw UserError("'--' is not expected" + see);
    return true;
}

void CommandLine::print_help() const {
    std::cout << "usage: gen9sim " << usage_ << "\n\n" << text_ << "\n";
    for (auto group = groups_.begin() + 1; group != groups_.end(); ++group)
        std::cout << **group << "\n";
}

}  // namespace gen9::program
