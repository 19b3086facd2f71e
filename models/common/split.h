// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <string_view>
#include <vector>

namespace gen9 {

/// The parts of a text between separators; one empty part of an empty text. They are views of it.
inline std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    parts.reserve(static_cast<std::size_t>(std::ranges::count(text, at)) + 1);
    for (std::size_t end; (end = text.find(at)) != text.npos; text.remove_prefix(end + 1))
        parts.push_back(text.substr(0, end));
    parts.push_back(text);
    return parts;
}

}  // namespace gen9
