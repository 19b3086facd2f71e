// SPDX-License-Identifier: Apache-2.0
#include "memory/mmu/tlb.h"

#include "tests/support/covers.h"

namespace gen9::memory {
namespace {

TEST(Tlb, AnEntryServesItsWholePageOfItsSizeAndNoMore) {
    for (const unsigned shift : {12u, 16u, 21u}) {
        Tlb tlb(8, 2);
        const std::uint64_t page = std::uint64_t{5} << shift, bytes = std::uint64_t{1} << shift;
        tlb.insert(AddressSpace::Ppgtt, page + 100, (std::uint64_t{9} << shift) + 100, shift, true);
        const auto* last = tlb.find(AddressSpace::Ppgtt, page + bytes - 1);
        ASSERT_NE(last, nullptr);
        EXPECT_EQ(last->physical(page + bytes - 1), (std::uint64_t{10} << shift) - 1);
        EXPECT_EQ(tlb.find(AddressSpace::Ppgtt, page + bytes), nullptr);
        EXPECT_EQ(tlb.find(AddressSpace::Ppgtt, page - 1), nullptr);
    }
}

TEST(Tlb, SpacesDoNotMix) {
    Tlb tlb(8, 2);
    tlb.insert(AddressSpace::Ppgtt, 0x1000, 0xA000, 12, true);
    tlb.insert(AddressSpace::Ggtt, 0x1000, 0xB000, 12, true);
    EXPECT_EQ(tlb.find(AddressSpace::Ppgtt, 0x1000)->frame, 0xA000u);
    tlb.drop(AddressSpace::Ppgtt);
    EXPECT_EQ(tlb.find(AddressSpace::Ppgtt, 0x1000), nullptr);
    EXPECT_EQ(tlb.find(AddressSpace::Ggtt, 0x1000)->frame, 0xB000u);
}

TEST(Tlb, AllPagesOfAllSizesAreDropped) {
    Tlb tlb(8, 2);
    for (const unsigned pages : {1u, 3u, 40u}) {  // the last: more than there is room for
        for (unsigned n = 0; n < pages; ++n)
            for (const unsigned shift : {12u, 16u, 21u})
                tlb.insert(AddressSpace::Ppgtt, std::uint64_t{n} << shift, 0, shift, true);
        EXPECT_NE(tlb.find(AddressSpace::Ppgtt, std::uint64_t{pages - 1} << 21), nullptr);
        tlb.drop_all();
        // Sizes that are not in use are not looked for.
        for (const unsigned shift : {12u, 16u, 21u})
            tlb.insert(AddressSpace::Ggtt, std::uint64_t{1} << 40, 0, shift, true);
        for (unsigned n = 0; n < pages; ++n)
            for (const unsigned shift : {12u, 16u, 21u})
                EXPECT_EQ(tlb.find(AddressSpace::Ppgtt, std::uint64_t{n} << shift), nullptr);
    }
}

TEST(Tlb, TheLeastRecentlyUsedOfASetGoes) {
    Tlb tlb(1, 2);
    tlb.insert(AddressSpace::Ppgtt, 0x1000, 0xA000, 12, true);
    tlb.insert(AddressSpace::Ppgtt, 0x2000, 0xB000, 12, true);
    EXPECT_NE(tlb.find(AddressSpace::Ppgtt, 0x1000), nullptr);
    tlb.insert(AddressSpace::Ppgtt, 0x3000, 0xC000, 12, true);
    EXPECT_NE(tlb.find(AddressSpace::Ppgtt, 0x1000), nullptr);
    EXPECT_EQ(tlb.find(AddressSpace::Ppgtt, 0x2000), nullptr);
}

}  // namespace
}  // namespace gen9::memory
