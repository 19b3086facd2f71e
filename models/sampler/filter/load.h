// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/filter/request.h"

namespace gen9::sampler {

/// The taps of ld messages: integer coordinates, one texel each (SMP-150..157).
void find_loads(Request& request);
/// Finds the entry of a multisample control surface for each sample of ld_mcs: its bytes are the
/// taps (SMP-156).
void find_mcs(Request& request);
/// An entry of the multisample control surface has so many bytes.
unsigned mcs_bytes(unsigned samples);

}  // namespace gen9::sampler
