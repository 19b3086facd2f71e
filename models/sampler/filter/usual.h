// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/filter/pages.h"
#include "sampler/filter/request.h"

namespace gen9::sampler {

/// False: it is no usual message, and goes the general way.
bool find_usual_places(const Request& request, UsualPlaces& places);

/// Makes taps of the places; they are those that find_taps would find.
void add_usual_taps(Request& request, const UsualPlaces& places);

/// True: the message needs no taps. All its texels are the surface's, as they are, and the filter
/// is the standard one; they are counted.
bool needs_no_taps(Request& request, const UsualPlaces& places);

/// Finds the texels of such a message in host memory. False: one cannot be read directly.
bool find_usual_texels(const Request& request, const UsualPlaces& places, Pages& pages,
                       TexelMemory& memory, UsualTexels& texels);

/// Lists the lines of such a message, and where its texels will be when they have come. False:
/// texels may lie in two lines.
bool list_usual_lines(Request& request);

/// Converts and filters the texels of such a message: all samples of a channel at once.
void filter_usual(const Request& request, const UsualPlaces& places, const UsualTexels& source,
                  TexelLanes& results);

/// The same, where all texels have the clear colour.
void filter_clear(const Request& request, const UsualPlaces& places, TexelLanes& results);

}  // namespace gen9::sampler
