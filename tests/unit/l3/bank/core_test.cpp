// SPDX-License-Identifier: Apache-2.0
#include "l3/bank/core.h"

#include <bit>
#include <cstring>
#include <utility>

#include "tests/support/covers.h"

namespace gen9::l3 {
namespace {

struct BankTest : ::testing::Test {
    BankCore bank{4, "one_bit_lru"};
    Victim victim;
    std::uint8_t line[64];

    void SetUp() override {
        Partition p;
        p.all_ways = 2;
        bank.set_partition(p);
        for (unsigned i = 0; i < 64; ++i)
            line[i] = static_cast<std::uint8_t>(i);
    }
    static LineKey key(std::uint64_t address) { return {AddressSpace::Ppgtt, address}; }
    int put(std::uint64_t address, LineClass c = LineClass::Data) {
        const int slot = bank.allocate(key(address), c, victim);
        bank.fill(slot, line);
        return slot;
    }
    static LineAccess access(bool write, unsigned offset, unsigned size, std::uint8_t* data) {
        LineAccess a;
        a.write = write;
        a.offset = offset;
        a.size = size;
        a.data = data;
        return a;
    }
};

TEST_F(BankTest, NeighbouringLinesOfABankFillAllItsSets) {
    GEN9_COVERS("L3-12");
    std::uint32_t sets = 0;
    for (unsigned i = 0; i < 32; ++i)
        sets |= 1u << bank.set_of(key(i * 4 * 64));
    EXPECT_EQ(sets, 0xFFFFFFFFu);
}

// No product: more or fewer sets for exploration.
TEST_F(BankTest, LinesFillAsManySetsAsThereAre) {
    for (const unsigned sets : {8u, 32u, 256u}) {
        BankCore other(4, "one_bit_lru", sets);
        Partition p;
        p.all_ways = 2;
        other.set_partition(p);
        for (unsigned i = 0; i < 2 * sets; ++i) {
            EXPECT_EQ(other.set_of(key(i * 4 * 64)), i % sets);
            other.allocate(key(i * 4 * 64), LineClass::Data, victim);
        }
        EXPECT_EQ(other.valid_lines(), 2 * sets) << "two ways of each set";
        other.allocate(key(2 * sets * 4 * 64), LineClass::Data, victim);
        EXPECT_EQ(other.valid_lines(), 2 * sets) << "one has left";
    }
}

// By this number a bank knows that a line it has found may be gone.
TEST_F(BankTest, EachLineThatLeavesIsCounted) {
    auto grows = [this, count = bank.removals()](auto action) mutable {
        action();
        return std::exchange(count, bank.removals()) < bank.removals();
    };
    EXPECT_TRUE(grows([this] { put(0), put(32 * 256), put(64 * 256); }));
    EXPECT_EQ(bank.valid_lines(), 2u);
    EXPECT_TRUE(grows([this] { put(96 * 256); }));
    EXPECT_TRUE(grows([this] { bank.drop(bank.find(key(96 * 256))); }));
    Partition p;
    p.all_ways = 4;
    EXPECT_TRUE(grows([&] { bank.set_partition(p); }));
    EXPECT_FALSE(grows([this] { (void)bank.find(key(0)); }));
}

TEST_F(BankTest, AWriteNeedsNoFetchAndKeepsItsBytesOverALaterFill) {
    std::uint8_t value[4] = {0xA, 0xB, 0xC, 0xD};
    const int slot = bank.allocate(key(0x1000), LineClass::Data, victim);
    bank.perform(slot, access(true, 8, 4, value));
    EXPECT_TRUE(bank.covers(slot, 0xF00));
    EXPECT_FALSE(bank.covers(slot, 0x1F00));
    bank.fill(slot, line);
    std::uint8_t back[64];
    bank.perform(slot, access(false, 0, 64, back));
    EXPECT_EQ(back[7], 7);
    EXPECT_EQ(back[8], 0xA);
    EXPECT_EQ(back[11], 0xD);
    EXPECT_EQ(back[12], 12);
    ASSERT_TRUE(bank.clean(slot, victim));
    EXPECT_EQ(victim.dirty, 0xF00u);
    EXPECT_FALSE(bank.clean(slot, victim));
}

TEST_F(BankTest, OnlyEnabledBytesAreWrittenAndMadeDirty) {
    const int slot = put(0x1000);
    std::uint8_t value[4] = {1, 2, 3, 4};
    const std::uint8_t enables[4] = {0, 0xFF, 0, 0xFF};
    auto a = access(true, 0, 4, value);
    a.enables = enables;
    a.enable_period = 4;
    bank.perform(slot, a);
    ASSERT_TRUE(bank.clean(slot, victim));
    EXPECT_EQ(victim.dirty, 0xAu);
    EXPECT_EQ(victim.data[0], 0);
    EXPECT_EQ(victim.data[1], 2);
    EXPECT_EQ(victim.data[2], 2);
    EXPECT_EQ(victim.data[3], 4);
}

TEST_F(BankTest, AnAtomicIsDoneAtTheLine) {
    GEN9_COVERS("L3-45 L3-48");
    const int slot = put(0x1000);
    LaneAccess lanes;
    lanes.kind = LaneAccess::Kind::Atomic;
    lanes.op = AtomicOp::CmpWr;
    lanes.count = 1;
    lanes.offset[0] = 4;
    lanes.source0[0] = 0x07060504;
    lanes.source1[0] = 99;
    LineAccess a;
    a.lanes = &lanes;
    EXPECT_EQ(a.needed(), 0xF0u);
    bank.perform(slot, a);
    EXPECT_EQ(lanes.result[0], 0x07060504u);
    ASSERT_TRUE(bank.clean(slot, victim));
    EXPECT_EQ(victim.dirty, 0xF0u);
    EXPECT_EQ(victim.data[4], 99);
}

TEST_F(BankTest, AModifiedVictimIsHandedOutWithItsWriter) {
    GEN9_COVERS("L3-40");
    const std::uint64_t same_set = 32 * 4 * 64;
    const int slot = put(0x40);
    std::uint8_t value = 7;
    auto a = access(true, 0, 1, &value);
    a.thread.eu = EuId(5);
    a.mocs = 6;
    a.requester = Requester::Urb;
    bank.perform(slot, a);
    put(0x40 + same_set);
    EXPECT_EQ(victim.dirty, 0u);
    put(0x40 + 2 * same_set);
    EXPECT_EQ(victim.dirty, 1u);
    EXPECT_EQ(victim.key.address(), 0x40u);
    EXPECT_EQ(victim.thread.eu.value, 5);
    EXPECT_EQ(victim.mocs, 6);
    EXPECT_EQ(victim.requester, Requester::Urb);
    EXPECT_EQ(bank.find(key(0x40)), BankCore::kNone);
}

TEST_F(BankTest, SpacesAreDifferentLines) {
    put(0x1000);
    EXPECT_EQ(bank.find(LineKey(AddressSpace::Ggtt, 0x1000)), BankCore::kNone);
    EXPECT_NE(bank.find(key(0x103F)), BankCore::kNone);
    EXPECT_EQ(LineKey(AddressSpace::Ggtt, 0xFFFF'8000'0000'1040).space(), AddressSpace::Ggtt);
}

TEST_F(BankTest, AnInvalidationDropsItsClassesAndWritesWhatIsModified) {
    GEN9_COVERS("L3-64");
    put(0x40, LineClass::Constant);
    const int data = put(0x1040);
    std::uint8_t value = 7;
    bank.perform(data, access(true, 0, 1, &value));
    ClassSet constants, all_data;
    constants.add(LineClass::Constant);
    all_data.add(LineClass::Data);
    unsigned written = 0;
    const auto count = [&](const Victim&) { ++written; };
    EXPECT_EQ(bank.drop_all(constants, true, count), 1u);
    EXPECT_EQ(written, 0u);
    EXPECT_NE(bank.find(key(0x1040)), BankCore::kNone);
    EXPECT_EQ(bank.drop_all(all_data, true, count), 1u);
    EXPECT_EQ(written, 1u);
    EXPECT_EQ(bank.valid_lines(), 0u);
}

TEST_F(BankTest, SplitPoolsKeepTheirClientsApart) {
    GEN9_COVERS("L3-72");
    Partition p;
    p.dc_ways = 1;
    p.ro_ways = 3;
    bank.set_partition(p);
    const std::uint64_t same_set = 32 * 4 * 64;
    for (unsigned i = 0; i < 3; ++i)
        put(i * same_set, LineClass::Texture);
    for (unsigned i = 3; i < 9; ++i)
        put(i * same_set, LineClass::Data);
    for (unsigned i = 0; i < 3; ++i)
        EXPECT_NE(bank.find(key(i * same_set)), BankCore::kNone);
    EXPECT_NE(bank.find(key(8 * same_set)), BankCore::kNone);
    EXPECT_EQ(bank.find(key(7 * same_set)), BankCore::kNone);
    // A data write to a line of the read-only pool makes it data, where it is.
    std::uint8_t value = 1;
    bank.perform(bank.find(key(0)), access(true, 0, 1, &value));
    ClassSet data;
    data.add(LineClass::Data);
    EXPECT_EQ(bank.drop_all(data, true, [](const Victim&) {}), 2u);
    p.dc_ways = 0;
    bank.set_partition(p);
    EXPECT_FALSE(bank.caches(LineClass::Data));
    EXPECT_TRUE(bank.caches(LineClass::State));
}

TEST_F(BankTest, SixtyFourBitAtomicsCarryCompareAndReturn) {
    GEN9_COVERS("L3-49 L3-50");
    const struct {
        AtomicOp op;
        std::uint64_t memory, source0, source1, after, returned;
    } rows[] = {
        {AtomicOp::Add, 0xFFFFFFFF, 1, 0, 0x100000000, 0xFFFFFFFF},
        {AtomicOp::Sub, 0x100000000, 1, 0, 0xFFFFFFFF, 0x100000000},
        {AtomicOp::RevSub, 1, 0x100000000, 0, 0xFFFFFFFF, 1},
        {AtomicOp::Inc, ~0ull, 0, 0, 0, ~0ull},
        {AtomicOp::Dec, 0, 0, 0, ~0ull, 0},
        {AtomicOp::PreDec, 0x100000000, 0, 0, 0xFFFFFFFF, 0xFFFFFFFF},
        {AtomicOp::IMax, 1ull << 63, 5, 0, 5, 1ull << 63},
        {AtomicOp::UMax, 1ull << 63, 5, 0, 1ull << 63, 1ull << 63},
        {AtomicOp::IMin, 1ull << 63, 5, 0, 1ull << 63, 1ull << 63},
        {AtomicOp::UMin, 1ull << 63, 5, 0, 5, 1ull << 63},
        {AtomicOp::And, 0xF0F0F0F0F0, 0xFF00000000, 0, 0xF000000000, 0xF0F0F0F0F0},
        {AtomicOp::Mov, 1, 0x123456789A, 0, 0x123456789A, 1},
        {AtomicOp::CmpWr, 0x100000005, 5, 9, 0x100000005, 0x100000005},
        {AtomicOp::CmpWr, 0x100000005, 0x100000005, 9, 9, 0x100000005},
    };
    for (const auto& row : rows) {
        std::memcpy(line + 8, &row.memory, 8);
        const int slot = put(0x1000);
        LaneAccess lanes;
        lanes.kind = LaneAccess::Kind::Atomic;
        lanes.op = row.op;
        lanes.width_bytes = 8;
        lanes.count = 1;
        lanes.offset[0] = 8;
        lanes.source0[0] = row.source0;
        lanes.source1[0] = row.source1;
        LineAccess a;
        a.lanes = &lanes;
        bank.perform(slot, a);
        EXPECT_EQ(lanes.result[0], row.returned);
        ASSERT_TRUE(bank.clean(slot, victim));
        std::uint64_t after = 0;
        std::memcpy(&after, victim.data + 8, 8);
        EXPECT_EQ(after, row.after) << static_cast<int>(row.op);
        bank.drop(slot);
    }
}

TEST_F(BankTest, FloatAtomicsTakeMaximumMinimumAndCompare) {
    const auto bits = [](float f) { return std::bit_cast<std::uint32_t>(f); };
    const float quiet = std::bit_cast<float>(0x7FC0'1234),
                other = std::bit_cast<float>(0xFFC0'0077), loud = std::bit_cast<float>(0x7F80'4321);
    const struct {
        AtomicOp op;
        float memory, source0, source1, after;
    } rows[] = {
        // A number wins against a quiet NaN, and a signalling one against both.
        {AtomicOp::FMax, quiet, -3, 0, -3},
        {AtomicOp::FMin, quiet, 3, 0, 3},
        {AtomicOp::FMax, -3, quiet, 0, -3},
        {AtomicOp::FMin, 3, quiet, 0, 3},
        {AtomicOp::FMax, quiet, other, 0, other},
        {AtomicOp::FMin, other, quiet, 0, quiet},
        {AtomicOp::FMax, loud, 3, 0, loud},
        {AtomicOp::FMin, loud, -3, 0, loud},
        {AtomicOp::FMax, 3, loud, 0, loud},
        {AtomicOp::FMin, -3, loud, 0, loud},
        {AtomicOp::FMax, loud, quiet, 0, loud},
        {AtomicOp::FMin, quiet, loud, 0, loud},
        // As integers each would go the other way.
        {AtomicOp::FMax, -2.0F, -3.0F, 0.0F, -2.0F},
        {AtomicOp::FMax, -2.0F, 1.5F, 0.0F, 1.5F},
        {AtomicOp::FMin, -2.0F, -3.0F, 0.0F, -3.0F},
        {AtomicOp::FMin, 1.5F, -2.0F, 0.0F, -2.0F},
        {AtomicOp::FCmpWr, -0.0F, 0.0F, 9.0F, 9.0F},
        {AtomicOp::FCmpWr, 1.0F, 2.0F, 9.0F, 1.0F},
    };
    for (const auto& row : rows) {
        const std::uint32_t held = bits(row.memory);
        std::memcpy(line + 8, &held, 4);
        const int slot = put(0x1000);
        LaneAccess lanes;
        lanes.kind = LaneAccess::Kind::Atomic;
        lanes.op = row.op;
        lanes.count = 1;
        lanes.offset[0] = 8;
        lanes.source0[0] = bits(row.source0);
        lanes.source1[0] = bits(row.source1);
        LineAccess a;
        a.lanes = &lanes;
        bank.perform(slot, a);
        EXPECT_EQ(lanes.result[0], held);
        std::uint8_t back[4];
        bank.perform(slot, access(false, 8, 4, back));
        EXPECT_EQ(std::memcmp(back, &row.after, 4), 0) << row.memory << " " << row.source0;
        bank.drop(slot);
    }
}

TEST_F(BankTest, ACompareWriteOf16BytesComparesThemAll) {
    GEN9_COVERS("L3-51");
    for (const unsigned wrong : {0u, 3u, 8u, 15u, 16u}) {
        const int slot = put(0x1000);
        LaneAccess lanes;
        lanes.kind = LaneAccess::Kind::Atomic;
        lanes.op = AtomicOp::CmpWr;
        lanes.width_bytes = 16;
        lanes.count = 1;
        lanes.offset[0] = 16;
        std::uint8_t compare[16];
        std::memcpy(compare, line + 16, 16);
        if (wrong < 16) compare[wrong] ^= 1;
        std::memcpy(&lanes.source0[0], compare, 16);
        lanes.source1[0] = 0x1111111111111111;
        lanes.source1[1] = 0x2222222222222222;
        LineAccess a;
        a.lanes = &lanes;
        EXPECT_EQ(a.needed(), 0xFFFF0000u);
        bank.perform(slot, a);
        EXPECT_EQ(std::memcmp(&lanes.result[0], line + 16, 16), 0) << "what was there";
        std::uint8_t back[64];
        bank.perform(slot, access(false, 0, 64, back));
        EXPECT_EQ(back[16], wrong == 16 ? 0x11 : 16);
        EXPECT_EQ(back[31], wrong == 16 ? 0x22 : 31);
        EXPECT_EQ(back[15], 15);
        EXPECT_EQ(back[32], 32);
        bank.drop(slot);
    }
}

TEST_F(BankTest, ReadOnlyAndModifiedLinesMayEachTakeAllTaggedWays) {
    GEN9_COVERS("L3-22");
    Partition all;
    all.all_ways = 64;
    bank.set_partition(all);
    const std::uint64_t same_set = 64 * 4 * 32;
    for (const LineClass c : {LineClass::Instruction, LineClass::Data}) {
        const std::uint64_t base = c == LineClass::Data ? 1 << 24 : 0;
        for (unsigned i = 0; i < 64; ++i)
            put(base + i * same_set, c);
        for (unsigned i = 0; i < 64; ++i)
            EXPECT_NE(bank.find(key(base + i * same_set)), BankCore::kNone) << i;
    }
}

TEST_F(BankTest, LinesAreToldApartBy48BitsOfAddress) {
    GEN9_COVERS("L3-08");
    put(0x1000);
    EXPECT_EQ(bank.find(key(0x1000 | 1ull << 47)), BankCore::kNone);
    EXPECT_EQ(bank.find(key(0x1000 | 1ull << 39)), BankCore::kNone);
    EXPECT_NE(bank.find(key(0x1000)), BankCore::kNone);
}

}  // namespace
}  // namespace gen9::l3
