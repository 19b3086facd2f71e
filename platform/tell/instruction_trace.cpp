// SPDX-License-Identifier: Apache-2.0
#include "platform/tell/instruction_trace.h"

#include <cstdio>

#include "common/bits.h"
#include "common/check.h"
#include "isa/text/disassemble.h"

namespace gen9::platform {
namespace {

/// A destination of more registers is cut: the trace is read by people.
constexpr unsigned kShownRegisters = 2;

}  // namespace

InstructionTrace::InstructionTrace(const std::string& path) : path_(path), file_(path) {
    if (!file_) throw UserError("cannot write the instruction trace '" + path + "'");
    file_ << "# cycle thread channels ip instruction -> destination registers, lowest DWord last\n";
}

void InstructionTrace::close() {
    file_.close();
    if (!file_)
        throw UserError("cannot write the instruction trace '" + path_ +
                        "' to its end: is the disk full?");
}

void InstructionTrace::executed(const eu::Thread& thread, const eu::DecodedInstruction& instruction,
                                Cycles cycle, std::uint32_t channels) {
    char text[128];
    const ThreadAddress& at = thread.sideband.place;
    std::snprintf(text, sizeof text, "%10llu %u.%u.%u.%u %08x %06x ",
                  static_cast<unsigned long long>(cycle.value), at.slice.value, at.subslice.value,
                  at.eu.value, at.slot.value, channels, instruction.ip);
    file_ << text << isa::disassemble(instruction.instruction, instruction.ip);
    const bool computed = instruction.pipe != eu::Pipe::Send && instruction.writes.count != 0;
    for (unsigned i = 0; computed && i < instruction.writes.count && i < kShownRegisters; ++i) {
        const unsigned reg = instruction.writes.first + i;
        if (reg >= kGrfCount) break;
        std::snprintf(text, sizeof text, " -> r%u ", reg);
        file_ << text;
        for (unsigned dword = 8; dword-- > 0;) {
            std::snprintf(text, sizeof text, "%08x%s",
                          load<std::uint32_t>(thread.grf[reg].bytes + 4 * dword), dword ? "_" : "");
            file_ << text;
        }
    }
    file_ << '\n';
}

}  // namespace gen9::platform
