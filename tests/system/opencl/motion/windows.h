// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdio>
#include <string>
#include <vector>

#include "tests/support/motion_reference.h"

inline int wrong = 0;

inline void expect(bool right, const std::string& what) {
    if (right) return;
    if (++wrong <= 20) std::printf("wrong: %s\n", what.c_str());
}

/// Search units of the windows that drivers offer.
inline std::vector<motion::Vector> serpentine(int wide, int high) {
    std::vector<motion::Vector> units;
    for (int y = 0; y < high; ++y)
        for (int i = 0; i < wide; ++i)
            units.push_back({y % 2 ? wide - 1 - i : i, y});
    return units;
}
/// The driver's spiral: its bytes, from the start on; what leaves the window is not searched.
inline std::vector<motion::Vector> spiral(int wide, int high, motion::Vector start, int steps) {
    const unsigned words[] = {0x0101F00F, 0x0F0F1010, 0xF0F0F00F, 0x01010101, 0x10101010,
                              0x0F0F0F0F, 0xF0F0F00F, 0x0101F0F0, 0x01010101, 0x10101010,
                              0x0F0F1010, 0x0F0F0F0F, 0xF0F0F00F, 0xF0F0F0F0};
    std::vector<motion::Vector> units;
    motion::Vector at = start;
    for (int i = 0; i < steps; ++i) {
        if (at.x < wide && at.y < high) units.push_back(at);
        const unsigned byte = words[i / 4] >> 8 * (i % 4) & 0xFF;
        at = {(at.x + static_cast<int>(byte & 15)) & 15, (at.y + static_cast<int>(byte >> 4)) & 15};
    }
    return units;
}
