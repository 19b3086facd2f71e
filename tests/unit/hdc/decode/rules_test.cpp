// SPDX-License-Identifier: Apache-2.0
// Rules that hold for many messages: which of them reach what, coherency and cache control, masks,
// alignment, bounds, headers.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/covers.h"
#include "tests/unit/hdc/decode/messages.h"

namespace gen9::hdc {
namespace {
using namespace test;
namespace state = packets::render_surface_state;

constexpr auto RO = Sfid::ConstantCache;
constexpr std::uint32_t kSimd16 = 1u << 12, kSimd8 = 2u << 12, kRed = 0xE << 8;

/// The table of message groups (003:5583-5677), row by row with the per-message tables where it is
/// garbled: b surface, a A32, s SLM, 6 A64.
struct Group {
    Sfid sfid;
    unsigned type, control;
    const char* models;
};
const Group kGroups[] = {
    {DC0, 0x00, 2 << 8, "ba"},
    {DC0, 0x01, 2 << 8, "ba"},
    {DC0, 0x02, 0, "ba"},
    {DC0, 0x03, 0x200, "ba"},
    {DC0, 0x04, 0, "bas"},
    {DC0, 0x08, 2 << 8, "ba"},
    {DC0, 0x0A, 0, "ba"},
    {DC0, 0x0B, 0x200, "ba"},
    {DC0, 0x0C, 0, "bas"},
    {DC1, 0x00, 0, "b"},
    {DC1, 0x01, kSimd8, "bas"},
    {DC1, 0x02, 0x1700, "bas"},
    {DC1, 0x03, 0x700, "bas"},
    {DC1, 0x04, 0, "b"},
    {DC1, 0x05, kSimd16 | kRed, "b"},
    {DC1, 0x06, 0x700, "b"},
    {DC1, 0x07, 0x700, "b"},
    {DC1, 0x09, kSimd8 | kRed, "bas"},
    {DC1, 0x0A, 0, "b"},
    {DC1, 0x0B, 0x700, "b"},
    {DC1, 0x0C, 0x700, "b"},
    {DC1, 0x0D, kSimd16 | kRed, "b"},
    {DC1, 0x10, 0x100, "6"},
    {DC1, 0x11, kSimd8, "6"},
    {DC1, 0x12, 0x700, "6"},
    {DC1, 0x13, 0x700, "6"},
    {DC1, 0x14, 2 << 8, "6"},
    {DC1, 0x15, 2 << 8, "6"},
    {DC1, 0x19, kSimd8 | kRed, "6"},
    {DC1, 0x1A, 0x100, "6"},
    {DC1, 0x1B, 0x1100, "bas"},
    {DC1, 0x1C, 0x100, "bas"},
    {DC1, 0x1D, 0x100, "6"},
    {DC1, 0x1E, 0x100, "6"},
    {RO, 0x00, 2 << 8, "b"},
    {RO, 0x01, 2 << 8, "b"},
    {RO, 0x02, 0, "b"},
    {RO, 0x03, 0x200, "b"},
    {RO, 0x04, 2 << 8, "b"},
};

TEST(Rules, MessagesReachTheAddressModelsOfTheirGroupAndNoOthers) {
    GEN9_COVERS("DP-018 DP-048 DP-055");
    for (const Group& group : kGroups) {
        const std::string models = group.models;
        const auto accepts = [&](unsigned index) {
            // With and without a header, payloads and answers of any length: is there a legal form?
            for (const bool header : {false, true})
                for (unsigned length = header; length < 12; ++length)
                    for (const unsigned response : {0u, 1u, 2u, 4u, 8u})
                        if (!decode(group.sfid, descriptor(group.type, group.control, index),
                                    length, response, header)
                                 .error)
                            return true;
            return false;
        };
        SCOPED_TRACE(testing::Message() << to_text(group.sfid) << ' ' << group.type);
        const bool has64 = models == "6";
        EXPECT_EQ(accepts(5), models.find('b') != std::string::npos);
        EXPECT_EQ(accepts(255), has64 || models.find('a') != std::string::npos);
        EXPECT_EQ(accepts(253), has64 || models.find('a') != std::string::npos);
        // The constant cache has no SLM: 254 is an index like another there.
        EXPECT_EQ(accepts(254), group.sfid == RO || models.find('s') != std::string::npos);
        EXPECT_EQ(accepts(252), models.find('b') != std::string::npos) << "bindless";
        EXPECT_FALSE(accepts(240));
    }
}

// 003:24361, 003:24857.
TEST(Rules, AWriteMayNameARegisterThatIsAnsweredWithoutBytes) {
    GEN9_COVERS("EU-207");
    Bench b;
    b.bind(1, SurfaceBits::buffer(kData, 64));
    const auto status = [&](std::uint32_t descriptor, unsigned response) {
        descriptor = (descriptor & ~(31u << 20)) | response << 20 | 1;
        return b.run(Send(DC1, descriptor).add(U32(8, 0)).add(U32(8, 0x1234))).message.status;
    };
    EXPECT_EQ(status(kUntypedWrite8, 0), MessageStatus::Ok);
    EXPECT_EQ(status(kUntypedWrite8, 1), MessageStatus::Ok);
    EXPECT_EQ(b.kept.back().message.response_enable[0], 0u);
    EXPECT_EQ(status(kUntypedWrite8, 2), MessageStatus::GuestError);
    EXPECT_EQ(status(kUntypedRead8, 2), MessageStatus::GuestError) << "one channel";
}

TEST(Rules, CoherencyAndCacheControlComeFromSurfaceOrAlias) {
    GEN9_COVERS("DP-029 DP-030 DP-031 DP-034 DP-042");
    Bench b;
    auto& state = *b.state;
    state.stateless_mocs = 0x12;
    state.surface_mocs = 0x34;
    SurfaceBits coherent = SurfaceBits::buffer(kData, 64);
    coherent.set(state::CoherencyType, 1).set(state::MemoryObjectControlState, 0x56);
    b.bind(1, coherent);
    b.bind(2, SurfaceBits::buffer(kData, 64));
    const auto plan = [&](unsigned index) -> const Plan& {
        b.run(Send(DC1, descriptor(0x01, kSimd8 | kRed, index, 1), 1).add(U32(8, 0)));
        return b.plan;
    };
    EXPECT_TRUE(plan(1).coherent);
    EXPECT_EQ(plan(1).mocs, 0x56);
    EXPECT_EQ(b.memory.state_mocs, 0x34) << "the state itself is read with its base's";
    EXPECT_FALSE(plan(2).coherent);
    EXPECT_TRUE(plan(255).coherent);
    EXPECT_EQ(plan(255).mocs, 0x12);
    EXPECT_FALSE(plan(253).coherent);
    EXPECT_EQ(plan(253).mocs, 0x12);
    // Shared local memory is not cached: its accesses take another way, without attributes.
    EXPECT_FALSE(b.plan.slm);
    EXPECT_TRUE(plan(254).slm);
    EXPECT_FALSE(b.plan.coherent);
    EXPECT_EQ(b.plan.mocs, 0);
}

TEST(Rules, A64AddressesAreTheSlotsOffsetsAlone) {
    GEN9_COVERS("DP-043 DP-156");
    Bench b;
    b.state->general_state_base = GpuAddr(0x1000);
    b.state->general_state_size = 0;
    b.memory.put<std::uint32_t>(kData + 20, 7);
    EXPECT_EQ(b.run(Send(DC1, kA64Read8, 1).add(U64(8, kData + 20))).dword(0), 7u);
    const Send& add = b.run(Send(DC1, descriptor(0x12, 7 << 8 | 1 << 13, 255, 1), 1)
                                .add(U64(8, kData + 20))
                                .add(U32(8, 3)));
    EXPECT_EQ(add.dword(0), 7u);
    EXPECT_EQ(b.memory.get<std::uint32_t>(kData + 20), 10u);
}

TEST(Rules, UntypedMessagesIgnoreTheFormatOfTheSurface) {
    GEN9_COVERS("DP-056");
    for (const unsigned format : {0x000u, 0x0C7u, 0x140u, 0x1FFu, 0x0AAu}) {
        Bench b;
        SurfaceBits s = SurfaceBits::buffer(kData, 64);
        b.bind(0, s.set(state::SurfaceFormat, format).set(state::SurfacePitch, 15));
        b.memory.put<std::uint32_t>(kData + 12, 0x11223344);
        EXPECT_EQ(
            b.run(Send(DC1, descriptor(0x01, kSimd8 | kRed, 0, 1), 1).add(U32(8, 12))).dword(0),
            0x11223344u);
        // D-46: all 64 entries of 16 bytes are inside, and nothing behind them.
        b.memory.put<std::uint32_t>(kData + 1020, 0x55667788);
        b.memory.put<std::uint32_t>(kData + 1024, 0x99AABBCC);
        const Send& end =
            b.run(Send(DC1, descriptor(0x01, kSimd8 | kRed, 0, 1), 1).add(U32{1020, 1024}));
        EXPECT_EQ(end.dword(0), 0x55667788u);
        EXPECT_EQ(end.dword(1), 0u);
    }
}

TEST(Rules, OffsetsBelowTheAlignmentOfTheDataAreRoundedDown) {
    GEN9_COVERS("DP-059");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 64));
    for (unsigned i = 0; i < 16; ++i)
        b.memory.put<std::uint32_t>(kData + i * 4, 100 + i);
    for (unsigned low = 0; low < 4; ++low)
        EXPECT_EQ(b.run(Send(DC1, descriptor(0x01, kSimd8 | kRed, 0, 1), 1).add(U32(8, 8 + low)))
                      .dword(0),
                  102u);
    const Send& qword =
        b.run(Send(DC1, descriptor(0x10, 2 << 8, 255, 2), 1).add(U64(8, kData + 13)));
    EXPECT_EQ(qword.dword(0), 102u);
}

