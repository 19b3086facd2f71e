// SPDX-License-Identifier: Apache-2.0
#include "vme/cost.h"

#include <bit>
#include <cstdlib>

namespace gen9::vme {

std::uint32_t component_cost(const Costs& costs, std::uint32_t distance) {
    const auto& table = costs.vector;
    if (distance == 0) return table[0];
    if (distance >= 64) return table[7] + distance - 64;
    const unsigned power = static_cast<unsigned>(std::bit_width(distance)) - 1;
    const auto low = static_cast<std::int32_t>(table[power + 1]);
    const auto high = static_cast<std::int32_t>(table[power + 2]);
    const auto beyond = static_cast<std::int32_t>(distance - (1u << power));
    // Tables may fall: the shift is arithmetic.
    return static_cast<std::uint32_t>(low + ((high - low) * beyond >> power));
}

std::uint32_t vector_cost(const Inputs& in, Vector vector, Vector centre) {
    constexpr std::uint32_t kCap = 0x3FF, kWideCap = 0xFFF;
    const auto part = [&](int from, int to) {
        return component_cost(in.costs,
                              static_cast<std::uint32_t>(std::abs(from - to)) >> in.vector_unit);
    };
    const std::uint32_t cost = part(vector.x, centre.x) + part(vector.y, centre.y);
    const std::uint32_t cap = in.wide_vector_cost ? kWideCap : kCap;
    return cost < cap ? cost : cap;
}

std::uint32_t ref_id_cost(const Inputs& in, std::uint8_t id) {
    if (in.linear_ref_cost) return in.costs.ref_id * id * assumed::kLinearRefCost;
    // The extension's table: 0, then 1, 2 and 3 times the base from ids 1, 3 and 7 on.
    const unsigned times = id == 0 ? 0 : id <= 2 ? 1 : id <= 6 ? 2 : 3;
    return in.costs.ref_id * times;
}

}  // namespace gen9::vme
