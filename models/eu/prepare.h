// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "eu/decoded.h"

namespace gen9::eu {

/// Fills the timing and scoreboard columns from the instruction (columns.cpp).
void fill_columns(DecodedInstruction& d);

/// Binds a specialised function if there is one for the instruction's shape (fast/select.cpp);
/// otherwise leaves the general one.
void bind_fast(DecodedInstruction& d);

}  // namespace gen9::eu