TEST(Rules, AnAddressBelowItsAlignmentIsAGuestErrorOfItsKernelOnce) {
    GEN9_COVERS("DP-119");
    constexpr std::uint32_t kLow = static_cast<std::uint32_t>(kData);
    constexpr std::uint32_t kScaledWords = 2u << 15 | 1u << 8 | 1u << 7 | 1u << 20 | 1u << 19;
    const auto structured = [] {
        SurfaceBits s = SurfaceBits::buffer(kData, 64);
        return s.set(state::SurfaceType, state::SURFTYPE_STRBUF).set(state::SurfacePitch, 17);
    }();
    const struct {
        const char* what;
        Send message;
        const char *address, *multiple;  // null: legal
    } rows[] = {
        {"A64 DWords at 2 mod 4", Send(DC1, kA64Read8, 1).add(U64(8, kData + 2)), "0x180002", "4"},
        {"written", Send(DC1, kA64Write8, 1).add(U64(8, kData + 2)).add(U32(8, 1)), "0x180002",
         "4"},
        {"two to a slot",
         Send(DC1, descriptor(0x10, 1 << 8 | 1 << 10, 255, 2), 2)
             .add(ramp<std::uint64_t>(8, kData, 9)),
         "0x180009", "4"},
        {"QWords at DWords", Send(DC1, descriptor(0x10, 2 << 8, 255, 2), 1).add(U64(8, kData + 4)),
         "0x180004", "8"},
        {"untyped on a surface", Send(DC1, kUntypedRead8 | 1, 1).add(U32(8, 7)), "0x180007", "4"},
        {"untyped, stateless", Send(DC1, kUntypedRead8 | kStateless, 1).add(U32(8, 5)), "0x140005",
         "4"},
        {"untyped, SLM", Send(DC1, kUntypedRead8 | kLocal, 1).add(U32(8, 6)), "0x1006", "4"},
        {"a structure's", Send(DC1, kUntypedRead8 | 2, 1).add(U32(8, 1)).add(U32(8, 4)), "0x180016",
         "4"},
        {"scaled by port 2",
         Send(DC2, kScaledWords, 2).header({{0, 5}, {5, kLow}}).add(ramp<std::uint32_t>(8, 0, 1)),
         "0x180006", "4"},
        {"atomic", Send(DC1, kA64Add8, 1).add(U64(8, kData + 3)).add(U32(8, 1)), "0x180003", "4"},
        {"atomic of QWords",
         Send(DC1, descriptor(0x12, 7 << 8 | 1 << 12, 255), 1)
             .add(U64(8, kData + 12))
             .add(U64(8, 1)),
         "0x18000c", "8"},
        {"OWord block", Send(DC1, 0x020D44FF).header({{0, kLow + 8}}).add(U32(32, 1)), "0x180008",
         "16"},
        {"aligned block", Send(DC0, 0x02284301).header({{2, 6}}), "0x180006", "4"},
        {"dual block",
         Send(DC1, descriptor(0x14, 2 << 11, 255, 1, true), 0x11)
             .header({{0, kLow}, {2, kLow + 4}}),
         "0x180004", "16"},
        {"an inactive slot's", Send(DC1, kA64Read8, 1).add(ramp<std::uint64_t>(8, kData, 2)),
         nullptr, ""},
        {"QWords at QWords", Send(DC1, descriptor(0x10, 2 << 8, 255, 2), 1).add(U64(8, kData + 8)),
         nullptr, ""},
        {"bytes", Send(DC1, descriptor(0x10, 1 << 10, 255, 1), 1).add(U64(8, kData + 1)), nullptr,
         ""},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.what);
        Bench b;
        std::vector<std::string> lines;
        b.reporter.log = [&](const std::string& line) { lines.push_back(line); };
        b.bind(1, SurfaceBits::buffer(kData, 4096));
        b.bind(2, structured);
        b.sender.slm_base = 0x1000;
        b.sender.kernel_start = GpuAddr(0x7654000);
        Send send = row.message;
        for (unsigned thread = 0; thread < 3; ++thread) {
            b.sender.place.slot = ThreadSlot(thread);
            send.message.ip = 0x1230 + thread * 16;
            EXPECT_EQ(b.run(send).message.status, MessageStatus::Ok) << "it is carried out";
        }
        EXPECT_EQ(b.reporter.guest_errors(), row.address ? 3u : 0u);
        ASSERT_EQ(lines.size(), row.address ? 1u : 0u);
        if (!row.address) continue;
        for (const std::string& part :
             {std::string("at kernel 0x000007654000: "), std::string("thread0 ip 00001230"),
              row.address + std::string(" is no multiple of ") + row.multiple + ":"})
            EXPECT_NE(lines[0].find(part), std::string::npos) << lines[0];
    }
}

