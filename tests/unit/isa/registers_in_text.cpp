// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/isa/registers_in_text.h"

#include <map>
#include <regex>
#include <sstream>

namespace gen9::isa::test {
namespace {

using Set = std::bitset<kGrfCount>;

void add(Set& set, unsigned first, unsigned count) {
    for (unsigned i = first; i < first + count && i < kGrfCount; ++i)
        set.set(i);
}

std::vector<unsigned> numbers(std::string text) {
    for (char& c : text)
        if (c == ';' || c == ',') c = ' ';
    std::istringstream in(text);
    std::vector<unsigned> found;
    for (unsigned n = 0; in >> n;)
        found.push_back(n);
    return found;
}

/// `send (8|M0) r10:w r20 0xC ... // wr:1h+0, rd:2; ...`, `sends` with a second payload.
void add_message(Set& set, const std::string& line) {
    static const std::regex lengths("// wr:(\\d+)h?\\+(\\d+), rd:(\\d+)");
    std::smatch of;
    const bool known = std::regex_search(line, of, lengths);
    std::istringstream words(line.substr(line.find("|M")));
    std::string word;
    words >> word;
    const auto next = [&](unsigned count) {
        words >> word;
        if (word.front() == 'r') add(set, static_cast<unsigned>(std::stoul(word.substr(1))), count);
    };
    const auto length = [&](unsigned i, unsigned most) {
        return known ? static_cast<unsigned>(std::stoul(of[i])) : most;
    };
    next(length(3, 16));
    next(length(1, 15));
    if (line.find("sends") != std::string::npos) next(length(2, 15));
}

void add_operands(Set& set, const std::string& line) {
    static const std::map<std::string, unsigned> sizes{{"q", 8},  {"uq", 8}, {"df", 8}, {"d", 4},
                                                       {"ud", 4}, {"f", 4},  {"w", 2},  {"uw", 2},
                                                       {"hf", 2}, {"b", 1},  {"ub", 1}};
    static const std::regex channels("\\((\\d+)\\|M"),
        operand("(^|[^a-z0-9])r(\\d+)\\.(\\d+|mme\\d+|nomme)(<([^>]*)>)?:([a-z]+)");
    std::smatch exec;
    if (!std::regex_search(line, exec, channels)) return;
    const auto lanes = static_cast<unsigned>(std::stoul(exec[1]));
    for (std::sregex_iterator at(line.begin(), line.end(), operand), end; at != end; ++at) {
        const unsigned size = sizes.at((*at)[6]);
        const bool macro = (*at)[3].str().find("mme") != std::string::npos;
        const unsigned first = static_cast<unsigned>(std::stoul((*at)[2])) * 32 +
                               (macro ? 0 : static_cast<unsigned>(std::stoul((*at)[3]))) * size;
        // <vertical;width,horizontal>, of three sources <vertical;horizontal>, of destinations and
        // last sources <horizontal>; without one two DWords of a call or return, or packed elements
        // with a special accumulator.
        const std::vector<unsigned> region = numbers((*at)[5]);
        unsigned vertical = 1, width = 1, horizontal = 0, elements = lanes;
        if (region.empty() && !macro) elements = 2;
        if (region.size() == 1) vertical = region[0];
        if (region.size() == 2) {
            vertical = region[0], horizontal = region[1];
            width = horizontal == 0 ? 1 : vertical / horizontal;
        }
        if (region.size() == 3) vertical = region[0], width = region[1], horizontal = region[2];
        for (unsigned lane = 0; lane < elements; ++lane) {
            const unsigned byte =
                first + (lane / width * vertical + lane % width * horizontal) * size;
            for (unsigned b = byte; b < byte + size; ++b)
                if (b / 32 < kGrfCount) set.set(b / 32);
        }
    }
}

}  // namespace

TextRegisters registers_in_text(const std::vector<std::string>& lines) {
    TextRegisters found;
    for (const std::string& line : lines) {
        const bool is_call = line.find("call") != std::string::npos;
        found.calls += is_call || line.find("ret ") != std::string::npos;
        if (line.find("r[a") != std::string::npos)
            found.registers.set();
        else if (line.find("send") != std::string::npos)
            add_message(found.registers, line);
        else
            add_operands(found.registers, line);
    }
    return found;
}

}  // namespace gen9::isa::test
