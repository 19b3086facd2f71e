// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace gen9 {

/// A number that cannot be mistaken for another kind of number. Sums and differences of the same
/// kind are allowed; anything else asks for `.value`.
template <class Tag, class Rep>
struct Quantity {
    Rep value{};
    constexpr Quantity() = default;
    constexpr explicit Quantity(Rep v) : value(v) {}
    constexpr auto operator<=>(const Quantity&) const = default;
    constexpr Quantity operator+(Quantity o) const { return Quantity(Rep(value + o.value)); }
    constexpr Quantity operator-(Quantity o) const { return Quantity(Rep(value - o.value)); }
    constexpr Quantity& operator+=(Quantity o) {
        value += o.value;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity o) {
        value -= o.value;
        return *this;
    }
    constexpr Quantity& operator++() {
        ++value;
        return *this;
    }
};

/// Time inside a block: periods of its clock. `sc_time` appears only at sockets.
using Cycles = Quantity<struct CyclesTag, std::uint64_t>;

/// An address a program of the GPU uses, translated by the PPGTT or the GGTT. Bytes.
struct GpuAddr {
    std::uint64_t value{};
    constexpr GpuAddr() = default;
    constexpr explicit GpuAddr(std::uint64_t v) : value(v) {}
    constexpr auto operator<=>(const GpuAddr&) const = default;
    constexpr GpuAddr operator+(std::uint64_t bytes) const { return GpuAddr(value + bytes); }
};

/// An address of physical memory. Bytes.
struct PhysAddr {
    std::uint64_t value{};
    constexpr PhysAddr() = default;
    constexpr explicit PhysAddr(std::uint64_t v) : value(v) {}
    constexpr auto operator<=>(const PhysAddr&) const = default;
    constexpr PhysAddr operator+(std::uint64_t bytes) const { return PhysAddr(value + bytes); }
};

/// Position of a unit in the machine.
template <class Tag>
struct Id {
    std::uint8_t value{};
    constexpr Id() = default;
    constexpr explicit Id(unsigned v) : value(static_cast<std::uint8_t>(v)) {}
    constexpr auto operator<=>(const Id&) const = default;
};
using SliceId = Id<struct SliceTag>;        ///< slice of the GPU
using SubsliceId = Id<struct SubsliceTag>;  ///< subslice of its slice
using EuId = Id<struct EuTag>;              ///< execution unit of its subslice
using ThreadSlot = Id<struct ThreadTag>;    ///< hardware thread of its EU (TID)

/// A hardware thread's place.
struct ThreadAddress {
    SliceId slice;
    SubsliceId subslice;
    EuId eu;
    ThreadSlot slot;
    constexpr auto operator<=>(const ThreadAddress&) const = default;
};

inline constexpr std::size_t kGrfBytes = 32;   ///< a general register, and a "row" of the URB
inline constexpr std::size_t kGrfCount = 128;  ///< registers of a thread
inline constexpr std::size_t kLineBytes = 64;  ///< a cache line
inline constexpr std::size_t kPageBytes = 4096;
inline constexpr unsigned kMaxChannels = 32;  ///< channels of the widest instruction

/// One 256-bit register's bytes.
struct alignas(32) Grf {
    std::uint8_t bytes[kGrfBytes]{};
};

}  // namespace gen9

template <>
struct std::hash<gen9::GpuAddr> {
    std::size_t operator()(gen9::GpuAddr a) const noexcept {
        return std::hash<std::uint64_t>{}(a.value);
    }
};
