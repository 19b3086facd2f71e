// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>

namespace gen9 {

/// A set of the ports of a block: of the clients that an arbiter chooses from.
class PortSet {
  public:
    static constexpr unsigned kMost = 128;  ///< ports

    constexpr PortSet() = default;
    /// A bit for each of the first 64.
    constexpr PortSet(std::uint64_t first) : low_(first) {}
    static constexpr PortSet one(unsigned port) {
        const std::uint64_t bit = std::uint64_t{1} << port % 64;
        return port < 64 ? PortSet(bit, 0) : PortSet(0, bit);
    }
    /// All from `port` on.
    static constexpr PortSet from(unsigned port) {
        const std::uint64_t bits = ~std::uint64_t{0} << port % 64;
        if (port >= kMost) return {};
        return port < 64 ? PortSet(bits, ~std::uint64_t{0}) : PortSet(0, bits);
    }

    constexpr bool empty() const { return (low_ | high_) == 0; }
    constexpr bool has(unsigned port) const { return (port < 64 ? low_ : high_) >> port % 64 & 1; }
    constexpr bool single() const {
        return high_ == 0 ? std::has_single_bit(low_) : low_ == 0 && std::has_single_bit(high_);
    }
    /// The lowest of those it has, at least one.
    constexpr unsigned first() const {
        return static_cast<unsigned>(low_ != 0 ? std::countr_zero(low_)
                                               : 64 + std::countr_zero(high_));
    }
    constexpr void remove_first() {
        std::uint64_t& word = low_ != 0 ? low_ : high_;
        word &= word - 1;
    }
    constexpr void add(unsigned port) { *this = *this | one(port); }
    constexpr void remove(unsigned port) { *this = *this & ~one(port); }

    constexpr PortSet operator~() const { return {~low_, ~high_}; }
    friend constexpr PortSet operator&(PortSet a, PortSet b) {
        return {a.low_ & b.low_, a.high_ & b.high_};
    }
    friend constexpr PortSet operator|(PortSet a, PortSet b) {
        return {a.low_ | b.low_, a.high_ | b.high_};
    }
    friend constexpr bool operator==(PortSet, PortSet) = default;

  private:
    constexpr PortSet(std::uint64_t low, std::uint64_t high) : low_(low), high_(high) {}
    std::uint64_t low_ = 0, high_ = 0;
};

}  // namespace gen9
