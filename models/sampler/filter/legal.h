// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/filter/request.h"

namespace gen9::sampler {

/// Says why a message may not be sent, for its surface, sampler or header; null when it may. Sets
/// `not_modelled` to the row of what is missing.
const char* refuse(const Request& request, const char*& not_modelled);

/// Are texels compared with a reference? The sampler's reduction type decides, if it is enabled
/// (SMP-54), and else the message.
inline bool compares(const Request& request) {
    const SamplerState* const sampler = request.sampler;
    return sampler && sampler->reduction_enabled ? sampler->reduction == Reduction::Comparison
                                                 : request.decoded->row->compare;
}

}  // namespace gen9::sampler
