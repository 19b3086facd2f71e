// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

namespace gen9::formats {

inline constexpr unsigned kLanes = 16;
inline constexpr std::uint32_t kAllLanes = (1u << kLanes) - 1;

/// A row of elements as memory holds them, DWord by DWord: word[w][n] is DWord w of element n. An
/// element that ends within a DWord has zeros above.
struct Elements {
    alignas(64) std::array<std::array<std::uint32_t, kLanes>, 8> word;
};

/// The bits of an element that a write changes.
struct WriteMask {
    std::array<std::uint32_t, 8> word{};
    bool whole = false;  ///< all of them: memory need not be read
};

/// How elements of one size go between memory and rows. A row has eight or sixteen elements.
struct Transfer {
    /// `count` elements that follow each other. The rest of the row becomes zeros.
    void (*load)(const std::uint8_t* from, unsigned count, Elements& to);
    /// Element n, where lane n is set, begins `at[n]` bytes behind `base`; others become zeros.
    void (*gather)(const std::uint8_t* base, const std::uint32_t* at, std::uint32_t lanes,
                   Elements& to);
    /// The same from addresses of the host, which are not looked at where the lane is not set.
    void (*collect)(const std::uint8_t* const* at, std::uint32_t lanes, Elements& to);
    void (*store)(const Elements& from, const WriteMask& mask, std::uint32_t lanes,
                  std::uint8_t* to);
    /// In the order of lanes: where two write the same element, the later one stays.
    void (*scatter)(const Elements& from, const WriteMask& mask, std::uint32_t lanes,
                    std::uint8_t* base, const std::uint32_t* at);
    void (*distribute)(const Elements& from, const WriteMask& mask, std::uint32_t lanes,
                       std::uint8_t* const* at);
};

/// Of elements of 1, 2, 3, 4, 6, 8, 12, 16, 24 or 32 bytes; null for other sizes.
const Transfer* transfer_of(unsigned bytes);

}  // namespace gen9::formats
