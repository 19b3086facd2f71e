// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "common/report.h"
#include "cs/registers/registers.h"
#include "packets/commands.h"

namespace gen9::cs {

/// Something a stream or the host may ask of the streamer that changes nothing here, and why.
/// If hardware would do something that can be seen, `ledger` names the row that is missing and a
/// use is reported as not modelled; otherwise a use is noted (Reporter::note).
struct NoEffect {
    const char* name;   ///< of the command or register
    const char* field;  ///< "": a use of the command itself
    /// A command's header, or the offset of the first register of a row of the register table.
    std::uint32_t place;
    std::uint8_t dword, high, low;  ///< where the field stands; a register has DWord 0 only
    std::uint32_t usual;            ///< the value with which it asks for nothing
    const char* ledger;             ///< "": nothing that can be seen depends on it
    const char* reason;

    bool asked(std::span<const std::uint32_t> dwords) const {
        if (!*field) return true;
        if (dword >= dwords.size()) return false;
        return (dwords[dword] & (~0u >> (31 - high))) >> low != usual;
    }
};

/// All rows: commands in order of header, then registers in order of offset.
std::span<const NoEffect> no_effects();
/// The rows of a command, and of a register.
std::span<const NoEffect> no_effects_of(const packets::CommandRow& row);
std::span<const NoEffect> no_effects_of(const RegisterRow& row);

/// Reports uses: each row that is only noted once, each use of what is not modelled.
class NoEffectLog {
  public:
    explicit NoEffectLog(Reporter& reporter) : reporter_(reporter) {}
    void command(const packets::CommandRow& row, std::span<const std::uint32_t> dwords) {
        for (const NoEffect& use : no_effects_of(row))
            if (use.asked(dwords)) note(use);
    }
    void register_written(const RegisterRow& row, std::uint32_t value) {
        for (const NoEffect& use : no_effects_of(row))
            if (use.asked({&value, 1})) note(use);
    }

  private:
    void note(const NoEffect& use);
    Reporter& reporter_;
    std::vector<bool> noted_ = std::vector<bool>(no_effects().size());
};

}  // namespace gen9::cs
