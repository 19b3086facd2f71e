// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/filter/request.h"

namespace gen9::sampler {

/// Finds the taps of the usual messages: sample_lz of a single 2D surface in linear, X or Y tiles,
/// nearest or linear from one level. False: it is none of them, and nothing has been done. The taps
/// are those that find_taps would find.
bool find_usual_taps(Request& request);

}  // namespace gen9::sampler
