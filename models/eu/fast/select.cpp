// SPDX-License-Identifier: Apache-2.0
#include "eu/prepare.h"

namespace gen9::eu {

void bind_fast(DecodedInstruction&) {}

}  // namespace gen9::eu