TEST(Rules, OffsetsAreUnsignedAndTheirSumsDoNotWrap) {
    GEN9_COVERS("DP-076");
    constexpr std::uint32_t kMinus1 = ~0u, kMinus4 = ~3u, kMinus1K = ~1023u;
    constexpr std::uint32_t kHeader = 1u << 19, kPort2 = 1u << 7 | kHeader;
    const auto structured = [] {
        SurfaceBits s = SurfaceBits::buffer(kData, 64);
        return s.set(state::SurfaceType, state::SURFTYPE_STRBUF).set(state::SurfacePitch, 15);
    }();
    // What counts from below zero, or back to zero, if any offset were signed or a sum had 32 bits.
    const struct {
        const char* what;
        Send message;
    } rows[] = {
        {"U", Send(DC1, kUntypedRead8 | 1, 1).add(U32(8, kMinus4))},
        {"U, stateless", Send(DC1, kUntypedRead8 | kStateless, 1).add(U32(8, kMinus4))},
        {"the header's buffer base", Send(DC1, kUntypedRead8 | kStateless | kHeader, 1)
                                         .header({{5, kMinus1K}, {7, 0xFFFF}})
                                         .add(U32(8, 1024))},
        {"of bytes", Send(DC0, descriptor(4, 0, 1, 1), 1).add(U32(8, kMinus1))},
        {"of bytes, global",
         Send(DC0, descriptor(4, 0, 1, 1, true), 1).header({{2, kMinus4}}).add(U32(8, 4))},
        {"of DWords", Send(DC0, descriptor(3, 0x200, 1, 1), 1).add(U32(8, kMinus1))},
        {"of DWords, global",
         Send(DC0, descriptor(3, 0x200, 1, 1, true), 1).header({{2, kMinus1}}).add(U32(8, 1))},
        {"of OWords", Send(DC0, descriptor(0, 2 << 8, 1, 1, true)).header({{2, kMinus1}})},
        {"of aligned OWords",
         Send(DC0, descriptor(1, 0, 1, 1, true), 0xF).header({{2, kMinus4 - 12}})},
        {"of two blocks", Send(DC0, descriptor(2, 0, 1, 1), 0x0F).add(U32(8, kMinus1))},
        {"of two blocks, global",
         Send(DC0, descriptor(2, 0, 1, 1, true), 0x0F).header({{2, kMinus1}}).add(U32(8, 1))},
        {"of scratch", Send(DC0, 0x021C0020).header({{5, kMinus1K}})},
        {"of atomics",
         Send(DC1, descriptor(2, 0x1700 | 1 << 13, 1, 1), 1).add(U32(8, kMinus4)).add(U32(8, 0))},
        {"a structure's U", Send(DC1, kUntypedRead8 | 2, 1).add(U32(8, kMinus1)).add(U32(8, 0))},
        {"a structure's V", Send(DC1, kUntypedRead8 | 2, 1).add(U32(8, 1)).add(U32(8, kMinus4))},
        {"of port 2", Send(DC2, 8u << 14 | 2u << 10 | kPort2 | 1u << 20, 1)
                          .header({{0, 3}})
                          .add(U32(8, kMinus1))},
        {"the base of port 2", Send(DC2, 8u << 14 | 2u << 10 | kPort2 | 1u << 20, 1)
                                   .header({{0, 3}, {5, kMinus4}})
                                   .add(U32(8, 1))},
        {"a typed U",
         Send(DC1, descriptor(5, kSimd16 | kRed, 3, 1), 1).add(U32(8, kMinus1)).add(U32(8, 1))},
        {"a typed V",
         Send(DC1, descriptor(5, kSimd16 | kRed, 3, 1), 1).add(U32(8, 1)).add(U32(8, kMinus1))},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.what);
        Bench b;
        std::fill(b.memory.bytes.begin(), b.memory.bytes.end(), std::uint8_t{0x5A});
        b.state->general_state_base = GpuAddr(kData);
        b.state->general_state_size = 4096;
        b.bind(1, SurfaceBits::buffer(kData, 4096));
        b.bind(2, structured);
        b.bind(3, SurfaceBits::image(state::SURFTYPE_2D, 0x0D7, kData, 8, 8, 1, 64));
        const Message& r = b.run(row.message).message;
        EXPECT_EQ(r.status, MessageStatus::Ok);
        EXPECT_EQ(b.plan.accesses, 0);
        EXPECT_GT(b.plan.out_of_bounds, 0);
        ASSERT_NE(r.response_enable[0], 0u);
        for (unsigned i = 0; i < 32; ++i)
            ASSERT_EQ(r.response_enable[0] >> i & 1 ? r.response[0].bytes[i] : 0, 0) << i;
    }
}

