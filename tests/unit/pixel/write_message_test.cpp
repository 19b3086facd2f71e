// SPDX-License-Identifier: Apache-2.0
// Layout of render target writes against the message tables.
#include "pixel/write_message.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <string>
#include <vector>

#include "tests/support/covers.h"

namespace gen9::pixel {
namespace {

WriteDescriptor descriptor(unsigned subtype, bool upper = false) {
    return *read_descriptor(subtype << 8 | (upper ? 1u << 11 : 0));
}
WriteHeader parts(bool header, const std::string& letters) {
    WriteHeader h;
    h.present = header;
    const auto has = [&](char letter) { return letters.find(letter) != std::string::npos; };
    h.parts = {has('A'), has('M'), has('Z'), has('S')};
    return h;
}

TEST(WriteMessage, DescriptorsAreRead) {
    GEN9_COVERS("RT-14");
    const auto d = read_descriptor(7 | 3u << 8 | 1u << 11 | 1u << 12 | 0xCu << 14);
    ASSERT_TRUE(d);
    EXPECT_EQ(d->binding, 7);
    EXPECT_EQ(d->subtype, WriteSubtype::HighDual);
    EXPECT_TRUE(d->upper && d->last && !d->half);
    EXPECT_EQ(d->first_slot(), 24u);
    EXPECT_EQ(descriptor(2, true).first_slot(), 16u);
    EXPECT_EQ(descriptor(0).slots(), 16u);
    EXPECT_EQ(descriptor(4).slots(), 8u);
    EXPECT_FALSE(read_descriptor(5u << 8));
    EXPECT_TRUE(read_descriptor(1u << 30)->half);
}

TEST(WriteMessage, HeadersTellTheParts) {
    GEN9_COVERS("RT-15 RT-16 CC-20");
    std::vector<std::uint32_t> registers(16);
    registers[0] = 1u << 11 | 1u << 14;
    registers[2] = 0xFFFFFFF8u | 5;
    registers[15] = 0xABCD1234;
    const WriteHeader h = read_header(registers);
    EXPECT_TRUE(h.present && h.parts.alpha0 && h.parts.stencil);
    EXPECT_FALSE(h.parts.mask || h.parts.depth);
    EXPECT_EQ(h.target, 5);
    EXPECT_EQ(h.pixels, 0x1234);
    registers[0] = 1u << 12 | 1u << 13;
    EXPECT_TRUE(read_header(registers).parts.mask && read_header(registers).parts.depth);
    const WriteHeader d = dispatched_header(true, false, true);
    EXPECT_TRUE(!d.present && !d.parts.alpha0 && d.parts.mask && !d.parts.depth && d.parts.stencil);
    EXPECT_EQ(d.target, 0);
    EXPECT_FALSE(read_header({}).parts.alpha0) << "too short";
}

/// The registers of a message by 003:7862-7944, as a string: A source-0 alpha, M mask, R G B A of
/// source 0, 1 for those of source 1, Z, S. `kind`: 0 SIMD16, 1 replicated, 2 dual, 4 SIMD8.
std::string registers_by_table(unsigned subtype, const std::string& letters) {
    static const std::map<unsigned, std::map<char, std::string>> parts = {
        {0, {{'A', "AA"}, {'M', "M"}, {'C', "CCCCCCCC"}, {'Z', "ZZ"}}},
        {1, {{'M', "M"}, {'C', "C"}}},
        {2, {{'M', "M"}, {'C', "CCCC1111"}, {'Z', "Z"}, {'S', "S"}}},
        {3, {{'M', "M"}, {'C', "CCCC1111"}, {'Z', "Z"}, {'S', "S"}}},
        {4, {{'A', "A"}, {'M', "M"}, {'C', "CCCC"}, {'Z', "Z"}, {'S', "S"}}}};
    std::string result;
    for (const char part : std::string("AMCZS"))
        if (part == 'C' || letters.find(part) != std::string::npos) {
            const auto found = parts.at(subtype).find(part);
            if (found != parts.at(subtype).end()) result += found->second;
        }
    return result;
}

TEST(WriteMessage, PartsStandInTheirRegisters) {
    GEN9_COVERS("RT-18 RT-19 RT-20 RT-21 RT-24 RT-25 RT-39 CC-49 RT-38");
    for (unsigned subtype = 0; subtype < 5; ++subtype)
        for (unsigned set = 0; set < 32; ++set) {
            std::string letters;
            for (unsigned i = 0; i < 4; ++i)
                if (set >> i & 1) letters += "AMZS"[i];
            const WriteHeader h = parts(set >> 4, letters);
            const WriteLayout l = write_layout(descriptor(subtype), h);
            const std::string expected =
                (h.present ? "HH" : "") + registers_by_table(subtype, letters);
            ASSERT_EQ(l.total, expected.size()) << subtype << letters;
            const auto at = [&](char part) {
                const auto found = expected.find(part);
                return found == std::string::npos ? kAbsent : static_cast<std::uint8_t>(found);
            };
            EXPECT_EQ(l.alpha0, at('A'));
            EXPECT_EQ(l.mask, at('M'));
            EXPECT_EQ(l.color, at('C'));
            EXPECT_EQ(l.color1, at('1'));
            EXPECT_EQ(l.depth, at('Z'));
            EXPECT_EQ(l.stencil, at('S'));
            const bool illegal =
                (subtype == 0 && h.parts.stencil) ||
                (subtype == 1 && (h.parts.alpha0 || h.parts.depth || h.parts.stencil)) ||
                ((subtype == 2 || subtype == 3) && h.parts.alpha0);
            EXPECT_EQ(l.problem != nullptr, illegal) << subtype << letters;
        }
}

/// A message whose DWord i is i + 1.
std::vector<std::uint32_t> counting(unsigned registers) {
    std::vector<std::uint32_t> dwords(registers * 8);
    for (unsigned i = 0; i < dwords.size(); ++i)
        dwords[i] = i + 1;
    return dwords;
}

TEST(WriteMessage, RowsHoldTheSlotsInOrder) {
    GEN9_COVERS("RT-18 RT-19 CC-09");
    const WriteDescriptor d = descriptor(0);
    const WriteHeader h = parts(true, "AZ");
    const WriteLayout l = write_layout(d, h);
    const auto dwords = counting(l.total);
    WriteRow row;
    read_row(d, l, dwords, row);
    for (unsigned n = 0; n < 16; ++n) {
        EXPECT_EQ(row.alpha0[n], 2 * 8 + n + 1);
        for (unsigned c = 0; c < 4; ++c)
            EXPECT_EQ(row.color.channel[c][n], (4 + 2 * c) * 8 + n + 1);
        EXPECT_EQ(row.depth[n], 12 * 8 + n + 1);
        EXPECT_EQ(row.mask[n], 0xFFFF);
    }
    const WriteHeader plain = parts(false, "");
    read_row(d, write_layout(d, plain), dwords, row);
    EXPECT_EQ(row.alpha0, row.color.channel[3]) << "the own alpha";
    // A message that is too short.
    read_row(d, l, std::span(dwords).first(4 * 8 + 3), row);
    EXPECT_EQ(row.color.channel[0][2], 4u * 8 + 3);
    EXPECT_EQ(row.color.channel[0][3], 0u);
    EXPECT_EQ(row.depth[15], 0u);
}

TEST(WriteMessage, DualSourceHasHalves) {
    GEN9_COVERS("RT-13 RT-21 RT-23");
    for (const unsigned subtype : {2u, 3u}) {
        const WriteDescriptor d = descriptor(subtype);
        const WriteHeader h = parts(true, "MS");
        const WriteLayout l = write_layout(d, h);
        auto dwords = counting(l.total);
        for (unsigned i = 0; i < 8; ++i)
            dwords[2 * 8 + i] = (0x1000 + 2 * i) | (0x1001 + 2 * i) << 16;
        dwords[11 * 8] = 0x03020100;
        dwords[11 * 8 + 1] = 0x07060504;
        WriteRow row;
        read_row(d, l, dwords, row);
        for (unsigned n = 0; n < 8; ++n) {
            EXPECT_EQ(row.mask[n], 0x1000 + n + (subtype == 3 ? 8 : 0))
                << "a word for each slot of 16";
            EXPECT_EQ(row.color.channel[2][n], 5 * 8 + n + 1);
            EXPECT_EQ(row.color1.channel[1][n], 8 * 8 + n + 1);
            EXPECT_EQ(row.stencil[n], n) << "the message's own bytes";
        }
    }
}

/// A half that is a whole number from 1 to 2047.
std::uint32_t half_of(unsigned number) {
    const auto exponent = static_cast<unsigned>(std::bit_width(number)) - 1;
    return (exponent + 15) << 10 | (number << (10 - exponent) & 0x3FF);
}

/// 003:7904-7944: a register for each channel and for source-0 alpha; depth is whole numbers.
TEST(WriteMessage, HalvesHaveARegisterForAllSlots) {
    GEN9_COVERS("RT-26");
    const std::map<unsigned, std::string> tables = {
        {0, "HHAMCCCCZZ"}, {1, "HHMC"}, {2, "HHMCCCC1111Z"}, {3, "HHMCCCC1111Z"}, {4, "HHAMCCCCZ"}};
    for (const auto& [subtype, table] : tables) {
        const WriteDescriptor d = *read_descriptor(subtype << 8 | 1u << 30);
        const WriteHeader h = parts(true, subtype == 1 ? "M" : subtype % 4 ? "MZ" : "AMZ");
        const WriteLayout l = write_layout(d, h);
        ASSERT_EQ(l.total, table.size()) << subtype;
        EXPECT_EQ(l.problem, nullptr);
        EXPECT_EQ(l.color, table.find('C'));
        if (table.find('A') != std::string::npos) {
            EXPECT_EQ(l.alpha0, table.find('A'));
        }
        if (table.find('Z') != std::string::npos) {
            EXPECT_EQ(l.depth, table.find('Z'));
        }
        // Word i of the message is the half of i.
        std::vector<std::uint32_t> dwords(l.total * 8u);
        for (unsigned i = 1; i < 2 * dwords.size(); ++i)
            dwords[i / 2] |= half_of(i) << i % 2 * 16;
        WriteRow row;
        read_row(d, l, dwords, row);
        const auto number = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
        for (unsigned n = 0; n < d.slots(); ++n) {
            for (unsigned c = 0; c < 4; ++c) {
                const unsigned word = subtype == 1 ? 16u * l.color + c : 16u * (l.color + c) + n;
                EXPECT_EQ(number(row.color.channel[c][n]), static_cast<float>(word)) << subtype;
                if (d.dual()) {
                    EXPECT_EQ(number(row.color1.channel[c][n]),
                              static_cast<float>(16u * (l.color1 + c) + n));
                }
            }
            if (subtype % 4 == 0) {
                EXPECT_EQ(number(row.alpha0[n]), static_cast<float>(16u * l.alpha0 + n));
            }
            if (subtype != 1) {
                EXPECT_EQ(row.depth[n], dwords[8u * l.depth + n]);
            }
        }
    }
    // Without source-0 alpha it is the own one.
    const WriteDescriptor d = *read_descriptor(1u << 30);
    WriteRow row;
    read_row(d, write_layout(d, parts(false, "")), std::vector<std::uint32_t>(32, 0x7C003800), row);
    EXPECT_EQ(row.alpha0[0], 0x3F000000u);
    EXPECT_EQ(row.alpha0[1], 0x7F800000u);
}

TEST(WriteMessage, ReplicatedHasOneColor) {
    GEN9_COVERS("RT-24 CC-49");
    const WriteDescriptor d = descriptor(1);
    const WriteHeader h = parts(false, "");
    WriteRow row;
    read_row(d, write_layout(d, h), counting(1), row);
    for (unsigned n = 0; n < 16; ++n)
        for (unsigned c = 0; c < 4; ++c)
            EXPECT_EQ(row.color.channel[c][n], c + 1);
}

TEST(WriteMessage, HelperPixelsAreNeverWritten) {
    GEN9_COVERS("RT-17 CC-32 RT-13");
    const std::uint32_t lit = 0xF00F0000 | 0x0000A5C3;
    WriteHeader without;
    WriteHeader with;
    with.present = true;
    with.pixels = 0x0FF0;
    EXPECT_EQ(written_lanes(descriptor(0), without, 0xFFFFFFFF, lit), 0xA5C3u);
    EXPECT_EQ(written_lanes(descriptor(0), without, 0x0001, lit), 0x0001u);
    EXPECT_EQ(written_lanes(descriptor(0, true), without, 0xFFFF, lit), 0xF00Fu);
    EXPECT_EQ(written_lanes(descriptor(0), with, 0x0001, lit), 0x05C0u) << "channels do not count";
    EXPECT_EQ(written_lanes(descriptor(4), with, 0, lit), 0xC0u);
    EXPECT_EQ(written_lanes(descriptor(3), with, 0, lit), 0x05u);
    EXPECT_EQ(written_lanes(descriptor(3), without, 0x00FF, lit), 0xA5u)
        << "channels 0 to 7 are slots 8 to 15";
    EXPECT_EQ(written_lanes(descriptor(3, true), without, 0x000F, lit), 0x00u);
    EXPECT_EQ(written_lanes(descriptor(3, true), without, 0x00F0, lit), 0xF0u);
}

TEST(WriteMessage, SamplesAreMaskedByTheShader) {
    GEN9_COVERS("RT-27");
    SampleMasks covered, shader;
    covered.fill(0b1110);
    shader.fill(0xFFF3);
    mask_samples(0b01, shader, covered);
    EXPECT_EQ(covered[0], 0b0010);
    EXPECT_EQ(covered[1], 0);
}

}  // namespace
}  // namespace gen9::pixel
