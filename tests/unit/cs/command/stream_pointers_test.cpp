// SPDX-License-Identifier: Apache-2.0
#include "cs/command/stream_pointers.h"

#include <gtest/gtest.h>

#include "tests/support/covers.h"

namespace gen9::cs {
namespace {

StreamPointers ring(std::uint32_t head, std::uint32_t tail, std::uint32_t control = 0x3001) {
    RegisterFile registers;
    registers.set(RING_START, 0x20000);
    registers.set(RING_CTL, control);
    registers.set(RING_HEAD, head);
    registers.set(RING_TAIL, tail);
    StreamPointers pointers;
    pointers.load(registers);
    return pointers;
}

TEST(StreamPointers, RingHasItsSizeFromTheControlAndIsEmptyWhenHeadMeetsTail) {
    GEN9_COVERS("CS-141");
    EXPECT_TRUE(ring(0x40, 0x40).ring_empty());
    EXPECT_EQ(ring(0, 0x1C).ring_dwords_left(), 7u);
    EXPECT_EQ(ring(0x3FF8, 8).ring_dwords_left(), 4u);
    EXPECT_EQ(ring(8, 0, 0x0001).ring_dwords_left(), 1022u);
    EXPECT_EQ(ring(0, 0x1C).address().value, 0x20000u);
}

// A head and a tail are in DWords, and have 21 bits.
TEST(StreamPointers, LowBitsAndHighBitsOfHeadAndTailDoNotCount) {
    for (std::uint32_t head = 0; head < 4; ++head)
        for (std::uint32_t tail = 0; tail < 4; ++tail) {
            EXPECT_TRUE(ring(0x40 | head, 0x40 | tail).ring_empty()) << head << tail;
            EXPECT_EQ(ring(0x40 | head, 0x48 | tail).read(RING_TAIL), 0x48u);
            EXPECT_EQ(ring(0x40 | head, 0x48 | tail).read(RING_HEAD), 0x40u);
            EXPECT_EQ(ring(0x40 | head, 0x48 | tail).ring_dwords_left(), 2u);
            EXPECT_EQ(ring(0x40 | head, 0x48 | tail).address().value, 0x20040u);
            EXPECT_EQ(ring(0x40 | head, 0x7FFu << 21 | 0x44 | tail).ring_dwords_left(), 1u);
            StreamPointers moved = ring(0, 0x88 | tail);
            moved.move_head(0x7FFu << 21 | 0x80 | head);
            EXPECT_EQ(moved.address().value, 0x20080u);
            EXPECT_EQ(moved.ring_dwords_left(), 2u);
            moved.load_tail(0x7FFu << 21 | 0x90 | tail);
            EXPECT_EQ(moved.ring_dwords_left(), 4u);
        }
}

TEST(StreamPointers, LevelsHaveNames) {
    EXPECT_STREQ(to_text(Level::Ring), "ring");
    EXPECT_STREQ(to_text(Level::First), "first-level batch");
    EXPECT_STREQ(to_text(Level::Second), "second-level batch");
    StreamPointers p = ring(0x40, 0x80);
    EXPECT_EQ(p.text(), "ring 0x20040 (GGTT)");
    p.start_batch(GpuAddr(0x123450000), true, false);
    EXPECT_EQ(p.text(), "first-level batch 0x123450000 (PPGTT)");
    StreamPointers global = ring(0x40, 0x80);
    global.start_batch(GpuAddr(0x6000), false, false);
    EXPECT_EQ(global.text(), "first-level batch 0x6000 (GGTT)");
}

TEST(StreamPointers, HeadWrapsToTheRingsStartAndCountsWraps) {
    GEN9_COVERS("CS-141");
    StreamPointers p = ring(0x3FF8, 8);
    EXPECT_EQ(p.address(1).value, 0x23FFCu);
    EXPECT_EQ(p.address(2).value, 0x20000u);
    p.advance(3);
    EXPECT_EQ(p.address().value, 0x20004u);
    RegisterFile registers;
    p.store(registers);
    EXPECT_EQ(registers.read(RING_HEAD), 1u << 21 | 4u);
}

TEST(StreamPointers, StartInABatchJumpsAndSecondLevelCalls) {
    GEN9_COVERS("CS-142");
    StreamPointers p = ring(0, 0x100);
    p.advance(3);
    p.start_batch(GpuAddr(0x1000), true, false);  // ring -> A
    EXPECT_EQ(p.level(), Level::First);
    p.advance(3);
    p.start_batch(GpuAddr(0x2000), true, false);  // A -> B, a chain
    EXPECT_EQ(p.level(), Level::First);
    EXPECT_EQ(p.address().value, 0x2000u);
    p.advance(3);
    p.start_batch(GpuAddr(0x3000), true, true);  // B calls C
    EXPECT_EQ(p.level(), Level::Second);
    p.start_batch(GpuAddr(0x4000), true, true);  // C jumps to D: there is no third level
    EXPECT_EQ(p.level(), Level::Second);
    p.end_batch();
    EXPECT_EQ(p.level(), Level::First);
    EXPECT_EQ(p.address().value, 0x200Cu);  // the rest of B
    p.end_batch();
    EXPECT_EQ(p.level(), Level::Ring);
    EXPECT_EQ(p.address().value, 0x2000Cu);
}

TEST(StreamPointers, PpgttParentForcesAPpgttChild) {
    GEN9_COVERS("CS-143");
    StreamPointers p = ring(0, 0x100);
    EXPECT_EQ(p.space(), AddressSpace::Ggtt);
    p.start_batch(GpuAddr(0x1000), false, false);
    EXPECT_EQ(p.space(), AddressSpace::Ggtt);
    p.start_batch(GpuAddr(0x2000), true, false);
    EXPECT_EQ(p.space(), AddressSpace::Ppgtt);
    p.start_batch(GpuAddr(0x3000), false, false);
    EXPECT_EQ(p.space(), AddressSpace::Ppgtt);
    p.start_batch(GpuAddr(0x4000), false, true);
    EXPECT_EQ(p.space(), AddressSpace::Ppgtt);
}

TEST(StreamPointers, BatchPositionSurvivesStoreAndLoad) {
    GEN9_COVERS("CS-100 CS-138");
    StreamPointers p = ring(0x10, 0x100);
    p.start_batch(GpuAddr(0x7'1234'5678), true, false);
    p.advance(2);
    p.start_batch(GpuAddr(0x8'0000'0010), true, true);
    RegisterFile registers;
    registers.set(RING_START, 0x20000);
    registers.set(RING_CTL, 0x3001);
    p.store(registers);
    StreamPointers q;
    q.load(registers);
    EXPECT_EQ(q.level(), Level::Second);
    EXPECT_EQ(q.address().value, 0x8'0000'0010u);
    EXPECT_EQ(q.space(), AddressSpace::Ppgtt);
    q.end_batch();
    EXPECT_EQ(q.address().value, 0x7'1234'5680u);
    q.end_batch();
    EXPECT_EQ(q.address().value, 0x20010u);
}

TEST(StreamPointers, HeadOutsideTheRingIsBroughtInside) {
    const StreamPointers p = ring(0x1FFFFC, 0x1FFFFC, 0x0001);
    EXPECT_EQ(p.address().value, 0x20FFCu);
    EXPECT_TRUE(p.ring_empty());
}

TEST(StreamPointers, WhatIsStoredIsLoadedAgain) {
    for (const bool first_ppgtt : {false, true})
        for (const bool second_ppgtt : {false, true})
            for (unsigned level = 0; level < 3; ++level) {
                RegisterFile before, after;
                before.set(RING_START, 0x20FFC);  // bits 11:0 are not part of the address
                before.set(RING_CTL, 0x3001);
                before.set(RING_HEAD, 0x7FFu << 21 | 0x40);
                before.set(RING_TAIL, 0x80);
                before.set(BB_ADDR, 0x1230 | (level > 0));
                before.set(BB_ADDR_UDW, 0x12);
                before.set(BB_STATE, first_ppgtt << 5);
                before.set(SBB_ADDR, 0x4560 | (level > 1));
                before.set(SBB_ADDR_UDW, 0x45);
                before.set(SBB_STATE, second_ppgtt << 5);
                StreamPointers pointers;
                pointers.load(before);
                const std::uint64_t expected[] = {0x20040, 0x12'0000'1230, 0x45'0000'4560};
                EXPECT_EQ(pointers.address().value, expected[level]);
                const bool ppgtt[] = {false, first_ppgtt, second_ppgtt};
                EXPECT_EQ(pointers.space() != AddressSpace::Ggtt, ppgtt[level]);
                pointers.store(after);
                for (const auto offset : {RING_HEAD, RING_TAIL, BB_ADDR, BB_ADDR_UDW, BB_STATE,
                                          SBB_ADDR, SBB_ADDR_UDW, SBB_STATE})
                    EXPECT_EQ(after.read(offset), before.read(offset)) << std::hex << offset;
            }
}

}  // namespace
}  // namespace gen9::cs
