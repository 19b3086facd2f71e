// SPDX-License-Identifier: Apache-2.0
#include "platform/run/timed_kernels.h"

#include <fnmatch.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "common/check.h"
#include "common/split.h"

namespace gen9::platform {
namespace {

constexpr std::uint32_t kMostLaunches = 10'000'000;

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
    throw UserError("--timed-kernels '" + text + "' is not allowed: " + why);
}

std::uint32_t number_in(const std::string& digits, const std::string& text) {
    std::uint32_t number = 0;
    const char* const end = digits.data() + digits.size();
    const auto [stopped, error] = std::from_chars(digits.data(), end, number);
    if (error != std::errc() || stopped != end || number >= kMostLaunches)
        refuse(text, "'" + digits + "' is no number of a launch (0 to " +
                         std::to_string(kMostLaunches - 1) + ")");
    return number;
}

bool is_list(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789,-") == std::string::npos;
}

std::set<std::uint32_t> list_in(const std::string& list, const std::string& text) {
    std::set<std::uint32_t> numbers;
    for (const std::string_view part : split(list, ',')) {
        const std::string range(part);
        const auto dash = range.find('-');
        const std::uint32_t first = number_in(range.substr(0, dash), text);
        const std::uint32_t last =
            dash == std::string::npos ? first : number_in(range.substr(dash + 1), text);
        if (last < first) refuse(text, "'" + range + "' ends before it begins");
        for (std::uint32_t number = first; number <= last; ++number)
            numbers.insert(number);
    }
    return numbers;
}

void check_names(const std::string& names, const std::string& text) {
    constexpr const char* kAllowed =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$*?[]!-";
    if (names.empty()) refuse(text, "a name or a list is missing");
    if (const auto at = names.find_first_not_of(kAllowed); at != std::string::npos)
        refuse(text, std::string("'") + names[at] + "' in the name of a kernel");
    if (std::ranges::count(names, '[') != std::ranges::count(names, ']'))
        refuse(text, "a bracket without its other half");
}

}  // namespace

TimedKernels::TimedKernels(const std::string& text, unsigned warm) {
    for (const std::string_view selection : split(text, ';'))
        selections_.push_back(read(std::string(selection), warm));
}

TimedKernels::Selection TimedKernels::read(const std::string& text, unsigned warm) {
    Selection selection;
    const auto colon = text.find(':');
    const bool named = colon != std::string::npos || !is_list(text);
    if (named) {
        selection.names = text.substr(0, colon);
        check_names(selection.names, text);
    }
    if (named && colon == std::string::npos) {
        selection.all = true;
        return selection;
    }
    const std::string list = named ? text.substr(colon + 1) : text;
    if (!is_list(list)) refuse(text, "a list such as 3,7-9 must follow the colon");
    selection.timed = list_in(list, text);
    for (const std::uint32_t number : selection.timed)
        for (std::uint32_t before = 1; before <= std::min(warm, number); ++before)
            selection.warming.insert(number - before);
    return selection;
}

TimedKernels::Use TimedKernels::next(const std::string& name) {
    Use use = chooses() ? Use::Functional : Use::Timed;
    for (Selection& selection : selections_) {
        if (!selection.names.empty() &&
            (name.empty() || fnmatch(selection.names.c_str(), name.c_str(), 0) != 0))
            continue;
        const std::uint32_t place = selection.met++;
        if (selection.all || selection.timed.contains(place))
            use = Use::Timed;
        else if (selection.warming.contains(place))
            use = std::max(use, Use::Warming);
    }
    uses_.push_back(use);
    return use;
}

const char* to_text(TimedKernels::Use use) {
    constexpr const char* kWords[] = {"functional", "warming", "timed"};
    return kWords[static_cast<std::size_t>(use)];
}

}  // namespace gen9::platform
