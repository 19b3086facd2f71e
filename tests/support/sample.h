// SPDX-License-Identifier: Apache-2.0
/// How much of a long test runs: a part, or all of it when the variable GEN9_WHOLE says so
/// (scripts/test --whole).
#pragma once
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace gen9::test {

inline bool whole() {
    const char* const value = std::getenv("GEN9_WHOLE");
    return value != nullptr && *value != '\0';
}
/// The rounds of a random test: the first third of `all` in a usual run.
inline unsigned rounds(unsigned all) {
    return whole() ? all : (all + 2) / 3;
}
/// Of a list's cases every `of`-th has its turn in a usual run; GEN9_SAMPLE_SEED says which.
inline bool has_its_turn(std::uint64_t index, unsigned of) {
    const char* const seed = std::getenv("GEN9_SAMPLE_SEED");
    const std::uint64_t first = seed == nullptr ? 0 : std::strtoull(seed, nullptr, 10);
    return whole() || (index + first) % of == 0;
}

}  // namespace gen9::test
