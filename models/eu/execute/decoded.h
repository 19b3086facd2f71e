// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>

#include "eu/fast/form.h"
#include "eu/thread/register_set.h"
#include "isa/instruction.h"

namespace gen9::eu {

struct Thread;
struct DecodedInstruction;

/// An executed instruction asks this of the world outside its thread.
enum class Outcome : std::uint8_t {
    Next,       ///< nothing: the thread's IP has moved on (or jumped)
    Send,       ///< a message is to be built and sent; the IP has moved on
    End,        ///< a message with end of thread is to be built and sent; the thread is over
    Wait,       ///< wait found its notification count at 0: nothing changed, try again when raised
    Fault,      ///< illegal instruction: the thread stops (reported by the caller)
    Exception,  ///< the thread has entered or left the system routine: its IP has moved there
    Saved,      ///< the system routine has saved the thread, which is to be taken from its slot
};

using Execute = Outcome (*)(Thread&, const DecodedInstruction&);

/// A body does what an instruction does to the registers and nothing else: it cannot fail, wait or
/// branch, and its caller moves the thread on.
using Body = void (*)(Thread&, const DecodedInstruction&);

/// The unit an instruction is issued to (EU-007, EU-008).
enum class Pipe : std::uint8_t { AnyFpu, Em, Branch, Send, None };

/// Rows of the timing table that instructions share (hardware-measurements guide M-1..M-11).
enum class LatencyClass : std::uint8_t {
    Simple,
    Wide64,
    MulDword,
    Mad,
    MadWide,
    Dot,
    Interpolate,
    Math,
    MathPow,
    MathIntDiv,
    Branch,
    Send,
    Control,
};

/// Adjacent registers an instruction touches; count 0: none.
struct RegisterRange {
    std::uint8_t first = 0, count = 0;
};

/// Architecture registers the scoreboard follows, as a set.
enum ArfBit : std::uint16_t {
    kArfAddress = 1,
    kArfAcc0 = 2,
    kArfAcc1 = 4,
    kArfFlag0 = 8,
    kArfFlag1 = 16,
    kArfControl = 32,
    kArfNotification = 64,
    kArfSpecialAcc = 128,
};

/// Brings one source into packed form in `buffer`; gives a destination its lanes from `buffer`.
using Gather = void (*)(const Thread&, const DecodedInstruction&, unsigned index, void* buffer);
using Scatter = void (*)(Thread&, const DecodedInstruction&, const void* buffer,
                         std::uint32_t lanes);

/// Operands resolved for the specialised functions (fast/): all that a packed, scalar or strided
/// access needs, computed once.
struct FastOperands {
    enum class Predicate : std::uint8_t { None, Sequential, Other };
    enum Modifier : std::uint8_t { kAbsolute = 1, kNegate = 2, kInvert = 4 };

    /// The specialised functions, null if there are none: good while cr0 has the modes below.
    /// `masked` is good for any channels, `full` while the channels needed are all active.
    Body full = nullptr, masked = nullptr;
    std::uint32_t channels_needed = 0;
    std::uint32_t modes = 0, modes_wanted = 0;  ///< bits of cr0.0 that must have a value
    /// The bit of cr0.0 without which the host must flush denormal singles meanwhile (HostFlush);
    /// 0 where none are computed.
    std::uint32_t keeps_denormals = 0;

    std::array<std::uint16_t, 3> source{};  ///< byte offset from the start of the thread
    std::uint16_t destination = 0;          ///< byte offset from the start of the thread
    std::uint64_t constant = 0;             ///< immediate, modified and converted to the lane type
    std::uint32_t every_channel = 0;        ///< all ones under NoMask: or-ed to the active channels
    std::uint32_t lanes = 0;  ///< lanes below the execution size and enabled by ChanEn
    std::uint32_t predicate_invert = 0;
    std::uint8_t channel_offset = 0;
    Predicate predicate = Predicate::None;
    std::uint8_t flag_register = 0;
    std::uint8_t flag_shift = 0;  ///< bit of lane 0 in the flag register
    std::array<std::uint8_t, 3> modifier{};
    isa::CondMod condition = isa::CondMod::None;
    std::array<bool, 3> immediate{};      ///< the source is `constant`, not a register
    bool signed_result = false;           ///< conditions compare as signed
    bool saturate = false;                ///< float to [0,1]
    std::array<std::uint64_t, 3> sign{};  ///< sign bit to flip in each lane of a float source
    std::array<Gather, 3> gather{};       ///< null: the source is packed where it lies
    Scatter scatter = nullptr;            ///< null: the destination is packed lanes
    Execute general = nullptr;            ///< the general path, for functions that may fall back
};

/// The facts of a send's message that do not depend on registers. For a send whose descriptors come
/// from a0 they are worked out when it is sent.
struct MessageForm {
    std::uint32_t descriptor = 0, extended_descriptor = 0;
    std::uint8_t sfid = 0;
    std::uint8_t length = 0, first_length = 0, response_length = 0;
    bool header_present = false, eight_wide = false;
};

/// An instruction made ready to run once per kernel address: a direct function, operands resolved,
/// and all that timing needs as columns.
struct DecodedInstruction {
    Execute execute = nullptr;  ///< right in all circumstances
    std::uint32_t ip = 0;       ///< byte offset from the instruction base
    std::uint32_t next_ip = 0;  ///< ip + length

    /// The specialised functions read these, the most used first: one cache line with the above.
    FastOperands fast;

    MessageForm message;

    /// The specialised functions, if there are any, compute this; so does compiled code.
    fast::Request form;

    isa::Instruction instruction;  ///< the neutral form, for general paths, traces and reports

    // Timing and scoreboard.
    Pipe pipe = Pipe::AnyFpu;
    LatencyClass latency = LatencyClass::Simple;
    std::uint8_t execution_registers = 1;  ///< passes through the pipe, of a GRF each
    /// The registers of an instruction's channels side by side, in the type it computes in, if it
    /// has a strided region; else 0.
    std::uint8_t strided_registers = 0;
    std::uint8_t destination_registers = 1;  ///< GRFs written
    std::array<RegisterRange, 3>
        reads{};             ///< GRF sources, directly addressed (sends: the payload ranges)
    RegisterRange writes{};  ///< GRF destination (sends: the response range)
    std::uint16_t arf_reads = 0, arf_writes = 0;  ///< sets of ArfBit
    bool indirect_registers =
        false;  ///< some operand is register-indirect: touches registers not known here
    bool bank_conflict = false;  ///< three-source with src1 and src2 in one bank (EU-311)
    bool thread_switch = false;  ///< {Switch}
    bool always_next = false;    ///< a branch: `execute` gives Outcome::Next whatever happens
    /// A send: `execute` gives Outcome::Send whatever happens, or Outcome::End where it ends the
    /// thread.
    bool always_sends = false;
    bool sends_checked = false;  ///< the same, but waits first where others must end before it
    bool may_fail = false;       ///< it is none, or may turn into an exception
};

/// The registers that it may write at any time.
inline RegisterSet registers_written(const DecodedInstruction& d) {
    if (d.indirect_registers || d.instruction.descriptor_from_a0) return RegisterSet::all();
    RegisterSet written;
    written.add(d.writes.first, d.writes.count);
    return written;
}

}  // namespace gen9::eu
