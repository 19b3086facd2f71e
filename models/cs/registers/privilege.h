// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "cs/registers/registers.h"

namespace gen9::cs {

/// Registers that a batch in the PPGTT, which is not privileged, may write (CS-144).
struct UserRegisters {
    std::uint32_t offset;
    std::uint16_t count;
    const char* source;
};
std::span<const UserRegisters> user_registers();

/// May a batch that is not privileged write it: by the list above, or because one of the registers
/// RCS_FORCE_TO_NONPRIV names it (CS-121)?
bool user_may_write(const RegisterFile& file, std::uint32_t offset);

}  // namespace gen9::cs
