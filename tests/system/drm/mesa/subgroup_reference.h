// SPDX-License-Identifier: Apache-2.0
/// What shaders/subgroups.comp leaves, computed item by item.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace subgroups {

constexpr std::uint32_t kWords = 24;

/// The words of item `lane` of a subgroup whose items have the values `v`.
inline std::vector<std::uint32_t> expected(const std::vector<std::uint32_t>& v,
                                           std::uint32_t lane) {
    const auto size = static_cast<std::uint32_t>(v.size());
    const auto sum = [&](std::uint32_t from, std::uint32_t to, auto&& value) {
        std::uint32_t total = 0;
        for (std::uint32_t i = from; i < to; ++i)
            total += value(v[i]);
        return total;
    };
    const auto itself = [](std::uint32_t x) { return x; };
    std::uint32_t all_xor = 0, odd = 0, second = 0, product = 1, first = size;
    std::int32_t greatest = INT32_MIN;
    for (std::uint32_t i = 0; i < size; ++i) {
        all_xor ^= v[i];
        odd |= (v[i] & 1) << i;
        second += v[i] >> 1 & 1;
        product *= v[i] | 1;
        if (i <= lane) greatest = std::max(greatest, static_cast<std::int32_t>(v[i]));
        if (first == size && (v[i] & 4) == (v[lane] & 4)) first = i;
    }
    const std::uint32_t four = lane / 4 * 4;
    const bool way = v[lane] & 4;
    return {lane,
            sum(0, size, itself),
            sum(0, lane + 1, itself),
            sum(0, lane, itself),
            *std::min_element(v.begin(), v.end()),
            *std::max_element(v.begin(), v.end()),
            all_xor,
            static_cast<std::uint32_t>(greatest),
            odd,
            second,
            v[5],
            v[(v[lane] >> 8) % size],
            v[lane ^ 3],
            lane >= 2 ? v[lane - 2] : 0,
            sum(four, four + 4, itself),
            v[lane ^ 1],
            v[lane ^ 3],
            v[four + 2],
            std::all_of(v.begin(), v.end(), [](auto x) { return (x & 0xFF) != 0; }),
            std::any_of(v.begin(), v.end(), [](auto x) { return (x & 0x1F) == 0; }),
            way ? v[first] : std::uint32_t{lane == first},
            way ? sum(0, size, [](std::uint32_t x) { return x & 4 ? x >> 16 : 0; }) : 0,
            product,
            size};
}

/// What is wrong with the words that `items` items left; empty: nothing.
inline std::string wrong(const std::uint32_t* values, const std::uint32_t* left,
                         std::uint32_t items, std::uint32_t size) {
    for (std::uint32_t base = 0; base < items; base += size) {
        const std::vector<std::uint32_t> v(values + base, values + base + size);
        for (std::uint32_t lane = 0; lane < size; ++lane) {
            const auto must_be = expected(v, lane);
            for (std::uint32_t i = 0; i < kWords; ++i) {
                const std::uint32_t is = left[(base + lane) * kWords + i];
                if (is == must_be[i]) continue;
                char text[100];
                std::snprintf(text, sizeof text, "item %u, word %u is %u, must be %u", base + lane,
                              i, is, must_be[i]);
                return text;
            }
        }
    }
    return {};
}

}  // namespace subgroups
