// SPDX-License-Identifier: Apache-2.0
// Headers, SIMD modes, lengths and the forms of results.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/unit/sampler/rules.h"

namespace gen9::sampler {
namespace {
using namespace rules;

TEST(Rules, MaskedChannelsOfTheHeader) {
    GEN9_COVERS("SMP-111");
    Levels b;
    b.set(surface_state::SurfaceFormat, kRgba8);
    b.put<std::uint32_t>(0, 0xFF996633);
    const float wanted[] = {0.2f, 0.4f, 0.6f, 1};
    for (unsigned channel = 0; channel < 4; ++channel) {
        Bench::Options o;
        o.header2 = (0xFu & ~(1u << channel)) << 12;  // all masked but one
        b.send(kSampleLz, {kZero, kZero}, o);
        EXPECT_EQ(b.message.response_length, 1);
        EXPECT_EQ(load<float>(b.message.response[0].bytes), wanted[channel]);
    }
    Bench::Options o;
    o.header2 = 0xF << 12;
    o.response = 1;
    EXPECT_EQ(b.status(kSampleLz, zeros(2), o), kRefused) << "all";
    o.header2 = 8 << 12;
    o.response = -1;
    EXPECT_EQ(b.status(kSampleLz, zeros(2), o), kOk);
    EXPECT_EQ(b.status(kGather4, zeros(2), o), kRefused) << "alpha of a gather";
}

// 003:17050: with preemption inside threads a message needs its header.
TEST(Rules, AMessageOfAThreadThatCanBeSavedHasAHeader) {
    GEN9_COVERS("PRE-09 SMP-103");
    Levels b;
    auto state = std::make_shared<PipelineState>(*b.sender.state);
    state->system_instruction_pointer = GpuAddr(0x500);
    for (const bool area : {false, true})
        for (const bool routine : {false, true})
            for (const bool header : {false, true}) {
                b.reporter = {};
                b.reporter.log = [](const std::string&) {};
                b.sender.save_area = GpuAddr(area ? 0x10000 : 0);
                b.sender.state = state;
                if (!routine) {
                    auto plain = std::make_shared<PipelineState>(*state);
                    plain->system_instruction_pointer = {};
                    b.sender.state = plain;
                }
                Bench::Options o;
                o.header = header;
                EXPECT_EQ(b.status(kSampleL, zeros(3), o), kOk) << "executed in any case";
                EXPECT_EQ(b.reporter.guest_errors(), area && routine && !header ? 1u : 0u)
                    << area << routine << header;
            }
}

TEST(Rules, TheSimdModeOfTheDescriptor) {
    GEN9_COVERS("SMP-101");
    Levels b;
    Bench::Options o;
    o.simd = 0;
    EXPECT_EQ(b.status(kSampleL, zeros(4), o), kOk);
    EXPECT_EQ(b.request->decoded->samples(), 2u);
    b.build(kSampleL, zeros(12), o);            // lod, and u and v of two registers each
    store(b.message.payload[0].bytes + 8, 0u);  // bit 22 of M0.2: SIMD8D, not SIMD4x2
    b.message.length = 6;
    b.message.response_length = 4;
    b.run(o);
    EXPECT_EQ(b.message.status, kOk);
    EXPECT_EQ(b.request->decoded->simd, Simd::Double);
    EXPECT_EQ(b.request->decoded->samples(), 8u);
    o.simd = 1;
    EXPECT_EQ(b.status(kSampleL, zeros(3), o), kOk);
    EXPECT_EQ(b.request->decoded->samples(), 8u);
    o.simd = 2;
    EXPECT_EQ(b.status(kSampleL, zeros(3), o), kOk);
    EXPECT_EQ(b.request->decoded->samples(), 16u);
    o.simd = 3;
    o.response = 8;
    EXPECT_NE(b.status(0x00, {}, o), kOk) << "the media sampler's want a payload";
    EXPECT_EQ(b.request->decoded->simd, Simd::Media);
}

TEST(Rules, TheRestOfTheHeaderDoesNothing) {
    GEN9_COVERS("SMP-104 SMP-106");
    Levels b;
    b.write_states();
    for (const unsigned dword : {0u, 1u, 4u, 5u, 6u, 7u}) {
        b.build(kSampleLz, {all(3.5f / 16), all(2.5f / 16)}, {});
        store(b.message.payload[0].bytes + 4 * dword, 0xFFFFFFFFu);
        EXPECT_EQ(b.run({}).number(0, 0), Levels::texel(0, 3, 2)) << dword;
    }
    // The state 16 bytes on is another.
    std::array<std::uint32_t, 4> disabled{};
    sampler_state::SamplerDisable.set(disabled, 1);
    std::memcpy(b.memory.at(Bench::kStates + Bench::kSampler + 16), disabled.data(), 16);
    for (std::uint32_t low = 0; low < 32; ++low) {  // the scratch size of R0
        b.build(kSampleLz, {all(3.5f / 16), all(2.5f / 16)}, {});
        store(b.message.payload[0].bytes + 12, static_cast<std::uint32_t>(Bench::kSampler) | low);
        b.core.invalidate_states();
        EXPECT_EQ(b.run({}).number(0, 0), Levels::texel(0, 3, 2)) << low;
    }
}

TEST(Rules, ThePointerOfTheHeaderReachesMoreThanSixteenSamplers) {
    GEN9_COVERS("SMP-74");
    Levels b;
    b.write_states();
    std::array<std::uint32_t, 4> disabled{};
    sampler_state::SamplerDisable.set(disabled, 1);
    constexpr unsigned kSixteen = 16 * 16;
    for (const unsigned n : {1u, 17u})
        std::memcpy(b.memory.at(Bench::kStates + Bench::kSampler + 16 * n),
                    n == 17 ? disabled.data() : b.sampler.data(), 16);
    for (const unsigned more : {0u, kSixteen}) {
        Bench::Options o;
        o.index = 1;
        b.build(kSampleLz, {all(3.5f / 16), all(2.5f / 16)}, o);
        store(b.message.payload[0].bytes + 12, static_cast<std::uint32_t>(Bench::kSampler) + more);
        EXPECT_EQ(b.run(o).number(0, 0), more ? 0 : Levels::texel(0, 3, 2));
    }
}

// All pages are there.
TEST(Rules, TheMaskOfNullPagesIsARegisterMore) {
    GEN9_COVERS("SMP-108 SMP-121");
    Levels b;
    for (const unsigned simd : {0u, 1u, 2u}) {
        Bench::Options o;
        o.simd = simd;
        o.header2 = 1u << 23;
        ASSERT_EQ(b.status(kSampleL, zeros(4), o), kOk) << simd;
        const unsigned last = b.message.response_length - 1u;
        EXPECT_EQ(last, simd == 0 ? 1 : 4 * simd);
        EXPECT_EQ(load<std::uint32_t>(b.message.response[last].bytes), ~0u);
        EXPECT_EQ(b.message.response_enable[last], 0xFu);
        o.response = static_cast<int>(last);
        EXPECT_EQ(b.status(kSampleL, zeros(4), o), kRefused) << simd;
    }
    // A message with a mask of killed pixels has that one alone.
    Bench::Options o;
    o.header2 = 1u << 23;
    o.response = 5;
    EXPECT_EQ(b.status(kKillPix, zeros(3), o), kOk);
    o.response = 6;
    EXPECT_EQ(b.status(kKillPix, zeros(3), o), kRefused);
}

TEST(Rules, ResultsAreOf32Or16BitsFloatOrInteger) {
    GEN9_COVERS("SMP-03");
    Levels b;
    b.put<std::uint8_t>(0, 0xFB);
    struct Row {
        unsigned format;
        std::uint32_t full, half;
    };
    const Row rows[] = {{0x142, 0xFFFFFFFB, 0xFFFB},       // R8_SINT: -5
                        {0x143, 0xFB, 0xFB},               // R8_UINT
                        {0x140, f(251 / 255.0f), 0x3BE0},  // R8_UNORM
                        {0x141, f(-5 / 127.0f), 0xA90A}};  // R8_SNORM
    for (const Row& row : rows) {
        b.set(surface_state::SurfaceFormat, row.format);
        Bench::Options o;
        EXPECT_EQ(b.send(kLdLz, {kZero}, o).bits[0][0], row.full);
        o.half = true;
        EXPECT_EQ(b.send(kLdLz, {kZero}, o).bits[0][0], row.half);
    }
}

TEST(Rules, Simd4x2HasItsOwnOrderOfParameters) {
    GEN9_COVERS("SMP-168");
    Levels b;
    using Params = std::vector<std::vector<std::uint32_t>>;
    const auto two = [&](unsigned code, const Params& params) {
        const Answer answer = b.send(code, params, pair());
        EXPECT_EQ(answer.status, kOk) << code;
        return std::array{answer.number(0, 0), answer.number(0, 1)};
    };
    const auto at = [](float first, float second) {
        return std::vector<std::uint32_t>{f(first / 16), f(second / 16)};
    };
    const std::vector<std::uint32_t> zero{0, 0}, one{f(1), f(1)}, unit{1, 1};
    const std::array level0{Levels::texel(0, 4, 2), Levels::texel(0, 9, 7)};
    const std::array level1{Levels::texel(1, 2, 1), Levels::texel(1, 4, 3)};
    EXPECT_EQ(two(kSampleL, {at(4, 9), at(2, 7), zero, zero}), level0);
    EXPECT_EQ(two(kSampleL, {at(4, 9), at(2, 7), zero, zero, one}), level1);
    EXPECT_EQ(two(kLd, {{4, 9}, {2, 7}, zero, zero}), level0);
    EXPECT_EQ(two(kLd, {{2, 4}, {1, 3}, zero, unit}), level1);
    EXPECT_EQ(two(kSampleD, {at(4, 9), at(2, 7), zero, zero, zero, zero, zero, at(2, 2)}), level1)
        << "the eighth is dv/dy";
    EXPECT_EQ(
        two(kSampleD, {at(4, 9), at(2, 7), zero, zero, zero, zero, zero, zero, zero, zero, one}),
        level1)
        << "and the eleventh the least level";
    Bench::Options o = pair();
    EXPECT_EQ(b.send(kResInfo, {unit}, o).bits[1][1], 8u);
    Multisampled m(2);
    const Answer answer = m.send(kLd2dms, {{3, 4}, {5, 6}, zero, zero, {1, 2}, {0xE4, 0x1B}}, o);
    EXPECT_EQ(answer.bits[0][0], 1053u);
    EXPECT_EQ(answer.bits[0][1], 1064u);
}

// 003:10226-10243.
TEST(Rules, TheTableOfSimd4x2Messages) {
    GEN9_COVERS("SMP-168 VME-84");
    using enum Parameter;
    const std::map<unsigned, std::vector<Parameter>> table = {
        {0x02, {U, V, R, Ai, Lod}},
        {0x04, {U, V, R, Ai, DuDx, DuDy, DvDx, DvDy, DrDx, DrDy, MinLod}},
        {0x06, {U, V, R, Ai, Ref, Lod}},
        {0x07, {U, V, R, Lod}},
        {0x08, {U, V, R, Ai}},
        {0x0A, {Lod}},
        {0x10, {U, V, R, Ai, Ref}},
        {0x11, {U, V, R, Ai, OffU, OffV}},
        {0x12, {U, V, R, Ref, OffU, OffV}},
        {0x14, {U, V, R, Ai, DuDx, DuDy, DvDx, DvDy, DrDx, DrDy, Ref}},
        {0x1C, {U, V, R, Lod, Sample, McsLow, McsHigh}},
        {0x1D, {U, V, R, Lod}},
        {0x1E, {U, V, R, Lod, Sample, McsLow}},
    };
    for (unsigned code = 0; code < 32; ++code) {
        constexpr unsigned kSampleInfoCode = 0x0B;  // whose parameter nobody reads
        const MessageRow* const row = find_message(code);
        if (!row || code == kSampleInfoCode) continue;
        const std::vector<Parameter> order(row->pair_params.begin(),
                                           row->pair_params.begin() + row->pair_count);
        const auto found = table.find(code);
        EXPECT_EQ(order, found == table.end() ? std::vector<Parameter>{} : found->second)
            << row->name;
    }
}

/// The parameters of a SIMD8D message (003:10204-10224): u and v, a register for four samples.
struct DoubleRow {
    unsigned code;
    const char* order;  ///< of registers: u v in two, b bias, l lod, m mlod, R ref, r,
                        ///< 1-4 du/dx du/dy dv/dx dv/dy, x y offu offv
};
constexpr DoubleRow kDoubles[] = {{0x00, "uuvvrm"},     {0x01, "buuvvrm"},    {0x02, "luuvvr"},
                                  {0x03, "Ruuvvrm"},    {0x04, "uu12vv34rm"}, {0x05, "Rbuuvvr"},
                                  {0x06, "Rluuvvr"},    {0x08, "uuvvr"},      {0x09, "uuvv"},
                                  {0x10, "Ruuvvr"},     {0x11, "uuvvxyr"},    {0x12, "Ruuvvxyr"},
                                  {0x14, "Ruu12vv34r"}, {0x16, "uuvv"},       {0x17, "uuvv"},
                                  {0x18, "uuvvr"},      {0x19, "Ruuvvr"}};
/// And of SIMD8 (sampler guide 3.5).
const char* single_order(unsigned code) {
    const std::pair<unsigned, const char*> orders[] = {
        {0x00, "uvram"},       {0x01, "buvram"},  {0x02, "luvra"},  {0x03, "Ruvram"},
        {0x04, "u12v34r56am"}, {0x05, "Rbuvram"}, {0x06, "Rluvra"}, {0x08, "uvra"},
        {0x09, "uvra"},        {0x10, "Ruvra"},   {0x11, "uvxyr"},  {0x12, "Ruvxyr"},
        {0x14, "Ru12v34r56a"}, {0x16, "uv"},      {0x17, "uv"},     {0x18, "uvra"},
        {0x19, "Ruvra"}};
    for (const auto& [c, order] : orders)
        if (c == code) return order;
    return "";
}
float parameter(char name, unsigned n) {
    switch (name) {
        case 'u':
            return (5.25f + static_cast<float>(n & 1) * 2) / 16;
        case 'v':
            return (3.5f + static_cast<float>(n >> 1 & 1) * 2) / 16;
        case 'b':
            return 0.5f;
        case 'l':
            return 1.25f;
        case 'm':
            return 1.5f;
        case 'R':
            return 60;
        case '1':
            return 2.0f / 16;
        case '4':
            return 3.0f / 16;
        case 'x':
            return std::bit_cast<float>(2u);
        case 'y':
            return std::bit_cast<float>(0x3Du);
        default:
            return 0;
    }
}
/// Sends the registers as SIMD8D, without header.
MessageStatus send_doubles(Levels& b, unsigned code, const std::string& order) {
    b.write_states();
    b.core.invalidate_states();
    b.sender.sampler_state_offset = Bench::kSampler;
    Bench::Options o;
    o.header = false;
    o.simd = 0;
    o.response = 4;
    b.build(code, {}, o);
    b.message.length = static_cast<std::uint8_t>(order.size());
    for (unsigned r = 0; r < order.size(); ++r) {
        const char name = order[r];
        const bool second = r && order[r - 1] == name;
        for (unsigned n = 0; n < (name == 'u' || name == 'v' ? 4u : 8u); ++n)
            if (name == 'u' || name == 'v')
                store(b.message.payload[r].bytes + 8 * n,
                      double{parameter(name, n + (second ? 4 : 0))});
            else
                store(b.message.payload[r].bytes + 4 * n, parameter(name, n));
    }
    b.core.execute(b.message, *b.request, b.memory);
    return b.message.status;
}

// Whatever the message before gave.
TEST(Rules, ACoordinateThatASimd8dMessageLeavesOutIsZero) {
    GEN9_COVERS("SMP-115 SMP-167");
    Levels b;
    b.filters(1, 1, 3);
    b.modes(0, 0, 0);
    Bench::Options o;
    o.header = false;
    o.response = 4;
    b.sender.sampler_state_offset = Bench::kSampler;
    std::vector<std::uint32_t> u;
    for (unsigned n = 0; n < 8; ++n)
        u.push_back(f(parameter('u', n)));
    const Answer single = b.send(0x00, {u}, o);
    ASSERT_EQ(single.status, kOk);
    ASSERT_EQ(send_doubles(b, 0x00, "uuvv"), kOk);
    bool differs = false;
    for (const bool leaves_out : {false, true}) {
        ASSERT_EQ(send_doubles(b, 0x00, leaves_out ? "uu" : "uuvv"), kOk);
        for (unsigned c = 0; c < 4; ++c)
            for (unsigned n = 0; n < 8; ++n) {
                const auto got = gen9::load<std::uint32_t>(b.message.response[c].bytes + 4 * n);
                differs |= !leaves_out && got != single.bits[c][n];
                if (leaves_out) {
                    EXPECT_EQ(got, single.bits[c][n]) << c << " " << n;
                }
            }
    }
    EXPECT_TRUE(differs) << "v counts";
}

TEST(Rules, Simd8dHasCoordinatesOf64Bits) {
    GEN9_COVERS("SMP-167 VME-84");
    for (const DoubleRow& row : kDoubles) {
        Levels b;
        b.filters(1, 1, 3);
        b.modes(0, 0, 0);
        b.set_sampler(sampler_state::ShadowFunction, 2);
        // The same message in SIMD8; what SIMD8D does not have is 0 there.
        std::vector<std::vector<std::uint32_t>> params;
        const std::string doubles = row.order;
        for (const char* name = single_order(row.code); *name; ++name) {
            params.emplace_back();
            const bool has = doubles.find(*name) != std::string::npos;
            for (unsigned n = 0; n < 8; ++n)
                params.back().push_back(has ? f(parameter(*name, n)) : 0);
        }
        Bench::Options o;
        o.header = false;
        o.response = 4;
        b.sender.sampler_state_offset = Bench::kSampler;
        const Answer single = b.send(row.code, params, o);
        ASSERT_EQ(single.status, kOk) << row.code;
        ASSERT_EQ(send_doubles(b, row.code, doubles), kOk) << row.code;
        for (unsigned c = 0; c < 4; ++c)
            for (unsigned n = 0; n < 8; ++n)
                EXPECT_EQ(gen9::load<std::uint32_t>(b.message.response[c].bytes + 4 * n),
                          single.bits[c][n])
                    << row.code << " channel " << c << " sample " << n;
        EXPECT_EQ(send_doubles(b, row.code, doubles + "m"), kRefused) << "too long";
        EXPECT_EQ(send_doubles(b, row.code, doubles.substr(0, doubles.find('v') + 1)), kRefused)
            << "half a coordinate";
    }
    Levels b;
    for (const unsigned code : {0x07u, 0x0Au, 0x0Bu, 0x0Cu, 0x1Au, 0x1Du, 0x1Eu, 0x1Fu})
        EXPECT_EQ(send_doubles(b, code, "uuvv"), kRefused) << code;
    // Far from 0 a float has no fraction left.
    b.modes(0, 0, 0);
    b.write_states();
    ASSERT_EQ(send_doubles(b, kSampleLz, "uuvvr"), kOk);
    for (unsigned r = 0; r < 2; ++r)
        for (unsigned n = 0; n < 4; ++n)
            store(b.message.payload[r].bytes + 8 * n, 16777216 + 5.5 / 16);
    b.run({});
    EXPECT_EQ(gen9::load<float>(b.message.response[0].bytes), Levels::texel(0, 5, 3));
}

TEST(Rules, LengthsOfMessages) {
    GEN9_COVERS("SMP-114 VME-81");
    Levels b;
    const auto status = [&](unsigned simd, bool header, unsigned code, unsigned length) {
        Bench::Options o;
        o.simd = simd;
        o.header = header;
        o.response = simd == 2 ? 8 : simd == 0 && header ? 1 : 4;
        b.sender.sampler_state_offset = Bench::kSampler;
        b.write_states();
        b.core.invalidate_states();
        b.build(code, {}, o);
        b.message.length = static_cast<std::uint8_t>(length);
        b.run(o);
        return b.message.status == kOk;
    };
    for (const bool header : {false, true}) {
        const unsigned h = header;
        for (unsigned n = 0; n <= 12; ++n) {
            // sample_l has one to five parameters, sample_d one to eleven, in eleven registers.
            EXPECT_EQ(status(1, header, kSampleL, n), n >= h + 1 && n <= h + 5) << n;
            EXPECT_EQ(status(1, header, kSampleD, n), n >= h + 1 && n <= std::min(h + 11, 11u))
                << n;
            EXPECT_EQ(status(2, header, kSampleL, n),
                      n >= h + 2 && n <= std::min(h + 10, 11u) && (n - h) % 2 == 0)
                << n;
        }
    }
    for (unsigned n = 0; n <= 12; ++n) {
        EXPECT_EQ(status(0, true, kSampleL, n), n == 2 || n == 3) << "SIMD4x2: four in a register";
        EXPECT_EQ(status(0, true, kSampleD, n), n >= 2 && n <= 4);
        // SIMD8D: lod, u0 u1, v0 v1, r.
        EXPECT_EQ(status(0, false, kSampleL, n), n == 1 || n == 3 || n == 5 || n == 6) << n;
    }
}

}  // namespace
}  // namespace gen9::sampler
