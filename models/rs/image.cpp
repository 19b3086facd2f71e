// SPDX-License-Identifier: Apache-2.0
// The resource streamer's part of a context image: commands that, executed, give its state
// (003:2521-2564; positions 003:2321-2346).
#include <algorithm>

#include "packets/commands.h"
#include "rs/core.h"

namespace gen9::rs {
namespace {

constexpr std::uint32_t kGatherPool = 0x791A0002, kTablePool = 0x79190002;
constexpr std::uint32_t kGather = 0x78340000, kEdit = 0x78430000, kNextStage = 0x10000;
constexpr std::uint32_t kBatchEnd = 0x05000000;
// DWords of the context image.
constexpr unsigned kGatherPoolAt = 0x1699, kTablePoolAt = 0x1962, kEndAt = 0x1E8C;
constexpr unsigned kGatherAt[] = {0x169D, 0x172D, 0x17BD, 0x184D, 0x18DD};
constexpr unsigned kEditAt[] = {0x1966, 0x1A6E, 0x1B76, 0x1C7E, 0x1D86};
constexpr unsigned kGatherDwords = 131, kEditDwords = 258;
static_assert(kGatherAt[4] + kGatherDwords + 2 == kTablePoolAt);
static_assert(kEditAt[4] + kEditDwords + 4 == kEndAt);
static_assert(kEndAt + 6 == RsCore::kImageDword + RsCore::kImageDwords);

void put_pool(std::uint32_t* at, std::uint32_t header, const ResourcePool& pool) {
    namespace row = packets::RESOURCE_POOL_ALLOC;
    const std::span<std::uint32_t> out(at, 4);
    out[0] = header;
    row::PoolBaseAddress.set(out, pool.base.value);
    row::PoolEnable.set(out, pool.enabled);
    row::SurfaceObjectControlState.set(out, pool.mocs);
    row::PoolBufferSize.set(out, pool.size_bytes / kPageBytes);
}

}  // namespace

std::vector<std::uint32_t> RsCore::image() const {
    std::vector<std::uint32_t> words(kImageDwords, 0);
    const auto at = [&](unsigned dword) { return words.data() + (dword - kImageDword); };
    put_pool(at(kGatherPoolAt), kGatherPool, state_.gathers);
    put_pool(at(kTablePoolAt), kTablePool, state_.tables);
    for (unsigned n = 0; n < packets::kResourceStages; ++n) {
        std::uint32_t* gather = at(kGatherAt[n]);
        gather[0] = (kGather + n * kNextStage) | (kGatherDwords - 2);
        packets::GATHER_CONSTANT::UpdateGatherTableOnly.set({gather, kGatherDwords}, 1);
        for (unsigned i = 0; i < kGatherEntries; ++i)
            gather[packets::GATHER_CONSTANT::kEntryDword + i / 2] |=
                std::uint32_t{stages_[n].gather[i]} << 16 * (i % 2);
        std::uint32_t* edit = at(kEditAt[n]);
        edit[0] = (kEdit + n * kNextStage) | (kEditDwords - 2);
        packets::BINDING_TABLE_EDIT::BindingTableEditTarget.set({edit, kEditDwords}, 3);
        for (unsigned i = 0; i < kTableEntries; ++i)
            edit[packets::BINDING_TABLE_EDIT::kEntryDword + i] = i << 16 | stages_[n].table[i];
    }
    // Behind it lie the DX9 constants, which are not used (RS-18, RS-38).
    *at(kEndAt) = kBatchEnd;
    return words;
}

bool RsCore::restore(const packets::CommandRow& row, Dwords dwords) {
    /// Nothing of an image writes memory.
    struct Nowhere : Memory {
        void read(std::span<LineAccess>) override {}
        void write(std::span<const LineAccess>) override {}
    } nowhere;
    const StreamCommand command(row, dwords, address_);
    row_ = &row;
    switch (command.action) {
        case packets::ResourceAction::EditTable:
        case packets::ResourceAction::TablePool:
        case packets::ResourceAction::GatherPool:
            execute(command, nowhere);
            return true;
        case packets::ResourceAction::Gather:
            load_gather(dwords);
            return true;
        case packets::ResourceAction::Ignore:
            return row.command == packets::Command::MI_NOOP;
        default:
            return false;
    }
}

}  // namespace gen9::rs
