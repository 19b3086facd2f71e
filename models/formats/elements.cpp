// SPDX-License-Identifier: Apache-2.0
#include "formats/elements.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>

#include "common/host.h"

namespace gen9::formats {

namespace {

template <unsigned bytes>
constexpr unsigned kWords = (bytes + 3) / 4;
template <unsigned bytes, unsigned word>
constexpr unsigned kSize = std::min(4u, bytes - 4 * word);

template <unsigned bytes, unsigned word = 0>
GEN9_INLINE void read_element(const std::uint8_t* from, unsigned n, Elements& to) {
    std::uint32_t value = 0;
    std::memcpy(&value, from + std::size_t{4} * word, kSize<bytes, word>);
    to.word[word][n] = value;
    if constexpr (word + 1 < kWords<bytes>) read_element<bytes, word + 1>(from, n, to);
}
template <unsigned bytes, unsigned word = 0>
GEN9_INLINE void write_element(const Elements& from, unsigned n, std::uint8_t* to) {
    std::memcpy(to + std::size_t{4} * word, &from.word[word][n], kSize<bytes, word>);
    if constexpr (word + 1 < kWords<bytes>) write_element<bytes, word + 1>(from, n, to);
}
template <unsigned bytes, unsigned word = 0>
GEN9_INLINE void merge_element(const Elements& from, const WriteMask& mask, unsigned n,
                               std::uint8_t* to) {
    std::uint32_t value = 0;
    std::uint8_t* const place = to + std::size_t{4} * word;
    std::memcpy(&value, place, kSize<bytes, word>);
    value = (value & ~mask.word[word]) | (from.word[word][n] & mask.word[word]);
    std::memcpy(place, &value, kSize<bytes, word>);
    if constexpr (word + 1 < kWords<bytes>) merge_element<bytes, word + 1>(from, mask, n, to);
}

template <unsigned bytes>
void clear(Elements& to) {
    for (unsigned word = 0; word < kWords<bytes>; ++word)
        to.word[word].fill(0);
}

template <unsigned bytes>
void load(const std::uint8_t* from, unsigned count, Elements& to) {
    if (count == kLanes) {
        for (unsigned n = 0; n < kLanes; ++n)
            read_element<bytes>(from + std::size_t{n} * bytes, n, to);
        return;
    }
    clear<bytes>(to);
    for (unsigned n = 0; n < std::min(count, kLanes); ++n)
        read_element<bytes>(from + std::size_t{n} * bytes, n, to);
}

/// Calls f(n) for the lanes that are set, in their order. Most rows have 16 or eight.
template <class F>
GEN9_INLINE void for_lanes(std::uint32_t lanes, F&& f) {
    constexpr unsigned kHalf = kLanes / 2;
    constexpr std::uint32_t kHalfLanes = (1u << kHalf) - 1;
    if (lanes == kAllLanes || lanes == kHalfLanes) {
        for (unsigned n = 0; n < kHalf; ++n)
            f(n);
        if (lanes == kHalfLanes) return;
        for (unsigned n = kHalf; n < kLanes; ++n)
            f(n);
        return;
    }
    for (lanes &= kAllLanes; lanes; lanes &= lanes - 1)
        f(static_cast<unsigned>(std::countr_zero(lanes)));
}

template <unsigned bytes>
void gather(const std::uint8_t* base, const std::uint32_t* at, std::uint32_t lanes, Elements& to) {
    if (lanes != kAllLanes) clear<bytes>(to);
    for_lanes(lanes, [&](unsigned n) { read_element<bytes>(base + at[n], n, to); });
}
template <unsigned bytes>
void collect(const std::uint8_t* const* at, std::uint32_t lanes, Elements& to) {
    if (lanes != kAllLanes) clear<bytes>(to);
    for_lanes(lanes, [&](unsigned n) { read_element<bytes>(at[n], n, to); });
}

template <unsigned bytes, class Place>
GEN9_INLINE void write_lanes(const Elements& from, const WriteMask& mask, std::uint32_t lanes,
                             Place&& place) {
    if (mask.whole)
        for_lanes(lanes, [&](unsigned n) { write_element<bytes>(from, n, place(n)); });
    else
        for_lanes(lanes, [&](unsigned n) { merge_element<bytes>(from, mask, n, place(n)); });
}
template <unsigned bytes>
void store(const Elements& from, const WriteMask& mask, std::uint32_t lanes, std::uint8_t* to) {
    write_lanes<bytes>(from, mask, lanes, [&](unsigned n) { return to + std::size_t{n} * bytes; });
}
template <unsigned bytes>
void scatter(const Elements& from, const WriteMask& mask, std::uint32_t lanes, std::uint8_t* base,
             const std::uint32_t* at) {
    write_lanes<bytes>(from, mask, lanes, [&](unsigned n) { return base + at[n]; });
}
template <unsigned bytes>
void distribute(const Elements& from, const WriteMask& mask, std::uint32_t lanes,
                std::uint8_t* const* at) {
    write_lanes<bytes>(from, mask, lanes, [&](unsigned n) { return at[n]; });
}

template <unsigned bytes>
const Transfer kTransfer{load<bytes>,  gather<bytes>,  collect<bytes>,
                         store<bytes>, scatter<bytes>, distribute<bytes>};

}  // namespace

const Transfer* transfer_of(unsigned bytes) {
    switch (bytes) {
        case 1:
            return &kTransfer<1>;
        case 2:
            return &kTransfer<2>;
        case 3:
            return &kTransfer<3>;
        case 4:
            return &kTransfer<4>;
        case 6:
            return &kTransfer<6>;
        case 8:
            return &kTransfer<8>;
        case 12:
            return &kTransfer<12>;
        case 16:
            return &kTransfer<16>;
        case 24:
            return &kTransfer<24>;
        case 32:
            return &kTransfer<32>;
        default:
            return nullptr;
    }
}

}  // namespace gen9::formats
