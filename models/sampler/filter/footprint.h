// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/filter/request.h"

namespace gen9::sampler {

/// Finds the taps of all samples of a message that reads texels: coordinates, levels of detail,
/// address modes, places in memory.
void find_taps(Request& request);

/// What a sample* or gather4 message may not be sent for; null when it may.
const char* refuse_surface(const Request& request, const char*& not_modelled);

}  // namespace gen9::sampler
