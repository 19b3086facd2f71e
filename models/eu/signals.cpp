// SPDX-License-Identifier: Apache-2.0
#include "eu/signals.h"

#include <array>
#include <bit>
#include <string>
#include <vector>

#include "eu/issue/scoreboard.h"
#include "isa/opcodes.h"

namespace gen9::eu {

std::span<const char* const> opcode_words() {
    static const std::vector<const char*> words = [] {
        std::vector<const char*> made{"none"};
        for (const isa::OpcodeInfo& row : isa::opcode_table())
            made.push_back(row.mnemonic);
        return made;
    }();
    return words;
}

std::span<const char* const> register_words() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> made;
        for (unsigned r = 0; r < kGrfCount; ++r)
            made.push_back(std::string(1, 'r').append(std::to_string(r)));
        // The names are in the order of ArfBit.
        for (const char* arf : {"a0", "acc0", "acc1", "f0", "f1", "cr0", "n0", "acc2-9"})
            made.emplace_back(arf);
        made.emplace_back("none");
        return made;
    }();
    static const std::vector<const char*> words = [] {
        std::vector<const char*> made;
        for (const std::string& name : names)
            made.push_back(name.c_str());
        return made;
    }();
    static_assert(kNoRegister == kGrfCount + 8);
    return words;
}

ThreadSignals::ThreadSignals(std::string path, EuSignals& eu) : SignalSet(std::move(path), &eu) {
    state.start_with(CycleUse::NoThread);
    waits_for.start_with(kNoRegister);
}

}  // namespace gen9::eu
