// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/filter/usual.h"

namespace gen9::sampler {

/// The places of a message all of whose samples are executed, and have their texels in the level or
/// are clamped to it: what find_usual_places says of such a one. `slice_row` is the first row of the
/// slice. False: the message is not one of these, and nothing is said of its places.
using FindNearPlaces = bool (*)(const Request& request, const UsualForm& form,
                                const UsualCoordinates& at, std::uint32_t slice_row,
                                UsualPlaces& places);
/// By the host's instructions for it; null: it has none.
extern const FindNearPlaces find_near_places;

}  // namespace gen9::sampler
