// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "eu/execute/decoded.h"
#include "eu/thread/float_control.h"
#include "eu/thread/masks.h"
#include "eu/thread/thread.h"
#include "interconnect/payload/message.h"

namespace gen9::eu {

/// Makes the instruction at `ip` ready to run. `bytes` are the instruction's 8 or 16 (fewer than 16
/// may be given when a compacted one stands at the end of what is known; fewer than needed gives an
/// illegal instruction). Never fails: what does not decode becomes an instruction whose execution
/// gives Outcome::Fault, with the reason in `why`.
DecodedInstruction prepare(std::span<const std::uint8_t> bytes, std::uint32_t ip,
                           std::string* why = nullptr);

/// The same for an instruction already decoded.
DecodedInstruction prepare(const isa::Instruction& instruction, std::uint32_t ip);

/// Like `prepare`, but bound to the general path only: the specialised functions are compared with
/// it.
DecodedInstruction prepare_general(const isa::Instruction& instruction, std::uint32_t ip);

/// Runs one instruction. Its `ip` must be the thread's.
inline Outcome execute(Thread& thread, const DecodedInstruction& instruction) {
    thread.places.forget();
    const FastOperands& fast = instruction.fast;
    if (fast.masked == nullptr || (thread.control[0] & fast.modes) != fast.modes_wanted)
        return instruction.execute(thread, instruction);
    const bool all = (thread.active & fast.channels_needed) == fast.channels_needed;
    const HostFlush flush((fast.keeps_denormals & ~thread.control[0]) != 0);
    (all ? fast.full : fast.masked)(thread, instruction);
    advance(thread, instruction.next_ip);
    return Outcome::Next;
}

/// After Outcome::Send or End: builds the message from the registers as they are now (EU-182..195).
/// `message` is reset first. The IP given in it is absolute (instruction base + ip).
void build_message(const Thread& thread, const DecodedInstruction& instruction, Message& message);

/// Writes a response into the thread's registers, by its byte enables (EU-190, DP-016).
void write_back(Thread& thread, const Message& message);

/// Channels the instruction would write if executed now, before predication: for traces.
std::uint32_t enabled_channels(const Thread& thread, const DecodedInstruction& instruction);

}  // namespace gen9::eu
