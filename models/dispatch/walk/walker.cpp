// SPDX-License-Identifier: Apache-2.0
#include "dispatch/walk/walker.h"

#include "packets/media.h"
#include "packets/stopped_walker.h"

namespace gen9::dispatch {

WalkerParameters decode_walker(std::span<const std::uint32_t> dwords,
                               const std::array<std::uint32_t, 3>& indirect_dimensions) {
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
    if (StoppedWalker::Resumes.get(dwords)) {
        p.resume = {u32(StoppedWalker::ResumeX), u32(StoppedWalker::ResumeY), p.start[2]};
        p.resume_thread = u8(StoppedWalker::ResumeThread);
    }
    p.right_mask = u32(w::RightExecutionMask);
    p.bottom_mask = u32(w::BottomExecutionMask);
    return p;
}

void keep_rest(std::span<std::uint32_t> dwords, const WalkerParameters& walker,
               const std::array<std::uint32_t, 3>& next_group, unsigned next_thread) {
    namespace w = packets::GPGPU_WALKER;
    // The registers and the predicate may differ by the time it goes on.
    w::ThreadGroupIDXDimension.set(dwords, walker.dimensions[0]);
    w::ThreadGroupIDYDimension.set(dwords, walker.dimensions[1]);
    w::ThreadGroupIDZDimension.set(dwords, walker.dimensions[2]);
    w::IndirectParameterEnable.set(dwords, 0);
    w::PredicateEnable.set(dwords, 0);
    StoppedWalker::Resumes.set(dwords, 1);
    StoppedWalker::ResumeX.set(dwords, next_group[0]);
    StoppedWalker::ResumeY.set(dwords, next_group[1]);
    StoppedWalker::ResumeThread.set(dwords, next_thread);
    w::ThreadGroupIDStartingResumeZ.set(dwords, next_group[2]);
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

}  // namespace gen9::dispatch
