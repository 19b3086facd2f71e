// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>

#include "interconnect/payload/memory_request.h"

namespace gen9::l3 {

/// The class of a line's content, which decides its pool of ways and what drops it (L3-18, L3-72).
enum class LineClass : std::uint8_t { Data, Instruction, State, Constant, Texture };
inline constexpr unsigned kLineClasses = 5;

constexpr LineClass class_of(Requester requester) {
    switch (requester) {
        case Requester::InstructionCache:
            return LineClass::Instruction;
        case Requester::StateCache:
            return LineClass::State;
        case Requester::ConstantCache:
            return LineClass::Constant;
        case Requester::Sampler:
            return LineClass::Texture;
        default:
            return LineClass::Data;
    }
}

/// The destination of a request (L3-20). Local memory is a destination too, with a way of its own
/// from the data port (slm/).
enum class Destination : std::uint8_t { Data, ReadOnly, StateArbiter, Urb };

constexpr Destination destination_of(AddressSpace space, Requester requester) {
    if (space == AddressSpace::Urb) return Destination::Urb;
    switch (class_of(requester)) {
        case LineClass::Data:
            return Destination::Data;
        case LineClass::State:
            return Destination::StateArbiter;
        default:
            return Destination::ReadOnly;
    }
}

/// Says who may use a destination, and which way (L3-18, L3-19). The URB's clients are the data
/// cluster, as which its function speaks, and the front end; of the fixed functions, which only
/// read, none is modelled.
constexpr bool is_client(Destination destination, Requester requester, bool write) {
    switch (destination) {
        case Destination::Urb:
            return requester == Requester::DataPort || requester == Requester::Urb ||
                   (requester == Requester::CommandStreamer && write);
        case Destination::Data:
            return requester != Requester::Urb;
        default:
            return !write;
    }
}

/// A set of line classes.
struct ClassSet {
    std::uint8_t bits = 0;
    constexpr void add(LineClass c) {
        bits |= static_cast<std::uint8_t>(1u << static_cast<unsigned>(c));
    }
    constexpr bool has(LineClass c) const { return bits >> static_cast<unsigned>(c) & 1; }
    constexpr bool empty() const { return bits == 0; }
};

constexpr ClassSet kEveryClass{(1u << kLineClasses) - 1};

/// The classes an invalidation drops.
constexpr ClassSet dropped_by(const CacheControl& control) {
    ClassSet set;
    if (control.invalidate_data) set.add(LineClass::Data);
    if (control.invalidate_instruction) set.add(LineClass::Instruction);
    if (control.invalidate_state) set.add(LineClass::State);
    if (control.invalidate_constant) set.add(LineClass::Constant);
    if (control.invalidate_texture) set.add(LineClass::Texture);
    return set;
}

/// Division by a number that stays the same: without a division when it is a power of two.
class Divisor {
  public:
    explicit Divisor(unsigned value)
        : value_(value), shift_(std::has_single_bit(value) ? std::countr_zero(value) : -1) {}
    std::uint64_t quotient(std::uint64_t dividend) const {
        return shift_ >= 0 ? dividend >> shift_ : dividend / value_;
    }
    std::uint64_t remainder(std::uint64_t dividend) const {
        return shift_ >= 0 ? dividend & (value_ - 1) : dividend % value_;
    }

  private:
    std::uint64_t value_;
    int shift_;
};

/// A line's name within the machine: its number, and its address space in the top bits.
struct LineKey {
    std::uint64_t value = ~std::uint64_t{0};
    constexpr LineKey() = default;
    constexpr LineKey(AddressSpace space, std::uint64_t address)
        : value(address / kLineBytes | static_cast<std::uint64_t>(space) << 60) {
    }  // 58 bits of number
    static constexpr LineKey of(std::uint64_t value) {
        LineKey key;
        key.value = value;
        return key;
    }
    constexpr std::uint64_t number() const { return value & ((std::uint64_t{1} << 58) - 1); }
    constexpr std::uint64_t address() const { return number() * kLineBytes; }
    constexpr AddressSpace space() const { return static_cast<AddressSpace>(value >> 60); }
    constexpr bool operator==(const LineKey&) const = default;
};

}  // namespace gen9::l3
