// SPDX-License-Identifier: Apache-2.0
#include "eu/fetch/program.h"

#include <gtest/gtest.h>

#include "eu/execute/stepped_region.h"
#include "eu/profile.h"
#include "tests/support/covers.h"
#include "tests/unit/eu/module/fake_core.h"

namespace gen9::eu {
namespace {

using test::add;
using test::FakeInstruction;

struct ProgramTest : ::testing::Test {
    Program program;
    GpuAddr base{0x10000};
    void fill(std::uint64_t line, std::vector<std::uint8_t> bytes, bool fault = false) {
        bytes.resize(kLineBytes);
        program.fill(GpuAddr(line), bytes.data(), fault);
    }
};

TEST_F(ProgramTest, SaysWhichLineIsMissing) {
    GpuAddr missing;
    Program::Page& page = program.page(base, 0x248);
    EXPECT_EQ(program.prepare(page, 0x248, missing), nullptr);
    EXPECT_EQ(missing, GpuAddr(0x10240));
}

TEST_F(ProgramTest, AnInstructionIsPreparedOnceAndFoundByItsIp) {
    fill(0x10240, test::assemble({add(1, 2)}));
    GpuAddr missing;
    Program::Page& page = program.page(base, 0x240);
    EXPECT_EQ(page.find(0x240), nullptr);
    const Program::Entry* const entry = program.prepare(page, 0x240, missing);
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(page.find(0x240), entry);
    EXPECT_EQ(entry->decoded.ip, 0x240u);
    EXPECT_EQ(entry->decoded.next_ip, 0x250u);
    EXPECT_FALSE(entry->timed.crosses_line);
}

TEST_F(ProgramTest, TheSameCodeFromAnotherBaseHasOtherIps) {
    fill(0x11000, test::assemble({add(1, 2)}));
    GpuAddr missing;
    EXPECT_EQ(program.prepare(program.page(base, 0x1000), 0x1000, missing)->decoded.ip, 0x1000u);
    const GpuAddr other(0x11000);
    EXPECT_EQ(program.prepare(program.page(other, 0), 0, missing)->decoded.ip, 0u);
}

TEST_F(ProgramTest, AnInstructionAcrossLinesNeedsBothUnlessItIsCompacted) {
    GEN9_COVERS("EU-301");
    FakeInstruction small = add(1, 2);
    small.compacted = true;
    std::vector<std::uint8_t> bytes =
        test::assemble({add(1, 2), add(1, 2), add(1, 2), small, add(1, 2)});
    GpuAddr missing;
    fill(0x10FC0, {bytes.begin(), bytes.begin() + 64});
    Program::Page& page = program.page(base, 0xFF8);
    EXPECT_EQ(program.prepare(page, 0xFF8, missing), nullptr);
    EXPECT_EQ(missing, GpuAddr(0x11000)) << "also across a page";
    EXPECT_FALSE(program.prepare(page, 0xFF0, missing)->timed.crosses_line);
    fill(0x11000, {bytes.begin() + 64, bytes.end()});
    ASSERT_NE(program.prepare(page, 0xFF8, missing), nullptr);
    EXPECT_TRUE(page.find(0xFF8)->timed.crosses_line);

    std::vector<std::uint8_t> last(56);
    const auto compact = test::assemble({small});
    last.insert(last.end(), compact.begin(), compact.end());
    fill(0x12FC0, last);
    EXPECT_NE(program.prepare(program.page(base, 0x2FF8), 0x2FF8, missing), nullptr);
}

TEST_F(ProgramTest, ALineThatCouldNotBeReadIsIllegalWithThatReason) {
    GEN9_COVERS("EU-016");
    fill(0x10000, {}, true);
    GpuAddr missing;
    const Program::Entry* const entry = program.prepare(program.page(base, 0), 0, missing);
    ASSERT_NE(entry, nullptr);
    EXPECT_NE(entry->why.find("fetched"), std::string::npos);
}

TEST_F(ProgramTest, AnInvalidationDropsBytesAndInstructions) {
    fill(0x10000, test::assemble({add(1, 2)}));
    GpuAddr missing;
    program.prepare(program.page(base, 0), 0, missing);
    const std::uint64_t before = program.generation();
    program.invalidate();
    EXPECT_NE(program.generation(), before);
    EXPECT_EQ(program.page(base, 0).find(0), nullptr);
    EXPECT_EQ(program.prepare(program.page(base, 0), 0, missing), nullptr);
}

TEST_F(ProgramTest, AfterAnInvalidationAnInstructionIsWhatTheBytesAreThen) {
    const auto first = test::assemble({add(1, 2), add(1, 2)}),
               second = test::assemble({add(3, 4), add(1, 2)});
    GpuAddr missing;
    const auto prepare = [&](std::uint32_t ip) {
        return program.prepare(program.page(base, ip), ip, missing);
    };
    fill(0x10000, first);
    EXPECT_EQ(prepare(0)->decoded.instruction.dst.reg, 1u);
    for (const auto* bytes : {&second, &first, &second}) {
        program.invalidate();
        EXPECT_EQ(prepare(0), nullptr) << "its bytes may have changed";
        fill(0x10000, *bytes);
        EXPECT_EQ(prepare(0)->decoded.instruction.dst.reg, bytes == &first ? 1u : 3u);
    }
    program.invalidate();
    fill(0x10000, {}, true);
    EXPECT_NE(prepare(0)->why.find("fetched"), std::string::npos);
    program.invalidate();
    fill(0x10000, {});
    EXPECT_EQ(prepare(0)->why.find("fetched"), std::string::npos) << "zeros that were fetched";
}

TEST_F(ProgramTest, AnInstructionWhoseBytesStayIsMadeOnceAndForgetsWhereItLed) {
    GpuAddr missing;
    Program::Entry* entries[2][2];
    const SteppedRegion region;
    InstructionUse use;
    for (auto& now : entries) {
        fill(0x10000, test::assemble({add(1, 2), add(1, 2)}));
        Program::Page& page = program.page(base, 0);
        for (const std::uint32_t n : {0u, 1u})
            now[n] = program.prepare(page, 16 * n, missing);
        Program::Entry& entry = *now[0];
        EXPECT_EQ(entry.timed.follower, nullptr);
        EXPECT_EQ(entry.timed.target, nullptr);
        EXPECT_EQ(entry.timed.use, nullptr);
        EXPECT_EQ(entry.functional.follows, nullptr);
        EXPECT_EQ(entry.functional.jumped_to, nullptr);
        EXPECT_EQ(entry.functional.stepped, nullptr);
        EXPECT_FALSE(entry.functional.visited);
        entry.timed.follower = entry.timed.target = now[1];
        entry.timed.use = &use;
        entry.functional.follows = entry.functional.jumped_to = now[1];
        entry.functional.stepped = &region;
        entry.functional.visited = true;
        program.invalidate();
    }
    EXPECT_EQ(entries[0][0], entries[1][0]);
    EXPECT_EQ(entries[0][1], entries[1][1]);
}

/// Pages of sends, with a region at each.
struct ProgramRegionsTest : ProgramTest {
    Program::Page& page(unsigned number, Program& in) {
        const std::uint32_t first = number * Program::kCodeBytes;
        auto code = test::assemble({add(1, 2), add(1, 2), add(1, 2), add(1, 2)});
        in.fill(base + first, code.data(), false);
        Program::Page& page = in.page(base, first);
        GpuAddr missing;
        for (std::uint32_t ip = first; ip < first + kLineBytes; ip += 16)
            in.prepare(page, ip, missing)->decoded.always_sends = true;
        return page;
    }
    static const CodeRegion* make(Program& in, Program::Page& page, std::uint32_t ip) {
        Program::Entry& entry = *page.find(page.first_ip + ip);
        in.make_region(page, entry, true);
        return entry.functional.stepped;
    }
};

TEST_F(ProgramRegionsTest, ARegionGoesAsFarAsInstructionsAreReady) {
    Program::Page& code = page(0, program);
    const CodeRegion* const region = make(program, code, 16);
    ASSERT_NE(region, nullptr);
    EXPECT_EQ(region->size(), 3u);
    EXPECT_EQ(region->end_ip(), 64u);
    EXPECT_EQ(code.find(16)->functional.follows, nullptr) << "what follows is not ready";
    EXPECT_EQ(program.region_bytes(), region->bytes());
}

TEST_F(ProgramRegionsTest, WithoutMessagesInsideARegionEndsBeforeASend) {
    Program::Page& code = page(0, program);
    code.find(0)->decoded.always_sends = code.find(16)->decoded.always_sends = false;
    code.find(0)->decoded.always_next = true;
    program.make_region(code, *code.find(32), false);
    EXPECT_EQ(code.find(32)->functional.stepped, nullptr);
    program.make_region(code, *code.find(0), false);
    EXPECT_EQ(code.find(0)->functional.stepped->size(), 1u);
}

TEST_F(ProgramRegionsTest, AnInvalidationFreesTheRegionsOfAllPages) {
    std::vector<Program::Page*> pages;
    for (unsigned number = 0; number < 3; ++number) {
        pages.push_back(&page(number, program));
        for (const std::uint32_t ip : {0u, 16u, 48u})
            ASSERT_NE(make(program, *pages.back(), ip), nullptr);
        EXPECT_EQ(pages.back()->regions.size(), 3u);
    }
    std::size_t bytes = 0;
    for (const Program::Page* each : pages)
        for (const auto& region : each->regions)
            bytes += region->bytes();
    EXPECT_EQ(program.region_bytes(), bytes);
    program.invalidate();
    EXPECT_EQ(program.region_bytes(), 0u);
    for (const Program::Page* each : pages)
        EXPECT_TRUE(each->regions.empty());
}

TEST_F(ProgramRegionsTest, RegionsTakeNoMoreMemoryThanTheyMayAndAreThenMadeAnew) {
    std::size_t one = 0;
    {
        Program unlimited;
        one = make(unlimited, page(0, unlimited), 0)->bytes();
    }
    Program limited(2 * one);
    Program::Page &first = page(0, limited), &second = page(1, limited);
    ASSERT_NE(make(limited, first, 0), nullptr);
    first.find(0)->functional.jumped_to = first.find(0);
    ASSERT_NE(make(limited, second, 0), nullptr);
    EXPECT_EQ(limited.region_bytes(), 2 * one);
    EXPECT_NE(make(limited, second, 16), nullptr);
    EXPECT_LE(limited.region_bytes(), one);
    EXPECT_EQ(first.find(0)->functional.stepped, nullptr);
    EXPECT_EQ(first.find(0)->functional.jumped_to, nullptr);
    EXPECT_TRUE(first.regions.empty());
    EXPECT_EQ(second.find(0)->functional.stepped, nullptr);
    EXPECT_EQ(second.regions.size(), 1u);
    EXPECT_NE(make(limited, first, 0), nullptr);
}

TEST_F(ProgramTest, AnInstructionThatChangesTakesThePlaceOfTheOlder) {
    GpuAddr missing;
    for (unsigned n = 0; n < 3; ++n) {
        fill(0x10000, test::assemble({add(n, 2)}));
        Program::Page& page = program.page(base, 0);
        const Program::Entry* const entry = program.prepare(page, 0, missing);
        EXPECT_EQ(page.made[0].get(), entry);
        program.invalidate();
    }
}

TEST_F(ProgramTest, ReservedLowBitsOfAnIpAreIgnored) {
    GEN9_COVERS("EU-107");
    fill(0x10FC0, {});
    fill(0x11000, {});
    GpuAddr missing;
    EXPECT_NE(program.prepare(program.page(base, 0xFFF), 0xFFF, missing), nullptr);
}

}  // namespace
}  // namespace gen9::eu
