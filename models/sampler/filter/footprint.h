// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/filter/request.h"

namespace gen9::sampler {

/// Finds the taps of all samples of a message that reads texels: coordinates, levels of detail,
/// address modes, places in memory.
void find_taps(Request& request);

}  // namespace gen9::sampler