TEST(Rules, BasesAreTakenAsTheyAre) {
    GEN9_COVERS("DP-075");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData + 4, 64));
    b.memory.put<std::uint32_t>(kData + 8, 9);
    EXPECT_EQ(b.run(Send(DC1, descriptor(0x01, kSimd8 | kRed, 0, 1), 1).add(U32(8, 4))).dword(0),
              9u);
}

TEST(Rules, MaskBitsOfASlotCountForAllItsElements) {
    GEN9_COVERS("DP-081");
    Bench b;
    for (unsigned i = 0; i < 512; ++i)
        b.memory.put<std::uint32_t>(kData + i * 4, i);
    const std::uint32_t mask = 0xA5C3;
    const Send& r = b.run(Send(DC1, descriptor(0x10, 1 << 8 | 2 << 10 | 1 << 12, 255, 8), mask)
                              .add(ramp<std::uint64_t>(16, kData, 64)));
    for (unsigned e = 0; e < 4; ++e)
        for (unsigned slot = 0; slot < 16; ++slot) {
            EXPECT_EQ(r.written(e * 16 + slot), (mask >> slot & 1) != 0);
            EXPECT_EQ(r.dword(e * 16 + slot), mask >> slot & 1 ? slot * 16 + e : 0);
        }
}

