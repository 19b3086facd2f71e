// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>

#include "eu/execute/decoded.h"
#include "eu/thread/float_control.h"
#include "eu/thread/thread.h"

namespace gen9::eu {

// Exceptions and the system routine (EU-288..EU-297; 003:22127-22331): a thread that takes one goes
// on at the context's SIP with the master bit of cr0.0 set and the way back in cr0.2. Registers,
// masks and flags stay as they are; channels that wait elsewhere go on waiting.

namespace cr0 {
inline constexpr std::uint32_t kMaster = 1u << 31;
/// Seed 003 leaves a hole for it; 002:3209-3219 says what it does.
inline constexpr std::uint32_t kBreakpointSuppress = 1u << 15;
inline constexpr std::uint32_t kDefined = 0x80009FFFu;  ///< the rest must be zero
}  // namespace cr0

/// cr0.1: status bits (EU-101). The enable of each lies 16 bits below.
namespace cr1 {
inline constexpr std::uint32_t kBreakpoint = 1u << 31, kExternalHalt = 1u << 30,
                               kSoftware = 1u << 29, kIllegalOpcode = 1u << 28,
                               kStackOverflow = 1u << 27, kContextSave = 1u << 25,
                               kContextRestore = 1u << 24;
inline constexpr std::uint32_t kDefined = 0xFB00F800u;
constexpr std::uint32_t enable(std::uint32_t status) {
    return status >> 16;
}
/// These statuses, left set, take the thread back to the system routine (003:22186-22190).
inline constexpr std::uint32_t kLevel = kBreakpoint | kExternalHalt | kSoftware;
}  // namespace cr1

/// Notes the exception in cr0.1, and takes it if it is enabled and no other is being handled. Gives
/// whether it did: the thread then stands at the SIP, with `return_ip` as its way back.
bool take_exception(Thread& thread, std::uint32_t status, std::uint32_t return_ip);

/// A thread that has no message under way saves itself: it stands at the SIP (EU-288, 003:22285).
/// When the routine clears the master bit, the outcome is Saved.
void begin_save(Thread& thread);
/// A thread that has been dispatched to its old slot fetches back what it saved (003:22289). When
/// the routine clears the master bit, it goes on where it was.
void begin_restore(Thread& thread);

/// The function that looks at an instruction's effects on exceptions before or after it is
/// executed: breakpoints, writes of cr0 and sp. Null when there are none. It also does an
/// instruction with the registers that only a routine that saves or restores may use (fc0..fc4, n0
/// as a whole). It expects the instruction itself in `fast.general`.
Execute exception_guard(const isa::Instruction& in);

/// Is it a write of cr0.0 and nothing else, as among the first instructions of most kernels?
inline bool sets_modes(const isa::Instruction& in) {
    if (!in.dst.is_arf(isa::Arf::Control) || in.dst.subreg != 0 || in.exec_size != 1 ||
        in.breakpoint || in.end_of_thread || isa::size_bytes(in.dst.type) > 4)
        return false;
    for (unsigned i = 0; i < in.source_count; ++i)
        if (in.src[i].is_arf(isa::Arf::Timestamp)) return false;
    return true;
}
/// Is such a write no exception, and no end of the system routine?
inline bool may_set_modes(const Thread& thread) {
    const bool asks = (thread.control[1] & cr1::kLevel & thread.control[1] << 16) != 0;
    return !asks && (thread.control[0] & cr0::kMaster) == 0;
}

/// `and`, `or` or `xor` of a DWord with a constant.
struct ConstantLogic {
    std::uint32_t keep = ~0u, flip = 0;
    std::uint32_t operator()(std::uint32_t before) const { return (before & keep) ^ flip; }
};

/// A guarded instruction that is logic on cr0 and a constant need not take the general path.
void bind_control_logic(DecodedInstruction& d);

/// All that such an instruction does to cr0.0, whatever channels run, where `may_set_modes`. Null:
/// that is not known.
std::optional<ConstantLogic> mode_logic(const DecodedInstruction& d);

/// A legal opcode with fields that mean nothing: no exception (EU-297), undefined.
Outcome execute_malformed(Thread& thread, const DecodedInstruction& d);

}  // namespace gen9::eu
