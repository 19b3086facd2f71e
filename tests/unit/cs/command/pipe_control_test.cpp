// SPDX-License-Identifier: Apache-2.0
#include "cs/command/pipe_control.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "cs/context/base_address.h"
#include "cs/no_effect.h"
#include "tests/support/covers.h"
#include "tests/unit/cs/driver.h"

namespace gen9::cs {
namespace {

using PostSync = PipeControlActions::PostSync;

PipeControlActions decode(std::uint32_t flags, bool gpgpu = true, bool after_stall = true) {
    const std::uint32_t dwords[] = {0x7A000004, flags, 0x1004, 0x2, 0x33334444, 0x11112222};
    return decode_pipe_control(dwords, gpgpu, after_stall);
}

std::string broken(std::uint32_t flags, bool gpgpu = true, bool after_stall = true) {
    const PipeControlActions actions = decode(flags, gpgpu, after_stall);
    std::string out;
    for (unsigned i = 0; i < actions.violation_count; ++i)
        out += std::string(i ? " " : "") + actions.violations[i].ledger;
    return out;
}

TEST(PipeControl, EachInvalidationBitIsOneCache) {
    GEN9_COVERS("CS-54 CS-72 CS-84");
    const auto only = [](std::uint32_t flags) { return decode(flags).invalidate; };
    EXPECT_TRUE(only(1u << 2).invalidate_state);
    EXPECT_TRUE(only(1u << 3).invalidate_constant);
    EXPECT_TRUE(only(1u << 10).invalidate_texture);
    EXPECT_TRUE(only(1u << 11).invalidate_instruction);
    for (const unsigned bit : {2u, 3u, 10u, 11u}) {
        const CacheControl c = only(1u << bit);
        EXPECT_EQ(c.invalidate_state + c.invalidate_constant + c.invalidate_texture +
                      c.invalidate_instruction,
                  1);
        EXPECT_FALSE(c.flush_data || c.invalidate_tlb);
    }
}

TEST(PipeControl, OneBitInvalidatesVertices) {
    GEN9_COVERS("CS-73");
    for (unsigned bit = 0; bit < 32; ++bit) {
        const PipeControlActions actions = decode(1u << bit);
        EXPECT_EQ(actions.invalidate.invalidate_vertex || actions.flush.invalidate_vertex, bit == 4)
            << bit;
    }
}

TEST(PipeControl, InvalidationAloneDoesNotWait) {
    GEN9_COVERS("CS-55 CS-74");
    for (const unsigned bit : {2u, 3u, 10u, 11u})
        EXPECT_TRUE(decode(1u << bit).waits.empty());
}

TEST(PipeControl, FlushesNotifyStallAndPostSyncWaitForEarlierWork) {
    GEN9_COVERS("CS-56 CS-57 CS-74 CS-87");
    for (const unsigned bit : {0u, 1u, 5u, 7u, 8u, 12u, 13u, 14u, 15u, 18u, 20u, 23u, 26u})
        EXPECT_EQ(decode(1u << bit).waits, packets::kEveryPipe) << bit;
}

TEST(PipeControl, ABitOfACacheReachesItsOwner) {
    const auto& command = packets::command_named("PIPE_CONTROL");
    for (const CacheBit& cache : cache_bits()) {
        const bool said = std::ranges::any_of(no_effects_of(command), [&](const NoEffect& use) {
            return std::string(use.field) == cache.bit->name;
        });
        EXPECT_FALSE(said) << cache.bit->name << " has no effect?";
        const PipeControlActions actions = decode(1u << cache.bit->low);
        const CacheControl control =
            cache.moment == CacheBit::Moment::OnParse ? actions.invalidate : actions.flush;
        EXPECT_TRUE(control.*cache.action) << cache.bit->name;
    }
}

TEST(PipeControl, DcFlushAndTlbInvalidateComeAfterTheDrain) {
    GEN9_COVERS("CS-57 CS-82 CS-89");
    EXPECT_TRUE(decode(1u << 5).flush.flush_data);
    EXPECT_TRUE(decode(1u << 18 | 1u << 20).flush.invalidate_tlb);
    EXPECT_FALSE(decode(1u << 5).invalidate.any());
}

// What a driver puts between writes to an image and reads of it: DC flush, texture invalidation,
// stall. Lines that are read while the earlier work runs must not stay.
TEST(PipeControl, TexturesAreInvalidatedBehindTheWaitAndTheFlush) {
    const PipeControlActions actions = decode(0x00100420);
    EXPECT_EQ(actions.waits, packets::kEveryPipe);
    EXPECT_FALSE(actions.invalidate.any());
    EXPECT_TRUE(actions.flush.flush_data && actions.flush.invalidate_texture);
    const PipeControlActions stall = decode(1u << 10 | 1u << 20 | 1u << 2);
    EXPECT_TRUE(stall.flush.invalidate_texture && stall.invalidate.invalidate_state);
    EXPECT_FALSE(stall.flush.flush_data || stall.invalidate.invalidate_texture);
}

TEST(PipeControl, PostSyncOperationAndAddress) {
    GEN9_COVERS("CS-61 CS-76 CS-80");
    const PipeControlActions immediate = decode(0x00104000);
    EXPECT_EQ(immediate.post_sync, PostSync::Immediate);
    EXPECT_EQ(immediate.address.value, 0x2'0000'1004u);
    EXPECT_EQ(immediate.data, 0x1111'2222'3333'4444u);
    EXPECT_FALSE(immediate.ggtt);
    EXPECT_EQ(decode(2u << 14).post_sync, PostSync::DepthCount);
    EXPECT_EQ(decode(3u << 14).post_sync, PostSync::Timestamp);
    EXPECT_EQ(decode(1u << 23).post_sync, PostSync::Register);
    EXPECT_TRUE(decode(1u << 14 | 1u << 24).ggtt);
    EXPECT_TRUE(decode(1u << 14 | 1u << 21).store_data_index);
}

TEST(PipeControl, DepthStallKeepsTheReadCachesButInstructionAndState) {
    GEN9_COVERS("CS-64");
    const CacheControl c = decode(1u << 13 | 1u << 2 | 1u << 3 | 1u << 10 | 1u << 11).invalidate;
    EXPECT_TRUE(c.invalidate_instruction && c.invalidate_state);
    EXPECT_FALSE(c.invalidate_constant || c.invalidate_texture);
}

TEST(PipeControl, EachRestrictionIsFoundWhenBrokenAndOnlyThen) {
    GEN9_COVERS("CS-75 CS-76 CS-77 CS-78 CS-79 CS-80 CS-82 CS-83 CS-85 CS-86 CS-92");
    const std::uint32_t stall = 1u << 20, write = 1u << 14;
    EXPECT_EQ(broken(0), "CS-75");
    EXPECT_EQ(broken(1u << 23 | write | stall), "CS-76");
    EXPECT_EQ(broken(1u << 23 | stall), "");
    EXPECT_EQ(broken(1u << 19 | stall), "CS-77");
    EXPECT_EQ(broken(1u << 16), "CS-78");
    EXPECT_EQ(broken(1u << 16 | stall), "");
    EXPECT_EQ(broken(1u << 9), "CS-79");
    EXPECT_EQ(broken(1u << 9 | stall), "");
    EXPECT_EQ(broken(1u << 21), "CS-80");
    EXPECT_EQ(broken(1u << 21 | write), "");
    EXPECT_EQ(broken(1u << 18), "CS-82");
    EXPECT_EQ(broken(1u << 18 | stall), "");
    EXPECT_EQ(broken(write, true, false), "CS-83");
    EXPECT_EQ(broken(write, true, true), "");
    EXPECT_EQ(broken(write, false, false), "");
    EXPECT_EQ(broken(1u << 10), "CS-85");
    EXPECT_EQ(broken(1u << 10 | stall), "");
    EXPECT_EQ(broken(1u << 10, false), "");
    EXPECT_EQ(broken(1u << 4), "CS-86");
    EXPECT_EQ(broken(1u << 4 | write), "");
    EXPECT_EQ(broken(2u << 14), "CS-63");
    EXPECT_EQ(broken(2u << 14 | 1u << 13), "");
    // What the driver sends breaks none.
    for (const std::uint32_t flags : {0x00100000u, 0x00101021u, 0x00100420u, 0x00104020u})
        EXPECT_EQ(broken(flags), "");
}

TEST(StateBaseAddress, OnlyFieldsWithTheirModifyBitChange) {
    GEN9_COVERS("CS-49 CS-146");
    const StateBases first = apply_state_base_address({}, test::state_base_address());
    test::Words change(19, 0);
    change[0] = 0x61010011;
    change[3] = 0x007F0000;
    change[6] = 0x0ABCD001;
    change[7] = 0xFFFFFFFF;  // canonical sign extension
    change[8] = 0x00055000;  // no modify bit
    const StateBases next = apply_state_base_address(first, change);
    EXPECT_EQ(next.dynamic_state_base.value, 0xFFFF'0ABC'D000u);
    EXPECT_EQ(next.stateless_mocs, 0x7F);
    StateBases same = next;
    same.dynamic_state_base = first.dynamic_state_base;
    same.stateless_mocs = first.stateless_mocs;
    EXPECT_EQ(same.general_state_base, first.general_state_base);
    EXPECT_EQ(same.surface_state_base, first.surface_state_base);
    EXPECT_EQ(same.indirect_object_base, first.indirect_object_base);
    EXPECT_EQ(same.instruction_base, first.instruction_base);
    EXPECT_EQ(same.dynamic_state_size, first.dynamic_state_size);
    EXPECT_EQ(same.bindless_surface_base, first.bindless_surface_base);
}

TEST(StateBaseAddress, EachBaseHasItsMemoryObjectControlState) {
    GEN9_COVERS("CS-49");
    // Bits 10:4 of the DWord that holds the base's low part and its modify bit.
    const struct {
        unsigned dword;
        std::uint8_t StateBases::*mocs;
    } rows[] = {{1, &StateBases::general_mocs},      {4, &StateBases::surface_mocs},
                {6, &StateBases::dynamic_mocs},      {8, &StateBases::indirect_mocs},
                {10, &StateBases::instruction_mocs}, {16, &StateBases::bindless_mocs}};
    for (const auto& row : rows) {
        SCOPED_TRACE(row.dword);
        test::Words command(19, 0);
        command[0] = 0x61010011;
        command[row.dword] = 0x5A0;
        EXPECT_EQ(apply_state_base_address({}, command).*row.mocs, 0) << "no modify bit";
        command[row.dword] |= 1;
        const StateBases state = apply_state_base_address({}, command);
        for (const auto& other : rows)
            EXPECT_EQ(state.*other.mocs, other.mocs == row.mocs ? 0x5A : 0);
    }
}

TEST(StateBaseAddress, ShorterFormLeavesWhatItLacks) {
    StateBases state;
    state.bindless_surface_count = 77;
    state.bindless_surface_base = GpuAddr(0x9000);
    test::Words command = test::state_base_address();
    command.resize(16);
    EXPECT_EQ(apply_state_base_address(state, command).bindless_surface_base.value, 0x9000u);
    EXPECT_EQ(apply_state_base_address(state, command).bindless_surface_count, 77u);
}

}  // namespace
}  // namespace gen9::cs
