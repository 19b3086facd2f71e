// SPDX-License-Identifier: Apache-2.0
// The front end's way with media objects: what they may ask for, and what their threads are given.
#include "media/objects/media_cursor.h"
#include "media/walk/front_end.h"
#include "media/walk/refuse.h"

namespace gen9::media {
namespace {

/// Rows of the CURBE that a thread is given beside what comes by the URB.
unsigned constant_rows(const Walk& walk) {
    const Descriptor& d = walk.descriptor;
    if (walk.grouped()) return d.cross_thread_rows + d.per_thread_rows;
    return d.per_thread_rows;
}

/// MED-28: the CURBE holds the mask, and is no payload then.
bool has_mask(const Walk& walk) {
    return walk.media->command == MediaCommand::ObjectWalker && walk.media_walker.mask_pitch != 0;
}

/// Of a thread, R0 among them.
unsigned payload_registers(const Walk& walk) {
    const MediaObject& object = *walk.media;
    const unsigned by_urb =
        rows_of(object.inline_data.size()) + (walk.grouped() ? 0 : rows_of(object.indirect_bytes));
    return 1 + (has_mask(walk) ? 0 : constant_rows(walk)) + by_urb;
}

}  // namespace

std::optional<Refusal> FrontEnd::prepare_media(const PipelineCommand& command, MemoryReader& memory,
                                               unsigned thread_in_group, Walk& walk) {
    const MediaCommand kind = *media_command_of(command);
    const char* const name = to_text(kind);
    if (!command.state) return guest(name, "no STATE_BASE_ADDRESS before it");
    if (!vfe_valid_) return guest(name, "no MEDIA_VFE_STATE before it");
    walk = Walk{};
    walk.media = decode_media_object(kind, dwords_of(command));
    walk.state = command.state;
    walk.vfe = vfe_;
    walk.pools = pools_;
    if (kind == MediaCommand::ObjectWalker) {
        walk.media_walker = decode_media_walker(dwords_of(command));
        if (auto refusal = check(walk.media_walker)) return refusal;
    }
    if (walk.media->descriptor_index >= descriptors_loaded_)
        return guest(name, "interface descriptor " + std::to_string(walk.media->descriptor_index) +
                               " of " + std::to_string(descriptors_loaded_) + " loaded");
    walk.descriptor = descriptor(walk.media->descriptor_index);
    walk.registers = registers_of(*walk.state, walk.descriptor, payload_registers(walk), memory);
    if (auto refusal = check_registers(name, *walk.state, walk.descriptor, walk.registers))
        return refusal;
    if (auto refusal = check_media(walk)) return refusal;
    if (auto refusal = check_payload(walk)) return refusal;
    return fetch_media(command, memory, thread_in_group, walk);
}

std::optional<Refusal> FrontEnd::check_media(const Walk& walk) const {
    const MediaObject& object = *walk.media;
    const char* const name = to_text(object.command);
    if (walk.grouped())
        if (auto refusal = check_slm(name, walk.descriptor)) return refusal;
    // MED-34: 003:17779-17781.
    if (object.synchronized && object.scoreboard.use && vfe_.scoreboard.enable)
        return guest(name, "a synchronized root thread with a scoreboard");
    return check_place(walk);
}

std::optional<Refusal> FrontEnd::check_place(const Walk& walk) const {
    const MediaObject& object = *walk.media;
    const char* const name = to_text(object.command);
    if (object.force_destination) {
        const unsigned subslice = object.slice * topology_.subslices + object.subslice;
        if (object.subslice >= topology_.subslices || object.slice >= topology_.slices ||
            !(vfe_.subslice_mask(topology_) >> subslice & 1))
            return guest(name, "forced to slice " + std::to_string(object.slice) + " subslice " +
                                   std::to_string(object.subslice) + ", which takes no threads");
    }
    // TD-07, MED-25: 003:17707, 003:17722.
    const unsigned room = room_for_groups(walk);
    if (!walk.bound_to_subslice() && !walk.global_barrier() && !walk.pooled()) return std::nullopt;
    if (walk.descriptor.barrier && walk.descriptor.group_threads > room)
        return guest(name, "a barrier of " + std::to_string(walk.descriptor.group_threads) +
                               " threads; there is room for " + std::to_string(room));
    // The first group stands for all; those at the edges are smaller.
    if (object.command == MediaCommand::ObjectWalker && !has_mask(walk) &&
        MediaCursor(walk.media_walker, 1, {}).group_threads(room + 1) > room)
        return guest(name,
                     "groups of more threads than there is room for: " + std::to_string(room));
    return std::nullopt;
}

std::optional<Refusal> FrontEnd::check_payload(const Walk& walk) const {
    const MediaObject& object = *walk.media;
    const char* const name = to_text(object.command);
    const bool is_walker = object.command == MediaCommand::ObjectWalker;
    const bool by_inline = !object.inline_data.empty(), by_indirect = object.indirect_bytes != 0;
    const bool by_curbe =
        constant_rows(walk) != 0 && !has_mask(walk) && !(walk.grouped() && by_indirect);
    // TD-14, MED-42: 003:17972-17989.
    if (is_walker && by_indirect) return guest(name, "indirect data; a walker has none");
    const int sources = by_inline + by_indirect + by_curbe;
    if (sources == 0) return guest(name, "neither CURBE nor inline nor indirect data");
    if (walk.grouped() && sources != 1)
        return guest(name, "more than one of CURBE, inline and indirect data for a group");
    const unsigned data = rows_of(object.inline_data.size()) + rows_of(object.indirect_bytes);
    if (const unsigned registers = payload_registers(walk); registers > kGrfCount)
        return guest(name,
                     "payload of " + std::to_string(registers) + " registers; a thread has 128");
    if (needs_entry(object) && (vfe_.urb_entries == 0 || data > vfe_.urb_entry_rows))
        return guest(name, std::to_string(data) + " rows of data; there are " +
                               std::to_string(vfe_.urb_entries) + " URB entries of " +
                               std::to_string(vfe_.urb_entry_rows));
    return std::nullopt;
}

std::optional<Refusal> FrontEnd::fetch_media(const PipelineCommand& command, MemoryReader& memory,
                                             unsigned thread_in_group, Walk& walk) {
    const MediaObject& object = *walk.media;
    const char* const name = to_text(object.command);
    std::vector<std::uint8_t> indirect(object.indirect_bytes);
    // Without a length nothing is fetched, and the address says nothing.
    if (object.indirect_bytes != 0 &&
        !within(object.indirect_offset, object.indirect_bytes, command.state->indirect_object_size))
        return guest(name, "indirect data lies outside the indirect object buffer");
    // TD-15: with the dynamic state's cache control.
    if (!memory.read(command.state->indirect_object_base + object.indirect_offset, indirect,
                     command.state->dynamic_mocs))
        return guest(name, "indirect data could not be read");
    walk.urb_data = object.inline_data;
    walk.urb_data.resize(std::size_t{rows_of(walk.urb_data.size())} * kGrfBytes);

    walk.indirect = walk.grouped() && object.indirect_bytes != 0;
    if (walk.indirect)
        walk.data = std::move(indirect);
    else
        walk.urb_data.insert(walk.urb_data.end(), indirect.begin(), indirect.end());
    if (has_mask(walk)) {
        walk.descriptor.cross_thread_rows = walk.descriptor.per_thread_rows = 0;
        if (auto refusal = fetch_mask(walk)) return refusal;
    } else if (walk.grouped()) {
        unsigned threads = thread_in_group + 1;
        if (object.command == MediaCommand::ObjectWalker)
            threads = MediaCursor(walk.media_walker, 1, {}).group_threads(kMaxFftids);
        if (auto refusal = fetch_split(threads, walk)) return refusal;
    } else {
        const auto rows = constants_of(walk.descriptor);
        if (!rows) return guest(name, "constant data lies outside the CURBE");
        walk.data.assign(rows->begin(), rows->end());
    }
    walk.holds_entry = needs_entry(object);
    if (!walk.holds_entry) return std::nullopt;
    walk.urb_entry = urb_handles_.allocate(kUrbOwner);
    walk.urb_handle = vfe_.handle(walk.urb_entry);
    return std::nullopt;
}

std::optional<Refusal> FrontEnd::fetch_mask(Walk& walk) const {
    const std::size_t bytes = std::size_t{walk.media_walker.mask_pitch} / 8 *
                              static_cast<unsigned>(walk.media_walker.global.y);
    if (bytes > curbe_.size())
        return guest(to_text(walk.media->command), "a dispatch mask of " + std::to_string(bytes) +
                                                       " bytes; the CURBE has " +
                                                       std::to_string(curbe_.size()));
    walk.dispatch_mask.assign(curbe_.begin(), curbe_.begin() + static_cast<long>(bytes));
    return std::nullopt;
}

// MED-47: 003:17991-17993. As for GPGPU, with as many parts as the group has threads.
std::optional<Refusal> FrontEnd::fetch_split(unsigned threads, Walk& walk) const {
    const Descriptor& d = walk.descriptor;
    const char* const name = to_text(walk.media->command);
    if (!walk.indirect && !walk.media->inline_data.empty()) return std::nullopt;
    const std::size_t needed =
        (d.cross_thread_rows + std::size_t{d.per_thread_rows} * threads) * kGrfBytes;
    if (walk.indirect) {
        if (needed > walk.data.size())
            return guest(name, "threads read " + std::to_string(needed) + " bytes of payload; " +
                                   std::to_string(walk.data.size()) + " are loaded");
        return std::nullopt;
    }
    const std::size_t offset = std::size_t{d.constant_read_offset} * kGrfBytes;
    if (!within(offset, needed, curbe_.size()))
        return guest(name, "threads read " + std::to_string(needed) + " bytes at " +
                               std::to_string(offset) + " of the CURBE, which has " +
                               std::to_string(curbe_.size()));
    const auto from = curbe_.begin() + static_cast<long>(offset);
    walk.data.assign(from, from + static_cast<long>(needed));
    return std::nullopt;
}

std::optional<std::span<const std::uint8_t>> FrontEnd::constants_of(const Descriptor& d) const {
    const std::size_t offset = std::size_t{d.constant_read_offset} * kGrfBytes,
                      bytes = std::size_t{d.per_thread_rows} * kGrfBytes;
    if (bytes == 0) return std::span<const std::uint8_t>{};
    if (!within(offset, bytes, curbe_.size())) return std::nullopt;
    return std::span<const std::uint8_t>(curbe_).subspan(offset, bytes);
}

}  // namespace gen9::media
