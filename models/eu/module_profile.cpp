// SPDX-License-Identifier: Apache-2.0
// Timed mode counts here by walker and by instruction; issue counts the rest (issue_profiled).
#include "eu/module.h"

namespace gen9::eu {

// The reserved low bits of an IP read as 0 (EU-107).
GpuAddr Eu::address_of(const Thread& thread) {
    const GpuAddr base = thread.sideband.state->instruction_base;
    return GpuAddr((base + thread.ip).value & ~std::uint64_t{7});
}

void Eu::profile_use(CycleUse use, Cycles from, Cycles to) {
    if (use == CycleUse::NoThread) return profile_->idle(from, to);
    const auto count = [&](WorkUse& work, InstructionUse& instruction) {
        work.cycles[static_cast<std::size_t>(use)] += (to - from).value;
        instruction.cycles[static_cast<std::size_t>(use)] += (to - from).value;
    };
    if (use == CycleUse::Busy) return count(*busy_work_, *busy_instruction_);
    const Context& context = *slots_[arbiter_.oldest().value];
    count(*context.profile, profile_->at(address_of(context.thread), context.work));
}

}  // namespace gen9::eu
