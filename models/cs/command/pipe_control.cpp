// SPDX-License-Identifier: Apache-2.0
#include "cs/command/pipe_control.h"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "packets/state.h"

namespace gen9::cs {

namespace row = packets::PIPE_CONTROL;

namespace {

using packets::kEveryPipe;
using packets::kNoPipe;
using Moment = CacheBit::Moment;

// CS-54 to CS-57. Behind a wait textures are invalidated with the flushes (SMP-272).
constexpr CacheBit kCacheBits[] = {
    {&row::DepthCacheFlushEnable, &CacheControl::flush_depth, Moment::BehindWork, kEveryPipe,
     "depth caches"},
    {&row::StateCacheInvalidationEnable, &CacheControl::invalidate_state, Moment::OnParse, kNoPipe,
     "data ports, samplers, L3"},
    {&row::ConstantCacheInvalidationEnable, &CacheControl::invalidate_constant, Moment::OnParse,
     kNoPipe, "L3"},
    {&row::VFCacheInvalidationEnable, &CacheControl::invalidate_vertex, Moment::OnParse, kNoPipe,
     "vertex cache"},
    {&row::DCFlushEnable, &CacheControl::flush_data, Moment::BehindWork, kEveryPipe, "L3"},
    // Lines that are written back are also dropped (Assumed: software relies on the flush at the
    // end of a task to see, in the next one, what the host wrote in between).
    {&row::DCFlushEnable, &CacheControl::invalidate_data, Moment::BehindWork, kEveryPipe, "L3"},
    {&row::TextureCacheInvalidationEnable, &CacheControl::invalidate_texture, Moment::OnParse,
     kNoPipe, "samplers, L3"},
    {&row::InstructionCacheInvalidateEnable, &CacheControl::invalidate_instruction, Moment::OnParse,
     kNoPipe, "instruction caches, L3"},
    {&row::RenderTargetCacheFlushEnable, &CacheControl::flush_render, Moment::BehindWork,
     kEveryPipe, "render caches"},
    {&row::TLBInvalidate, &CacheControl::invalidate_tlb, Moment::BehindWork, kEveryPipe,
     "GTI, data ports, samplers"},
};

// Bits that wait and ask nothing of a cache. They wait for the end of all work, for they send a
// marker with completion (CS-74) or have to happen after earlier work. An invalidation alone does
// not wait (CS-55). The stalls of pixels need the 3D pipe only; they wait for both as long as
// nothing draws.
constexpr struct WaitBit {
    const packets::Field* bit;
    packets::PipeSet waits;
} kWaitBits[] = {
    {&row::StallAtPixelScoreboard, kEveryPipe}, {&row::PipeControlFlushEnable, kEveryPipe},
    {&row::NotifyEnable, kEveryPipe},           {&row::DepthStallEnable, kEveryPipe},
    {&row::PostSyncOperation, kEveryPipe},      {&row::CommandStreamerStallEnable, kEveryPipe},
    {&row::LRIPostSyncOperation, kEveryPipe},   {&row::FlushLLC, kEveryPipe},
};

/// The bits that a field has in DWord 1, where all flags are.
constexpr std::uint32_t mask_of(const packets::Field& field) {
    return static_cast<std::uint32_t>(((std::uint64_t{2} << (field.high - field.low)) - 1)
                                      << field.low);
}
template <class Rows>
constexpr auto masks_of(const Rows& rows) {
    std::array<std::uint32_t, std::extent_v<Rows>> masks{};
    for (std::size_t i = 0; i < masks.size(); ++i)
        masks[i] = mask_of(*rows[i].bit);
    return masks;
}
constexpr auto kCacheMasks = masks_of(kCacheBits);
constexpr auto kWaitMasks = masks_of(kWaitBits);
constexpr bool a_flag(const packets::Field& field) {
    return field.dword == 1 && field.high < 32;
}
constexpr bool all_flags(const auto& rows) {
    return std::ranges::all_of(rows, [](const auto& each) { return a_flag(*each.bit); });
}
static_assert(all_flags(kCacheBits) && all_flags(kWaitBits));

/// Is the field of DWord 1, whose value is `flags`, not 0?
template <const packets::Field& kField>
bool set(std::uint32_t flags) {
    static_assert(a_flag(kField));
    return (flags & mask_of(kField)) != 0;
}

std::uint32_t flags_of(std::span<const std::uint32_t> dwords) {
    return dwords.size() > 1 ? dwords[1] : 0;
}

/// The restrictions of 003:1660-1705.
void check(PipeControlActions& out, std::span<const std::uint32_t> dwords, bool gpgpu,
           bool after_stall) {
    const std::uint32_t flags = flags_of(dwords);
    const auto broken = [&](bool condition, const char* ledger, const char* rule) {
        if (condition && out.violation_count < out.violations.size())
            out.violations[out.violation_count++] = {ledger, rule};
    };
    const bool stall = set<row::CommandStreamerStallEnable>(flags);
    const bool post_sync = set<row::PostSyncOperation>(flags);
    const bool lri = set<row::LRIPostSyncOperation>(flags);
    broken(dwords.size() < 2 || dwords[1] == 0, "CS-75", "no argument is set");
    broken(lri && post_sync, "CS-76", "LRI post-sync needs post-sync operation 0");
    broken(set<row::GlobalSnapshotCountReset>(flags), "CS-77",
           "global snapshot count reset must not be used");
    broken(set<row::GenericMediaStateClear>(flags) && !stall, "CS-78",
           "generic media state clear needs CS stall");
    broken(set<row::IndirectStatePointersDisable>(flags) && !stall, "CS-79",
           "indirect state pointers disable needs CS stall");
    broken(set<row::StoreDataIndex>(flags) && !post_sync, "CS-80",
           "store data index needs a post-sync operation");
    broken(set<row::TLBInvalidate>(flags) && !stall, "CS-82", "TLB invalidate needs CS stall");
    // The stall may be in the same command: that orders the write no less (NEO sends the pair with
    // the bit in both).
    broken(gpgpu && (post_sync || lri) && !after_stall && !stall, "CS-83",
           "a post-sync operation in GPGPU mode needs a PIPE_CONTROL with CS stall before it");
    broken(gpgpu && set<row::TextureCacheInvalidationEnable>(flags) && !stall, "CS-85",
           "texture invalidate needs CS stall in GPGPU mode");
    broken(set<row::VFCacheInvalidationEnable>(flags) && !post_sync, "CS-86",
           "VF invalidate needs a post-sync write");
    broken(row::PostSyncOperation.get(dwords) == row::WritePSDepthCount &&
               !set<row::DepthStallEnable>(flags),
           "CS-63", "a depth count write needs depth stall");
}

}  // namespace

PipeControlActions decode_pipe_control(std::span<const std::uint32_t> dwords, bool gpgpu,
                                       bool after_stall) {
    using PostSync = PipeControlActions::PostSync;
    const std::uint32_t flags = flags_of(dwords);
    PipeControlActions out;
    check(out, dwords, gpgpu, after_stall);

    for (std::size_t i = 0; i < kCacheMasks.size(); ++i) {
        if (!(flags & kCacheMasks[i])) continue;
        const CacheBit& cache = kCacheBits[i];
        out.waits |= cache.waits;
        CacheControl& control = cache.moment == Moment::OnParse ? out.invalidate : out.flush;
        control.*cache.action = true;
    }
    for (std::size_t i = 0; i < kWaitMasks.size(); ++i)
        if (flags & kWaitMasks[i]) out.waits |= kWaitBits[i].waits;
    // Depth stall leaves the read caches alone, except instruction and state (CS-64).
    if (set<row::DepthStallEnable>(flags))
        out.invalidate.invalidate_constant = out.invalidate.invalidate_texture = false;

    const auto operation = static_cast<std::uint32_t>(row::PostSyncOperation.get(dwords));
    if (operation == row::WriteImmediateData) out.post_sync = PostSync::Immediate;
    if (operation == row::WritePSDepthCount) out.post_sync = PostSync::DepthCount;
    if (operation == row::WriteTimestamp) out.post_sync = PostSync::Timestamp;
    if (operation == row::NoWrite && set<row::LRIPostSyncOperation>(flags))
        out.post_sync = PostSync::Register;
    out.store_data_index = set<row::StoreDataIndex>(flags);
    out.ggtt = set<row::DestinationAddressType>(flags);
    out.address = GpuAddr(row::Address.get(dwords));
    out.data = row::ImmediateData.get(dwords);
    out.interrupt = set<row::NotifyEnable>(flags);
    out.stall = set<row::CommandStreamerStallEnable>(flags);
    out.forget_pointers = set<row::IndirectStatePointersDisable>(flags);
    out.forget_media_state = set<row::GenericMediaStateClear>(flags);

    // SMP-272: behind a wait, textures are invalidated when what was written has been flushed.
    if (!out.waits.empty())
        std::swap(out.flush.invalidate_texture, out.invalidate.invalidate_texture);
    return out;
}

std::span<const CacheBit> cache_bits() {
    return kCacheBits;
}

}  // namespace gen9::cs
