// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "vme/message/inputs.h"
#include "vme/picture/patch.h"

namespace gen9::vme {

/// Distortions of every position of a window, as 16 phases of words (VME-43, VME-72, VME-73).
void write_mesh(const Inputs& in, const Patch& source, const Patch& window, Message& message);

}  // namespace gen9::vme
