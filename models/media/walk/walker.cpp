// SPDX-License-Identifier: Apache-2.0
#include "media/walk/walker.h"

#include <algorithm>
#include <bit>

#include "packets/media.h"

namespace gen9::media {

WalkerParameters decode_walker(std::span<const std::uint32_t> dwords,
                               const std::array<std::uint32_t, 3>& indirect_dimensions,
                               const std::optional<WalkerRest>& resumes) {
    namespace w = packets::GPGPU_WALKER;
    const auto u8 = [&](const packets::Field& f) { return std::uint8_t(f.get(dwords)); };
    const auto u32 = [&](const packets::Field& f) { return std::uint32_t(f.get(dwords)); };
    WalkerParameters p;
    p.descriptor_index = u8(w::InterfaceDescriptorOffset);
    p.indirect_bytes = u32(w::IndirectDataLength);
    p.indirect_offset = u32(w::IndirectDataStartAddress);
    p.thread_max = {u8(w::ThreadWidthCounterMaximum), u8(w::ThreadHeightCounterMaximum),
                    u8(w::ThreadDepthCounterMaximum)};
    const auto simd = w::SIMDSize.get(dwords);
    p.simd_width = simd < 3 ? std::uint8_t(8u << simd) : std::uint8_t{0};
    p.start = {u32(w::ThreadGroupIDStartingX), u32(w::ThreadGroupIDStartingY),
               u32(w::ThreadGroupIDStartingResumeZ)};
    p.dimensions = {u32(w::ThreadGroupIDXDimension), u32(w::ThreadGroupIDYDimension),
                    u32(w::ThreadGroupIDZDimension)};
    if (w::IndirectParameterEnable.get(dwords)) p.dimensions = indirect_dimensions;
    if (resumes) {
        p.dimensions = resumes->dimensions;
        p.resume = resumes->group;
        p.resume_thread = resumes->thread;
    }
    p.right_mask = u32(w::RightExecutionMask);
    p.bottom_mask = u32(w::BottomExecutionMask);
    return p;
}

std::optional<Refusal> check(const WalkerParameters& walker) {
    if (walker.simd_width == 0) return Refusal{{}, "GPGPU_WALKER", "reserved SIMD size 3"};
    // TD-18: 003:17160.
    const unsigned limit = walker.simd_width == 32 ? 32 : 64;
    if (walker.group_threads() > limit)
        return Refusal{{},
                       "GPGPU_WALKER",
                       std::to_string(walker.group_threads()) + " threads in a group; SIMD" +
                           std::to_string(walker.simd_width) + " allows " + std::to_string(limit)};
    if (!walker.empty())
        for (unsigned i = 0; i < 3; ++i)
            if (walker.start[i] >= walker.dimensions[i] ||
                (walker.resume && (*walker.resume)[i] >= walker.dimensions[i]))
                return Refusal{
                    {}, "GPGPU_WALKER", "the starting group id lies beyond its dimension"};
    return std::nullopt;
}

ThreadCursor::ThreadCursor(const WalkerParameters& walker)
    : max_(walker.thread_max),
      count_(std::uint16_t(walker.group_threads())),
      right_(walker.right_mask),
      bottom_(walker.bottom_mask),
      all_(walker.simd_width >= 32 ? ~0u : (1u << walker.simd_width) - 1) {}

void ThreadCursor::next() {
    ++index_;
    for (unsigned i = 0; i < 3; ++i) {
        if (at_[i] < max_[i]) {
            ++at_[i];
            return;
        }
        at_[i] = 0;
    }
}

WalkerCursor::WalkerCursor(const WalkerParameters& walker)
    : groups_(walker),
      local_thread_(std::min<unsigned>(walker.resume_thread, walker.group_threads() - 1)),
      group_threads_(walker.group_threads()) {
    const auto groups = walker.groups();
    groups_left_ = std::uint64_t{groups[0]} * groups[1] * groups[2];
    groups_left_ -= groups_left_ != 0;
}

GroupMasks::GroupMasks(const WalkerParameters& walker) {
    ThreadCursor thread(walker);
    for (unsigned i = 0; i < kMostThreads && !thread.done(); ++i, thread.next()) {
        masks_[i] = thread.mask();
        channels_before_[i + 1] =
            static_cast<std::uint16_t>(channels_before_[i] + std::popcount(masks_[i]));
    }
}

}  // namespace gen9::media
