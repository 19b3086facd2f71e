// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "sampler/filter/lod.h"
#include "sampler/filter/pages.h"
#include "sampler/filter/request.h"

namespace gen9::sampler {

/// An axis of a level, as all samples of a message see it.
struct UsualAxis {
    AddressMode mode = AddressMode::Clamp;
    std::uint32_t size = 1;
    double scale = 1;         ///< from a coordinate to 1/256 texel
    double rounding = 0;      ///< added before it is cut: 1/2 with address rounding
    std::uint32_t limit = 0;  ///< a float's bits: farther coordinates go the general way
    std::int32_t shift = 0;   ///< 1/256 texel, to the first texel that counts
};

/// A usual message apart from its samples: what its descriptor, its header and its states say.
struct UsualForm {
    bool one_level = false;  ///< `choice` is that of every message
    bool has_least = false;  ///< messages have a least level of detail of their own
    bool no_taps = false;    ///< its texels are filtered at once, if none is the border's
    LodChoice choice;
    // These describe the level that was chosen.
    bool has_level = false;
    bool linear = false;
    bool aligned = false;  ///< no texel crosses the end of a line
    std::array<UsualAxis, 2> axes;
    std::uint32_t x_bytes = 0, y = 0;  ///< of its first texel in slice 0
    std::uint32_t begin = 0;      ///< bytes from the surface's base, before all texels of the level
    std::uint32_t tile_rows = 0;  ///< 0: tiles of a row reach into the next
    std::uint32_t row_bytes = 0;  ///< from a row to the next, a tile's row divided by its rows

    /// Bytes from the surface's base on: the end of a row's tiles.
    std::uint32_t end_of_row(std::uint32_t row) const {
        return tile_rows == 0 ? ~std::uint32_t{0} : (row | (tile_rows - 1)) * row_bytes + row_bytes;
    }
};

/// A coordinate of the 16 samples: that of the first eight and that of the others.
struct UsualCoordinate {
    const std::uint8_t *low, *high;
};
struct UsualCoordinates {
    UsualCoordinate u, v;
};

/// False: messages of this form are no usual ones, and go the general way. The request has
/// descriptor, header and states.
bool make_usual_form(const Request& request, UsualForm& form);

/// The coordinates among a request's parameters.
UsualCoordinates usual_coordinates(const Request& request);

/// False: it is no usual message, and goes the general way. May change the form's level. The
/// request has its parameters, but for the coordinates.
bool find_usual_places(const Request& request, UsualForm& form, const UsualCoordinates& at,
                       UsualPlaces& places);

/// Makes taps of the places; they are those that find_taps would find.
void add_usual_taps(Request& request, const UsualPlaces& places);

/// True: the message needs no taps. All its texels are the surface's, as they are, and the filter
/// is the standard one; they are counted.
bool needs_no_taps(Request& request, const UsualForm& form, const UsualPlaces& places);

/// Finds the texels of such a message in host memory. False: one cannot be read directly.
bool find_usual_texels(const Request& request, const UsualForm& form, const UsualPlaces& places,
                       Pages& pages, TexelMemory& memory, UsualTexels& texels);

/// Lists the lines of such a message, and where its texels will be when they have come. False:
/// texels may lie in two lines.
bool list_usual_lines(Request& request);

/// Gives the channels that the surface selects.
void select_lanes(const SampledSurface& surface, TexelLanes& texels);

/// Converts and filters the texels of such a message: all samples of a channel at once.
inline void filter_usual(const SampledSurface& surface, const UsualPlaces& places,
                         const UsualTexels& source, TexelLanes& results) {
    const Decoder& decode = surface.format->decode;
    if (places.linear)
        decode.filter({source.base, source.at.data(), places.x.data(), places.y.data()}, results);
    else
        decode.lanes(source.base, source.at[0].data(), results);
    if (!surface.identity) [[unlikely]]
        select_lanes(surface, results);
}

/// The same, where all texels have the clear colour.
void filter_clear(const SampledSurface& surface, const UsualPlaces& places, TexelLanes& results);

}  // namespace gen9::sampler
