// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>

namespace gen9 {

/// How many values from 0 on have a text. `to_text` of an enumeration is a switch without a default
/// that returns null after it: the compiler says when an enumerator is missing, and whoever indexes
/// by the enumeration counts what has a text.
template <class Enum>
constexpr std::size_t count_of() {
    std::size_t count = 0;
    while (to_text(static_cast<Enum>(count)) != nullptr)
        ++count;
    return count;
}

/// These texts, by value.
template <class Enum>
inline constexpr auto kWordsOf = [] {
    std::array<const char*, count_of<Enum>()> words{};
    for (std::size_t value = 0; value < words.size(); ++value)
        words[value] = to_text(static_cast<Enum>(value));
    return words;
}();

}  // namespace gen9
