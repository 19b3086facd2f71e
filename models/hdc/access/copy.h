// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstring>

namespace gen9::hdc {

/// Copies, the few sizes that matter without a call.
inline void copy(std::uint8_t* to, const std::uint8_t* from, unsigned bytes) {
    switch (bytes) {
        case 4:
            std::memcpy(to, from, 4);
            break;
        case 8:
            std::memcpy(to, from, 8);
            break;
        case 16:
            std::memcpy(to, from, 16);
            break;
        case 32:
            std::memcpy(to, from, 32);
            break;
        case 64:
            std::memcpy(to, from, 64);
            break;
        case 128:
            std::memcpy(to, from, 128);
            break;
        default:
            std::memcpy(to, from, bytes);
    }
}

template <class Word>
inline void copy_times(std::uint8_t* to, const std::uint8_t* from, unsigned copies) {
    Word word;
    std::memcpy(&word, from, sizeof word);
    for (unsigned n = 0; n < copies; ++n, to += sizeof word)
        std::memcpy(to, &word, sizeof word);
}

/// Copies a DWord or QWord `copies` times, one after the other.
inline void copy_repeated(std::uint8_t* to, const std::uint8_t* from, unsigned bytes,
                          unsigned copies) {
    if (bytes == 4)
        copy_times<std::uint32_t>(to, from, copies);
    else
        copy_times<std::uint64_t>(to, from, copies);
}

}  // namespace gen9::hdc
