// SPDX-License-Identifier: Apache-2.0
#include "sampler/core.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/check.h"
#include "packets/sampler_state.h"
#include "packets/surface_state.h"
#include "sampler/filter/by_lane.h"
#include "sampler/filter/combine.h"
#include "sampler/filter/footprint.h"
#include "sampler/filter/legal.h"
#include "sampler/filter/load.h"
#include "sampler/filter/query.h"
#include "sampler/filter/usual.h"
#include "sampler/message/writeback.h"

namespace gen9::sampler {

namespace {

namespace state = packets::render_surface_state;

constexpr unsigned kLine = Request::kLine;
constexpr unsigned kBorderBytes = 16;
const SamplerTables kNoTables;

/// Bytes of a tap's element or block.
unsigned tap_bytes(const Request& q, const Tap& tap) {
    if (q.decoded->row->kind == Kind::Mcs) return mcs_bytes(q.surface->raw.samples);
    const Format& format = *q.surface->format;
    if (!format.planar()) return format.bytes;
    return format.plane_bytes() * (tap.plane == Plane::Chroma ? 2 : 1);
}
bool has_address(const Tap& tap) {
    return of_surface(tap.from);
}

}  // namespace

void Core::invalidate_states() {
    surfaces_.invalidate();
    pictures_.invalidate();
    destinations_.invalidate();
    forget_samplers();
    forget_scalers();
}

void Core::forget_samplers() {
    ++sampler_changes_;
    filled_samplers_.empty([this](std::size_t place) { samplers_[place].address = ~0ull; });
}

void Core::invalidate_pages() {
    pages_.forget();
}

const SamplerTables* Core::tables_of(const Message& message) {
    const SamplerTables* const tables = message.sender->state->sampler_tables.get();
    return tables ? tables : &kNoTables;
}

void Core::find_key(Request& q) {
    if (q.sampler && q.sampler->keyed && q.surface->format->keyed)
        q.key = &q.tables->keys[q.sampler->key];
}

const SampledSurface* Core::find_surface(const Message& message, const Decoded& d) {
    if (d.binding_index != kBindless)
        return surfaces_.resolve(*message.sender, d.binding_index, reader_);
    return surfaces_.resolve_bindless(*message.sender, bindless_offset(message), reader_);
}

const SamplerState* Core::find_sampler(const Message& message, const Request& q) {
    const ThreadSideband& sender = *message.sender;
    constexpr unsigned kBytes = packets::sampler_state::kDwords * 4;
    // SMP-73.
    const std::uint64_t address =
        (sender.state->dynamic_state_base.value + q.header.sampler_state_pointer +
         q.decoded->sampler_index * kBytes) &
        kAddressMask;
    const std::size_t place = address / kBytes % samplers_.size();
    SamplerEntry& entry = samplers_[place];
    const std::uint32_t number = sender.state->number;
    if (entry.address == address && entry.number == number) return &entry.state;
    std::uint32_t dwords[packets::sampler_state::kDwords]{};
    if (!reader_.read_state(GpuAddr(address), dwords, sizeof dwords, sender.state->dynamic_mocs))
        return nullptr;
    ++sampler_changes_;
    entry = {address, number, read_sampler_state(dwords)};
    filled_samplers_.add(place);
    return &entry.state;
}

Core::Work Core::refuse(Message& message, const Decoded& d, const char* guest_error,
                        const char* not_modelled) {
    ++stats_.refused;
    zero_response(message);
    std::string what = (d.row ? std::string(d.row->name) + ": " : std::string()) + to_text(message);
    if (d.direct && d.header && d.simd != Simd::Media)
        what += ", render target " + std::to_string(render_target(message));
    if (guest_error) {
        message.status = MessageStatus::GuestError;
        reporter_.guest_error("sampler message", place_text(message),
                              std::string(guest_error) + "; it returns zeros (" + what + ")");
    } else {
        message.status = MessageStatus::NotModelled;
        reporter_.not_modelled(not_modelled, what + " at " + place_text(message));
    }
    return Work::None;
}

/// Finds surface and sampler; false: there is none, and `request` says why.
bool Core::find_states(Message& message, Request& q) {
    const MessageRow& row = *q.decoded->row;
    q.surface = find_surface(message, *q.decoded);
    q.sampler = nullptr;
    if (!q.surface) {
        q.guest_error = "surface state that is not mapped, or beyond the bindless ones";
        return false;
    }
    q.mocs = q.surface->raw.mocs;
    if (row.kind != Kind::Sample && row.kind != Kind::Gather && row.kind != Kind::Lod &&
        row.kind != Kind::Grid)
        return true;
    // GT_MODE, whose bit no document places, decides what the pointer counts from.
    if (bindless_samplers_ && q.decoded->binding_index == kBindless) {
        q.not_modelled = "L3-88";
        return false;
    }
    q.sampler = find_sampler(message, q);
    if (!q.sampler) q.guest_error = "sampler state that is not mapped";
    return q.sampler != nullptr;
}

void Core::count(const Request& q) {
    switch (q.decoded->row->kind) {
        case Kind::Sample:
            ++stats_.samples;
            break;
        case Kind::Load:
        case Kind::Mcs:
            ++stats_.loads;
            break;
        case Kind::Gather:
            ++stats_.gathers;
            break;
        case Kind::Grid:
            ++stats_.unorms;
            break;
        case Kind::Scale:
            ++stats_.scalings;
            break;
        default:
            ++stats_.queries;
    }
    stats_.pixels += of_media(q.decoded->row->kind)
                         ? q.media->in().width() * q.media->in().height()
                         : static_cast<unsigned>(std::popcount(q.active));
    stats_.places += q.places;
    stats_.texels += q.texels;
    stats_.clamped_biases += q.clamped_biases;
}

// PRE-09: 003:17050. Assumed: preemption is enabled for a thread that could be saved.
void Core::check_headerless(const Message& message) {
    if (message.sender->save_area.value && message.sender->state->system_instruction_pointer.value)
        reporter_.guest_error("sampler message", place_text(message),
                              "no header, where threads may be preempted (PRE-09); it is executed");
}

/// Everything before the texels are found; false: `work` is what is left to do.
bool Core::begin(Message& message, Request& q, Work& work) {
    work = Work::None;
    GEN9_CHECK(message.sender && message.sender->state,
               "message without a sender: " + to_text(message));
    GEN9_CHECK(message.length <= Message::kMaxPayload, "message too long: " + to_text(message));
    message.status = MessageStatus::Ok;
    message.response_enable.fill(0);
    ++stats_.messages;
    if (!message.header_present) check_headerless(message);
    const Decoded& d = decodes_.get(message);
    q.clear();
    q.decoded = &d;
    if (q.media) q.media->block.lines.clear();  // of the message before
    const auto refused = [&](const char* guest_error, const char* not_modelled) {
        refuse(message, d, guest_error, not_modelled);
        return false;
    };
    if (d.error || d.not_modelled) return refused(d.error, d.not_modelled);
    if (d.row->kind == Kind::Flush) {
        ++stats_.flushes;
        work = Work::Flush;
        return false;
    }
    if (of_media(d.row->kind)) return begin_media(message, q);
    q.header = read_header(message, d);
    if (!q.header.channels) return refused("all channels are masked (SMP-111)", nullptr);
    choose_mcs_channels(message, d, q.header);
    if (d.direct) {
        const char* const illegal = check_direct(q.header);
        if (illegal || !reaches_target_) return refused(illegal, "SMP-122");
    } else if (registers_returned(d, q.header) != message.response_length)
        return refused("response length does not fit the header's channels (SMP-113)", nullptr);
    q.active = d.active(message.execution_mask);
    if (!q.active) return false;
    q.for_target = d.direct;
    if (!find_states(message, q)) return refused(q.guest_error, q.not_modelled);
    read_parameters(message.payload.data() + (d.header ? 1 : 0), d, q.parameters);
    const Kind kind = d.row->kind;
    const bool query = kind == Kind::Lod || kind == Kind::ResInfo || kind == Kind::SampleInfo;
    q.tables = tables_of(message);
    const bool nothing = q.surface->raw.null() || (q.sampler && q.sampler->disabled);
    if (!nothing) {
        q.guest_error = sampler::refuse(q, q.not_modelled);
        if (q.guest_error || q.not_modelled) return refused(q.guest_error, q.not_modelled);
    }
    if (query || nothing) {
        q.results.fill({});
        if (!nothing) answer_query(q);
        count(q);
        write(message, q);
        return false;
    }
    find_key(q);
    return true;
}

bool Core::ControlLines::is_clear(const SampledSurface& surface, unsigned level,
                                  std::uint32_t slice, std::uint32_t x, std::uint32_t y) {
    const surface::ElementPlace place =
        surface::ccs_element(surface.control, surface.format->bytes, level, slice, x, y);
    const std::uint64_t line = place.address & kAddressMask & ~std::uint64_t{kLine - 1};
    if (line != line_) {
        reader_.read_state(GpuAddr(line), bytes_.data(), kLine, surface.raw.mocs);
        line_ = line;
    }
    const unsigned element = surface::element_value(place, bytes_[place.address % kLine]);
    if (element != surface::kClear && element != surface::kPassThrough) [[unlikely]]
        reporter_.not_modelled("CC-33",
                               "compressed blocks of a texture are read as memory has them");
    return element == surface::kClear;
}

void Core::find_texels(Message& message, Request& q, const UsualPlaces* usual) {
    if (q.surface->has_clear_blocks) {
        control_lines_.forget();
        q.clear_blocks = &control_lines_;
    }
    if (q.decoded->row->kind == Kind::Mcs)
        find_mcs(q);
    else if (usual)
        add_usual_taps(q, *usual);
    else
        find_taps(q);
    if (q.sampler) {
        q.border_address =
            (message.sender->state->dynamic_state_base.value + q.sampler->border_offset) &
            kAddressMask;
        q.needs_border =
            std::any_of(q.taps.data(), q.taps.data() + q.tap_count, [](const Tap& tap) {
                return tap.from >= From::Border && tap.from <= From::EighthBorder;
            });
    }
    q.texels = q.tap_count;
}

Core::Work Core::begin_timed(Message& message, Request& q) {
    Work work;
    const bool more = begin(message, q, work);
    if (more || q.for_target) q.keep_states();
    if (!more) return work;
    if (of_media(q.decoded->row->kind)) {
        list_media_lines(q);
        return Work::Texels;
    }
    UsualForm form;
    const bool usual = !general_way_ && !q.surface->has_clear_blocks && make_usual_form(q, form) &&
                       find_usual_places(q, form, usual_coordinates(q), q.usual_places);
    q.usual = usual && needs_no_taps(q, form, q.usual_places);
    if (!q.usual) find_texels(message, q, usual ? &q.usual_places : nullptr);
    count(q);
    list_lines(q);
    return Work::Texels;
}

void Core::execute(Message& message, Request& q, TexelMemory& memory) {
    Work work;
    if (!begin(message, q, work)) return;
    if (of_media(q.decoded->row->kind)) return execute_media(message, q, memory);
    UsualForm form;
    UsualPlaces places;
    bool usual = !general_way_ && make_usual_form(q, form) &&
                 find_usual_places(q, form, usual_coordinates(q), places);
    TexelLanes results;
    if (usual && needs_no_taps(q, form, places) &&
        filter_at_once(q, form, places, memory, results)) {
        count(q);
        return write(message, q, results);
    }
    q.clear_places();
    if (!general_way_ && goes_by_lane(q) && execute_by_lane(message, q, memory)) return;
    // Taps see to clear blocks, texel by texel.
    usual = usual && !q.surface->has_clear_blocks;
    find_texels(message, q, usual ? &places : nullptr);
    count(q);
    read(q, memory);
    write(message, q);
}

/// False: nothing has come of it.
bool Core::execute_by_lane(Message& message, Request& q, TexelMemory& memory) {
    LaneResults found;
    if (!filter_by_lane(q, pages_, memory, found)) return false;
    const std::uint32_t all = q.active;
    q.active = found.left;
    if (found.left) {
        find_texels(message, q, nullptr);
        read(q, memory);
        for (std::uint32_t left = found.left; left; left &= left - 1) {
            const auto n = static_cast<unsigned>(std::countr_zero(left));
            for (unsigned c = 0; c < 4; ++c)
                found.texels.channel[c][n] = q.results[n].channel[c];
        }
    } else {
        q.texels = 0;
    }
    q.active = all;
    q.places = static_cast<std::uint16_t>(q.places + found.places);
    q.texels += found.texels_read;
    count(q);
    write(message, q, found.texels);
    return true;
}

void Core::write(Message& message, const Request& q) {
    TexelLanes results;
    for (unsigned n = 0; n < q.decoded->samples(); ++n)
        for (unsigned c = 0; c < 4; ++c)
            results.channel[c][n] = q.results[n].channel[c];
    write(message, q, results);
}

void Core::write(Message& message, const Request& q, const TexelLanes& results) {
    const Kind kind = q.decoded->row->kind;
    const bool texels = kind == Kind::Sample || kind == Kind::Load || kind == Kind::Gather;
    const bool integer = kind == Kind::Lod ? false
                         : !texels         ? true
                                           : q.surface->format && q.surface->format->integer();
    write_back(message, *q.decoded, q.header, results, q.active, q.killed, integer);
}

void Core::finish(Message& message, Request& q) {
    if (of_media(q.decoded->row->kind)) return finish_media_by_lines(message, q);
    if (q.usual) {
        TexelLanes results;
        filter_usual(*q.surface, q.usual_places, q.usual_texels, results);
        return write(message, q, results);
    }
    std::array<const std::uint8_t*, Request::kMaxTaps> where;
    for (unsigned i = 0; i < q.tap_count; ++i) {
        const Tap& tap = q.taps[i];
        if (!has_address(tap)) continue;
        const std::uint64_t in_line = tap.address % kLine, size = tap_bytes(q, tap);
        const std::uint8_t* const line = q.line_bytes[q.tap_lines[i][0]].data();
        where[i] = line + in_line;
        if (in_line + size <= kLine) [[likely]]
            continue;
        q.bytes.fit(q.tap_count);
        where[i] = q.bytes[i].data();
        std::memcpy(q.bytes[i].data(), line + in_line, kLine - in_line);
        std::memcpy(q.bytes[i].data() + (kLine - in_line), q.line_bytes[q.tap_lines[i][1]].data(),
                    in_line + size - kLine);
    }
    combine(q, where.data());
    write(message, q);
}

void Core::read(Request& q, TexelMemory& memory) {
    if (q.needs_border) {
        alignas(16) std::uint8_t bytes[kBorderBytes];
        memory.read(q.border_address, bytes, sizeof bytes);
        q.border = border_texel(*q.surface->format, *q.sampler, bytes);
    }
    std::array<const std::uint8_t*, Request::kMaxTaps> where;
    for (unsigned i = 0; i < q.tap_count; ++i) {
        const Tap& tap = q.taps[i];
        if (!has_address(tap)) continue;
        const std::uint64_t in_page = tap.address % Pages::kBytes;
        const unsigned size = tap_bytes(q, tap);
        const std::uint8_t* const host = pages_.find(tap.address / Pages::kBytes, memory);
        if (host && in_page + size <= Pages::kBytes) [[likely]] {
            where[i] = host + in_page;
            continue;
        }
        q.bytes.fit(q.tap_count);
        for (unsigned done = 0; done < size;) {
            const std::uint64_t address = tap.address + done;
            const auto part = std::min(size - done, static_cast<unsigned>(kLine - address % kLine));
            memory.read(address, q.bytes[i].data() + done, part);
            done += part;
        }
        where[i] = q.bytes[i].data();
    }
    combine(q, where.data());
}

void Core::answer_query(Request& q) {
    const SampledSurface& s = *q.surface;
    const MessageRow& row = *q.decoded->row;
    for (unsigned n = 0; n < q.decoded->samples(); ++n) {
        if (!(q.active >> n & 1)) continue;
        auto& result = q.results[n].channel;
        if (row.kind == Kind::SampleInfo) {  // SMP-163
            result = {s.raw.samples, 0, 0, s.palette + 1u};
        } else if (row.kind == Kind::ResInfo) {
            result = resource_info(s, q.parameters[Parameter::Lod][n]);
        } else {  // SMP-164
            const LodAnswer lod = query_lod(q, n);
            q.results[n].set(0, lod.clamped);
            q.results[n].set(1, lod.unclamped);
        }
    }
}

void Core::list_lines(Request& q) {
    if (q.usual) {
        if (list_usual_lines(q)) return;
        q.usual = false;
        q.line_count = 0;
        q.clear_places();
        add_usual_taps(q, q.usual_places);
    }
    const unsigned samples = q.decoded->samples();
    q.tap_lines.fit(q.tap_count);
    for (unsigned n = 0; n < samples; n += Request::kGroup) {
        q.begin_lines();
        const unsigned last = q.first_tap[std::min(n + Request::kGroup, samples)];
        for (unsigned i = q.first_tap[n]; i < last; ++i) {
            const Tap& tap = q.taps[i];
            if (!has_address(tap)) continue;
            const std::uint64_t end = tap.address + tap_bytes(q, tap) - 1;
            q.tap_lines[i][0] = q.add_line(tap.address / kLine);
            q.tap_lines[i][1] = q.add_line(end / kLine);
        }
    }
    if (q.needs_border) {
        q.begin_lines();
        q.add_line(q.border_address / kLine);
    }
    q.line_bytes.fit(q.line_count);
}

void Core::deliver(Request& q, unsigned index, const std::uint8_t* line) {
    if (q.needs_border && index == q.line_count - 1u)
        q.border = border_texel(*q.surface->format, *q.sampler, line + q.border_address % kLine);
    else
        std::memcpy(q.line_bytes[index].data(), line, kLine);
}

}  // namespace gen9::sampler
