// SPDX-License-Identifier: Apache-2.0
#include "memory/gti/gti.h"

#include <cstring>
#include <vector>

#include "interconnect/kernel/blocking_access.h"
#include "tests/unit/memory/bench.h"

namespace gen9::memory {
namespace {

void drop_translations(Bench& bench) {
    auto* const t = bench.from[0]->read(0, 4);
    t->attributes.operation = MemoryAttributes::Operation::Control;
    t->attributes.control.invalidate_tlb = true;
    sc_core::sc_time delay;
    bench.control.mem_out->b_transport(*t, delay);
    t->release();
}

TEST(GtiFunctional, ABlockingAccessReachesThePageTheTableNames) {
    Bench bench(Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    auto& from = *bench.from[0];
    EXPECT_TRUE(from.block(bench.global(from.write(0x2010, 16, 0x5A)))->is_response_ok());
    std::uint8_t byte = 0;
    ASSERT_TRUE(bench.memory.read(PhysAddr(0x102010), {&byte, 1}));
    EXPECT_EQ(byte, 0x5A);
    EXPECT_EQ(from.block(bench.global(from.read(0x2010, 16)))->data[15], 0x5A);
}

TEST(GtiFunctional, AnAccessOfSeveralPagesIsSplitWithItsByteEnables) {
    Bench bench(Timing::Functional);
    bench.gti.write_gtt(1, 0x500000 | 1);  // not where its neighbour is
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    auto& from = *bench.from[0];
    auto* t = bench.global(from.write(0xFF0, 32, 0x77));
    t->enable_bytes(0xFFFF'FF0F, 32);
    EXPECT_TRUE(from.block(t)->is_response_ok());
    std::uint8_t low[16], high[16];
    ASSERT_TRUE(bench.memory.read(PhysAddr(0x100FF0), low) &&
                bench.memory.read(PhysAddr(0x500000), high));
    EXPECT_EQ(low[3], 0x77);
    EXPECT_EQ(low[4], 0);
    EXPECT_EQ(low[8], 0x77);
    EXPECT_EQ(high[15], 0x77);
}

TEST(GtiFunctional, LanesNearAPagesEndAreNotSplitWhateverTheirDataLength) {
    Bench bench(Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    auto& from = *bench.from[0];
    auto* t = bench.global(from.atomic(0xFF0, AtomicOp::Add, 4, 4, 5));  // data length 64
    EXPECT_TRUE(from.block(t)->is_response_ok());
    EXPECT_EQ(load<std::uint32_t>(bench.memory.page(PhysAddr(0x100000)) + 0xFFC), 5u);
}

TEST(GtiFunctional, AFaultReadsZeroDropsTheWriteAndIsReportedOncePerPage) {
    Bench bench(Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    auto& from = *bench.from[0];
    for (int i = 0; i < 3; ++i) {
        auto* t = from.read(0x1234'5000 + i * 8, 8);
        std::memset(t->data, 0xFF, 8);
        from.block(t);
        EXPECT_EQ(t->get_response_status(), tlm::TLM_ADDRESS_ERROR_RESPONSE);
        EXPECT_EQ(t->data[0], 0);
    }
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 1u);
    const auto& entry = bench.environment.reporter.entries().at(0);
    EXPECT_EQ(entry.place, "PPGTT page 000012345000, data port of slice0.subslice0.eu0.thread0");
    EXPECT_EQ(bench.read_register(0x4094) & 7, 7u);  // valid, PML4 entry
    EXPECT_EQ(bench.read_register(0x4B10), 0x12345u);
    EXPECT_EQ(from.block(from.write(0x9999'9000, 8, 1))->get_response_status(),
              tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(bench.memory.pages(), 0u);
    bench.write_register(0x4094, 0);
    EXPECT_EQ(bench.read_register(0x4094), 0u);
}

TEST(GtiFunctional, ADirectPointerIsThePageAndIsTakenBackWithTheTranslation) {
    Bench bench(Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    auto& from = *bench.from[0];
    auto* t = bench.global(from.write(0x3456, 4, 0));
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(from.mem_out->get_direct_mem_ptr(*t, dmi));
    EXPECT_EQ(dmi.get_start_address(), 0x3000u);
    EXPECT_EQ(dmi.get_end_address(), 0x3FFFu);
    EXPECT_EQ(dmi.get_dmi_ptr(), bench.memory.page(PhysAddr(0x103000)));
    EXPECT_TRUE(dmi.is_read_write_allowed());
    EXPECT_TRUE(from.invalidated.empty());
    bench.gti.write_gtt(3, 0x900000 | 1);
    ASSERT_EQ(from.invalidated.size(), 1u);
    EXPECT_EQ(from.invalidated[0].first, 0x3000u);
    t->release();
    drop_translations(bench);
    ASSERT_EQ(from.invalidated.size(), 2u);
    EXPECT_EQ(from.invalidated[1].second, ~std::uint64_t{0});
}

// Pages of 64 KB and of 2 MB, and of 4 KB, over memory of the host's.
TEST(GtiFunctional, APointerReachesAsFarAsPagesAndHostMemoryFollowOneAnother) {
    Bench bench(Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const auto entry = [&](std::uint64_t table, std::uint64_t index, std::uint64_t value) {
        std::uint8_t bytes[8];
        store(bytes, value);
        ASSERT_TRUE(bench.memory.write(PhysAddr(table + 8 * index), bytes));
    };
    constexpr std::uint64_t kPml4 = 0x1000'0000, kPdp = kPml4 + 0x1000, kPd = kPml4 + 0x2000,
                            kLarge = kPml4 + 0x3000, kSmall = kPml4 + 0x4000, kHuge = 0x4000'0000,
                            kSpread = 0x5000'0000;
    entry(kPml4, 0, kPdp | 3);
    entry(kPdp, 0, kPd | 3);
    entry(kPd, 1, kHuge | 3 | 1 << 7);
    entry(kPd, 2, kLarge | 3 | 1 << 11);
    entry(kPd, 3, kSmall | 3);
    for (const unsigned page : {0u, 16u})
        entry(kLarge, page, (kSpread + page * kPageBytes) | 3);
    for (const unsigned page : {0u, 1u})
        entry(kSmall, page, (kSpread + page * kPageBytes) | 3);
    PageDirectories roots;
    roots.pdp[0] = kPml4;
    bench.gti.set_page_directories(roots);
    // Of the 2 MB only pages 3 to 99 are the host's.
    std::vector<std::uint8_t> part(97 * kPageBytes), spread(32 * kPageBytes);
    ASSERT_TRUE(bench.memory.attach(PhysAddr(kHuge + 3 * kPageBytes), part));
    ASSERT_TRUE(bench.memory.attach(PhysAddr(kSpread), spread));
    MemoryPool pool;
    const auto ask = [&](std::uint64_t page) {
        return direct_memory(bench.from[0]->mem_out, pool, page * kPageBytes, kPageBytes);
    };
    const auto expect = [&](std::uint64_t page, const std::uint8_t* host, unsigned before,
                            unsigned behind) {
        for (int known = 0; known < 2; ++known) {  // walked, and by the translation buffer
            const DirectMemory direct = ask(page);
            EXPECT_EQ(direct.host, host) << page;
            EXPECT_TRUE(direct.writable) << page;
            EXPECT_EQ(direct.before, before * kPageBytes) << page;
            EXPECT_EQ(direct.behind, behind * kPageBytes) << page;
        }
    };
    expect(512 + 50, part.data() + 47 * kPageBytes, 47, 49);
    expect(512 + 3, part.data(), 0, 96);
    expect(512 + 99, part.data() + 96 * kPageBytes, 96, 0);
    expect(512 + 2, bench.memory.page(PhysAddr(kHuge + 2 * kPageBytes)), 0, 0);
    expect(1024 + 5, spread.data() + 5 * kPageBytes, 5, 26);
    expect(1024 + 16, spread.data() + 16 * kPageBytes, 16, 15);
    expect(1536 + 1, spread.data() + kPageBytes, 1, 0);
    // What comes behind is seen at once, and what goes when the translation buffer drops it.
    entry(kSmall, 2, (kSpread + 2 * kPageBytes) | 3);
    expect(1536 + 1, spread.data() + kPageBytes, 1, 1);
    entry(kSmall, 0, 0);
    bench.gti.set_page_directories({});
    bench.gti.set_page_directories(roots);
    expect(1536 + 1, spread.data() + kPageBytes, 0, 1);
    entry(kSmall, 2, 0);
    drop_translations(bench);
    expect(1536 + 1, spread.data() + kPageBytes, 0, 0);
    // Who does not know of it has a page.
    auto* t = bench.from[0]->read(562 * kPageBytes, 4);
    tlm::tlm_dmi dmi;
    ASSERT_TRUE(bench.from[0]->mem_out->get_direct_mem_ptr(*t, dmi));
    EXPECT_EQ(dmi.get_end_address() - dmi.get_start_address(), kPageBytes - 1);
    t->release();
}

TEST(GtiFunctional, NoPointerIsGivenForAPageThatIsNotMapped) {
    Bench bench(Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    auto* t = bench.from[0]->read(0x3456'0000, 4);
    tlm::tlm_dmi dmi;
    EXPECT_FALSE(bench.from[0]->mem_out->get_direct_mem_ptr(*t, dmi));
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 0u);
    t->release();
}

TEST(GtiFunctional, ThePdpRegistersAreHalvesOfTheRootsAndTheModeBitIsMasked) {
    Bench bench(Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    bench.write_register(0x2270, 0x12345000);
    bench.write_register(0x2274, 0x6);
    bench.write_register(0x228C, 0x7);
    EXPECT_EQ(bench.gti.page_directories().pdp[0], 0x6'1234'5000u);
    EXPECT_EQ(bench.gti.page_directories().pdp[3], 0x7'0000'0000u);
    EXPECT_EQ(bench.read_register(0x2274), 6u);
    EXPECT_TRUE(bench.gti.page_directories().four_level);
    bench.write_register(0x229C, 0x0200'0200);
    EXPECT_TRUE(bench.gti.page_directories().four_level);
    bench.write_register(0x229C, 0x0080'0000);
    EXPECT_FALSE(bench.gti.page_directories().four_level);
    EXPECT_EQ(bench.write_register(0x2290, 0), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(GtiFunctional, DebugAccessTranslatesAndReportsNothing) {
    Bench bench(Timing::Functional);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    auto& from = *bench.from[0];
    auto* t = bench.global(from.write(0x4000, 64, 0x21));
    EXPECT_EQ(from.mem_out->transport_dbg(*t), 64u);
    EXPECT_EQ(bench.memory.page(PhysAddr(0x104000))[63], 0x21);
    t->set_address(0x8000'0000);
    EXPECT_EQ(from.mem_out->transport_dbg(*t), 0u);
    EXPECT_EQ(bench.environment.reporter.guest_errors(), 0u);
    t->release();
}

}  // namespace
}  // namespace gen9::memory
