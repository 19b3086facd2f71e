// SPDX-License-Identifier: Apache-2.0
// Usual messages that come as calls.
#include <algorithm>
#include <bit>
#include <new>

#include "common/register_bytes.h"
#include "sampler/core.h"
#include "sampler/filter/by_lane.h"
#include "sampler/filter/legal.h"
#include "sampler/message/writeback.h"

namespace gen9::sampler {

/// False: the message has none, or a part of it in either part of the payload.
bool UsualSite::find_coordinate(Parameter which, Coordinate& coordinate) const {
    const auto* const row = decoded.row->params.data();
    const auto* const found = std::find(row, row + decoded.params, which);
    if (found == row + decoded.params) return false;
    const unsigned registers = decoded.registers_per_param();
    const unsigned from = (decoded.header ? 1 : 0) + static_cast<unsigned>(found - row) * registers;
    if (from < first_length && from + registers > first_length) return false;
    coordinate.in_first = from < first_length;
    coordinate.at = static_cast<std::uint8_t>(coordinate.in_first ? from : from - first_length);
    return true;
}

void Core::find_site(Message& message, UsualSite& site, Request& q) {
    const ThreadSideband& thread = *message.sender;
    const Decoded& d = site.decoded;
    site.state = thread.state;
    site.table_offset = thread.binding_table_offset;
    site.sampler_offset = thread.sampler_state_offset;
    if (d.header)
        site.header_words = load<std::uint64_t>(message.payload[0].bytes + UsualSite::kHeaderBytes);
    site.usable = false;
    q.clear();
    q.decoded = &d;
    q.header = site.header = read_header(message, d);
    const bool found = site.header.channels &&
                       registers_returned(d, site.header) == message.response_length &&
                       find_states(message, q);
    site.found = findings();
    if (!found || q.surface->raw.null() || (q.sampler && q.sampler->disabled)) return;
    if (sampler::refuse(q, q.not_modelled) || q.not_modelled) return;
    if (q.sampler && q.sampler->keyed && q.surface->format->keyed) return;
    site.may_be_saved = !d.header && thread.state->system_instruction_pointer.value != 0;
    site.surface = q.surface;
    site.sampler = q.sampler;
    site.form = {};
    site.usual = make_usual_form(q, site.form) && site.form.no_taps;
    site.by_lane = goes_by_lane(q);
    site.usable = site.usual || site.by_lane;
    // The coordinates are read where they lie, if there is nothing else to read.
    site.reads_parameters = !site.form.one_level || site.form.has_least || q.surface->raw.array ||
                            !site.find_coordinate(Parameter::U, site.u) ||
                            !site.find_coordinate(Parameter::V, site.v);
    site.coordinate_bytes =
        d.registers_per_param() == 1 ? std::uint8_t{0} : std::uint8_t{kGrfBytes};
    site.in_place = d.simd == Simd::Sixteen && !d.half && site.header.channels == 0xF;
}

void Core::read_all(const UsualSite& site, const SiteMessage& message, Request& q) {
    std::array<Grf, Message::kMaxPayload> payload;
    for (unsigned n = 0; n < site.length; ++n)
        payload[n] = site.payload(message, n);
    q.header = site.header;
    read_parameters(payload.data() + (site.decoded.header ? 1 : 0), site.decoded, q.parameters);
}

/// Reads what a message has besides its coordinates, and gives these.
UsualCoordinates Core::read_site(const UsualSite& site, const SiteMessage& message, Request& q) {
    if (site.reads_parameters) {
        read_all(site, message, q);
        return usual_coordinates(q);
    }
    const auto at = [&](const UsualSite::Coordinate& coordinate) {
        const Grf* const part = coordinate.in_first ? message.first : message.second;
        const std::uint8_t* const low = bytes_from(part[coordinate.at]);
        return UsualCoordinate{low, low + site.coordinate_bytes};
    };
    return {at(site.u), at(site.v)};
}

/// Filters a usual message that needs no taps. False: nothing has come of it.
bool Core::filter_at_once(const Request& q, const UsualForm& form, const UsualPlaces& places,
                          TexelMemory& memory, TexelLanes& results) {
    if (q.surface->has_clear_blocks) [[unlikely]] {
        const Blocks blocks = find_blocks(*q.surface, places, memory);
        if (memory.lacks()) return false;
        if (blocks == Blocks::Clear) filter_clear(*q.surface, places, results);
        if (blocks != Blocks::InMemory) return blocks == Blocks::Clear;
    }
    UsualTexels texels;
    if (!find_usual_texels(q, form, places, pages_, memory, texels) || memory.lacks()) return false;
    filter_usual(*q.surface, places, texels, results);
    return true;
}

bool Core::execute(UsualSite& site, const SiteMessage& message, Request& q, TexelMemory& memory) {
    // PRE-09 is reported of a message.
    if (site.may_be_saved && message.thread.save_area.value) return false;
    q.active = message.active;
    q.decoded = &site.decoded;
    q.surface = site.surface;
    q.sampler = site.sampler;
    UsualPlaces places;
    TexelLanes lanes;
    const bool in_place = site.in_place && q.active == 0xFFFF;
    TexelLanes& results = in_place ? *new (message.response) TexelLanes : lanes;
    bool usual = site.tries_usual();
    if (usual) {
        usual = find_usual_places(q, site.form, read_site(site, message, q), places);
        site.tried_usual(usual);
    }
    if (!usual || places.border || !filter_at_once(q, site.form, places, memory, results))
        return site.by_lane && execute_by_lane(site, message, q, memory);
    if (message.alternate_float && !q.surface->format->integer()) remove_infinities(results);
    ++stats_.messages;
    ++stats_.samples;
    const auto samples = static_cast<unsigned>(std::popcount(q.active));
    stats_.pixels += samples;
    stats_.places += samples;
    stats_.texels += places.texels;
    if (!in_place)
        write_registers(message.response, site.decoded, site.header, results, q.active,
                        q.surface->format->integer());
    else if (site.header.null_mask)
        write_null_mask(message.response[8]);
    return true;
}

bool Core::execute_by_lane(const UsualSite& site, const SiteMessage& message, Request& q,
                           TexelMemory& memory) {
    read_all(site, message, q);
    LaneResults found;
    if (!filter_by_lane(q, pages_, memory, found) || found.left != 0) return false;
    ++stats_.messages;
    q.places = static_cast<std::uint16_t>(found.places);
    q.texels = found.texels_read;
    q.clamped_biases = 0;
    count(q);
    if (message.alternate_float && !q.surface->format->integer()) remove_infinities(found.texels);
    write_registers(message.response, site.decoded, site.header, found.texels, q.active,
                    q.surface->format->integer());
    return true;
}

}  // namespace gen9::sampler
