// SPDX-License-Identifier: Apache-2.0
/// Urb: what a message to function 6 reads and writes in the URB (core half).
/// Role     checks a message, turns it into accesses of 64-byte lines, puts answers together
/// Order    none: the accesses of one message may be done in any order
/// Not here the bytes, which L3 holds; the allocated size (L3: what lies beyond reads 0, URB-15)
/// Spec     URB-01..URB-38; 003:8423-9013
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "interconnect/payload/direct_message.h"
#include "interconnect/payload/memory_request.h"
#include "interconnect/payload/message.h"

namespace gen9::urb {

/// Opcodes, descriptor bits 3:0 (URB-08).
enum class Opcode : std::uint8_t {
    WriteHWord = 0,
    WriteOWord = 1,
    ReadHWord = 2,
    ReadOWord = 3,
    AtomicMov = 4,
    AtomicInc = 5,
    AtomicAdd = 6,
    WriteSimd8 = 7,
    ReadSimd8 = 8,
};

/// One DWord: where it lies in the URB, and in which DWord of which payload or response register.
struct Element {
    std::uint32_t address = 0;  ///< bytes from the URB's start
    std::uint8_t reg = 0, dword = 0;
};

/// The elements of a message that lie in one line.
struct LineGroup {
    std::uint32_t line = 0;   ///< address of its first byte
    std::uint64_t bytes = 0;  ///< read or written, bit i = byte i
    /// In order; of two writes to a DWord the later one stays.
    boost::container::small_vector<Element, kLineBytes / 4> elements;
};

/// The request of a message.
struct Plan {
    enum class Kind : std::uint8_t { Nothing, Read, Write, Atomic };
    Kind kind = Kind::Nothing;
    AtomicOp op = AtomicOp::Mov;
    std::uint32_t operand = 0;  ///< of an atomic
    std::vector<LineGroup> groups;
    /// The fault of the message; empty: none.
    std::string problem;
    bool refused = false;  ///< it cannot be acted on at all

    void clear();
};

/// Choices where the text leaves something open (guide 3.2).
struct Settings {
    bool mov_writes_operand = false;  ///< URB_ATOMIC_MOV writes M0.2 instead of the table's 0
};

/// A send instruction says this of its SIMD8 messages, where nothing of it is wrong.
struct Simd8Form {
    bool write = false;
    bool per_slot = false, masked = false;  ///< a register of slot offsets, one of channel masks
    bool ends = false;                      ///< ends its thread
    std::uint8_t prefix = 0;                ///< registers in front of the data
    std::uint8_t phases = 0;
    std::uint32_t global_offset = 0;
};
/// It gives nothing where the messages are others, or have no data, or are refused.
std::optional<Simd8Form> simd8_form(const SendForm& form);

/// The payload of a message in its two parts.
struct PayloadParts {
    const Grf* first;
    const Grf* second;
    unsigned first_length;
    const Grf& operator[](unsigned n) const {
        return n < first_length ? first[n] : second[n - first_length];
    }
};
/// Carries a SIMD8 message out in the bytes of the URB, as its plan would be; the response may overlap
/// the payload. Gives the number of lines that it accesses; nothing: it has not been carried out, for
/// an offset is out of range or something lies beyond the URB.
std::optional<unsigned> run_simd8(const Simd8Form& form, const PayloadParts& payload,
                                  std::uint32_t mask, std::span<std::uint8_t> urb, Grf* response);

/// Takes a message apart; `plan` is reused.
void make_plan(const Message& message, const Settings& settings, Plan& plan);

/// The bytes a write puts into a line of 64.
void gather(const LineGroup& group, const Message& message, std::uint8_t* line);
/// Puts a line's bytes into the response registers.
void scatter(const LineGroup& group, const std::uint8_t* line, Message& message);
/// The answer of an atomic: DWord 0 alone is written (URB-31).
void answer_atomic(std::uint64_t returned, Message& message);

}  // namespace gen9::urb
