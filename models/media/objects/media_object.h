// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "interconnect/payload/command.h"
#include "media/objects/thread_scoreboard.h"
#include "media/types.h"

namespace gen9::media {

/// The four commands that start media threads.
enum class MediaCommand : std::uint8_t { Object, ObjectGrpid, ObjectPrt, ObjectWalker };
const char* to_text(MediaCommand command);

/// MEDIA_OBJECT, MEDIA_OBJECT_GRPID and MEDIA_OBJECT_PRT as the spawner uses them; of
/// MEDIA_OBJECT_WALKER what it shares with them (guide 3.2).
struct MediaObject {
    MediaCommand command = MediaCommand::Object;
    std::uint8_t descriptor_index = 0;
    std::uint32_t indirect_bytes = 0;
    std::uint32_t indirect_offset = 0;  ///< from the indirect object base
    bool synchronized = false;          ///< dispatched by a spawn root thread message
    bool children_present = false;
    bool force_destination = false;
    std::uint8_t slice = 0, subslice = 0;  ///< of slice
    ScoreboardRequest scoreboard;
    std::uint32_t group_id = 0;  ///< GRPID
    bool end_of_group = false;   ///< GRPID
    bool fence_needed = false;   ///< PRT
    bool fence_vfe = false;      ///< PRT: the fence holds VFE rather than the root threads
    std::vector<std::uint8_t> inline_data;
};

/// Says which of the four the command is, if it is one.
std::optional<MediaCommand> media_command_of(const PipelineCommand& command);

MediaObject decode_media_object(MediaCommand command, std::span<const std::uint32_t> dwords);

/// Does the command take a URB entry: for data, or for the children it will have (TD-59)?
bool needs_entry(const MediaObject& object);

/// Rows of 32 bytes that data takes in a thread's registers; the last is filled with zeroes.
constexpr unsigned rows_of(std::size_t bytes) {
    return static_cast<unsigned>((bytes + kGrfBytes - 1) / kGrfBytes);
}

}  // namespace gen9::media
