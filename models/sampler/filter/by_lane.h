// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "sampler/filter/pages.h"
#include "sampler/filter/request.h"

namespace gen9::sampler {

/// Samples that have places of their own: levels, slices, faces of a cube, several places along the
/// axis of an anisotropic footprint; and loads. Every step is done for all samples of the message at
/// once, and each sample's sum is that of its taps in their order, bit for bit.
struct LaneResults {
    TexelLanes texels;       ///< of the samples that are done
    std::uint32_t left = 0;  ///< samples that only the general way takes
    unsigned places = 0;     ///< of the samples that are done
    unsigned texels_read = 0;
};

/// May messages of such states and such a form be filtered so? The request has descriptor, header and
/// states.
bool goes_by_lane(const Request& request);

/// Filters the samples of such a message; the request has its parameters. False: a texel cannot be
/// read directly, and nothing has come of it.
bool filter_by_lane(const Request& request, Pages& pages, TexelMemory& memory,
                    LaneResults& results);

}  // namespace gen9::sampler
