// SPDX-License-Identifier: Apache-2.0
/// Words that the public assembler gives for known text (eu-isa guide 3.2), each with the same
/// instruction said in C++.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "isa/text/assemble.h"

namespace gen9::isa::test {

struct Golden {
    const char* text;  ///< as iga64 prints it, single blanks
    std::array<std::uint32_t, 4> words;
    Instruction built;

    std::array<std::uint8_t, 16> bytes() const {
        std::array<std::uint8_t, 16> result{};
        for (unsigned i = 0; i < 16; ++i)
            result[i] = static_cast<std::uint8_t>(words[i / 4] >> (8 * (i % 4)));
        return result;
    }
};

std::vector<Golden> golden_words();

}  // namespace gen9::isa::test
