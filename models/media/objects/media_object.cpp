// SPDX-License-Identifier: Apache-2.0
#include "media/objects/media_object.h"

#include <algorithm>
#include <cstring>

#include "packets/media_object.h"

namespace gen9::media {
namespace {

namespace object = packets::MEDIA_OBJECT;
namespace grpid = packets::MEDIA_OBJECT_GRPID;
namespace prt = packets::MEDIA_OBJECT_PRT;
namespace walker = packets::MEDIA_OBJECT_WALKER;

using Dwords = std::span<const std::uint32_t>;

void put_inline_data(MediaObject& o, Dwords dwords, unsigned from, unsigned most) {
    if (dwords.size() <= from) return;
    const Dwords data = dwords.subspan(from, std::min<std::size_t>(most, dwords.size() - from));
    o.inline_data.resize(data.size_bytes());
    std::memcpy(o.inline_data.data(), data.data(), data.size_bytes());
}

void decode_prt(MediaObject& o, Dwords dwords) {
    o.descriptor_index = static_cast<std::uint8_t>(prt::InterfaceDescriptorOffset.get(dwords));
    o.children_present = prt::ChildrenPresent.get(dwords) != 0;
    o.fence_needed = prt::PRTFenceNeeded.get(dwords) != 0;
    o.fence_vfe = prt::PRTFenceType.get(dwords) != 0;
    put_inline_data(o, dwords, prt::kInlineDword, 12);
}

void decode_walker_part(MediaObject& o, Dwords dwords) {
    o.descriptor_index = static_cast<std::uint8_t>(walker::InterfaceDescriptorOffset.get(dwords));
    o.indirect_bytes = static_cast<std::uint32_t>(walker::IndirectDataLength.get(dwords));
    o.synchronized = walker::ThreadSynchronization.get(dwords) != 0;
    o.scoreboard.use = walker::UseScoreboard.get(dwords) != 0;
    o.scoreboard.mask = static_cast<std::uint8_t>(walker::ScoreboardMask.get(dwords));
    put_inline_data(o, dwords, walker::kInlineDword, ~0u);
}

void decode_object_part(MediaObject& o, Dwords dwords) {
    const auto u8 = [&](const packets::Field& f) { return std::uint8_t(f.get(dwords)); };
    const auto u16 = [&](const packets::Field& f) { return std::uint16_t(f.get(dwords)); };
    const auto u32 = [&](const packets::Field& f) { return std::uint32_t(f.get(dwords)); };
    o.descriptor_index = u8(object::InterfaceDescriptorOffset);
    o.indirect_bytes = u32(object::IndirectDataLength);
    o.indirect_offset = u32(object::IndirectDataStartAddress);
    o.synchronized = u8(object::ThreadSynchronization) != 0;
    o.children_present = u8(object::ChildrenPresent) != 0;
    o.force_destination = u8(object::ForceDestination) != 0;
    o.subslice = u8(object::SubSliceDestinationSelect);
    o.slice = static_cast<std::uint8_t>(u8(object::SliceDestinationSelect) |
                                        u8(object::SliceDestinationSelectMSBs) << 2);
    o.scoreboard = {u8(object::UseScoreboard) != 0, u16(object::ScoreBoardX),
                    u16(object::ScoredBoardY), u8(object::ScoreboardColor),
                    u8(object::ScoreboardMask)};
}

}  // namespace

const char* to_text(MediaCommand command) {
    switch (command) {
        case MediaCommand::Object:
            return object::kStructure.name;
        case MediaCommand::ObjectGrpid:
            return grpid::kStructure.name;
        case MediaCommand::ObjectPrt:
            return prt::kStructure.name;
        case MediaCommand::ObjectWalker:
            return walker::kStructure.name;
    }
    return "?";
}

std::optional<MediaCommand> media_command_of(const PipelineCommand& command) {
    using packets::Command;
    switch (command.row ? command.row->command : Command::Other) {
        case Command::MEDIA_OBJECT:
            return MediaCommand::Object;
        case Command::MEDIA_OBJECT_PRT:
            return MediaCommand::ObjectPrt;
        case Command::MEDIA_OBJECT_WALKER:
            return MediaCommand::ObjectWalker;
        case Command::MEDIA_OBJECT_GRPID:
            return MediaCommand::ObjectGrpid;
        default:
            return std::nullopt;
    }
}

MediaObject decode_media_object(MediaCommand command, Dwords dwords) {
    MediaObject o;
    o.command = command;
    switch (command) {
        case MediaCommand::ObjectPrt:
            decode_prt(o, dwords);
            break;
        case MediaCommand::ObjectWalker:
            decode_walker_part(o, dwords);
            break;
        case MediaCommand::Object:
            decode_object_part(o, dwords);
            put_inline_data(o, dwords, object::kInlineDword, ~0u);
            break;
        case MediaCommand::ObjectGrpid:
            decode_object_part(o, dwords);
            o.group_id = static_cast<std::uint32_t>(grpid::GroupID.get(dwords));
            o.end_of_group = grpid::EndofThreadGroup.get(dwords) != 0;
            put_inline_data(o, dwords, grpid::kInlineDword, ~0u);
            break;
    }
    return o;
}

bool needs_entry(const MediaObject& object) {
    return object.children_present || !object.inline_data.empty() || object.indirect_bytes != 0;
}

}  // namespace gen9::media
