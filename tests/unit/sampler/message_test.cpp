// SPDX-License-Identifier: Apache-2.0
// Descriptors, headers, parameters and what is written back.
#include <gtest/gtest.h>

#include "tests/support/covers.h"
#include "tests/unit/sampler/bench.h"

namespace gen9::sampler {
namespace {
using namespace test;

/// A 2D surface of 16 x 4 R32_UINT texels, each 100 * y + x.
struct Grid : Bench {
    Grid() {
        shape(surface_state::SURFTYPE_2D, 0x0D7, 16, 4, 1, 64);
        for (unsigned y = 0; y < 4; ++y)
            for (unsigned x = 0; x < 16; ++x)
                put<std::uint32_t>(y * 64 + x * 4, 100 * y + x);
    }
    static std::vector<std::uint32_t> lanes() {
        std::vector<std::uint32_t> values(16);
        for (unsigned i = 0; i < 16; ++i)
            values[i] = i;
        return values;
    }
};

TEST(SamplerMessage, DescriptorsOfTheCompilerDecode) {
    GEN9_COVERS("SMP-100 SMP-140");
    struct Row {
        std::uint32_t descriptor;
        const char* name;
        Simd simd;
        unsigned length, response, sampler, binding;
        bool half;
    };
    const Row rows[] = {
        {0x028D8000, "sample_lz", Simd::Sixteen, 5, 8, 0, 0, false},
        {0x028DA000, "ld_lz", Simd::Sixteen, 5, 8, 0, 0, false},
        {0x028D8101, "sample_lz", Simd::Sixteen, 5, 8, 1, 1, false},
        {0x024B8000, "sample_lz", Simd::Eight, 3, 4, 0, 0, false},
        {0x424D8000, "sample_lz", Simd::Sixteen, 5, 4, 0, 0, true},
        {0x022D8000, "sample_lz", Simd::Sixteen, 5, 2, 0, 0, false},
        {0x028C2000, "sample_l", Simd::Sixteen, 7, 8, 0, 0, false},
        {0x0E4A4000, "sample_d", Simd::Eight, 7, 4, 0, 0, false},
        {0x02420000, "sample", Simd::Eight, 1, 4, 0, 0, false},
        {0x04846102, "sample_l_c", Simd::Sixteen, 2, 8, 1, 2, false},
    };
    for (const Row& row : rows) {
        Message m;
        m.descriptor = row.descriptor;
        m.length = static_cast<std::uint8_t>(row.length);
        m.response_length = static_cast<std::uint8_t>(row.descriptor >> 20 & 31);
        m.header_present = row.descriptor >> 19 & 1;
        const Decoded d = decode(m);
        ASSERT_TRUE(d.row) << std::hex << row.descriptor;
        EXPECT_STREQ(d.row->name, row.name);
        EXPECT_EQ(d.simd, row.simd) << row.name;
        EXPECT_EQ(d.response_registers, d.error ? 0 : row.response) << row.name;
        EXPECT_EQ(d.sampler_index, row.sampler);
        EXPECT_EQ(d.binding_index, row.binding);
        EXPECT_EQ(d.half, row.half);
    }
}

TEST(SamplerMessage, Simd8AndSimd16ParametersAreARegisterOrTwoEach) {
    GEN9_COVERS("SMP-180 SMP-181 SMP-183 SMP-185");
    Grid g;
    for (const unsigned simd : {1u, 2u}) {
        Bench::Options o;
        o.simd = simd;
        const Answer answer = g.send(kLdLz, {Grid::lanes(), all_of(2)}, o);
        for (unsigned n = 0; n < (simd == 2 ? 16 : 8); ++n)
            EXPECT_EQ(answer.integers(n), (std::array<std::uint32_t, 4>{200 + n, 0, 0, 1}));
    }
}

TEST(SamplerMessage, TrailingParametersMayBeLeftOut) {
    GEN9_COVERS("SMP-115");
    Grid g;
    const Answer answer = g.send(kLdLz, {Grid::lanes()});
    EXPECT_EQ(answer.bits[0][5], 5u);
    Bench::Options o;
    o.header2 = 0;
    EXPECT_EQ(g.send(kLdLz, {}, o).status, MessageStatus::GuestError);
}

// Sampler guide 3.5: parameters of each message, and those that it must have (SMP-115: what tells the
// sample and its place).
TEST(SamplerMessage, HasItsParametersAndNoMore) {
    struct Row {
        unsigned code, least, most;
    };
    constexpr Row kRows[] = {{0x00, 1, 5},  {0x01, 1, 6}, {0x02, 1, 5}, {0x03, 1, 6}, {0x04, 1, 11},
                             {0x05, 1, 7},  {0x06, 1, 6}, {0x07, 1, 4}, {0x08, 1, 4}, {0x09, 1, 4},
                             {0x0A, 1, 1},  {0x0C, 1, 3}, {0x10, 1, 5}, {0x11, 1, 5}, {0x12, 1, 6},
                             {0x14, 1, 12}, {0x16, 1, 2}, {0x17, 1, 2}, {0x18, 1, 4}, {0x19, 1, 5},
                             {0x1A, 1, 3},  {0x1C, 4, 7}, {0x1D, 1, 4}, {0x1E, 3, 6}, {0x1F, 2, 5}};
    for (const Row& row : kRows)
        for (unsigned given = 0; given <= 10; ++given) {
            Grid g;
            Bench::Options o;
            g.build(row.code, std::vector(given, all_of(0)), o);
            EXPECT_EQ(decode(g.message).error == nullptr, given >= row.least && given <= row.most)
                << row.code << ": " << given;
        }
    Grid g;
    g.build(kSampleInfo, {}, {});
    EXPECT_EQ(decode(g.message).error, nullptr) << "it has none";
}

TEST(SamplerMessage, MaskedChannelsLeaveNoGapAndLanesNotExecutedStay) {
    GEN9_COVERS("SMP-113 SMP-118 SMP-125 SMP-187 SMP-191 VME-81");
    Grid g;
    for (unsigned simd = 1; simd <= 2; ++simd)
        for (unsigned masked = 0; masked < 15; ++masked) {
            Bench::Options o;
            o.simd = simd;
            o.header2 = masked << 12;
            o.mask = 0xA5C3;
            const Answer answer = g.send(kLdLz, {Grid::lanes(), all_of(1)}, o);
            ASSERT_EQ(answer.status, MessageStatus::Ok);
            const unsigned samples = simd == 2 ? 16 : 8;
            const std::uint32_t wanted[] = {100, 0, 0, 1};
            for (unsigned c = 0; c < 4; ++c)
                for (unsigned n = 0; n < samples && !(masked >> c & 1); ++n) {
                    if (o.mask >> n & 1) {
                        EXPECT_EQ(answer.bits[c][n], wanted[c] + (c == 0 ? n : 0));
                    }
                }
            for (unsigned r = 0; r < g.message.response_length; ++r)
                for (unsigned n = 0; n < 8; ++n) {
                    const unsigned lane = simd == 2 ? n + r % 2 * 8 : n;
                    EXPECT_EQ(g.message.response_enable[r] >> 4 * n & 15,
                              o.mask >> lane & 1 ? 15u : 0u);
                }
        }
    Bench::Options o;
    o.header2 = 15 << 12;
    o.response = 1;
    EXPECT_EQ(g.send(kLdLz, {Grid::lanes()}, o).status, MessageStatus::GuestError);
    // No other length is right for the header's channels.
    for (const unsigned simd : {0u, 1u, 2u})
        for (unsigned masked = 0; masked < 15; ++masked)
            for (int response = 1; response <= 10; ++response) {
                o.simd = simd;
                o.header2 = masked << 12;
                o.response = response;
                const int channels = 4 - std::popcount(masked);
                const int wanted = simd == 0 ? 1 : channels * static_cast<int>(simd);
                EXPECT_EQ(g.send(kLd, {{0, 0}}, o).status == MessageStatus::Ok, response == wanted)
                    << simd << ' ' << masked << ' ' << response;
            }
}

TEST(SamplerMessage, PairsAreToldFromAnEndOfThreadWhicheverCameFirst) {
    Grid g;
    Bench::Options o;
    o.simd = 0;
    g.build(kLd, {{0, 0}}, o);
    const Message pairs = g.message;
    Message last = pairs;  // without bit 22 of M0.2; its response is one too many (SMP-124)
    store(last.payload[0].bytes + 8, std::uint32_t{0});
    last.end_of_thread = true;
    for (const bool first : {false, true}) {
        DecodeCache kept;
        kept.get(first ? pairs : last);
        EXPECT_EQ(kept.get(pairs).error, nullptr) << first;
        EXPECT_NE(kept.get(last).error, nullptr) << first;
    }
}

// The fields of a render target write: binding table index 7:0, type 10:8, slot group 11, last target
// 12, code 17:14, length 28:25, halves 30.
TEST(SamplerMessage, ResultsForTheRenderTargetAreAWriteWithoutAHeader) {
    GEN9_COVERS("SMP-107 SMP-122 RT-40");
    const ThreadSideband sender{};
    std::uint32_t target = 0;
    const auto write_of = [&](unsigned simd, bool half, bool ends) {
        Message message;
        message.reset();
        message.descriptor = (half ? 1u << 30 : 0) | simd << 17 | kLdLz << 12 | 9;
        message.header_present = true;
        message.length = simd == 2 ? 3 : 2;
        message.end_of_thread = ends;
        message.execution_mask = 0xF0F;
        message.ip = 0x1230;
        message.trace_id = 77;
        message.sender = &sender;
        store(message.payload[0].bytes + 8, target << 24);
        for (unsigned i = 0; i < 8; ++i)
            store(message.response[i].bytes, i + 10);
        const Decoded decoded = decode(message);
        EXPECT_EQ(decoded.error, nullptr) << decoded.error;
        EXPECT_TRUE(decoded.direct);
        Message write;
        make_target_write(message, decoded, write);
        EXPECT_EQ(write.sfid, Sfid::RenderCache);
        EXPECT_FALSE(write.header_present);
        EXPECT_EQ(write.end_of_thread, ends);
        EXPECT_EQ(write.execution_mask, 0xF0Fu);
        EXPECT_EQ(write.ip, 0x1230u);
        EXPECT_EQ(write.trace_id, 77u);
        EXPECT_EQ(write.sender, &sender);
        EXPECT_EQ(write.response_length, 0u);
        EXPECT_EQ(write.length, write.descriptor >> 25 & 15);
        EXPECT_EQ(write.first_length, write.length);
        for (unsigned i = 0; i < write.length; ++i)
            EXPECT_EQ(load<std::uint32_t>(write.payload[i].bytes), i + 10);
        return write.descriptor;
    };
    for (const std::uint32_t index : {0xA5u, 0x5Au}) {
        target = index;
        const std::uint32_t common = 0xC << 14 | 1 << 12 | index, upper = 1 << 11;
        EXPECT_EQ(write_of(1, false, true), common | 4 << 8 | 4 << 25);
        EXPECT_EQ(write_of(1, false, false), common | upper | 4 << 8 | 4 << 25);
        EXPECT_EQ(write_of(2, false, true), common | 8 << 25);
        EXPECT_EQ(write_of(2, false, false), common | upper | 8 << 25);
        EXPECT_EQ(write_of(2, true, true), common | 4 << 25 | 1u << 30);
    }
}

// A message without a response asks the sampler to write the render target, which its header names.
// Of a sampler that has no way there, legal ones are reported as not modelled; the others are errors.
TEST(SamplerMessage, ResultsForTheRenderTargetAreReported) {
    std::string reported;
    const auto status = [&](unsigned code, std::vector<std::vector<std::uint32_t>> parameters,
                            auto change) {
        Grid g;
        reported.clear();
        g.reporter.log = [&](const std::string& text) { reported += text; };
        Bench::Options o;
        o.response = 0;
        o.header2 = 0xA5u << 24;
        change(o);
        return g.send(code, parameters, o).status;
    };
    const auto as_it_is = [](Bench::Options&) {};
    for (const unsigned simd : {1u, 2u}) {
        EXPECT_EQ(status(kLdLz, {Grid::lanes()}, [&](Bench::Options& o) { o.simd = simd; }),
                  MessageStatus::NotModelled);
        EXPECT_NE(reported.find("SMP-122"), std::string::npos);
        EXPECT_NE(reported.find("render target 165"), std::string::npos) << reported;
    }
    const auto illegal = MessageStatus::GuestError;
    for (const unsigned code : {kKillPix, kResInfo, kSampleInfo, kLod, kGather4, kGather4Po})
        EXPECT_EQ(status(code, {Grid::lanes(), all_of(0)}, as_it_is), illegal) << code;
    EXPECT_EQ(status(kLdLz, {Grid::lanes()}, [](Bench::Options& o) { o.simd = 0; }), illegal);
    EXPECT_EQ(status(kLdLz, {Grid::lanes()}, [](Bench::Options& o) { o.header = false; }), illegal);
    for (const std::uint32_t bit : {12u, 15u, 23u})
        EXPECT_EQ(
            status(kLdLz, {Grid::lanes()}, [&](Bench::Options& o) { o.header2 |= 1u << bit; }),
            illegal)
            << bit;
}

TEST(SamplerMessage, SixteenBitResultsAreWords) {
    GEN9_COVERS("SMP-119 SMP-184 SMP-186 VME-81");
    Grid g;
    for (const unsigned simd : {1u, 2u}) {
        Bench::Options o;
        o.simd = simd;
        o.half = true;
        const Answer answer = g.send(kLdLz, {Grid::lanes(), all_of(3)}, o);
        ASSERT_EQ(answer.status, MessageStatus::Ok);
        EXPECT_EQ(g.message.response_length, 4);
        for (unsigned n = 0; n < (simd == 2 ? 16 : 8); ++n)
            EXPECT_EQ(answer.bits[0][n], 300 + n);
        EXPECT_EQ(g.message.response_enable[3], simd == 2 ? ~0u : 0xFFFFu);
    }
    g.set(surface_state::SurfaceFormat, 0x0D8);  // floats: rounded to half
    g.put(0, 1.0f + 3.0f / 2048);
    Bench::Options o;
    o.half = true;
    EXPECT_EQ(g.send(kLdLz, {all_of(0)}, o).bits[0][0], 0x3C02u);
}

TEST(SamplerMessage, WithoutHeaderTheResponseLengthSaysTheChannels) {
    GEN9_COVERS("SMP-102 SMP-120 VME-82");
    Grid g;
    for (const unsigned simd : {1u, 2u})
        for (int response = 0; response <= 9; ++response) {
            Bench::Options o;
            o.header = false;
            o.simd = simd;
            o.response = response;
            g.send(kLdLz, {Grid::lanes()}, o);
            const int each = simd == 2 ? 2 : 1;
            const bool legal = response && response % each == 0 && response <= 4 * each;
            EXPECT_EQ(g.message.status == MessageStatus::Ok, legal) << response;
            if (!legal) continue;
            EXPECT_EQ(load<std::uint32_t>(g.message.response[0].bytes + 12), 3u);
            const std::uint32_t channels[] = {3, 0, 0, 1};  // of the fourth texel: 3, 0, 0, 1
            for (int r = 0; r < response; ++r) {
                const auto at = static_cast<unsigned>(r);
                EXPECT_EQ(g.message.response_enable[at], ~0u);
                if (r % each == 0) {
                    EXPECT_EQ(load<std::uint32_t>(g.message.response[at].bytes + 12),
                              channels[r / each]);
                }
            }
        }
    // The sampler state is the thread's own.
    g.set(surface_state::SurfaceFormat, 0x0D8);
    g.put(0, 7.0f);
    g.sender.sampler_state_offset = Bench::kSampler;
    Bench::Options o;
    o.header = false;
    o.response = 4;
    EXPECT_EQ(g.send(kSampleLz, {all(0), all(0)}, o).number(0, 0), 7.0f);
}

TEST(SamplerMessage, Simd4x2HasTwoSamplesOfFourParameters) {
    GEN9_COVERS("SMP-126 SMP-190");
    Grid g;
    Bench::Options o;
    o.simd = 0;
    o.mask = 0x80;  // one bit of the second sample's four
    const Answer answer = g.send(kLd, {{3, 5}, {1, 2}, {0, 0}, {0, 0}}, o);
    EXPECT_EQ(answer.status, MessageStatus::Ok);
    EXPECT_EQ(answer.bits[0][1], 205u);
    EXPECT_EQ(g.message.response_enable[0], 0xFFFF0000u);
    o.mask = 0xFF;
    o.header2 = 0xA << 12;  // G and A masked: in place
    g.send(kLd, {{3, 5}, {1, 2}, {0, 0}, {0, 0}}, o);
    EXPECT_EQ(g.message.response_enable[0], 0x0F0F0F0Fu);
}

TEST(SamplerMessage, MasksFollowTheChannels) {
    GEN9_COVERS("SMP-188 VME-81");
    Grid g;
    g.set(surface_state::SurfaceFormat, 0x0D8);
    Bench::Options o;
    o.mask = 0x0F;
    g.send(kKillPix, {all(0), all(0)}, o);
    EXPECT_EQ(g.message.status, MessageStatus::Ok);
    EXPECT_EQ(load<std::uint32_t>(g.message.response[4].bytes), 0xFFFFFF0Fu);
    EXPECT_EQ(g.message.response_enable[4], 0xFu);
    o.header2 = 1 << 23;
    g.send(kSampleLz, {all(0), all(0)}, o);
    EXPECT_EQ(g.message.response_length, 5);
    EXPECT_EQ(load<std::uint32_t>(g.message.response[4].bytes), ~0u);
}

TEST(SamplerMessage, IllegalOnesAnswerZerosAndAreReported) {
    GEN9_COVERS("SMP-117 SMP-124 SMP-170 VME-81");
    Grid g;
    const auto refused = [&](unsigned code, unsigned params, const Bench::Options& o) {
        g.send(code, std::vector<std::vector<std::uint32_t>>(params, all_of(0)), o);
        if (g.message.status != MessageStatus::GuestError) return false;
        for (unsigned r = 0; r < g.message.response_length; ++r)
            for (const std::uint8_t byte : g.message.response[r].bytes)
                if (byte || g.message.response_enable[r] != ~0u) return false;
        return true;
    };
    Bench::Options sixteen;
    sixteen.simd = 2;
    EXPECT_TRUE(refused(kSampleD, 4, sixteen));
    EXPECT_TRUE(refused(kLdLz, 5, sixteen));
    EXPECT_TRUE(refused(0x0D, 2, {}));
    EXPECT_TRUE(refused(0x1B, 2, {}));
    EXPECT_FALSE(refused(kLdLz, 3, sixteen));
    const auto wrong_of = [&](unsigned params) {
        g.build(kSampleLC, std::vector<std::vector<std::uint32_t>>(params, all_of(0)), sixteen);
        const char* const error = decode(g.message).error;
        return std::string(error != nullptr ? error : "");
    };
    EXPECT_EQ(wrong_of(5), "");
    EXPECT_EQ(wrong_of(6), "message length (SMP-114)");
    Bench::Options wrong;
    wrong.response = 3;
    EXPECT_TRUE(refused(kLdLz, 2, wrong));
    g.build(kLdLz, {all_of(0)}, {});
    g.message.end_of_thread = true;
    g.run({});
    EXPECT_EQ(g.message.status, MessageStatus::GuestError);
    EXPECT_EQ(g.reporter.guest_errors(), 6u);
}

TEST(SamplerMessage, BindlessSurfacesAreFoundByTheExtendedDescriptor) {
    GEN9_COVERS("SMP-72");
    Grid g;
    Bench::Options o;
    o.binding = 252;
    o.extended = Bench::kSurface / 64 << 12 | 2;
    EXPECT_EQ(g.send(kLdLz, {Grid::lanes(), all_of(1)}, o).bits[0][3], 103u);
    // The offset has 20 bits.
    auto state = std::make_shared<PipelineState>(*g.sender.state);
    state->bindless_surface_base = GpuAddr(0x1'0000'0000);
    state->bindless_surface_count = 0xFFFFF;
    g.sender.state = state;
    for (unsigned bit = 12; bit < 32; ++bit) {
        o.extended = 1u << bit | 2;
        g.send(kLdLz, {Grid::lanes()}, o);
        EXPECT_EQ(g.memory.last_state, 0x1'0000'0000 + (64ull << (bit - 12)));
    }
    for (o.binding = 253; o.binding < 256; ++o.binding)
        EXPECT_EQ(g.send(kLdLz, {Grid::lanes()}, o).status, MessageStatus::GuestError);
}

// A request is used again for the next message: texels of the one before are not read with it.
TEST(SamplerMessage, OnlyItsOwnTexelsAreRead) {
    Grid g;
    g.set(surface_state::SurfaceFormat, 0x0D8);
    g.filters(1, 1);
    g.memory.grant = false;
    g.send(kSampleL, {all(0), all(0.5f), all(0.5f)});
    EXPECT_EQ(g.memory.reads, 8u * 4);
    g.memory.reads = 0;
    g.send(kLd, {Grid::lanes(), all_of(1)});
    EXPECT_EQ(g.memory.reads, 8u);
}

// On Broxton a register decides what the sampler pointer of such a message counts from.
TEST(SamplerMessage, BindlessSamplersOfBroxtonAreReported) {
    Bench skylake(false), broxton(true);
    std::string reported;
    broxton.reporter.log = [&](const std::string& text) { reported += text; };
    for (Bench* b : {&skylake, &broxton}) {
        b->shape(surface_state::SURFTYPE_2D, 0x0D8, 4, 4, 1, 16);
        b->put(0, 7.0f);
        Bench::Options o;
        EXPECT_EQ(b->send(kSampleLz, {all(0), all(0)}, o).number(0, 0), 7.0f);
        o.binding = 252;
        o.extended = Bench::kSurface / 64 << 12 | 2;
        const Answer answer = b->send(kSampleLz, {all(0), all(0)}, o);
        EXPECT_EQ(answer.number(0, 0), b == &broxton ? 0.0f : 7.0f);
        EXPECT_EQ(answer.status, b == &broxton ? MessageStatus::NotModelled : MessageStatus::Ok);
        EXPECT_EQ(b->send(kLdLz, {all(0), all(0)}, o).number(0, 0), 7.0f) << "ld has no sampler";
    }
    EXPECT_FALSE(skylake.reporter.failed());
    EXPECT_EQ(broxton.reporter.not_modelled_uses(), 1u);
    EXPECT_NE(reported.find("L3-88"), std::string::npos);
}

// SCS_ONE is the integer 1 of integer formats and 1.0 of the others, also of those that lack the
// channel.
TEST(SamplerMessage, TheOneOfChannelSelectsIsOfTheFormatsKind) {
    struct Case {
        unsigned format;
        std::uint32_t one;
    };
    // R32_UINT, R8G8B8A8_SINT, R32_FLOAT, R8G8B8A8_UNORM, R16_SNORM.
    for (const auto& [format, one] : {Case{0x0D7, 1}, Case{0x0CA, 1}, Case{0x0D8, 0x3F800000},
                                      Case{0x0C7, 0x3F800000}, Case{0x10B, 0x3F800000}})
        for (const bool by_lines : {false, true}) {
            Bench b;
            b.by_lines = by_lines;
            b.shape(surface_state::SURFTYPE_2D, format, 4, 4, 1, 16);
            b.set(surface_state::ShaderChannelSelectRed, surface_state::SCS_ONE);
            b.set(surface_state::ShaderChannelSelectGreen, surface_state::SCS_ZERO);
            b.set(surface_state::ShaderChannelSelectAlpha, surface_state::SCS_ONE);
            for (const unsigned code : {kSampleLz, kLdLz}) {
                const Answer answer = b.send(code, {all(0), all(0)});
                EXPECT_EQ(answer.bits[0][0], one) << format;
                EXPECT_EQ(answer.bits[1][0], 0u) << format;
                EXPECT_EQ(answer.bits[3][5], one) << format;
            }
        }
}

TEST(SamplerMessage, SamplersAreSixteenBytesApart) {
    GEN9_COVERS("SMP-73");
    Grid g;
    g.set(surface_state::SurfaceFormat, 0x0D8);
    for (unsigned x = 0; x < 16; ++x)
        g.put(x * 4, static_cast<float>(x));
    g.modes(0, 0, 0);
    g.write_states();
    std::array<std::uint32_t, 4> clamping = g.sampler;
    sampler_state::TCXAddressControlMode.set(clamping, 2);
    std::memcpy(g.memory.at(Bench::kStates + Bench::kSampler + 48), clamping.data(), 16);
    Bench::Options o;
    EXPECT_EQ(g.send(kSampleLz, {all(1.1f), all(0)}, o).number(0, 0), 1.0f);
    o.index = 3;
    EXPECT_EQ(g.send(kSampleLz, {all(1.1f), all(0)}, o).number(0, 0), 15.0f);
}

TEST(SamplerMessage, StatesAreKeptUntilInvalidated) {
    GEN9_COVERS("SMP-70 SMP-71");
    Grid g;
    g.send(kLdLz, {Grid::lanes()});
    const unsigned reads = g.memory.state_reads;
    g.build(kLdLz, {Grid::lanes()}, {});
    g.run({});
    EXPECT_EQ(g.memory.state_reads, reads);
    g.core.invalidate_states();
    g.run({});
    EXPECT_EQ(g.memory.state_reads, reads + 2);
}

TEST(SamplerMessage, NullSurfacesAndDisabledSamplersReturnZeros) {
    GEN9_COVERS("SMP-82 SMP-83");
    Grid g;
    g.set(surface_state::SurfaceType, surface_state::SURFTYPE_NULL);
    EXPECT_EQ(g.send(kLdLz, {Grid::lanes()}).integers(1), (std::array<std::uint32_t, 4>{}));
    EXPECT_EQ(g.message.status, MessageStatus::Ok);
    Grid h;
    h.set(surface_state::SurfaceFormat, 0x0D8);
    h.set_sampler(sampler_state::SamplerDisable, 1);
    EXPECT_EQ(h.send(kSampleLz, {all(0), all(0)}).integers(1), (std::array<std::uint32_t, 4>{}));
}

}  // namespace
}  // namespace gen9::sampler
