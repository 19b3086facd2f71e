// SPDX-License-Identifier: Apache-2.0
// Descriptors, lengths, and what no message may ask for.
#include "vme/message/inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "packets/media_surface_state.h"
#include "tests/support/covers.h"
#include "tests/unit/vme/bench.h"
#include "vme/message/result.h"

namespace gen9::vme::test {
namespace {

struct Both {
    motion::Picture picture = motion::texture(64, 64, 1);
    Bench bench{picture, picture, picture};
    /// The number of reports that a message makes, and its answer must then be zeros.
    unsigned reports(Words w, bool zeros = true) {
        const auto before = bench.reporter.guest_errors() + bench.reporter.not_modelled_uses();
        bench.run(w);
        const auto more =
            bench.reporter.guest_errors() + bench.reporter.not_modelled_uses() - before;
        if (more && zeros) {
            for (unsigned phase = 0; phase < w.message.response_length; ++phase)
                for (const std::uint8_t byte : w.message.response[phase].bytes)
                    EXPECT_EQ(byte, 0) << bench.report();
        }
        EXPECT_NE(w.message.status, MessageStatus::Pending);
        EXPECT_EQ(w.message.status == MessageStatus::Ok, more == 0);
        for (unsigned phase = 0; phase < w.message.response_length; ++phase)
            EXPECT_EQ(w.message.response_enable[phase], ~0u);
        return static_cast<unsigned>(more);
    }
};

TEST(Message, DescriptorsOfCompilers) {
    GEN9_COVERS("VME-02 VME-03 VME-04");
    Both b;
    struct Case {
        Words words;
        std::uint32_t descriptor;
    };
    Words dual(kSearch, 0, 2), dual_in(kSearch, 2, 2);
    for (Words* w : {&dual, &dual_in}) {
        const Words plain = search(16, 16);
        for (unsigned i = 0; i < 6; ++i)
            w->message.payload[i] = plain.message.payload[i];
        w->set(0, 3, 10, 8, 7);
    }
    Words single(kSearch, 0, 1), single_in(kSearch, 1, 1);
    for (Words* w : {&single, &single_in}) {
        const Words plain = search(16, 16);
        for (unsigned i = 0; i < 6; ++i)
            w->message.payload[i] = plain.message.payload[i];
    }
    Words skip(kCheck);
    skip.set(5, 1, 9, 8, 2);
    const std::vector<Case> cases = {{search(16, 16), 0x0C784000}, {single, 0x0C98C000},
                                     {dual, 0x0CB8C000},           {single_in, 0x1099C000},
                                     {dual_in, 0x14B9C000},        {skip, 0x10782000},
                                     {Words(kRefine), 0x10786000}, {Words(kMesh), 0x0B080000}};
    for (const Case& c : cases) {
        EXPECT_EQ(c.words.message.descriptor, c.descriptor);
        EXPECT_EQ(b.reports(c.words), 0u) << b.bench.report();
        // Size and mask gate nothing; these have none.
        EXPECT_EQ(c.words.message.execution_mask, 0u);
    }
}

// Each place of its own value; those of one kind follow each other.
TEST(Message, FieldsOfManyLieInTheirOrder) {
    GEN9_COVERS("VME-09 VME-10 VME-24 VME-26 VME-31 VME-32 VME-33 VME-34");
    Words w(kCheck);
    w.dword(0, 0, pair(-5, 7)).dword(0, 1, pair(9, -11)).dword(0, 2, pair(48, 32));
    w.dword(1, 2, 0xDCBA'0907).dword(1, 6, 0x8765'4321);
    for (unsigned i = 0; i < 20; ++i)
        w.byte(2, i, static_cast<std::uint8_t>(0x10 + i % 16));  // i % 16, doubled
    w.byte(2, 9, 0x93);                                          // 3, doubled; forward
    w.dword(2, 5, 0x0010'1B00);                                  // 3 2 1 0; 0 0 1 0
    w.dword(2, 6, 0x0201'0304).dword(2, 7, 0x0605'0403);
    for (unsigned i = 0; i < 8; ++i)
        w.dword(3, i, pair(static_cast<int>(i), -static_cast<int>(i)));
    Verdict verdict;
    const Inputs in = decode(w.get(), verdict);
    EXPECT_EQ(in.window[0].x, -5);
    EXPECT_EQ(in.window[0].y, 7);
    EXPECT_EQ(in.window[1].x, 9);
    EXPECT_EQ(in.window[1].y, -11);
    EXPECT_EQ(in.source.x, 48);
    EXPECT_EQ(in.source.y, 32);
    EXPECT_EQ(in.path_length, 7u);
    EXPECT_EQ(in.most_units, 9u);
    EXPECT_EQ(in.start[0].x, 0xA);
    EXPECT_EQ(in.start[0].y, 0xB);
    EXPECT_EQ(in.start[1].x, 0xC);
    EXPECT_EQ(in.start[1].y, 0xD);
    for (unsigned i = 0; i < 9; ++i)
        EXPECT_EQ(in.costs.mode[i], 2 * i);
    EXPECT_EQ(in.costs.bias, 6u);
    EXPECT_TRUE(in.costs.bias_forward);
    EXPECT_EQ(in.costs.ref_id, 20u);
    EXPECT_EQ(in.costs.chroma, 22u);
    for (unsigned i = 0; i < 8; ++i)
        EXPECT_EQ(in.costs.vector[i], 2 * ((12 + i) % 16));
    for (unsigned block = 0; block < 4; ++block) {
        EXPECT_EQ(static_cast<unsigned>(in.minor[block]), 3 - block);
        EXPECT_EQ(static_cast<unsigned>(in.direction[block]), block == 2 ? 1u : 0u);
        for (unsigned d = 0; d < 2; ++d) {
            const int n = static_cast<int>(2 * block + d);
            EXPECT_EQ(in.ref_id[block][d], n + 1);
            EXPECT_EQ(in.centre[block][d].x, n);
            EXPECT_EQ(in.centre[block][d].y, -n);
        }
    }
    EXPECT_EQ(in.threshold, (std::array<std::uint16_t, 7>{0x0304, 1, 2, 3, 4, 5, 6}));
}

TEST(Message, WrongFormsAreReportedOnce) {
    GEN9_COVERS(
        "VME-02 VME-03 VME-11 VME-13 VME-14 VME-16 VME-18 VME-19 VME-20 VME-24 VME-27 "
        "VME-28 VME-30 VME-55 VME-58 VME-68");
    Both b;
    using Spoil = std::function<void(Words&)>;
    struct Case {
        unsigned type;
        Spoil spoil;
    };
    const std::vector<Case> cases = {
        {kSearch, [](Words& w) { w.set(0, 3, 30, 24, 0x7F); }},
        {kSearch, [](Words& w) { w.set(0, 5, 23, 16, 18); }},
        {kSearch, [](Words& w) { w.set(0, 5, 31, 24, 16); }},
        {kSearch, [](Words& w) { w.set(0, 5, 31, 24, 68); }},
        {kSearch, [](Words& w) { w.set(0, 3, 10, 8, 2); }},
        {kSearch, [](Words& w) { w.set(0, 3, 10, 8, 6); }},
        {kSearch, [](Words& w) { w.set(1, 2, 7, 0, 0); }},
        {kSearch, [](Words& w) { w.set(1, 2, 7, 0, 64); }},
        {kSearch, [](Words& w) { w.set(1, 2, 15, 8, 0); }},
        {kSearch, [](Words& w) { w.set(0, 3, 1, 0, 2); }},
        {kSearch, [](Words& w) { w.set(0, 3, 5, 4, 3); }},
        {kSearch, [](Words& w) { w.set(0, 3, 21, 20, 1); }},
        {kSearch, [](Words& w) { w.set(0, 3, 21, 20, 3); }},
        {kSearch, [](Words& w) { w.set(1, 0, 1, 1, 1).set(1, 2, 7, 0, 1); }},
        {kSearch, [](Words& w) { w.set(1, 0, 1, 1, 1).set(1, 0, 6, 6, 1); }},
        {kSearch, [](Words& w) { w.set(0, 3, 10, 8, 3).dword(0, 1, 4); }},
        {kSearch, [](Words& w) { w.set(1, 7, 20, 20, 1).set(0, 3, 1, 0, 3); }},
        {kSearch, [](Words& w) { w.set(1, 7, 20, 20, 1).set(0, 3, 10, 8, 7); }},
        {kSearch, [](Words& w) { w.message.header_present = false; }},
        {kSearch, [](Words& w) { w.message.sfid = Sfid::CheckRefine; }},
        {kSearch, [](Words& w) { w.message.length = 7; }},
        {kSearch, [](Words& w) { w.message.length = 2; }},
        {kSearch, [](Words& w) { w.message.response_length = 6; }},
        {kSearch, [](Words& w) { w.set(0, 3, 31, 31, 1); }},
        {kSearch, [](Words& w) { w.dword(0, 2, pair(64, 0)); }},
        {kSearch, [](Words& w) { w.dword(0, 2, pair(0, 64)); }},
        {kCheck, [](Words& w) { w.message.sfid = Sfid::Vme; }},
        {kCheck, [](Words& w) { w.message.descriptor |= 1u << 15; }},
        {kCheck, [](Words& w) { w.set(1, 0, 0, 0, 1); }},
        {kCheck,
         [](Words& w) { w.set(1, 0, 0, 0, 1).set(0, 3, 14, 14, 1).set(1, 7, 31, 24, 0x15); }},
        {kCheck,
         [](Words& w) {
             w.set(1, 0, 0, 0, 1).set(0, 3, 14, 14, 1).set(1, 7, 31, 24, 0x55).set(0, 3, 1, 0, 3);
         }},
        {kCheck, [](Words& w) { w.set(5, 1, 9, 8, 1).set(1, 7, 2, 0, 7); }},
        {kCheck, [](Words& w) { w.set(5, 1, 9, 8, 0).dword(0, 2, pair(1, 0)); }},
        {kCheck, [](Words& w) { w.set(5, 1, 9, 8, 0); }},  // a picture without chroma
        {kCheck, [](Words& w) { w.set(5, 1, 9, 8, 1).set(1, 7, 15, 8, 0x20); }},
        {kCheck, [](Words& w) { w.set(0, 3, 23, 22, 1); }},
        {kRefine, [](Words& w) { w.set(0, 3, 13, 12, 2); }},
        {kRefine, [](Words& w) { w.set(1, 0, 2, 2, 1).set(2, 5, 1, 0, 3).set(2, 5, 15, 8, 1); }},
        {kRefine, [](Words& w) { w.set(0, 3, 1, 0, 3); }},
        {kRefine, [](Words& w) { w.set(0, 3, 5, 4, 3); }},
        {kMesh, [](Words& w) { w.set(0, 3, 1, 0, 3); }},
        {kMesh, [](Words& w) { w.set(0, 3, 21, 20, 2).dword(4, 3, 1); }},
        {kMesh, [](Words& w) { w.set(1, 1, 31, 31, 1); }},
        {kMesh, [](Words& w) { w.set(1, 1, 30, 30, 1); }},
        {kCheck, [](Words& w) { w.set(0, 3, 16, 16, 1); }},  // chroma of skip checks
    };

    // Haar without a pixel mask, which one of them spoils.
    Words haar(kMesh);
    haar.set(0, 3, 21, 20, 2);
    EXPECT_EQ(b.reports(haar), 0u) << b.bench.report();
    for (std::size_t i = 0; i < cases.size(); ++i) {
        Words w = cases[i].type == kSearch ? search(16, 16) : Words(cases[i].type);
        if (cases[i].type == kCheck) w.set(5, 1, 9, 8, 2);
        EXPECT_EQ(b.reports(w), 0u) << i << b.bench.report();
        cases[i].spoil(w);
        EXPECT_EQ(b.reports(w), 1u) << i;
    }
}

// What drivers leave there, and what is another type's.
TEST(Message, FieldsThatATypeDoesNotHaveChangeNothing) {
    GEN9_COVERS("VME-04 VME-20 VME-24 VME-27 VME-32");
    const auto source = motion::smooth_texture(64, 64, 4),
               other = motion::smooth_texture(64, 64, 5);
    Bench b(source, other, other);
    using Fill = std::function<void(Words&)>;
    const Fill all = [](Words& w) {
        w.dword(0, 4, ~0u).set(0, 5, 15, 0, 0xFFFF).dword(1, 4, ~0u).dword(1, 5, ~0u);
    };
    const Fill search_only = [](Words& w) {
        w.set(1, 0, 31, 24, 0xFF).set(1, 0, 6, 5, 3).set(1, 2, 15, 0, 0).set(0, 3, 30, 24, 0x7F);
        w.set(0, 3, 10, 8, 2).set(0, 5, 31, 16, 0x1234);
    };
    const Fill check_only = [](Words& w) {
        w.set(1, 7, 6, 5, 3).set(1, 7, 31, 24, 0).set(1, 0, 0, 0, 1).set(1, 7, 4, 0, 7);
        w.set(0, 3, 23, 22, 1).dword(2, 6, ~0u).dword(2, 7, ~0u);
    };
    const Fill shape = [](Words& w) { w.set(2, 5, 7, 2, 0x3F).set(2, 5, 23, 16, 0xAA); };
    Words refine(kRefine), mesh(kMesh), check(kCheck);
    check.set(5, 1, 9, 8, 1).set(1, 7, 31, 24, 1).set(1, 0, 0, 0, 1);
    const std::pair<Words, std::vector<Fill>> cases[] = {
        {search(16, 16), {all, check_only, shape, [](Words& w) { w.set(1, 2, 31, 24, 0x33); }}},
        {refine, {all, search_only, check_only, shape}},
        {check, {all, search_only, shape}},
        {mesh, {all, search_only, check_only, shape}}};
    for (const auto& [plain, fills] : cases) {
        Words w = plain;
        b.run(w);
        for (std::size_t i = 0; i < fills.size(); ++i) {
            Words filled = plain;
            fills[i](filled);
            b.run(filled);
            EXPECT_EQ(b.reporter.guest_errors(), 0u) << b.report();
            for (unsigned phase = 0; phase < w.message.response_length; ++phase)
                EXPECT_EQ(std::memcmp(filled.message.response[phase].bytes,
                                      w.message.response[phase].bytes, kGrfBytes),
                          0)
                    << w.message.descriptor << ", " << i << ", phase " << phase;
        }
    }
}

TEST(Message, ALimitOfVectorsIsForWholeMacroblocks) {
    GEN9_COVERS("VME-52");
    Inputs in;
    for (const SourceSize size : {SourceSize::S16x16, SourceSize::S16x8, SourceSize::S8x8})
        for (const std::uint8_t most : {1, 31, 32, 63}) {
            in.size = size;
            in.most_vectors = most;
            EXPECT_EQ(in.vectors_limited(), size == SourceSize::S16x16 && most < 32) << +most;
        }
}

// Their fields have 8 bits and 6.
TEST(Message, CountsOfUnitsStopAtTheEndOfTheirFields) {
    for (const unsigned units : {62u, 63u, 64u, 300u}) {
        Result r;
        r.units = r.alternate_units = units;
        Words w = search(16, 16);
        write_result({}, r, w.message);
        EXPECT_EQ(w.answer(0, 1, 15, 8), std::min(units, 255u));
        EXPECT_EQ(w.answer(0, 6, 31, 26), std::min(units, 63u));
    }
    Words w = search(16, 16);
    write_clocks(5, 7, w.message);
    EXPECT_EQ(w.answer(0, 7), 7u << 16 | 5);
    write_clocks(0x12345, 0x10000, w.message);
    EXPECT_EQ(w.answer(0, 7), ~0u);
}

TEST(Message, WindowsOutsideAreReportedAndSearched) {
    GEN9_COVERS("VME-08");
    Both b;
    EXPECT_EQ(b.reports(search(16, 16, 32, 32, -48, 0), false), 1u);
    EXPECT_EQ(b.reports(search(16, 16, 32, 32, 0, 48), false), 1u);
    EXPECT_EQ(b.reports(search(16, 16, 32, 32, -47, 47), false), 0u);
    // A window larger than the picture is used by software that scales pictures down.
    const auto small = motion::texture(22, 18, 2);
    Bench tiny(small, small);
    Words w = search(0, 0, 48, 40, -16, -12);
    tiny.run(w);
    EXPECT_EQ(w.answer(0, 2, 15, 0), 0u);
    EXPECT_EQ(tiny.reporter.guest_errors(), 0u);
}

// A message has one report: that a picture is not modelled comes before what is undefined.
TEST(Message, ACompressedSecondReferenceIsReportedAndNotTheWindowOfTheFirst) {
    GEN9_COVERS("VME-05");
    const auto picture = motion::texture(64, 64, 3);
    Bench b(picture, picture, picture);
    auto dwords = b.memory.bind(2, picture);
    packets::media_surface_state::MemoryCompressionEnable.set(dwords, 1);
    b.memory.put(2, dwords);
    Words w = search(16, 16, 32, 32, -48, 0);
    w.set(0, 3, 10, 8, 7);  // both references
    b.run(w);
    EXPECT_EQ(w.message.status, MessageStatus::NotModelled);
    EXPECT_EQ(b.reporter.guest_errors(), 0u);
    EXPECT_EQ(b.reporter.not_modelled_uses(), 1u);
}

TEST(Message, ReferencesBeyondTheTable) {
    GEN9_COVERS("VME-05");
    Both b;
    Words w = search(16, 16);
    w.message.descriptor |= 250;
    b.bench.memory.bind(250, b.picture);
    w.dword(1, 6, 0x0000000F);
    EXPECT_EQ(b.reports(w), 1u);
    EXPECT_NE(b.bench.report().find("beyond"), std::string::npos);
}

}  // namespace
}  // namespace gen9::vme::test
