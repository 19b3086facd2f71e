// SPDX-License-Identifier: Apache-2.0
#include "platform/host/program/build_tally.h"

#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>

namespace gen9::platform {

namespace {

constexpr int kLongestWord = 16;

bool is_known(const std::string& word) {
    return word == kBuiltFromSource || word == kBuiltFromBinary;
}

}  // namespace

std::string build_tally(const std::string& folder, const std::string& options) {
    std::map<std::string, unsigned> builds;
    std::error_code error;
    for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
        if (file.path().extension() != kTallyExtension || !file.is_regular_file(error)) continue;
        std::ifstream words(file.path());
        // The program can write there too.
        for (std::string word; words >> std::setw(kLongestWord) >> word;)
            ++builds[is_known(word) ? word : kNotBuilt];
    }
    const auto count = [&](const char* word) {
        return std::to_string(builds[word]) + (builds[word] == 1 ? " build" : " builds");
    };
    std::string text = "--opencl-options: '" + options + "' added to " + count(kBuiltFromSource);
    if (builds[kBuiltFromBinary])
        text += "; " + count(kBuiltFromBinary) +
                " of binaries, which are not compiled, so that options do nothing there (a program "
                "may keep them from an earlier run)";
    if (builds[kNotBuilt]) text += "; " + count(kNotBuilt) + " with them failed";
    return text;
}

}  // namespace gen9::platform
