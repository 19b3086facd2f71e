// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/filter/lod.h"
#include "sampler/filter/request.h"

namespace gen9::sampler {

/// The derivatives of a sample's coordinates by its subspan: samples 4n to 4n+3 are its upper left,
/// upper right, lower left and lower right pixel (SMP-02, SMP-09).
Gradients neighbour_gradients(const Request& request, unsigned sample);
/// The message gives these (SMP-145).
Gradients given_gradients(const Request& request, unsigned sample);

}  // namespace gen9::sampler
