// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "eu/execute/decoded.h"

namespace gen9::eu {

/// Fills the timing and scoreboard columns from the instruction (columns.cpp).
void fill_columns(DecodedInstruction& d);

/// Fills what masks and predicates need of the operands (fast/select.cpp).
void fill_frame(DecodedInstruction& d);

/// Instruction set of the host the specialised functions may use.
enum class Host : std::uint8_t { Detected, Baseline };

/// Binds a specialised function if there is one for the instruction's shape (fast/select.cpp);
/// otherwise leaves the general one.
void bind_fast(DecodedInstruction& d, Host host = Host::Detected);

}  // namespace gen9::eu
