// SPDX-License-Identifier: Apache-2.0
#include "media/objects/media_walker.h"

#include "packets/media_object.h"

namespace gen9::media {
namespace {

constexpr const char* kName = packets::MEDIA_OBJECT_WALKER::kStructure.name;
constexpr std::uint16_t kMaskPitch[] = {0, 128, 256, 512};

}  // namespace

MediaWalkerParameters decode_media_walker(std::span<const std::uint32_t> dwords) {
    namespace w = packets::MEDIA_OBJECT_WALKER;
    const auto u = [&](const packets::Field& f) { return static_cast<unsigned>(f.get(dwords)); };
    const auto vector = [&](const packets::Field& x, const packets::Field& y) {
        return WalkVector{static_cast<int>(x.get(dwords)), static_cast<int>(y.get(dwords))};
    };
    MediaWalkerParameters p;
    p.mask_pitch = kMaskPitch[u(w::MaskedDispatch)];
    p.group_loop_select = u(w::GroupIDLoopSelect);
    p.colors = u(w::ColorCountMinusOne) + 1;
    p.middle_extra_steps = u(w::MiddleLoopExtraSteps);
    p.local_executions = u(w::LocalLoopExecCount) + 1;
    p.global_executions = u(w::GlobalLoopExecCount) + 1;
    p.block = vector(w::BlockResolutionX, w::BlockResolutionY);
    p.local_start = vector(w::LocalStartX, w::LocalStartY);
    p.local_outer = vector(w::LocalOuterLoopStrideX, w::LocalOuterLoopStrideY);
    p.local_middle = vector(w::MidLoopUnitX, w::LocalMidLoopUnitY);
    p.local_inner = vector(w::LocalInnerLoopUnitX, w::LocalInnerLoopUnitY);
    p.global = vector(w::GlobalResolutionX, w::GlobalResolutionY);
    p.global_start = vector(w::GlobalStartX, w::GlobalStartY);
    p.global_outer = vector(w::GlobalOuterLoopStrideX, w::GlobalOuterLoopStrideY);
    p.global_inner = vector(w::GlobalInnerLoopUnitX, w::GlobalInnerLoopUnitY);
    return p;
}

std::optional<Refusal> check(const MediaWalkerParameters& walker) {
    if (walker.group_loop_select > kMaxLoopSelect)
        return Refusal{
            {}, kName, "reserved group id loop select " + std::to_string(walker.group_loop_select)};
    // MED-28: a bit of the mask for each block of a row.
    if (walker.mask_pitch && walker.global.x > walker.mask_pitch)
        return Refusal{{},
                       kName,
                       std::to_string(walker.global.x) +
                           " blocks in a row; a row of the mask has " +
                           std::to_string(walker.mask_pitch)};
    return std::nullopt;
}

}  // namespace gen9::media
