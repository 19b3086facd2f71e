// SPDX-License-Identifier: Apache-2.0
#include "eu/thread/exceptions.h"

#include "eu/execute/families.h"
#include "eu/thread/masks.h"

namespace gen9::eu {

namespace {

/// Of the SIP the EU uses bits 31:4 (EU-292).
std::uint32_t system_routine(const Thread& thread) {
    if (!thread.sideband.state) return 0;
    return static_cast<std::uint32_t>(thread.sideband.state->system_instruction_pointer.value) &
           ~15u;
}

void enter(Thread& thread, std::uint32_t return_ip) {
    thread.control[0] |= cr0::kMaster;
    thread.control[2] = return_ip & ~7u;
    jump(thread, system_routine(thread));
}

bool writes(const isa::Instruction& in, isa::Arf kind) {
    return in.dst.is_arf(kind) && (in.dst.reg & 15) == 0;
}

/// After the instruction: did it leave the system routine, does it ask for it?
Outcome execute_control_write(Thread& thread, const DecodedInstruction& d) {
    const bool handling = thread.control[0] & cr0::kMaster;
    const Outcome outcome = d.fast.general(thread, d);
    if (thread.control[0] & cr0::kMaster) return outcome;
    if (handling) jump(thread, thread.control[2]);
    const std::uint32_t pending = thread.control[1] & cr1::kLevel & thread.control[1] << 16;
    if (pending != 0) enter(thread, thread.ip);
    return handling || pending != 0 ? Outcome::Exception : outcome;
}

/// A stack pointer beyond its limit (003:19896). The PRM checks nothing else, and only here.
Outcome execute_stack_write(Thread& thread, const DecodedInstruction& d) {
    const Outcome outcome = d.fast.general(thread, d);
    if (thread.stack[0] <= thread.stack[1]) return outcome;
    return take_exception(thread, cr1::kStackOverflow, thread.ip) ? Outcome::Exception : outcome;
}

Execute write_guard(const isa::Instruction& in) {
    if (writes(in, isa::Arf::Control)) return execute_control_write;
    if (writes(in, isa::Arf::StackPointer)) return execute_stack_write;
    return nullptr;
}

/// Not executed but left to the system routine, which sets Suppress to get past it (002:3209-3219).
Outcome execute_breakpoint(Thread& thread, const DecodedInstruction& d) {
    const bool handling = thread.control[0] & cr0::kMaster;
    const bool enabled = thread.control[1] & cr1::enable(cr1::kBreakpoint);
    if (!handling && enabled && (thread.control[0] & cr0::kBreakpointSuppress))
        thread.control[0] &= ~cr0::kBreakpointSuppress;
    else if (take_exception(thread, cr1::kBreakpoint, d.ip))
        return Outcome::Exception;
    const Execute guard = write_guard(d.instruction);
    return guard != nullptr ? guard(thread, d) : d.fast.general(thread, d);
}

}  // namespace

bool take_exception(Thread& thread, std::uint32_t status, std::uint32_t return_ip) {
    // Noted whether or not it is enabled, and while another is handled (EU-101, EU-290).
    thread.control[1] |= status;
    if ((thread.control[0] & cr0::kMaster) || !(thread.control[1] & cr1::enable(status)))
        return false;
    enter(thread, return_ip);
    return true;
}

Execute exception_guard(const isa::Instruction& in) {
    return in.breakpoint ? execute_breakpoint : write_guard(in);
}

Outcome execute_illegal(Thread& thread, const DecodedInstruction& d) {
    return take_exception(thread, cr1::kIllegalOpcode, d.ip) ? Outcome::Exception : Outcome::Fault;
}

Outcome execute_malformed(Thread&, const DecodedInstruction&) {
    return Outcome::Fault;
}

}  // namespace gen9::eu