TEST(Rules, TheLastBytesOfABufferThatIsNoMultipleOfADwordAreOutside) {
    GEN9_COVERS("DP-090 DP-115");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 62));
    for (unsigned i = 0; i < 64; ++i)
        b.memory.put<std::uint8_t>(kData + i, 0xAA);
    const Send& r =
        b.run(Send(DC0, descriptor(0x04, 0, 0, 1), 0xFF).add(U32{56, 58, 59, 60, 61, 62, 63, 64}));
    for (unsigned slot = 0; slot < 8; ++slot)
        EXPECT_EQ(r.dword(slot), slot < 3 ? 0xAAu : 0u) << slot;
}

TEST(Rules, DwordOffsetsBeyondTheirRangeDoNotWrap) {
    GEN9_COVERS("DP-118");
    Bench b;
    b.bind(0, SurfaceBits::buffer(kData, 4096));
    b.memory.put<std::uint32_t>(kData, 5);
    const Send& r = b.run(
        Send(DC0, descriptor(0x03, 0x200, 0, 1), 3).add(U32{0x40000000, 0, 0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(r.dword(0), 0u) << "times 4 this would be 0 in 32 bits";
    EXPECT_EQ(r.dword(1), 5u);
}

TEST(Rules, InsideTheSurfaceThePageTablesStillDecide) {
    GEN9_COVERS("DP-101");
    Bench b;
    b.bind(0, SurfaceBits::buffer(test::FlatMemory::kBase + test::FlatMemory::kSize - 64, 4096));
    const Send& r = b.run(Send(DC1, descriptor(0x01, kSimd8 | kRed, 0, 1), 1).add(U32(8, 1024)));
    EXPECT_EQ(r.dword(0), 0u);
    EXPECT_EQ(b.plan.out_of_bounds, 0);
    EXPECT_GT(b.memory.bus_accesses, 0u) << "the access was tried, and the memory refused it";
}

TEST(Rules, TheThreadsIdInTheHeaderIsNoPartOfTheBufferBase) {
    GEN9_COVERS("DP-209 DP-213");
    Bench b;
    b.memory.put<std::uint32_t>(Bench::kGeneralBase + 0x1400 + 8, 6);
    for (const std::uint32_t id : {0u, 0x3FFu})
        EXPECT_EQ(b.run(Send(DC1, descriptor(0x01, kSimd8 | kRed, 255, 1, true), 1)
                            .header({{5, 0x1400 | id}, {7, 0xFFFF}})
                            .add(U32(8, 8)))
                      .dword(0),
                  6u);
}

TEST(Rules, Gather4IsTheLoopOfTheVirtualIsa) {
    GEN9_COVERS("DP-143 DP-216 DP-218");
    // 001:15-27: for enabled channel c at position p, dst[p * max(exec_size, 8) + i] is the DWord
    // at address + offset[i] + 4 * c. In the message a set bit disables.
    Bench b;
    for (unsigned i = 0; i < 4096; ++i)
        b.memory.put<std::uint32_t>(kData + i * 4, i * 2654435761u);
    for (const unsigned exec_size : {8u, 16u})
        for (unsigned enabled = 1; enabled < 16; ++enabled) {
            std::vector<std::uint64_t> address(exec_size);
            for (unsigned i = 0; i < exec_size; ++i)
                address[i] = kData + (i * 37 % 16) * 512 + i * 4;
            const unsigned channels = static_cast<unsigned>(std::popcount(enabled));
            const std::uint32_t mask = exec_size == 8 ? 0x5B : 0x9D5B;
            const Send& r = b.run(
                Send(DC1,
                     descriptor(0x11, (~enabled & 15) << 8 | (exec_size == 8 ? kSimd8 : kSimd16),
                                255, channels * exec_size / 8),
                     mask)
                    .add(address));
            unsigned position = 0;
            for (unsigned c = 0; c < 4; ++c) {
                if (!(enabled >> c & 1)) continue;
                for (unsigned i = 0; i < exec_size; ++i) {
                    const unsigned at = position * std::max(exec_size, 8u) + i;
                    ASSERT_EQ(r.written(at), (mask >> i & 1) != 0);
                    if (!(mask >> i & 1)) continue;
                    ASSERT_EQ(r.dword(at), b.memory.get<std::uint32_t>(address[i] + 4 * c));
                }
                ++position;
            }
        }
}

}  // namespace
}  // namespace gen9::hdc
