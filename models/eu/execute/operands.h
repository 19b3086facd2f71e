// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "eu/execute/decoded.h"
#include "eu/thread/float_control.h"
#include "eu/thread/thread.h"

namespace gen9::eu {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

/// The domain in which an instruction computes (EU-121). Integers of every width are one domain
/// with room for the "extra internal bits"; half floats are computed in double, in which every
/// single operation on them is exact, and rounded once.
enum class Domain : std::uint8_t { Integer, Single, Double, Half };

template <Domain D>
struct DomainValue;
template <>
struct DomainValue<Domain::Integer> {
    using Type = Int128;
};
template <>
struct DomainValue<Domain::Single> {
    using Type = float;
};
template <>
struct DomainValue<Domain::Double> {
    using Type = double;
};
template <>
struct DomainValue<Domain::Half> {
    using Type = double;
};
template <Domain D>
using Value = typename DomainValue<D>::Type;

/// One value per channel of the widest instruction; left uninitialised on purpose.
template <class T>
struct LaneArray {
    alignas(64) T lane[kMaxChannels];
    T& operator[](unsigned i) { return lane[i]; }
    const T& operator[](unsigned i) const { return lane[i]; }
};

/// The domain of an instruction from its operand types (EU-121, EU-122, EU-132).
Domain execution_domain(const isa::Instruction& in);
/// Is some operand a 64-bit integer? Shifts then use six bits of their count (EU-220).
bool is_qword_mode(const isa::Instruction& in);

/// Byte addresses in the register file of the lanes of a GRF operand (EU-026..030, EU-054..065).
/// Always below 4096 and aligned to the element, so an access never leaves the file.
void source_addresses(const Thread& thread, const isa::Instruction& in, const isa::Operand& operand,
                      LaneArray<std::uint16_t>& address);
void destination_addresses(const Thread& thread, const isa::Instruction& in,
                           LaneArray<std::uint16_t>& address);

/// Unconverted elements of a source: GRF, ARF, accumulator (whole channel) or immediate.
void load_raw(const Thread& thread, const isa::Instruction& in, const isa::Operand& operand,
              LaneArray<std::uint64_t>& raw);

/// Reads, converts to the domain, then applies denorm control and source modifiers (EU-123,
/// EU-124).
template <Domain D>
void load_source(const Thread& thread, const isa::Instruction& in, const isa::Operand& operand,
                 LaneArray<Value<D>>& values);

/// A domain value as an element of `type`: rounding, clamping, saturation (EU-125..EU-131).
struct Converted {
    std::uint64_t raw;
    bool overflow = false;  ///< .o: beyond the destination's range before saturation (EU-169)
    bool nan = false;       ///< .u
};
template <Domain D>
Converted convert(Value<D> value, isa::Type type, bool saturate, FloatControl control);

/// Condition of a final element against zero (EU-168).
bool condition_holds(isa::CondMod condition, isa::Type type, const Converted& value);

/// Writes elements of the destination's type to the lanes set in `enabled`. `wide` are the values
/// an integer accumulator takes.
void write_destination(Thread& thread, const isa::Instruction& in,
                       const LaneArray<std::uint64_t>& raw, const LaneArray<std::uint64_t>& wide,
                       std::uint32_t enabled);

/// Everything after the operation: conversion, condition flags, destination, implicit accumulator.
/// `sel` has a condition that is no flag update (EU-170).
enum class Flags : std::uint8_t { Update, Keep };
template <Domain D>
void finish(Thread& thread, const DecodedInstruction& d, const LaneArray<Value<D>>& result,
            std::uint32_t enabled, Flags flags = Flags::Update);

/// Lanes to be written: mask, ChanEn and predicate (EU-153).
std::uint32_t write_lanes(const Thread& thread, const isa::Instruction& in);

/// Moves on to the next instruction, or to where a write of ip sent the thread.
void leave(Thread& thread, const DecodedInstruction& d);

}  // namespace gen9::eu
