// SPDX-License-Identifier: Apache-2.0
// Formats without compression: every value of those of 8 and 16 bits, random values of the others,
// against what the format's name says and the formulas in double arithmetic.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <string>

#include "tests/support/covers.h"
#include "tests/support/sample.h"
#include "tests/unit/sampler/bench.h"

namespace gen9::sampler {
namespace {
using namespace test;

struct Part {
    char letter;
    unsigned low, width;
    std::string type;
};

/// "R10G10B10_SNORM_A2_UNORM": components from the lowest bit on, each followed by what its type
/// is.
std::vector<Part> parts_of(const std::string& name) {
    std::vector<Part> parts;
    unsigned low = 0;
    std::size_t typed = 0;
    for (std::size_t at = 0; at < name.size();) {
        if (name[at] == '_') {
            const std::size_t end = std::min(name.find('_', at + 1), name.size());
            const std::string type = name.substr(at + 1, end - at - 1);
            const bool component =
                type.size() > 1 && std::isdigit(static_cast<unsigned char>(type[1]));
            if (component) {
                ++at;
                continue;
            }
            if (type != "SRGB")
                for (; typed < parts.size(); ++typed)
                    parts[typed].type = type;
            at = end;
            continue;
        }
        char* end = nullptr;
        const auto width = static_cast<unsigned>(std::strtoul(name.c_str() + at + 1, &end, 10));
        parts.push_back({name[at], low, width, ""});
        low += width;
        at = static_cast<std::size_t>(end - name.c_str());
    }
    return parts;
}

double small_float(std::uint32_t bits, unsigned width) {
    const unsigned mantissa_bits = width == 16 ? 10 : width - 5;
    const std::uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
    const int exponent = static_cast<int>(bits >> mantissa_bits & 31);
    const double sign = width == 16 && bits >> 15 ? -1 : 1;
    if (exponent == 31) return mantissa ? NAN : sign * INFINITY;
    const double scale = std::ldexp(1.0, -static_cast<int>(mantissa_bits));
    return sign * (exponent ? std::ldexp(1 + mantissa * scale, exponent - 15)
                            : std::ldexp(mantissa * scale, -14));
}

double value_of(const Part& part, std::uint32_t bits) {
    const double top = std::ldexp(1.0, static_cast<int>(part.width)) - 1;
    const auto number = static_cast<double>(static_cast<std::int32_t>(bits << (32 - part.width)) >>
                                            (32 - part.width));
    if (part.type == "UNORM") return bits / top;
    if (part.type == "SNORM") return std::max(number / ((top - 1) / 2), -1.0);
    if (part.type == "UINT") return bits;
    if (part.type == "SINT") return number;
    if (part.width == 32) return std::bit_cast<float>(bits);
    return small_float(bits, part.width);
}

double linear(double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

bool plain(const Format& format) {
    const std::string name = format.name;
    return format.decode && !format.blocks() && !format.palette &&
           name.find("SHAREDEXP") == std::string::npos;
}

/// The four channels as numbers that the element's bits mean; missing ones as the PRM's table.
std::array<double, 4> expected(const Format& format, const std::vector<Part>& parts,
                               const std::uint8_t* bytes) {
    const std::string name = format.name;
    const bool srgb = name.find("SRGB") != std::string::npos;
    std::array<double, 4> channels{0, 0, 0, 1};
    for (const Part& part : parts) {
        std::uint32_t bits = 0;
        for (unsigned b = 0; b < part.width; ++b)
            bits |= static_cast<std::uint32_t>(bytes[(part.low + b) / 8] >> (part.low + b) % 8 & 1)
                    << b;
        double value = part.type == "TYPELESS" ? 0 : value_of(part, bits);
        if (srgb && part.letter != 'A') value = linear(value);
        const std::string to = part.letter == 'L'   ? "RGB"
                               : part.letter == 'I' ? "RGBA"
                               : part.letter == 'X' ? ""
                                                    : std::string(1, part.letter);
        for (const char c : to)
            channels[std::string("RGBA").find(c)] = value;
    }
    return channels;
}

void check(const Format& format, const std::vector<Part>& parts, const std::uint8_t* bytes) {
    const Source source{bytes, 0, 0};
    Texel texel{};
    format.decode(&source, 1, &texel);
    const auto wanted = expected(format, parts, bytes);
    for (unsigned c = 0; c < 4; ++c) {
        if (format.integer()) {
            const double got =
                format.values == Values::Sint
                    ? static_cast<double>(static_cast<std::int32_t>(texel.channel[c]))
                    : static_cast<double>(texel.channel[c]);
            ASSERT_EQ(got, wanted[c]) << format.name << " channel " << c;
        } else if (std::isnan(wanted[c])) {
            ASSERT_TRUE(std::isnan(texel.number(c))) << format.name;
        } else {
            ASSERT_EQ(texel.number(c), static_cast<float>(wanted[c]))
                << format.name << " channel " << c << " of " << unsigned{bytes[0]} << ","
                << unsigned{bytes[1]};
        }
    }
}

TEST(Formats, AllValuesOfSmallOnesAndRandomOnesOfLargeMeanWhatTheirNamesSay) {
    GEN9_COVERS("SMP-202 SMP-203 SMP-204 SMP-205 SMP-53");
    std::mt19937 random(1);
    unsigned formats = 0;
    for (unsigned code = 0; code < 512; ++code) {
        const Format* const format = find_format(code, false);
        if (!format || !plain(*format)) continue;
        ++formats;
        const auto parts = parts_of(format->name);
        ASSERT_EQ((parts.back().low + parts.back().width + 7) / 8, format->bytes) << format->name;
        std::uint8_t bytes[16]{};
        const unsigned count = format->bytes == 1   ? 256
                               : format->bytes == 2 ? 65536
                                                    : gen9::test::rounds(20000);
        for (unsigned n = 0; n < count; ++n) {
            for (unsigned b = 0; b < 16; ++b)
                bytes[b] = format->bytes <= 2 ? static_cast<std::uint8_t>(n >> 8 * (b & 1))
                                              : static_cast<std::uint8_t>(random());
            check(*format, parts, bytes);
            if (HasFatalFailure()) return;
        }
    }
    EXPECT_EQ(formats, 115u);
}

/// Of the first component that has one.
Values values_of(const std::vector<Part>& parts) {
    for (const Part& part : parts) {
        if (part.letter == 'X') continue;
        return part.type == "UNORM"   ? Values::Unorm
               : part.type == "SNORM" ? Values::Snorm
               : part.type == "SINT"  ? Values::Sint
               : part.type == "UINT"  ? Values::Uint
                                      : Values::Float;
    }
    ADD_FAILURE() << "nothing in it";
    return {};
}

/// Formats whose names do not say how many bytes they have: two texels share what a DWord says of
/// colour, texels are less than a byte, and planes lie apart.
struct Special {
    unsigned code;
    unsigned bytes, texels, present, palette;
};
constexpr Special kSpecial[] = {{0x182, 4, 2, 7, 0},  {0x183, 4, 2, 7, 0},  {0x18F, 4, 2, 7, 0},
                                {0x190, 4, 2, 7, 0},  {0x181, 1, 8, 1, 0},  {0x18E, 1, 8, 15, 0},
                                {0x184, 1, 4, 15, 1}, {0x185, 1, 4, 15, 2}, {0x1A5, 0, 1, 7, 0},
                                {0x1A6, 0, 1, 7, 0}};
TEST(Formats, OfPairsOfTexelsOfBitsAndOfPlanes) {
    GEN9_COVERS("SMP-202");
    for (const Special& special : kSpecial) {
        const Format* const format = find_format(special.code, false);
        ASSERT_TRUE(format) << special.code;
        EXPECT_EQ(format->bytes, special.bytes) << format->name;
        EXPECT_EQ(format->block_width, special.texels) << format->name;
        EXPECT_EQ(format->block_height, 1) << format->name;
        EXPECT_EQ(format->values, Values::Unorm) << format->name;
        EXPECT_EQ(format->present, special.present) << format->name;
        EXPECT_EQ(format->palette, special.palette) << format->name;
        EXPECT_EQ(format->width(), Format::Width::Bits32) << format->name;
        EXPECT_EQ(format->planar(), special.bytes == 0) << format->name;
        EXPECT_EQ(format->mono(), special.code == 0x18E) << format->name;
        EXPECT_EQ(static_cast<bool>(format->decode), special.bytes != 0) << format->name;
    }
    EXPECT_EQ(find_format(0x1A5, false)->plane_bytes(), 1u);
    EXPECT_EQ(find_format(0x1A6, false)->plane_bytes(), 2u);
}

TEST(Formats, RowsHaveTheSizeKindAndChannelsOfTheirNames) {
    GEN9_COVERS("SMP-202 SMP-86");
    unsigned formats = 0;
    for (unsigned code = 0; code < 512; ++code) {
        const Format* const format = find_format(code, false);
        if (!format) continue;
        const std::string name = format->name;
        const auto parts = parts_of(name);
        const unsigned bits = parts.back().low + parts.back().width;
        const bool named = std::ranges::all_of(parts, [](const Part& p) { return p.width != 0; });
        if (!named || bits < 8) continue;  // blocks of texels
        ++formats;
        EXPECT_EQ(format->bytes * 8u, bits) << name;
        EXPECT_EQ(format->block_width, 1) << name;
        EXPECT_EQ(format->block_height, 1) << name;
        EXPECT_EQ(format->values, values_of(parts)) << name;
        EXPECT_EQ(format->palette != 0, name.find("PALETTE") != name.npos) << name;
        if (format->palette) {
            EXPECT_EQ(format->palette - 1, name.back() - '0') << name;
            EXPECT_EQ(format->present, 15) << name << ": all of an entry";
            EXPECT_EQ(format->width(), Format::Width::Bits32) << name;
            continue;
        }
        unsigned present = 0;
        bool expands = true;
        for (const Part& part : parts) {
            const std::string to = part.letter == 'L' ? "RGB" : part.letter == 'I' ? "RGBA" : "";
            for (const char c : to.empty() ? std::string(1, part.letter) : to)
                if (const auto channel = std::string("RGBA").find(c); channel < 4)
                    present |= 1u << channel;
            expands &= std::string("LIAX").find(part.letter) != std::string::npos;
        }
        EXPECT_EQ(format->present, present) << name;
        // L, A and I become RGBA of their own width before the filter.
        const unsigned width = expands && (parts[0].width & 8) == 0 ? 4 * parts[0].width : bits;
        EXPECT_EQ(format->width(), width > 64   ? Format::Width::Bits128
                                   : width > 32 ? Format::Width::Bits64
                                                : Format::Width::Bits32)
            << name;
    }
    EXPECT_EQ(formats, 126u);
}

std::set<std::string> names_of(bool Format::*property) {
    std::set<std::string> names;
    for (unsigned code = 0; code < 512; ++code)
        if (const Format* const format = find_format(code, false); format && format->*property)
            names.insert(format->name);
    return names;
}

// The table of formats (003:3576-3754), whose row of R16_UNORM is lost: depth of 16 bits is
// compared as that of others (Public: Mesa, isl_format).
TEST(Formats, TheseMayBeComparedAndThoseHaveChromaKeys) {
    EXPECT_EQ(names_of(&Format::shadow),
              (std::set<std::string>{
                  "R32_FLOAT_X8X24_TYPELESS", "R32_FLOAT", "R24_UNORM_X8_TYPELESS", "I24X8_UNORM",
                  "L24X8_UNORM", "A24X8_UNORM", "I32_FLOAT", "L32_FLOAT", "A32_FLOAT", "R16_UNORM",
                  "I16_UNORM", "L16_UNORM", "A16_UNORM", "I16_FLOAT", "L16_FLOAT", "A16_FLOAT"}));
    EXPECT_EQ(names_of(&Format::keyed),
              (std::set<std::string>{"B8G8R8A8_UNORM", "B8G8R8X8_UNORM", "B5G6R5_UNORM",
                                     "B5G5R5A1_UNORM", "B4G4R4A4_UNORM", "B5G5R5X1_UNORM",
                                     "R8G8_SNORM", "L8A8_UNORM", "R5G5_SNORM_B6_UNORM", "R8_UNORM",
                                     "A8_UNORM", "L8_UNORM", "YCRCB_NORMAL", "YCRCB_SWAPUVY",
                                     "BC1_UNORM", "BC2_UNORM", "BC3_UNORM"}));
}

// Bit 8 full range, 7 three dimensions, 6 FLT16 instead of sRGB, 5:3 width, 2:0 height (003:3521-3569).
TEST(Formats, CodesOfAstcSayTheirBlocks) {
    constexpr unsigned kSizes[8] = {4, 5, 6, 0, 8, 0, 10, 12};
    // Khronos data format specification, ASTC: the footprints of two dimensions.
    const std::set<std::pair<unsigned, unsigned>> footprints = {
        {4, 4}, {5, 4},  {5, 5},  {6, 5},  {6, 6},   {8, 5},   {8, 6},
        {8, 8}, {10, 5}, {10, 6}, {10, 8}, {10, 10}, {12, 10}, {12, 12}};
    for (unsigned code = 0; code < 512; ++code) {
        const Format* const format = find_format(code, true);
        const unsigned width = kSizes[code >> 3 & 7], height = kSizes[code & 7];
        const bool full = code >> 8 & 1, solid = code >> 7 & 1, floats = code >> 6 & 1;
        const bool there = footprints.contains({width, height}) && !solid && (floats || !full);
        ASSERT_EQ(format != nullptr, there) << code;
        if (!format) continue;
        EXPECT_EQ(format->name, std::string("ASTC_") + (full ? "FULL" : "LDR") + "_2D_" +
                                    std::to_string(width) + "X" + std::to_string(height) + "_" +
                                    (floats ? "FLT16" : "U8SRGB"));
        EXPECT_EQ(format->bytes, 16) << format->name;
        EXPECT_EQ(format->block_width, width) << format->name;
        EXPECT_EQ(format->block_height, height) << format->name;
        EXPECT_EQ(format->values, full ? Values::Float : Values::Unorm) << format->name;
        EXPECT_EQ(format->present, 15) << format->name;
        EXPECT_EQ(format->width(), Format::Width::Bits32) << format->name;
        EXPECT_EQ(static_cast<bool>(format->decode), !full) << format->name;
        EXPECT_FALSE(format->shadow || format->keyed || format->palette) << format->name;
    }
}

TEST(Formats, CompressedOnesHoldWhatTheirNamesSay) {
    unsigned formats = 0;
    for (unsigned code = 0; code < 512; ++code) {
        const Format* const format = find_format(code, false);
        if (!format || format->block_height == 1) continue;
        ++formats;
        const std::string name = format->name;
        const auto has = [&](const char* part) { return name.find(part) != name.npos; };
        EXPECT_EQ(format->values, has("F16")                        ? Values::Float
                                  : has("SNORM") || has("SIGNED_R") ? Values::Snorm
                                                                    : Values::Unorm)
            << name;
        const bool one = has("BC4") || has("R11"), two = has("BC5") || has("RG11");
        const bool three =
            has("BC6H") || has("DXT1") || (has("ETC") && !has("RGBA") && !has("A8") && !has("PTA"));
        EXPECT_EQ(format->present, one ? 1 : two ? 3 : three ? 7 : 15) << name;
        const bool small = has("BC1") || has("BC4") || has("DXT1") || has("ETC1") ||
                           (has("ETC2") && !has("EAC")) || has("_R11");
        EXPECT_EQ(format->bytes, small ? 8 : 16) << name;
        EXPECT_EQ(format->block_width, has("FXT1") ? 8 : 4) << name;
        EXPECT_EQ(format->block_height, 4) << name;
        EXPECT_EQ(format->palette, 0) << name;
        EXPECT_EQ(format->width(), has("BC6H") ? Format::Width::Bits64 : Format::Width::Bits32)
            << name;
    }
    EXPECT_EQ(formats, 28u);
}

TEST(Formats, SharedExponentAndSmallUnsignedFloats) {
    GEN9_COVERS("SMP-206");
    std::mt19937 random(2);
    for (unsigned n = 0; n < 20000; ++n) {
        const auto word = static_cast<std::uint32_t>(random());
        std::uint8_t bytes[16]{};
        store(bytes, word);
        const Source source{bytes, 0, 0};
        Texel texel{};
        find_format(0x0ED, false)->decode(&source, 1, &texel);
        for (unsigned c = 0; c < 3; ++c)
            ASSERT_EQ(texel.number(c), std::ldexp(static_cast<double>(word >> 9 * c & 511),
                                                  static_cast<int>(word >> 27) - 24));
        EXPECT_EQ(texel.channel[3], kOne);
        find_format(0x0D3, false)->decode(&source, 1, &texel);
        const double wanted[] = {small_float(word & 0x7FF, 11), small_float(word >> 11 & 0x7FF, 11),
                                 small_float(word >> 22, 10)};
        for (unsigned c = 0; c < 3; ++c) {
            if (std::isnan(wanted[c])) continue;
            ASSERT_EQ(texel.number(c), static_cast<float>(wanted[c]));
        }
    }
}

TEST(Formats, EachGivesAsManyTexelsAsItIsAskedFor) {
    std::uint8_t bytes[16];
    std::ranges::fill(bytes, std::uint8_t{0x5A});
    const Source sources[3] = {{bytes, 0, 0}, {bytes, 0, 0}, {bytes, 0, 0}};
    for (const bool astc : {false, true})
        for (unsigned code = 0; code < 512; ++code) {
            const Format* const format = find_format(code, astc);
            if (!format || !format->decode) continue;
            Texel texels[3];
            for (Texel& texel : texels)
                texel.channel.fill(0xDEAD'BEEF);
            format->decode(sources, 2, texels);
            EXPECT_NE(texels[1].channel[3], 0xDEAD'BEEF) << format->name;
            for (unsigned c = 0; c < 4; ++c)
                EXPECT_EQ(texels[2].channel[c], 0xDEAD'BEEF) << format->name;
        }
}

TEST(Formats, PackedYuvHasTwoPixelsInFourBytes) {
    GEN9_COVERS("SMP-211");
    struct Row {
        unsigned code;
        const char* order;  ///< of the bytes; U is Cb, V is Cr, digits are lumas
    };
    const Row rows[] = {{0x182, "0U1V"}, {0x190, "U0V1"}, {0x18F, "0V1U"}, {0x183, "V0U1"}};
    for (const Row& row : rows) {
        std::uint8_t bytes[16]{};
        for (unsigned i = 0; i < 4; ++i)
            bytes[i] = row.order[i] == '0'   ? 10
                       : row.order[i] == '1' ? 20
                       : row.order[i] == 'U' ? 30
                                             : 40;
        for (std::uint8_t x = 0; x < 2; ++x) {
            const Source source{bytes, x, 0};
            Texel texel{};
            find_format(row.code, false)->decode(&source, 1, &texel);
            EXPECT_EQ(texel.number(0), 40 / 255.0f) << row.order;
            EXPECT_EQ(texel.number(1), (x ? 20 : 10) / 255.0f) << row.order;
            EXPECT_EQ(texel.number(2), 30 / 255.0f) << row.order;
            EXPECT_EQ(texel.number(3), 1.0f);
        }
    }
}

TEST(Formats, HalvesAreRoundedToNearestEven) {
    for (std::uint32_t half = 0; half < 0x10000; ++half) {
        if ((half & 0x7C00) == 0x7C00 && (half & 0x3FF)) continue;
        ASSERT_EQ(float_to_half(half_to_float(half)), half);
    }
    EXPECT_EQ(float_to_half(f(65519.0f)), 0x7BFF);
    EXPECT_EQ(float_to_half(f(65520.0f)), 0x7C00);
    EXPECT_EQ(float_to_half(f(INFINITY)), 0x7C00);
    EXPECT_EQ(float_to_half(f(-1e9f)), 0xFC00);
    std::mt19937 random(3);
    for (unsigned n = 0; n < 30000; ++n) {
        // Around all halves, and at the places between two.
        constexpr std::uint32_t kBetween[] = {0x1000, 0x0FFF, 0x1001, 0};
        auto bits = static_cast<std::uint32_t>(random());
        bits = (bits & 0x807FFFFF) | (95 + random() % 55) << 23;
        if (n % 2) bits = (bits & ~0x1FFFu) | kBetween[random() % 4];
        const double value = std::fabs(std::bit_cast<float>(bits));
        const int exponent = std::max(std::ilogb(value), -14);
        const double nearest =
            std::ldexp(std::nearbyint(std::ldexp(value, 10 - exponent)), exponent - 10);
        const std::uint32_t half = float_to_half(bits);
        ASSERT_EQ(half >> 15, bits >> 31) << std::hex << bits;
        ASSERT_EQ(small_float(half & 0x7FFF, 16), value >= 65520 ? INFINITY : nearest)
            << std::hex << bits;
    }
}

// As the processors of hosts do it: a NaN keeps its sign and its upper bits, and becomes quiet.
TEST(Formats, NaNsStayOfTheirKind) {
    std::mt19937 random(6);
    for (unsigned n = 0; n < 1000; ++n) {
        const std::uint32_t sign = random() % 2, payload = 1 + random() % 0x7FFFFF;
        EXPECT_EQ(float_to_half(sign << 31 | 0x7F800000 | payload),
                  sign << 15 | 0x7E00 | payload >> 13);
    }
    for (std::uint32_t payload = 1; payload < 0x400; ++payload)
        for (const std::uint32_t sign : {0u, 1u})
            EXPECT_EQ(half_to_float(sign << 15 | 0x7C00 | payload),
                      sign << 31 | 0x7FC00000 | payload << 13);
    for (std::uint32_t payload = 1; payload < 0x40; ++payload) {
        std::uint8_t bytes[4];
        store(bytes, 31u << 6 | payload | (31u << 5 | payload >> 1) << 22);
        const Source source{bytes, 0, 0};
        Texel texel;
        find_format(0x0D3, false)->decode(&source, 1, &texel);
        EXPECT_EQ(texel.channel[0], 0x7FC00000 | payload << 17);
        EXPECT_EQ(texel.channel[2], payload > 1 ? 0x7FC00000 | payload >> 1 << 18 : 0x7F800000u);
    }
}

}  // namespace
}  // namespace gen9::sampler
