// SPDX-License-Identifier: Apache-2.0
#include "l3/bank/policy_replacement.h"

#include <algorithm>
#include <cstring>

namespace gen9::l3 {

PseudoLru::PseudoLru(unsigned sets, unsigned ways)
    : ways_(ways), right_(std::size_t{sets} * ways) {}

unsigned PseudoLru::fill(unsigned set) {
    std::uint8_t* nodes = &right_[std::size_t{set} * ways_];
    unsigned low = 0, high = ways_;
    while (high - low > 1) {
        const unsigned middle = (low + high + 1) / 2;
        std::uint8_t& right = nodes[middle - 1];
        (right ? low : high) = middle;
        right = !right;
    }
    return low;
}

OneBitLru::OneBitLru(unsigned sets, unsigned ways, bool hits_count)
    : ways_(ways), hits_count_(hits_count), used_(std::size_t{sets} * ways) {}

unsigned OneBitLru::fill(unsigned set) {
    const auto begin = used_.begin() + static_cast<std::ptrdiff_t>(std::size_t{set} * ways_),
               end = begin + ways_;
    auto free = std::find(begin, end, 0);
    if (free == end) {
        std::fill(begin, end, std::uint8_t{0});
        free = begin;
    }
    *free = 1;
    return static_cast<unsigned>(free - begin);
}

void OneBitLru::hit(unsigned set, unsigned way) {
    if (hits_count_) used_[std::size_t{set} * ways_ + way] = 1;
}

std::unique_ptr<Replacement> make_replacement(const char* name, unsigned sets, unsigned ways) {
    struct Row {
        const char* name;
        std::unique_ptr<Replacement> (*make)(unsigned, unsigned);
    };
    static constexpr Row rows[] = {
        {"pseudo_lru",
         [](unsigned s, unsigned w) -> std::unique_ptr<Replacement> {
             return std::make_unique<PseudoLru>(s, w);
         }},
        {"one_bit_lru",
         [](unsigned s, unsigned w) -> std::unique_ptr<Replacement> {
             return std::make_unique<OneBitLru>(s, w, false);
         }},
        {"one_bit_lru_hits",
         [](unsigned s, unsigned w) -> std::unique_ptr<Replacement> {
             return std::make_unique<OneBitLru>(s, w, true);
         }},
    };
    for (const Row& row : rows)
        if (std::strcmp(row.name, name) == 0) return row.make(sets, ways);
    return nullptr;
}

}  // namespace gen9::l3
